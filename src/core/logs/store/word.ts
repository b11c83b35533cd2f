/**
 * A 32-byte word inside a larger buffer: the bytes after its leading zeros. Mutable, so that one object serves for
 * many words.
 */
export interface StoredWord {
  bytes: Uint8Array;
  offset: number;
  /** 0 to 32. */
  length: number;
}

export const WORD_BYTES = 32;
/** Longer numbers are not exact. */
const MAX_EXACT_BYTES = 6;
const NO_BYTES = new Uint8Array();

export function createWord(): StoredWord {
  return { bytes: NO_BYTES, offset: 0, length: 0 };
}

/** Points `word` at the 32 bytes at `offset`. */
export function setWord(word: StoredWord, bytes: Uint8Array, offset: number): void {
  let zeros = 0;
  while (zeros < WORD_BYTES && bytes[offset + zeros] === 0) zeros++;
  word.bytes = bytes;
  word.offset = offset + zeros;
  word.length = WORD_BYTES - zeros;
}

/** An integer as a word, in two's complement if negative. */
export function toStoredWord(value: bigint): StoredWord {
  const digits = BigInt.asUintN(256, value).toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  const bytes =
    value === 0n ? NO_BYTES : Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { bytes, offset: 0, length: bytes.length };
}

/** Compares as unsigned integers, which is also the order of the bytes from the left. */
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
 * A number in the order of the words: never greater for a smaller word, often equal for different words. It is
 * rounded at each step, which keeps the order.
 */
export function toWordKey(word: StoredWord, signed: boolean): number {
  const { bytes, offset, length } = word;
  const negative = signed && isNegative(word);
  let key = 0;
  for (let index = offset; index < offset + length; index++) {
    const byte = bytes[index] ?? 0;
    key = key * 256 + (negative ? 255 - byte : byte);
  }
  return negative ? -key - 1 : key;
}

/** Whether all words of this key are equal. */
export function isExactKey(key: number): boolean {
  return Math.abs(key) < 256 ** MAX_EXACT_BYTES;
}

/** The word as an exact number; undefined if it is too large. */
export function toSmallNumber(word: StoredWord): number | undefined {
  return word.length <= MAX_EXACT_BYTES ? toWordKey(word, false) : undefined;
}

const INTEGER_PART_BYTES = 8;
const BITS_OF_PART = BigInt(8 * INTEGER_PART_BYTES);
const wholeWord = new Uint8Array(WORD_BYTES);
const wholeWordView = new DataView(wholeWord.buffer);

/** The word as an integer of any size. */
export function toInteger({ bytes, offset, length }: StoredWord, signed: boolean): bigint {
  const start = WORD_BYTES - length;
  wholeWord.fill(0, 0, start);
  for (let index = 0; index < length; index++) wholeWord[start + index] = bytes[offset + index] ?? 0;
  let at = start - (start % INTEGER_PART_BYTES);
  if (length === 0) at = WORD_BYTES - INTEGER_PART_BYTES;
  let value = wholeWordView.getBigUint64(at);
  for (at += INTEGER_PART_BYTES; at < WORD_BYTES; at += INTEGER_PART_BYTES)
    value = (value << BITS_OF_PART) | wholeWordView.getBigUint64(at);
  return signed && length === WORD_BYTES ? BigInt.asIntN(BITS, value) : value;
}

function isNegative({ bytes, offset, length }: StoredWord): boolean {
  return length === WORD_BYTES && (bytes[offset] ?? 0) >= 0x80;
}

/** A number as typed, exact: `1,250.5` is 12505 with one fraction digit. */
export interface ParsedNumber {
  readonly digits: bigint;
  readonly fraction: number;
}

const NUMBER = /^([-+]?)(\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.(\d+))?(?:e\+?(\d{1,2}))?$/i;
/** A uint256 has 78. */
const MAX_DIGITS = 100;

export function parseNumber(text: string): ParsedNumber | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === '') return undefined;
  const zeros = Math.max(0, Number(exponent) - fraction.length);
  const digits = BigInt(
    `${sign === '-' ? '-' : ''}${whole.replaceAll(/[,_]/g, '')}${fraction}${'0'.repeat(zeros)}`,
  );
  return { digits, fraction: Math.max(0, fraction.length - Number(exponent)) };
}

/** A number in smallest units, rounded down to an integer, and whether that is exact. */
export interface InUnits {
  readonly floor: bigint;
  readonly isExact: boolean;
}

export function toUnits({ digits, fraction }: ParsedNumber, decimals: number): InUnits {
  if (decimals >= fraction) return { floor: digits * 10n ** BigInt(decimals - fraction), isExact: true };
  const divisor = 10n ** BigInt(fraction - decimals);
  const rest = digits % divisor;
  return { floor: digits / divisor - (rest < 0n ? 1n : 0n), isExact: rest === 0n };
}

const BITS = 256;

/** An integer as a 256-bit word, signed or unsigned; undefined if it does not fit. */
export function toFittingWord(value: bigint, signed: boolean): StoredWord | undefined {
  const fits = signed ? BigInt.asIntN(BITS, value) === value : BigInt.asUintN(BITS, value) === value;
  return fits ? toStoredWord(value) : undefined;
}
