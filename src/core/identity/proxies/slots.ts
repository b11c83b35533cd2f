import { keccak256 } from 'ox/Hash';
import { toAbiWord } from '../../abi/abiWord.ts';
import { type Address, ZERO_ADDRESS } from '../../values/address.ts';
import { type Hex, parseHexData } from '../../values/hex.ts';

/** Where proxies keep what they run, as `eth_getStorageAt` takes it. */
export const proxySlots = {
  /** EIP-1967: the hashes of `eip1967.proxy.implementation`, `.beacon` and `.admin`, each less one. */
  eip1967: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  /** The hash itself, as some have it who did not subtract. */
  eip1967Above: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbd',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  /** OpenZeppelin's before EIP-1967: the hash of `org.zeppelinos.proxy.implementation`. */
  openZeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  /** EIP-1822: the hash of `PROXIABLE`. */
  eip1822: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  /** Safe keeps its singleton in the first slot. */
  masterCopy: '0x0',
} as const satisfies Record<string, Hex>;

/**
 * Where Optimism's ResolvedDelegateProxy keeps its name and its registry: entries for its own address in mappings that
 * have the first and the second slot.
 *
 * @example
 * const { name, registry } = resolverSlots(proxy);
 */
export function resolverSlots(proxy: Address): { readonly name: Hex; readonly registry: Hex } {
  const entry = (slot: bigint) =>
    keccak256(`${toAbiWord(proxy)}${toAbiWord(slot).slice(2)}` as Hex, { as: 'Hex' });
  return { name: entry(0n), registry: entry(1n) };
}

/**
 * The address in a word of storage or of an answer; undefined for zero and for what is no address.
 *
 * @param packed takes what stands in front of the address for another value, as Safe's proxies do.
 * @example addressInWord(toAbiWord(1n)) // '0x0000000000000000000000000000000000000001'
 */
export function addressInWord(
  word: unknown,
  { packed = false }: { readonly packed?: boolean } = {},
): Address | undefined {
  const data = parseHexData(word, 32);
  if (!data || (!packed && !data.startsWith(`0x${'0'.repeat(24)}`))) return undefined;
  const address: Address = `0x${data.slice(26)}`;
  return address === ZERO_ADDRESS ? undefined : address;
}

/**
 * A text of up to 31 bytes as Solidity keeps it in one slot: left-aligned, with twice its length in the last byte.
 *
 * @returns its bytes as hex.
 * @example shortTextInWord(`0x6869${'0'.repeat(58)}04`) // '0x6869'
 */
export function shortTextInWord(word: unknown): Hex | undefined {
  const data = parseHexData(word, 32);
  const mark = data ? Number.parseInt(data.slice(-2), 16) : 0;
  if (!data || mark === 0 || mark % 2 === 1 || mark > 62) return undefined;
  return `0x${data.slice(2, 2 + mark)}`;
}
