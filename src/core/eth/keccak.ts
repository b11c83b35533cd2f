import { keccak_256 } from '@noble/hashes/sha3.js';
import { checksum } from 'ox/Address';
import { keccak256 } from 'ox/Hash';
import type { SliceOptions } from '../base/timeSlices.ts';
import { readHex } from './bytes.ts';
import type { Address, Hex } from './hex.ts';

/**
 * The checksummed address (EIP-55).
 *
 * @example
 * toChecksumAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')
 * // '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 */
export function toChecksumAddress(address: Address): Hex {
  return checksum(address);
}

/**
 * Whether the letter case of an address matches its EIP-55 checksum.
 *
 * @example getChecksumState('0x5fbdb2315678afecb367f032d93f642f64180aa3') // 'none'
 */
export function getChecksumState(written: string): ChecksumState {
  const body = written.slice(2);
  if (toChecksumAddress(written.toLowerCase() as Address).slice(2) === body) return 'right';
  return body === body.toLowerCase() || body === body.toUpperCase() ? 'none' : 'wrong';
}

/**
 * `right`: as EIP-55 writes it. An address without letters is always right. `none`: one case only, so no checksum is
 * claimed. `wrong`: mixed case that does not match.
 */
export type ChecksumState = 'none' | 'right' | 'wrong';

/**
 * Keccak-256 of a signature: topic 0 of an event's logs.
 *
 * @example hashSignature('Transfer(address,address,uint256)') // transferEvents.transfer.topic0
 */
export function hashSignature(signature: string): Hex {
  return hashText(signature);
}

/** Keccak-256 of a text in UTF-8. */
export function hashText(text: string): Hex {
  return keccak256(utf8.encode(text), { as: 'Hex' });
}

/**
 * Keccak-256 of bytes.
 *
 * @example hashData('0x').slice(0, 10) // '0xc5d24601'
 */
export function hashData(data: Hex): Hex {
  return keccak256(data, { as: 'Hex' });
}

/**
 * Keccak-256 of bytes or of a text in UTF-8, in slices: a MiB takes some 50 milliseconds.
 *
 * @throws the reason of the signal when it aborts.
 * @example await hashInSlices('', { slices }); // '0xc5d24601…a470'
 */
export async function hashInSlices(
  data: Uint8Array | string,
  { slices, signal }: SliceOptions,
): Promise<Hex> {
  const bytes = typeof data === 'string' ? utf8.encode(data) : data;
  const hash = keccak_256.create();
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    if (slices.isOver()) await slices.rest({ signal });
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
  }
  return readHex(hash.digest(), 0, 32);
}

/** In bytes. */
const HASHED_AT_ONCE = 64 * 1024;
const utf8 = new TextEncoder();

/**
 * The selector of a function or an error: the first four bytes of the hash of its signature.
 *
 * @example toSelector('transfer(address,uint256)') // '0xa9059cbb'
 */
export function toSelector(signature: string): Hex {
  return hashSignature(signature).slice(0, 10) as Hex;
}
