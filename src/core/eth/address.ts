import { keccak256 } from 'ox/Hash';
import { badInput } from '../base/errors.ts';
import { createMessage, foreign } from '../base/text.ts';
import { type Address, parseAddress, requireAddress } from './hex.ts';
import { getChecksumState } from './keccak.ts';

/**
 * The address that a file, a program or a command wrote. In mixed case, it must match its checksum: another letter case
 * means that a character may be mistyped, and nobody sees the hint that a form gives.
 *
 * @throws AppError `badInput` for `field` if `text` is not an address, or has a wrong checksum.
 * @example
 * requireWrittenAddress('0x5FbDB2315678afecb367f032d93F642f64180aa3')
 * // '0x5fbdb2315678afecb367f032d93f642f64180aa3'
 */
export function requireWrittenAddress(text: unknown, field = 'address'): Address {
  const address = requireAddress(text, field);
  validateChecksum(String(text), field);
  return address;
}

/**
 * Whether a text that may also be a name is meant as an address, though it may be none: `0x` and hex digits, or blank.
 *
 * @example isWrittenAddress('0x12') // true
 */
export function isWrittenAddress(text: string): boolean {
  return /^(?:0x[0-9a-f]*)?$/i.test(text.trim());
}

/**
 * @throws AppError `badInput` for `field` if `text` is an address with a wrong checksum. Other texts pass.
 * @example validateChecksum('0x5fbdb2315678afecb367f032d93f642f64180aa3', 'address'); // one case: no checksum
 */
export function validateChecksum(text: string, field: string): void {
  const written = text.trim();
  const address = parseAddress(written);
  if (!address || getChecksumState(written) !== 'wrong' || hasChainChecksum(written, address)) return;
  throw badInput(
    field,
    createMessage(
      'The EIP-55 checksum of {0} is wrong: a character may be mistyped. Compare it with its origin. If it is right, write it in lower case.',
      foreign(written),
    ),
  );
}

/** Chains whose tools write checksums with the chain ID: https://eips.ethereum.org/EIPS/eip-1191 */
const CHAINS_OF_EIP_1191: readonly number[] = [30, 31];

function hasChainChecksum(written: string, address: Address): boolean {
  return CHAINS_OF_EIP_1191.some((chainId) => toChainChecksum(address, chainId) === written);
}

function toChainChecksum(address: Address, chainId: number): string {
  const hash = keccak256(utf8.encode(`${chainId}${address}`), { as: 'Hex' });
  const digits = [...address.slice(2)].map((digit, at) =>
    Number.parseInt(hash.charAt(2 + at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${digits.join('')}`;
}

const utf8 = new TextEncoder();
