import { type ByteRange, compareBytes } from '../../eth/bytes.ts';
import { WORD_BYTES } from './word.ts';

/** Bytes to search for, each under a mask: bits that are 0 in the mask match anything. */
export interface BytePattern {
  readonly bytes: Uint8Array;
  readonly masks: Uint8Array;
}

/**
 * The patterns that find `digits`, lower-case hex without `0x`, at even and at odd positions of hex.
 *
 * @example createHexPatterns('ab')[0] // { bytes: Uint8Array.of(0xab), masks: Uint8Array.of(0xff) }
 */
export function createHexPatterns(digits: string): readonly BytePattern[] {
  return [createNibblePattern(digits), createNibblePattern(`?${digits}`)];
}

function createNibblePattern(digits: string): BytePattern {
  const padded = digits.length % 2 === 0 ? digits : `${digits}?`;
  const pairs = padded.match(/../g) ?? [];
  return {
    bytes: Uint8Array.from(pairs, (pair) => Number.parseInt(pair.replaceAll('?', '0'), 16)),
    masks: Uint8Array.from(pairs, (pair) => (pair[0] === '?' ? 0x0f : pair[1] === '?' ? 0xf0 : 0xff)),
  };
}

/**
 * The pattern that finds `text` in UTF-8; ASCII letters match in either case.
 *
 * @example createTextPattern('a1') // { bytes: Uint8Array.of(0x41, 0x31), masks: Uint8Array.of(0xdf, 0xff) }
 */
export function createTextPattern(text: string): BytePattern {
  const utf8 = new TextEncoder().encode(text);
  const masks = utf8.map((byte) => (isLetter(byte) ? 0xdf : 0xff));
  return { bytes: utf8.map((byte, index) => byte & (masks[index] ?? 0)), masks };
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return byte < 0x80 && lower >= 0x61 && lower <= 0x7a;
}

/**
 * Whether the byte range contains the pattern.
 *
 * @example hasPattern(createTextPattern('b'), { bytes: Uint8Array.of(0x41, 0x42), offset: 0, length: 2 }) // true
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

/**
 * Length in bytes of packed data: for each word, the number of its bytes after the leading zeros, then those bytes.
 * Suits data of whole words, as in most ABI encodings. Undefined if packing saves nothing, or if the data are
 * not whole words.
 */
export function getPackedLength(data: Uint8Array, length: number): number | undefined {
  if (length === 0 || length % WORD_BYTES !== 0) return undefined;
  let packed = 0;
  for (let word = 0; word < length; word += WORD_BYTES)
    packed += 1 + WORD_BYTES - countLeadingZeros(data, word);
  return packed < length ? packed : undefined;
}

/** Packs the first `length` bytes of `data` into `target`. */
export function packData(data: Uint8Array, length: number, target: ByteRange): void {
  let at = target.offset;
  for (let word = 0; word < length; word += WORD_BYTES) {
    const zeros = countLeadingZeros(data, word);
    target.bytes[at++] = WORD_BYTES - zeros;
    for (let index = word + zeros; index < word + WORD_BYTES; index++) target.bytes[at++] = data[index] ?? 0;
  }
}

/**
 * Unpacks data from the start of the first range to the start of `target`. `length` is that of the unpacked data,
 * in bytes.
 */
export function unpackData({ bytes, offset, length }: ByteRange, target: Uint8Array): void {
  let at = offset;
  for (let word = 0; word < length; word += WORD_BYTES) {
    const significant = bytes[at++] ?? 0;
    const start = word + WORD_BYTES - significant;
    for (let index = word; index < start; index++) target[index] = 0;
    for (let index = 0; index < significant; index++) target[start + index] = bytes[at + index] ?? 0;
    at += significant;
  }
}

/** Compares packed data as {@link compareBytes} compares it unpacked; the lengths are unpacked ones. */
export function comparePacked(a: ByteRange, b: ByteRange): number {
  const words = Math.min(a.length, b.length) / WORD_BYTES;
  let aAt = a.offset;
  let bAt = b.offset;
  for (let word = 0; word < words; word++) {
    const aBytes = a.bytes[aAt++] ?? 0;
    const bBytes = b.bytes[bAt++] ?? 0;
    if (aBytes !== bBytes) return aBytes - bBytes;
    const order = compareBytes(
      { bytes: a.bytes, offset: aAt, length: aBytes },
      { bytes: b.bytes, offset: bAt, length: bBytes },
    );
    if (order !== 0) return order;
    aAt += aBytes;
    bAt += bBytes;
  }
  return a.length - b.length;
}

function countLeadingZeros(data: Uint8Array, word: number): number {
  let zeros = 0;
  while (zeros < WORD_BYTES && data[word + zeros] === 0) zeros++;
  return zeros;
}

/** A list of numbers in chunks of up to 64 KiB: full chunks stay in place as the list grows. */
export interface GrowingArray {
  readonly length: number;
  push(value: number): void;
  /** @param index below `length`. */
  at(index: number): number;
  /** @param index below `length`. */
  set(index: number, value: number): void;
}

const CHUNK_BYTES = 64 * 1024;
/** Size of the first chunk, which doubles as it fills: there are many short lists. */
const INITIAL_LENGTH = 16;

/**
 * Unsigned 32-bit numbers.
 *
 * @example createUint32List().length // 0
 */
export function createUint32List(): GrowingArray {
  return createList(CHUNK_BYTES / 4, (size) => new Uint32Array(size));
}

/**
 * Numbers up to 2^53.
 *
 * @example createFloat64List().length // 0
 */
export function createFloat64List(): GrowingArray {
  return createList(CHUNK_BYTES / 8, (size) => new Float64Array(size));
}

/** @param size of a full chunk, a power of 2. */
function createList<T extends Uint32Array | Float64Array>(
  size: number,
  allocate: (size: number) => T,
): GrowingArray {
  const shift = Math.log2(size);
  const mask = size - 1;
  const chunks: T[] = [];
  let last = allocate(INITIAL_LENGTH);
  chunks.push(last);
  let length = 0;

  function grow(): void {
    if (last.length === size) {
      last = allocate(size);
      chunks.push(last);
      return;
    }
    const larger = allocate(last.length * 2);
    larger.set(last);
    last = larger;
    chunks[0] = last;
  }

  return {
    get length() {
      return length;
    },
    push(value) {
      const place = length & mask;
      if (length > 0 && (place === 0 || place === last.length)) grow();
      last[place] = value;
      length++;
    },
    at: (index) => chunks[index >>> shift]?.[index & mask] ?? 0,
    set(index, value) {
      const chunk = chunks[index >>> shift];
      if (chunk) chunk[index & mask] = value;
    },
  };
}
