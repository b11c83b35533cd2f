import type { Address } from '../eth/hex.ts';

/** An address that means the same on every EVM chain that has it. */
export interface KnownAddress {
  readonly address: Address;
  /** Its common name; for a precompile, the name in its EIP. */
  readonly name: string;
  /** The EIP or paper that defines a precompile; undefined for the zero address. */
  readonly source: string | undefined;
}

const precompiles = [
  [0x01, 'ecrecover', 'Yellow Paper'],
  [0x02, 'SHA-256', 'Yellow Paper'],
  [0x03, 'RIPEMD-160', 'Yellow Paper'],
  [0x04, 'identity', 'Yellow Paper'],
  [0x05, 'modexp', 'EIP-198'],
  [0x06, 'alt_bn128 add', 'EIP-196'],
  [0x07, 'alt_bn128 mul', 'EIP-196'],
  [0x08, 'alt_bn128 pairing', 'EIP-197'],
  [0x09, 'BLAKE2 F', 'EIP-152'],
  [0x0a, 'KZG point evaluation', 'EIP-4844'],
  [0x0b, 'BLS12_G1ADD', 'EIP-2537'],
  [0x0c, 'BLS12_G1MSM', 'EIP-2537'],
  [0x0d, 'BLS12_G2ADD', 'EIP-2537'],
  [0x0e, 'BLS12_G2MSM', 'EIP-2537'],
  [0x0f, 'BLS12_PAIRING_CHECK', 'EIP-2537'],
  [0x10, 'BLS12_MAP_FP_TO_G1', 'EIP-2537'],
  [0x11, 'BLS12_MAP_FP2_TO_G2', 'EIP-2537'],
  [0x100, 'P256VERIFY', 'EIP-7951'],
] as const;

/**
 * The zero address (the other side of mints and burns) and the precompiles: Yellow Paper and EIP-196,
 * EIP-197, EIP-198 (Byzantium), EIP-152 (Istanbul), EIP-4844 (Cancun), EIP-2537 (Prague), EIP-7951 (Osaka;
 * RIP-7212 on rollups before).
 *
 * @example knownAddresses.length // 19
 */
export const knownAddresses: readonly KnownAddress[] = [
  { address: toAddress(0), name: 'Zero address', source: undefined },
  ...precompiles.map(([number, name, source]) => ({ address: toAddress(number), name, source })),
];

const byAddress = new Map(knownAddresses.map((entry) => [entry.address, entry]));

/**
 * What an address is on every chain; undefined for ordinary addresses.
 *
 * @example findKnownAddress('0x0000000000000000000000000000000000000001')?.name // 'ecrecover'
 */
export function findKnownAddress(address: Address): KnownAddress | undefined {
  return byAddress.get(address);
}

function toAddress(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`;
}
