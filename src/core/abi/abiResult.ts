import { decode, from } from 'ox/AbiParameters';
import type { Hex } from '../values/hex.ts';
import { writeHex } from '../values/hexBytes.ts';
import { plainText } from '../values/plainText.ts';

const WORD_DIGITS = 64;
const STRING_RESULT = from('string');

/**
 * The first word of a result as a uint256; undefined for a shorter result.
 *
 * @example readUint(toAbiWord(6n)) // 6n
 */
export function readUint(data: Hex): bigint | undefined {
  return data.length >= 2 + WORD_DIGITS ? BigInt(data.slice(0, 2 + WORD_DIGITS)) : undefined;
}

/**
 * A result of exactly one word that is 1 or 0; undefined otherwise.
 *
 * @example readBool(toAbiWord(1n)) // true
 */
export function readBool(data: Hex): boolean | undefined {
  const value = data.length === 2 + WORD_DIGITS ? readUint(data) : undefined;
  return value === undefined || value > 1n ? undefined : value === 1n;
}

/**
 * Text as `string`, or as the `bytes32` of tokens from before the standard was settled; plain and bounded.
 *
 * @example readText('0x5553444300000000000000000000000000000000000000000000000000000000') // 'USDC'
 */
export function readText(data: Hex): string | undefined {
  const text = data.length === 2 + WORD_DIGITS ? readBytes32(data) : readString(data);
  return text === undefined ? undefined : plainText(text) || undefined;
}

/**
 * A `string` as it stands, however long up to `most` bytes; not fit to be shown. Undefined for a longer one, for what is
 * no string, and for what is not UTF-8.
 *
 * @example readLongText(`${toAbiWord(32n)}${toAbiWord(2n).slice(2)}6869`, 1024) // 'hi'
 */
export function readLongText(data: Hex, most: number): string | undefined {
  const start = Number(readUint(data) ?? Number.NaN);
  const length = wordAt(data, start);
  if (length === undefined || length > most) return undefined;
  const from = 2 + 2 * start + WORD_DIGITS;
  const digits = data.slice(from, from + 2 * length);
  if (digits.length < 2 * length) return undefined;
  const bytes = new Uint8Array(length);
  writeHex(`0x${digits}`, bytes, 0);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The word at so many bytes, as far as a number is exact. */
function wordAt(data: Hex, bytes: number): number | undefined {
  const from = 2 + 2 * bytes;
  if (!Number.isSafeInteger(from) || data.length < from + WORD_DIGITS) return undefined;
  const value = Number(BigInt(`0x${data.slice(from, from + WORD_DIGITS)}`));
  return Number.isSafeInteger(value) ? value : undefined;
}

function readBytes32(data: Hex): string {
  const bytes = new Uint8Array(WORD_DIGITS / 2);
  writeHex(data, bytes, 0);
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

function readString(data: Hex): string | undefined {
  try {
    return decode(STRING_RESULT, data)[0];
  } catch {
    return undefined;
  }
}
