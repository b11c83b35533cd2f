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
