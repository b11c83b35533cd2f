import { badInput } from '../base/errors.ts';

export type Hex = `0x${string}`;

/** The largest integer that a number holds exactly. No chain ID or block number reaches it. */
export const MAX_SAFE_BIGINT = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Reads a JSON-RPC quantity in any form that servers send: `0x` hex, the bare upper-case hex of Blockscout before v6.3,
 * or a JSON integer (its old `transactionIndex`).
 *
 * @returns the value, or undefined if it is none of these.
 * @example parseQuantity('0x10') // 16n
 */
export function parseQuantity(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const digits = value.startsWith('0x') ? value.slice(2) : value;
  return /^[0-9a-fA-F]{1,64}$/.test(digits) ? BigInt(`0x${digits}`) : undefined;
}

/**
 * A JSON-RPC quantity: `0x`, lower case, no leading zeros.
 *
 * @example toQuantity(16n) // '0x10'
 */
export function toQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/**
 * Hex data of exactly `bytes` bytes (any even length if left out), in lower case; undefined if it is not.
 *
 * @example parseHexData('0xAB', 1) // '0xab'
 */
export function parseHexData(value: unknown, bytes?: number): Hex | undefined {
  if (typeof value !== 'string' || !value.startsWith('0x') || value.length % 2 !== 0) return undefined;
  if (bytes !== undefined && value.length !== 2 + 2 * bytes) return undefined;
  if (isLowerHexData(value)) return value as Hex;
  const lower = value.toLowerCase();
  return isLowerHexData(lower) ? (lower as Hex) : undefined;
}

/** The pattern reads long data three times as fast as the loop. */
function isLowerHexData(text: string): boolean {
  return text.length <= LONG_CHARS ? isLowerHex(text) : !/[^0-9a-f]/.test(text.slice(2));
}

const LONG_CHARS = 1_024;

/**
 * Whether all characters in a range are lower-case hex digits; by default all after the prefix. It does not branch on
 * the digits, which in hashes no CPU can predict.
 *
 * @example isLowerHex('0x0aG', 2, 4) // true
 */
export function isLowerHex(text: string, from = 2, end = text.length): boolean {
  let valid = 1;
  for (let at = from; at < end; at++) valid &= IS_LOWER_HEX[text.charCodeAt(at)] ?? 0;
  return valid === 1;
}

const IS_LOWER_HEX = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[0-9a-f]/.test(String.fromCharCode(code))),
);

/** A 20-byte account or contract address in lower case: the form to compare and to send. */
export type Address = Hex;

/** No account: the sender of a mint, the receiver of a burn. */
export const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`;

/**
 * The address in lower case, or undefined if `text` is not `0x` and 40 hex digits in any case.
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
  if (!address) throw badInput(field, 'Not an address. Enter 0x and 40 hex digits.');
  return address;
}

/**
 * `0x1234…cdef`, where an address is too wide.
 *
 * @example formatShortAddress('0x5FbDB2315678afecb367f032d93F642f64180aa3') // '0x5FbD…0aa3'
 */
export function formatShortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
