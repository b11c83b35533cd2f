import { keccak256 } from 'ox/Hash';
import { toAbiWord } from '../abi/encode.ts';
import { type Address, type Hex, parseHexData, ZERO_ADDRESS } from '../eth/hex.ts';
import { type CallResult, decodeUint } from '../rpc/ethCall.ts';
import type { ProxyType } from './identity.ts';

/**
 * What a proxy's runtime code reveals: the implementation itself, or where it is stored. `masterCopy` is slot
 * 0, `ownAddress` the slot numbered like the proxy's own address, `resolver` a registry that resolves a name.
 */
export type CodePattern =
  | { readonly type: ProxyType; readonly implementation: Address }
  | {
      readonly type: ProxyType;
      readonly storedIn: 'eip1967' | 'beacon' | 'masterCopy' | 'ownAddress' | 'resolver';
    };

/**
 * Recognizes a proxy by the form of its runtime code; undefined if no pattern matches.
 *
 * @param code in lower case.
 * @example
 * matchCodePattern('0xef01005fbdb2315678afecb367f032d93f642f64180aa3')
 * // { type: 'eip7702', implementation: '0x5fbdb2315678afecb367f032d93f642f64180aa3' }
 */
export function matchCodePattern(code: Hex): CodePattern | undefined {
  return matchClone(code) ?? matchStoragePattern(code);
}

/** EIP-7702: an account that delegates to an address. */
const DELEGATED = /^0xef0100([0-9a-f]{40})$/;
/** EIP-1167 as specified and as Solady builds it, with or without immutable arguments appended. */
const CLONE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af4(?:3d82803e903d91602b|3d3d93803e602a)57fd5bf3/;
/** EIP-1167 for an address with leading zeros, pushed with fewer bytes. */
const SHORTENED_CLONE = /^0x363d3d373d3d3d363d[67][0-9a-f]{3,39}5af43d82803e903d91602[0-9a-f]57fd5bf3$/;
const SHORT_CLONE = /^0x3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3/;
/** ERC-3448, a clone with metadata of any length. */
const META_PROXY = /^0x363d3d373d3d3d3d60368038038091363936013d73([0-9a-f]{40})5af43d3d93803e603457fd5bf3/;
/** With PUSH0: ERC-7511 and Solady's variant. Arguments may follow any clone that ends by itself. */
const PUSH0_CLONE =
  /^0x(?:365f5f375f5f365f|5f5f365f5f37365f)73([0-9a-f]{40})5af43d5f5f3e(?:5f3d91602a57fd5bf3|6029573d5ffd5b3d5ff3)/;
/** Clones with immutable arguments by wighawag. */
const ARGUMENTS_CLONE = /^0x3d3d3d3d363d3d3761[0-9a-f]{4}603736393661[0-9a-f]{4}013d73([0-9a-f]{40})/;
/** Solady's first clones with immutable arguments, which log received ether. */
const LOGGING_CLONE =
  /^0x36602c57343d527f[0-9a-f]{64}593da1005b363d3d373d3d3d3d61[0-9a-f]{4}806062363936013d73([0-9a-f]{40})5af4/;

/** ERC-7760, hand-written bytecode: transparent (for an address of 20 or 14 bytes), UUPS and beacon. */
const HAND_WRITTEN = /^0x(?:363d3d37|36581460|3d3d3373|3d3d336d)/;
const MAX_HAND_WRITTEN_CHARS = 2 + 2 * 200;
const PUSH_EIP1967 = '7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const PUSH_BEACON = '7fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';

/**
 * Safe proxies 1.0.0 to 1.5.0: short code that reads slot 0 and, since 1.1.1, itself handles only
 * `masterCopy()`.
 */
const MAX_SAFE_CODE_CHARS = 2 + 2 * 512;
const FIRST_SAFE = /^0x608060405273f{40}60005416366000803760008036/;
const READ_FIRST_SLOT = '600054';
const MASTER_COPY = 'a619486e';

const SEQUENCE = '0x363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3';

/** Optimism's ResolvedDelegateProxy calls `getAddress(string)` of its registry. */
const MAX_RESOLVED_CODE_CHARS = 2 + 2 * 2048;
const PUSH_GET_ADDRESS = 'bf40fac1';

