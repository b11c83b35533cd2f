import { keccak256 } from 'ox/Hash';
import { toAbiWord } from '../abi/encode.ts';
import { type Address, type Hex, parseHexData, ZERO_ADDRESS } from '../eth/hex.ts';
import { type CallResult, decodeUint } from '../rpc/ethCall.ts';
import type { ProxyType } from './identity.ts';

const CALLDATACOPY = 0x37;
const GAS = 0x5a;
const DELEGATECALL = 0xf4;
const CALLCODE = 0xf2;
const PUSH1 = 0x60;
const PUSH20 = 0x73;
const PUSH32 = 0x7f;
/** Ten times what Ethereum allows; chains that allow more have few such contracts. More is not walked through. */
const MAX_CODE_CHARS = 2 + 2 * 256 * 1024;

/** Clones have half as much. */
const MAX_FORWARDER_CHARS = 2 + 2 * 100;

/**
 * Whether runtime code has an instruction that runs the code of others: without one a contract is no proxy, whatever
 * its functions are called. What stands behind a PUSH is data, and so is what the compiler adds at the end.
 *
 * @param code runtime code in lower case.
 * @example hasDelegateCall('0x60f4600055') // false
 */
export function hasDelegateCall(code: Hex): boolean {
  // Of another instruction set (EOF), in which the old one is not told; or too much to be walked through.
  if (code.startsWith('0xef00') || code.length > MAX_CODE_CHARS) return true;
  const end = code.length - metadataDigits(code);
  for (let at = 2; at < end; at += 2 + pushedDigits(code, at)) {
    const operation = operationAt(code, at);
    if (operation === DELEGATECALL || operation === CALLCODE) return true;
  }
  return false;
}

/**
 * The address in the code that short runtime code hands its calls to, as clones do, whatever the rest is: one that is
 * pushed right before the gas and the DELEGATECALL, behind a copy of the data of the call.
 *
 * @param code runtime code in lower case.
 * @returns undefined for code that does not, or is of over 100 bytes.
 * @example findForwardTarget('0x363d3d37') // undefined
 */
export function findForwardTarget(code: Hex): Address | undefined {
  if (code.length > MAX_FORWARDER_CHARS) return undefined;
  let isCopied = false;
  for (let at = 2; at < code.length; at += 2 + pushedDigits(code, at)) {
    const operation = operationAt(code, at);
    isCopied ||= operation === CALLDATACOPY;
    if (!isCopied || operation < PUSH1 || operation > PUSH20) continue;
    const next = at + 2 + pushedDigits(code, at);
    if (operationAt(code, next) !== GAS || operationAt(code, next + 2) !== DELEGATECALL) continue;
    return `0x${code.slice(at + 2, next).padStart(40, '0')}`;
  }
  return undefined;
}

function operationAt(code: Hex, at: number): number {
  return Number.parseInt(code.slice(at, at + 2), 16);
}

/** The digits of data behind a PUSH. */
function pushedDigits(code: Hex, at: number): number {
  const operation = operationAt(code, at);
  return operation >= PUSH1 && operation <= PUSH32 ? 2 * (operation - PUSH1 + 1) : 0;
}

/** The CBOR that Solidity and Vyper add ends with its length in two bytes, and begins with a map or a list. */
function metadataDigits(code: Hex): number {
  if (code.length < 2 + 4) return 0;
  const digits = 2 * Number.parseInt(code.slice(-4), 16) + 4;
  const start = code.length - digits;
  if (start < 2) return 0;
  return /^(?:a[1-4]|8[1-4])/.test(code.slice(start, start + 2)) ? digits : 0;
}

/**
 * What the runtime code of a proxy says by its form: the implementation itself, or where it is kept. `masterCopy` is
 * the first slot, `ownAddress` the slot with the number of the proxy's address, `resolver` a registry that is asked by
 * name.
 */
export type CodePattern =
  | { readonly type: ProxyType; readonly implementation: Address }
  | {
      readonly type: ProxyType;
      readonly storedIn: 'eip1967' | 'beacon' | 'masterCopy' | 'ownAddress' | 'resolver';
    };

