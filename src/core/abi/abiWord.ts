import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';

/**
 * A value as a 32-byte word, as it stands in a topic or an argument of a call (Solidity ABI specification).
 *
 * @param value an unsigned integer under 2^256, or an address.
 * @example
 * toAbiWord(255n); // '0x00…ff', 64 digits
 */
export function toAbiWord(value: bigint | Address): Hex {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2);
  return `0x${digits.padStart(64, '0')}`;
}