function matchClone(code: Hex): CodePattern | undefined {
  const delegated = toClonePattern('eip7702', DELEGATED.exec(code));
  if (delegated) return delegated;
  const clone = CLONE.exec(code) ?? SHORT_CLONE.exec(code) ?? PUSH0_CLONE.exec(code);
  const [whole] = clone ?? [];
  const forwarded = findForwardTarget(code);
  return (
    toClonePattern(whole?.length === code.length ? 'eip1167' : 'clone_with_immutable_arguments', clone) ??
    toClonePattern(
      'clone_with_immutable_arguments',
      ARGUMENTS_CLONE.exec(code) ?? LOGGING_CLONE.exec(code) ?? META_PROXY.exec(code),
    ) ??
    (forwarded && {
      type: SHORTENED_CLONE.test(code) ? 'eip1167' : 'minimal_proxy',
      implementation: forwarded,
    })
  );
}

function toClonePattern(type: ProxyType, match: RegExpExecArray | null): CodePattern | undefined {
  return match?.[1] === undefined ? undefined : { type, implementation: `0x${match[1]}` };
}

function matchStoragePattern(code: Hex): CodePattern | undefined {
  if (code === SEQUENCE) return { type: 'sequence_wallet', storedIn: 'ownAddress' };
  if (HAND_WRITTEN.test(code)) {
    const head = code.slice(0, MAX_HAND_WRITTEN_CHARS);
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
  return code.includes(READ_FIRST_SLOT) && code.includes(MASTER_COPY) && hasDelegateCall(code);
}

const CALLDATACOPY = 0x37;
const GAS = 0x5a;
const CALL = 0xf1;
const DELEGATECALL = 0xf4;
const CALLCODE = 0xf2;
const PUSH1 = 0x60;
const PUSH20 = 0x73;
const PUSH32 = 0x7f;
/** Ten times Ethereum's limit. Longer code is not scanned. */
const MAX_CODE_CHARS = 2 + 2 * 256 * 1024;

/** Twice the length of a clone. */
const MAX_FORWARDER_CHARS = 2 + 2 * 100;

/**
 * Whether runtime code contains DELEGATECALL or CALLCODE. Without one, a contract is not a proxy, whatever the names of
 * its functions. PUSH data and the compiler's metadata at the end are skipped.
 *
 * @param code runtime code in lower case.
 * @example hasDelegateCall('0x60f4600055') // false
 */
export function hasDelegateCall(code: Hex): boolean {
  return hasOperation(code, [DELEGATECALL, CALLCODE]);
}

/**
 * Whether runtime code may be a proxy that CALLs the contract that its `target()` returns, and emits events for it, as
 * Synthetix' `Proxy` does. Such code is short and has that function itself. Zodiac modules do too, but their target is the
 * account that they control.
 *
 * @param code runtime code in lower case.
 * @example mayCallTarget('0x60806040') // false
 */
export function mayCallTarget(code: Hex): boolean {
  return (
    code.length <= MAX_CALL_PROXY_CHARS &&
    code.includes(TARGET.slice(2)) &&
    !code.includes(ZODIAC_AVATAR) &&
    hasOperation(code, [CALL])
  );
}

/**
 * Whether runtime code may be a proxy of any kind.
 *
 * @param code runtime code in lower case.
 * @example mayBeProxy('0x60f4600055') // false
 */
export function mayBeProxy(code: Hex): boolean {
  return matchCodePattern(code) !== undefined || hasDelegateCall(code) || mayCallTarget(code);
}

/** `target()`. */
export const TARGET = '0xd4b83992';
/** `avatar()` of Zodiac modules. */
const ZODIAC_AVATAR = '5aef7de6';
/** Synthetix' `ProxyERC20`, the longest of its kind, has some 4,600 bytes. */
const MAX_CALL_PROXY_CHARS = 2 + 2 * 6 * 1024;

function hasOperation(code: Hex, operations: readonly number[]): boolean {
  // EOF has another instruction set; code over the limit is not scanned. Both may have any operation.
  if (code.startsWith('0xef00') || code.length > MAX_CODE_CHARS) return true;
  const end = code.length - metadataDigits(code);
  for (let at = 2; at < end; at += 2 + pushedDigits(code, at)) {
    if (operations.includes(operationAt(code, at))) return true;
  }
  return false;
}

/**
 * The address to which short runtime code forwards its calls, as clones do: it is pushed right before GAS and
 * DELEGATECALL, after calldata was copied. The rest of the code does not matter.
 *
 * @param code runtime code in lower case.
 * @returns undefined for code that does not forward or is longer than 100 bytes.
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

/** The number of hex digits of data after a PUSH; 0 for any other instruction. */
function pushedDigits(code: Hex, at: number): number {
  const operation = operationAt(code, at);
  return operation >= PUSH1 && operation <= PUSH32 ? 2 * (operation - PUSH1 + 1) : 0;
}

/**
 * Solidity and Vyper append CBOR metadata: it begins with a map or an array and ends with its length in two
 * bytes.
 */
function metadataDigits(code: Hex): number {
  if (code.length < 2 + 4) return 0;
  const digits = 2 * Number.parseInt(code.slice(-4), 16) + 4;
  const start = code.length - digits;
  if (start < 2) return 0;
  return /^(?:a[1-4]|8[1-4])/.test(code.slice(start, start + 2)) ? digits : 0;
}

/** Storage slots of proxies, as `eth_getStorageAt` takes them. */
export const proxySlots = {
  /** EIP-1967: the hashes of `eip1967.proxy.implementation`, `.beacon` and `.admin`, each minus one. */
  eip1967: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  /** The hash itself: some proxies do not subtract one. */
  eip1967Above: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbd',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  /** OpenZeppelin before EIP-1967: the hash of `org.zeppelinos.proxy.implementation`. */
  openZeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  /** EIP-1822: the hash of `PROXIABLE`. */
  eip1822: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  /** Safe stores its singleton in slot 0. */
  masterCopy: '0x0',
} as const satisfies Record<string, Hex>;

/** OpenZeppelin before EIP-1967: the hash of `org.zeppelinos.proxy.admin`. */
export const openZeppelinAdminSlot: Hex =
  '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b';

/**
 * The slots in which Optimism's ResolvedDelegateProxy stores its name and its registry: the entries for its
 * own address in the mappings at slots 0 and 1.
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
 * The address in a storage word or in a returned word; undefined for zero and for a word that is not an
 * address.
 *
 * @param packed ignores the bytes before the address, where Safe's proxies pack another value.
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
 * A text of up to 31 bytes as Solidity stores it in one slot: left-aligned, with twice its length in the last
 * byte.
 *
 * @returns its bytes as hex.
 * @example parseShortTextWord(`0x6869${'0'.repeat(58)}04`) // '0x6869'
 */
export function parseShortTextWord(word: unknown): Hex | undefined {
  const data = parseHexData(word, 32);
  const doubleLength = data ? Number.parseInt(data.slice(-2), 16) : 0;
  if (!data || doubleLength === 0 || doubleLength % 2 === 1 || doubleLength > 62) return undefined;
  return `0x${data.slice(2, 2 + doubleLength)}`;
}

const IMPLEMENTATION = '0x5c60da1b';
/** `implementation()` of EIP-1967 beacons, and `childImplementation()` of earlier ones. */
export const beaconGetters: readonly Hex[] = [IMPLEMENTATION, '0xda525716'];
/** `facetAddresses()` of EIP-2535. */
export const FACET_ADDRESSES = '0x52ef6b2c';
/** `getAddress(string)` of Optimism's registry. */
const GET_ADDRESS_SELECTOR = '0xbf40fac1';
/** As many as Blockscout shows. */
const MAX_FACETS = 100;

/** Getters for the implementation, the most common first. */
export const proxyGetters: readonly { readonly type: ProxyType; readonly data: Hex }[] = [
  { type: 'basic_implementation', data: IMPLEMENTATION },
  { type: 'basic_get_implementation', data: '0xaaf10f42' },
  { type: 'comptroller', data: '0xbb82aa5e' },
  { type: 'master_copy', data: '0xa619486e' },
];

/** The address that a getter returned in exactly one word; undefined for zero and for anything else. */
export function decodeAddressResult(result: CallResult | undefined): Address | undefined {
  return result?.state === 'returned' ? parseAddressWord(result.data) : undefined;
}

/**
 * The facets in the result of {@link FACET_ADDRESSES}, without duplicates, zero and the diamond itself, which
 * is listed for its own functions.
 */
export function decodeFacets(
  result: CallResult | undefined,
  self: Address,
): { readonly facets: readonly Address[]; readonly left: number } {
  const none = { facets: [], left: 0 };
  if (result?.state !== 'returned' || decodeUint(result.data) !== 32n) return none;
  const words = result.data.slice(2 + 64);
  const count = Number(BigInt(`0x${words.slice(0, 64) || '0'}`));
  // A truncated list is rejected.
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

/** Encodes a registry's `getAddress(string)` for a name of up to 31 bytes. */
export function encodeGetAddress(name: Hex): Hex {
  const digits = name.slice(2);
  const word = (value: number) => value.toString(16).padStart(64, '0');
  return `${GET_ADDRESS_SELECTOR}${word(32)}${word(digits.length / 2)}${digits.padEnd(64, '0')}`;
}
