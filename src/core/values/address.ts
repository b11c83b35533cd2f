import { checksum } from 'ox/Address';
import { badInput } from '../base/errors.ts';
import { type Hex, parseHexData } from './hex.ts';

/** A 20-byte account or contract address in lower case: the form for comparing and for requests. */
export type Address = Hex;

/** `none`: one case only, so no checksum is claimed. `wrong`: mixed case that does not match EIP-55. */
export type ChecksumState = 'none' | 'right' | 'wrong';

/**
 * The address in lower case, or undefined if `text` is not `0x` and 40 hex digits. Any case is taken.
 *
 * @example
 * parseAddress(' 0x5FbDB2315678afecb367f032d93F642f64180aa3 ')
 * // '0x5fbdb2315678afecb367f032d93f642f64180aa3'
 */
export function parseAddress(text: unknown): Address | undefined {
  return typeof text === 'string' ? parseHexData(text.trim(), 20) : undefined;
}

/**
 * @throws AppError `badInput` for `field` if `text` is not an address.
 * @example
 * requireAddress('0x5FbDB2315678afecb367f032d93F642f64180aa3')
 * // '0x5fbdb2315678afecb367f032d93f642f64180aa3'
 */
export function requireAddress(text: unknown, field = 'address'): Address {
  const address = parseAddress(text);
  if (!address)
    throw badInput(field, 'Not an address: it takes 0x and 40 hex digits.', { code: 'notAddress' });
  return address;
}

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
  if (body === body.toLowerCase() || body === body.toUpperCase()) return 'none';
  return toChecksumAddress(written.toLowerCase() as Address) === written ? 'right' : 'wrong';
}

/**
 * `0x1234…cdef`, for places too narrow for an address.
 *
 * @example shortAddress('0x5FbDB2315678afecb367f032d93F642f64180aa3') // '0x5FbD…0aa3'
 */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
