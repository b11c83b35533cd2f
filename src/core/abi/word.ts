import type { Hex } from '../values/hex.ts';

/** Hex digits of an ABI word, 32 bytes. */
export const WORD_DIGITS = 64;

/**
 * An unsigned integer or an address as an ABI word, zeros on its left: also what it is as a topic, when it is indexed.
 * https://docs.soliditylang.org/en/latest/abi-spec.html#formal-specification-of-the-encoding
 *
 * @example toWord(1n) // '0x0000000000000000000000000000000000000000000000000000000000000001'
 */
export function toWord(value: bigint | Hex): Hex {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2);
  return `0x${digits.padStart(WORD_DIGITS, '0')}`;
}
