import { badInput } from '../base/errors.ts';
import { type Hex, parseHexData } from './hex.ts';

/** A 20-byte account or contract address in lower case: the form for comparing and for requests. */
export type Address = Hex;

/** Stands for no account: where a mint comes from, where a burn goes to. */
export const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`;

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
    throw badInput(field, 'Not an address: expected 0x and 40 hex digits.', { code: 'notAddress' });
  return address;
}

/**
 * `0x1234…cdef`, for places too narrow for an address.
 *
 * @example shortAddress('0x5FbDB2315678afecb367f032d93F642f64180aa3') // '0x5FbD…0aa3'
 */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
