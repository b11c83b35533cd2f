import { checksum } from 'ox/Address';
import type { Address } from './address.ts';
import type { Hex } from './hex.ts';

/**
 * `right`: as EIP-55 writes it, which for an address without letters is the only way. `none`: one case only, so no
 * checksum is claimed. `wrong`: mixed case that does not match.
 */
export type ChecksumState = 'none' | 'right' | 'wrong';

/**
 * The checksum address (EIP-55) of an address in any case.
 *
 * @example
 * toChecksumAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')
 * // '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 */
export function toChecksumAddress(address: Address): Hex {
  return checksum(address);
}

/**
 * What the letter case of a written address says about its EIP-55 checksum.
 *
 * @example checksumState('0x5fbdb2315678afecb367f032d93f642f64180aa3') // 'none'
 */
export function checksumState(written: string): ChecksumState {
  const body = written.slice(2);
  if (toChecksumAddress(written.toLowerCase() as Address).slice(2) === body) return 'right';
  return body === body.toLowerCase() || body === body.toUpperCase() ? 'none' : 'wrong';
}