/** EIP-7702: an account that runs the code at an address. */
const DELEGATED = /^0xef0100([0-9a-f]{40})$/;
/** EIP-1167 as it stands there, and as Solady makes it: with nothing behind, or with arguments. */
const CLONE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af4(?:3d82803e903d91602b|3d3d93803e602a)57fd5bf3/;
/** EIP-1167 for an address that begins with zeros, which a shorter PUSH leaves out. */
const SHORTENED_CLONE = /^0x363d3d373d3d3d363d[67][0-9a-f]{3,39}5af43d82803e903d91602[0-9a-f]57fd5bf3$/;
const SHORT_CLONE = /^0x3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3$/;
/** With PUSH0: ERC-7511, and as Solady makes it. */
const PUSH0_CLONE =
  /^0x(?:365f5f375f5f365f|5f5f365f5f37365f)73([0-9a-f]{40})5af43d5f5f3e(?:5f3d91602a57fd5bf3|6029573d5ffd5b3d5ff3)$/;
/** Clones with immutable arguments, as wighawag makes them. */
const ARGUMENTS_CLONE = /^0x3d3d3d3d363d3d3761[0-9a-f]{4}603736393661[0-9a-f]{4}013d73([0-9a-f]{40})/;
/** The same as Solady made them first, which log what is sent without data. */
const LOGGING_CLONE =
  /^0x36602c57343d527f[0-9a-f]{64}593da1005b363d3d373d3d3d3d61[0-9a-f]{4}806062363936013d73([0-9a-f]{40})5af4/;

/**
 * ERC-7760 in its forms, transparent (an address of 20 or of 14 bytes), UUPS and by a beacon: written by hand, no solc.
 */
const HANDMADE = /^0x(?:363d3d37|36581460|3d3d3373|3d3d336d)/;
const HANDMADE_DIGITS = 2 + 2 * 200;
const PUSH_EIP1967 = '7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const PUSH_BEACON = '7fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';

/** Safe's proxies from 1.0.0 to 1.5.0: short, they read the first slot and, from 1.1.1, answer `masterCopy()` alone. */
const MAX_SAFE_CODE_CHARS = 2 + 2 * 512;
const FIRST_SAFE = /^0x608060405273f{40}60005416366000803760008036/;
const READS_FIRST_SLOT = '600054';
const MASTER_COPY = 'a619486e';

/** Sequence's wallets. */
const SEQUENCE = '0x363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3';

/** Optimism's ResolvedDelegateProxy asks its registry by `getAddress(string)`. */
const MAX_RESOLVED_CODE_CHARS = 2 + 2 * 2048;
const PUSH_GET_ADDRESS = 'bf40fac1';

/**
 * What the form of runtime code says; undefined where it has none of a proxy.
 *
 * @param code in lower case.
 * @example
 * matchCodePattern('0xef01005fbdb2315678afecb367f032d93f642f64180aa3')
 * // { type: 'eip7702', implementation: '0x5fbdb2315678afecb367f032d93f642f64180aa3' }
 */
export function matchCodePattern(code: Hex): CodePattern | undefined {
  return cloneIn(code) ?? matchStoragePattern(code);
}

function cloneIn(code: Hex): CodePattern | undefined {
  const delegated = named('eip7702', DELEGATED.exec(code));
  if (delegated) return delegated;
  const clone = CLONE.exec(code);
  const [whole] = clone ?? [];
  const forwarded = findForwardTarget(code);
  return (
    named(whole?.length === code.length ? 'eip1167' : 'clone_with_immutable_arguments', clone) ??
    named('eip1167', SHORT_CLONE.exec(code) ?? PUSH0_CLONE.exec(code)) ??
    named('clone_with_immutable_arguments', ARGUMENTS_CLONE.exec(code) ?? LOGGING_CLONE.exec(code)) ??
    (forwarded && {
      type: SHORTENED_CLONE.test(code) ? 'eip1167' : 'minimal_proxy',
      implementation: forwarded,
    })
  );
}

function named(type: ProxyType, found: RegExpExecArray | null): CodePattern | undefined {
  return found?.[1] === undefined ? undefined : { type, implementation: `0x${found[1]}` };
}

function matchStoragePattern(code: Hex): CodePattern | undefined {
  if (code === SEQUENCE) return { type: 'sequence_wallet', storedIn: 'ownAddress' };
  if (HANDMADE.test(code)) {
    const head = code.slice(0, HANDMADE_DIGITS);
    if (head.includes(PUSH_EIP1967)) return { type: 'erc7760', storedIn: 'eip1967' };
    if (head.includes(PUSH_BEACON)) return { type: 'erc7760', storedIn: 'beacon' };
  }
  if (code.length <= MAX_SAFE_CODE_CHARS && isSafe(code))
    return { type: 'master_copy', storedIn: 'masterCopy' };
  if (code.length <= MAX_RESOLVED_CODE_CHARS && code.includes(PUSH_GET_ADDRESS) && hasDelegateCall(code)) {
    return { type: 'resolved_delegate_proxy', storedIn: 'resolver' };
  }
  return undefined;
}

