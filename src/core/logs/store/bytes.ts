import { type ByteRange, compareBytes } from '../../eth/bytes.ts';

/** Bytes to look for, each under a mask: a bit that is 0 in the mask may be anything. */
export interface BytePattern {
  readonly bytes: Uint8Array;
  readonly masks: Uint8Array;
}

/**
 * The patterns that find `digits`, lower-case hex without `0x`, at even and at odd places of hex.
 *
 * @example createHexPatterns('ab')[0] // { bytes: Uint8Array.of(0xab), masks: Uint8Array.of(0xff) }
 */
export function createHexPatterns(digits: string): readonly BytePattern[] {
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
 * @example createTextPattern('a1') // { bytes: Uint8Array.of(0x41, 0x31), masks: Uint8Array.of(0xdf, 0xff) }
 */
export function createTextPattern(text: string): BytePattern {
  const utf8 = new TextEncoder().encode(text);
  const masks = utf8.map((byte) => (isLetter(byte) ? 0xdf : 0xff));
  return { bytes: utf8.map((byte, index) => byte & (masks[index] ?? 0)), masks };
}

/**
 * Whether the stretch holds the pattern.
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

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return byte < 0x80 && lower >= 0x61 && lower <= 0x7a;
}

const WORD_BYTES = 32;

/**
 * Data of whole words, as the ABI writes most of it, in short: for each word the number of its bytes behind the zeros
 * that it begins with, then those bytes. Undefined where that is no shorter, or the data are no whole words.
 *
 * @returns how many bytes it takes.
 */
export function getPackedLength(data: Uint8Array, length: number): number | undefined {
  if (length === 0 || length % WORD_BYTES !== 0) return undefined;
  let packed = 0;
  for (let word = 0; word < length; word += WORD_BYTES) packed += 1 + WORD_BYTES - zerosAt(data, word);
  return packed < length ? packed : undefined;
}

/** Writes the first `length` bytes of `data` in short to `target`. */
export function packData(data: Uint8Array, length: number, target: ByteRange): void {
  let at = target.offset;
  for (let word = 0; word < length; word += WORD_BYTES) {
    const zeros = zerosAt(data, word);
    target.bytes[at++] = WORD_BYTES - zeros;
    for (let index = word + zeros; index < word + WORD_BYTES; index++) target.bytes[at++] = data[index] ?? 0;
  }
}

/** Writes the data whose short form begins at `packed` to the beginning of `target`: `packed.length` bytes. */
export function unpackData({ bytes, offset, length }: ByteRange, target: Uint8Array): void {
  let at = offset;
  for (let word = 0; word < length; word += WORD_BYTES) {
    const kept = bytes[at++] ?? 0;
    const start = word + WORD_BYTES - kept;
    for (let index = word; index < start; index++) target[index] = 0;
    for (let index = 0; index < kept; index++) target[start + index] = bytes[at + index] ?? 0;
    at += kept;
  }
}

/** Compares data in short form as {@link compareBytes} compares it in full; the lengths are those in full. */
export function comparePacked(a: ByteRange, b: ByteRange): number {
  const words = Math.min(a.length, b.length) / WORD_BYTES;
  let aAt = a.offset;
  let bAt = b.offset;
  for (let word = 0; word < words; word++) {
    const aKept = a.bytes[aAt++] ?? 0;
    const bKept = b.bytes[bAt++] ?? 0;
    if (aKept !== bKept) return aKept - bKept;
    const order = compareBytes(
      { bytes: a.bytes, offset: aAt, length: aKept },
      { bytes: b.bytes, offset: bAt, length: bKept },
    );
    if (order !== 0) return order;
    aAt += aKept;
    bAt += bKept;
  }
  return a.length - b.length;
}

function zerosAt(data: Uint8Array, word: number): number {
  let zeros = 0;
  while (zeros < WORD_BYTES && data[word + zeros] === 0) zeros++;
  return zeros;
}

/** A list of numbers in pieces of up to 64 KiB: what is in a whole piece stays where it is as the list grows. */
export interface GrowingArray {
  readonly length: number;
  push(value: number): void;
  /** The number at `index`, which must be below `length`. */
  at(index: number): number;
}

const PIECE_BYTES = 64 * 1024;
/** The first piece begins with so many numbers, and doubles: there are many short lists. */
const FIRST = 16;

/**
 * Numbers of 32 bits without sign.
 *
 * @example createUint32List().length // 0
 */
export function createUint32List(): GrowingArray {
  return createList(PIECE_BYTES / 4, (size) => new Uint32Array(size));
}

/**
 * Numbers up to 2^53.
 *
 * @example createFloat64List().length // 0
 */
export function createFloat64List(): GrowingArray {
  return createList(PIECE_BYTES / 8, (size) => new Float64Array(size));
}

/** @param size of a whole piece, a power of 2. */
function createList<T extends Uint32Array | Float64Array>(
  size: number,
  allocate: (size: number) => T,
): GrowingArray {
  const shift = Math.log2(size);
  const mask = size - 1;
  const pieces: T[] = [];
  let last = allocate(FIRST);
  pieces.push(last);
  let length = 0;

  function addRoom(): void {
    if (last.length === size) {
      last = allocate(size);
      pieces.push(last);
      return;
    }
    const larger = allocate(last.length * 2);
    larger.set(last);
    last = larger;
    pieces[0] = last;
  }

  return {
    get length() {
      return length;
    },
    push(value) {
      const place = length & mask;
      if (length > 0 && (place === 0 || place === last.length)) addRoom();
      last[place] = value;
      length++;
    },
    at: (index) => pieces[index >>> shift]?.[index & mask] ?? 0,
  };
}
