import { readUint } from '../../abi/abiResult.ts';
import type { CallAnswer } from '../../rpc/ethCall.ts';
import { type Address, ZERO_ADDRESS } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import type { ProxyType } from './proxy.ts';
import { addressInWord } from './slots.ts';

const IMPLEMENTATION = '0x5c60da1b';
/** What a beacon answers: `implementation()` (EIP-1967), and `childImplementation()` of those from before. */
export const beaconGetters: readonly Hex[] = [IMPLEMENTATION, '0xda525716'];
/** `facetAddresses()` of EIP-2535. */
export const FACET_ADDRESSES = '0x52ef6b2c';
/** `getAddress(string)` of Optimism's registry. */
const GET_ADDRESS = '0xbf40fac1';
/** Facets that are read: as many as Blockscout shows. */
const MOST_FACETS = 100;

/** Functions of proxies that say what they run, the more usual first. */
export const proxyGetters: readonly { readonly type: ProxyType; readonly data: Hex }[] = [
  { type: 'basic_implementation', data: IMPLEMENTATION },
  { type: 'basic_get_implementation', data: '0xaaf10f42' },
  { type: 'comptroller', data: '0xbb82aa5e' },
  { type: 'master_copy', data: '0xa619486e' },
];

/** The address that a getter returns, in exactly one word; undefined for zero and for what is none. */
export function addressReturned(answer: CallAnswer | undefined): Address | undefined {
  return answer?.state === 'returned' ? addressInWord(answer.data) : undefined;
}

/**
 * The facets in the answer to {@link FACET_ADDRESSES}, each once, without zero and without the diamond itself, which it
 * names for its own functions.
 */
export function facetsReturned(
  answer: CallAnswer | undefined,
  self: Address,
): { readonly facets: readonly Address[]; readonly left: number } {
  const none = { facets: [], left: 0 };
  if (answer?.state !== 'returned' || readUint(answer.data) !== 32n) return none;
  const words = answer.data.slice(2 + 64);
  const count = Number(BigInt(`0x${words.slice(0, 64) || '0'}`));
  // A list that is cut off is none.
  if (count === 0 || words.length < 64 * (1 + count)) return none;
  const found = new Set<Address>();
  for (let at = 1; at <= Math.min(count, MOST_FACETS); at++) {
    const word = `0x${words.slice(64 * at, 64 * (at + 1))}`;
    const facet = addressInWord(word);
    if (facet === undefined && word !== `0x${'0'.repeat(64)}`) return none;
    if (facet !== undefined && facet !== self && facet !== ZERO_ADDRESS) found.add(facet);
  }
  return { facets: [...found], left: Math.max(0, count - MOST_FACETS) };
}

/** The call that asks a registry for the address with a name of up to 31 bytes. */
export function getAddressCall(name: Hex): Hex {
  const digits = name.slice(2);
  const word = (value: number) => value.toString(16).padStart(64, '0');
  return `${GET_ADDRESS}${word(32)}${word(digits.length / 2)}${digits.padEnd(64, '0')}`;
}