function isSafe(code: Hex): boolean {
  if (FIRST_SAFE.test(code)) return true;
  return code.includes(READS_FIRST_SLOT) && code.includes(MASTER_COPY) && hasDelegateCall(code);
}

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
 * const { name, registry } = getResolverSlots(proxy);
 */
export function getResolverSlots(proxy: Address): { readonly name: Hex; readonly registry: Hex } {
  const entry = (slot: bigint) =>
    keccak256(`${toAbiWord(proxy)}${toAbiWord(slot).slice(2)}` as Hex, { as: 'Hex' });
  return { name: entry(0n), registry: entry(1n) };
}

/**
 * The address in a word of storage or of an answer; undefined for zero and for what is no address.
 *
 * @param packed takes what stands in front of the address for another value, as Safe's proxies do.
 * @example parseAddressWord(toAbiWord(1n)) // '0x0000000000000000000000000000000000000001'
 */
export function parseAddressWord(
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
 * @example parseShortTextWord(`0x6869${'0'.repeat(58)}04`) // '0x6869'
 */
export function parseShortTextWord(word: unknown): Hex | undefined {
  const data = parseHexData(word, 32);
  const mark = data ? Number.parseInt(data.slice(-2), 16) : 0;
  if (!data || mark === 0 || mark % 2 === 1 || mark > 62) return undefined;
  return `0x${data.slice(2, 2 + mark)}`;
}

const IMPLEMENTATION = '0x5c60da1b';
/** What a beacon answers: `implementation()` (EIP-1967), and `childImplementation()` of those from before. */
export const beaconGetters: readonly Hex[] = [IMPLEMENTATION, '0xda525716'];
/** `facetAddresses()` of EIP-2535. */
export const FACET_ADDRESSES = '0x52ef6b2c';
/** `getAddress(string)` of Optimism's registry. */
const GET_ADDRESS_SELECTOR = '0xbf40fac1';
/** Facets that are read: as many as Blockscout shows. */
const MAX_FACETS = 100;

/** Functions of proxies that say what they run, the more usual first. */
export const proxyGetters: readonly { readonly type: ProxyType; readonly data: Hex }[] = [
  { type: 'basic_implementation', data: IMPLEMENTATION },
  { type: 'basic_get_implementation', data: '0xaaf10f42' },
  { type: 'comptroller', data: '0xbb82aa5e' },
  { type: 'master_copy', data: '0xa619486e' },
];

/** The address that a getter returns, in exactly one word; undefined for zero and for what is none. */
export function decodeAddressResult(answer: CallResult | undefined): Address | undefined {
  return answer?.state === 'returned' ? parseAddressWord(answer.data) : undefined;
}

/**
 * The facets in the answer to {@link FACET_ADDRESSES}, each once, without zero and without the diamond itself, which it
 * names for its own functions.
 */
export function decodeFacets(
  answer: CallResult | undefined,
  self: Address,
): { readonly facets: readonly Address[]; readonly left: number } {
  const none = { facets: [], left: 0 };
  if (answer?.state !== 'returned' || decodeUint(answer.data) !== 32n) return none;
  const words = answer.data.slice(2 + 64);
  const count = Number(BigInt(`0x${words.slice(0, 64) || '0'}`));
  // A list that is cut off is none.
  if (count === 0 || words.length < 64 * (1 + count)) return none;
  const found = new Set<Address>();
  for (let at = 1; at <= Math.min(count, MAX_FACETS); at++) {
    const word = `0x${words.slice(64 * at, 64 * (at + 1))}`;
    const facet = parseAddressWord(word);
    if (facet === undefined && word !== `0x${'0'.repeat(64)}`) return none;
    if (facet !== undefined && facet !== self && facet !== ZERO_ADDRESS) found.add(facet);
  }
  return { facets: [...found], left: Math.max(0, count - MAX_FACETS) };
}

/** The call that asks a registry for the address with a name of up to 31 bytes. */
export function encodeGetAddress(name: Hex): Hex {
  const digits = name.slice(2);
  const word = (value: number) => value.toString(16).padStart(64, '0');
  return `${GET_ADDRESS_SELECTOR}${word(32)}${word(digits.length / 2)}${digits.padEnd(64, '0')}`;
}
