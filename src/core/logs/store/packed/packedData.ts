import { type ByteRange, compareBytes } from '../../../values/hexBytes.ts';

const WORD_BYTES = 32;

/**
 * Data of whole words, as the ABI writes most of it, in short: for each word the number of its bytes behind the zeros
 * that it begins with, then those bytes. Undefined where that is no shorter, or the data are no whole words.
 *
 * @returns how many bytes it takes.
 */
export function packedLength(data: Uint8Array, length: number): number | undefined {
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
