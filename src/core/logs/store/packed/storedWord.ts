/** A 32-byte word where it is kept: the bytes behind the zeros that it begins with. Filled anew for each word. */
export interface StoredWord {
  bytes: Uint8Array;
  offset: number;
  /** 0 to 32. */
  length: number;
}

export const WORD_BYTES = 32;
/** Below, a number is exact. */
const MOST_EXACT_BYTES = 6;
const NO_BYTES = new Uint8Array();

export function newWord(): StoredWord {
  return { bytes: NO_BYTES, offset: 0, length: 0 };
}

/** Takes `word` for the 32 bytes at `offset`. */
export function takeWord(word: StoredWord, bytes: Uint8Array, offset: number): void {
  let zeros = 0;
  while (zeros < WORD_BYTES && bytes[offset + zeros] === 0) zeros++;
  word.bytes = bytes;
  word.offset = offset + zeros;
  word.length = WORD_BYTES - zeros;
}

/** An integer as a word: in two's complement if it is negative. */
export function wordOf(value: bigint): StoredWord {
  const digits = BigInt.asUintN(256, value).toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  const bytes =
    value === 0n ? NO_BYTES : Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { bytes, offset: 0, length: bytes.length };
}

/** Compares as unsigned integers, which for bytes is their order from the left. */
export function compareWords(a: StoredWord, b: StoredWord): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let index = 0; index < a.length; index++) {
    const difference = (a.bytes[a.offset + index] ?? 0) - (b.bytes[b.offset + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares as signed integers. */
export function compareSigned(a: StoredWord, b: StoredWord): number {
  const negative = isNegative(a);
  if (negative !== isNegative(b)) return negative ? -1 : 1;
  return compareWords(a, b);
}

export function equalWords(a: StoredWord, b: StoredWord): boolean {
  return a.length === b.length && compareWords(a, b) === 0;
}

/**
 * A number in the order of the words: never greater for a lesser word, often equal for two that differ. Rounded at each
 * step, which keeps the order.
 */
export function wordKey(word: StoredWord, signed: boolean): number {
  const { bytes, offset, length } = word;
  const negative = signed && isNegative(word);
  let key = 0;
  for (let index = offset; index < offset + length; index++) {
    const byte = bytes[index] ?? 0;
    key = key * 256 + (negative ? 255 - byte : byte);
  }
  return negative ? -key - 1 : key;
}

/** Whether words of this key are all equal. */
export function isExactKey(key: number): boolean {
  return Math.abs(key) < 256 ** MOST_EXACT_BYTES;
}

/** The word as a whole number that is exact, if it is that small. */
export function smallNumber(word: StoredWord): number | undefined {
  return word.length <= MOST_EXACT_BYTES ? wordKey(word, false) : undefined;
}

function isNegative({ bytes, offset, length }: StoredWord): boolean {
  return length === WORD_BYTES && (bytes[offset] ?? 0) >= 0x80;
}
