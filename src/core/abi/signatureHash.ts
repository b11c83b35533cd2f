import { keccak256 } from 'ox/Hash';
import type { Hex } from '../values/hex.ts';

const utf8 = new TextEncoder();

/**
 * Keccak-256 of a signature: topic 0 of an event's logs.
 *
 * @example signatureHash('Transfer(address,address,uint256)') // transferEvents.transfer.topic0
 */
export function signatureHash(signature: string): Hex {
  return keccak256(utf8.encode(signature), { as: 'Hex' });
}

/**
 * The first four bytes of the hash of a signature: what stands for a function or an error.
 *
 * @example selectorOf('transfer(address,uint256)') // '0xa9059cbb'
 */
export function selectorOf(signature: string): Hex {
  return signatureHash(signature).slice(0, 10) as Hex;
}
