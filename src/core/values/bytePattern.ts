import type { ByteRange } from './hexBytes.ts';

/** Bytes to look for, each under a mask: a bit that is 0 in the mask may be anything. */
export interface BytePattern {
  readonly bytes: Uint8Array;
  readonly masks: Uint8Array;
}

/**
 * The patterns that find `digits`, lower-case hex without `0x`, at even and at odd places of hex.
 *
 * @example hexPatterns('ab')[0] // { bytes: Uint8Array.of(0xab), masks: Uint8Array.of(0xff) }
 */
export function hexPatterns(digits: string): readonly BytePattern[] {
  return [nibblePattern(digits), nibblePattern(`?${digits}`)];
}

function nibblePattern(digits: string): BytePattern {
  const padded = digits.length % 2 === 0 ? digits : `${digits}?`;
  const pairs = padded.match(/../g) ?? [];
  return {
    bytes: Uint8Array.from(pairs, (pair) => Number.parseInt(pair.replaceAll('?', '0'), 16)),
    masks: Uint8Array.from(pairs, (pair) => (pair[0] === '?' ? 0x0f : pair[1] === '?' ? 0xf0 : 0xff)),
  };
}

/**
 * The pattern that finds `text` in UTF-8, ASCII letters in either case.
 *
 * @example textPattern('a1') // { bytes: Uint8Array.of(0x41, 0x31), masks: Uint8Array.of(0xdf, 0xff) }
 */
export function textPattern(text: string): BytePattern {
  const utf8 = new TextEncoder().encode(text);
  const masks = utf8.map((byte) => (isLetter(byte) ? 0xdf : 0xff));
  return { bytes: utf8.map((byte, index) => byte & (masks[index] ?? 0)), masks };
}

/**
 * Whether the stretch holds the pattern.
 *
 * @example hasPattern(textPattern('b'), { bytes: Uint8Array.of(0x41, 0x42), offset: 0, length: 2 }) // true
 */
export function hasPattern(
  { bytes, masks }: BytePattern,
  { bytes: source, offset, length }: ByteRange,
): boolean {
  const last = offset + length - bytes.length;
  const firstByte = bytes[0];
  const firstMask = masks[0] ?? 0;
  for (let start = offset; start <= last; start++) {
    if (((source[start] ?? 0) & firstMask) !== firstByte) continue;
    let at = 1;
    while (at < bytes.length && ((source[start + at] ?? 0) & (masks[at] ?? 0)) === bytes[at]) at++;
    if (at === bytes.length) return true;
  }
  return false;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return byte < 0x80 && lower >= 0x61 && lower <= 0x7a;
}
