import { keccak256 } from 'ox/Hash';
import { createMessage, foreign, type Message } from '../base/text.ts';
import { writeHex } from '../eth/bytes.ts';
import { type Hex, parseHexData } from '../eth/hex.ts';
import { hashSignature } from '../eth/keccak.ts';
import { parseAttribution } from './callSuffix.ts';
import type { AbiLookup, ChainAddress } from './candidates.ts';
import { decodeParameters, isDecodeError } from './decode.ts';
import {
  createExplainContext,
  type ExplainContext,
  explainData,
  explainNested,
  findSelectorItems,
  isFitting,
  SELECTOR_DIGITS,
} from './explainData.ts';
import type { BareMeaning, DataMeaning, HashMeaning, HexMeaning, UnfitMeaning } from './hexMeaning.ts';
import { type AbiParameter, type AbiType, type AbiValue, arrayType } from './type.ts';

const WORD_DIGITS = 64;
/** 1 MiB: eight times the largest transaction that nodes accept. */
export const MAX_HEX_DIGITS = 2 * 1024 * 1024;
const MAX_EVENTS = 16;
const ADDRESS_DIGITS = 40;
/** More words than a person reads. */
const MAX_WORDS = 256;
/** Smaller values are counts, amounts and flags: addresses do not have that many leading zeros. */
const MIN_ADDRESS = 1n << 96n;
/** -2^127, as a word: hashes are hardly ever that close to zero. */
const MIN_NEGATIVE = (1n << 256n) - (1n << 127n);
const READABLE_TEXT = /^[\x21-\x7e][\x20-\x7e]*$/;
const uint256: AbiType = { kind: 'uint', bits: 256, text: 'uint256' };
const int256: AbiType = { kind: 'int', bits: 256, text: 'int256' };
const address: AbiType = { kind: 'address', text: 'address' };
const bytes32: AbiType = { kind: 'fixedBytes', size: 32, text: 'bytes32' };
const string: AbiType = { kind: 'string', text: 'string' };
const bytes: AbiType = { kind: 'bytes', text: 'bytes' };

/**
 * The possible meanings of hex, the best first:
 *
 * - 4 bytes: the selector of a function or an error;
 * - 32 bytes: a topic0, an address, a text or a number;
 * - 4 bytes and words: a call or revert data, with the calls in its `bytes`; a call may have bytes behind its arguments;
 * - words only: the output of `abi.encode`.
 *
 * Items come from `lookup`, plus Solidity's `Error(string)` and `Panic(uint256)`. All meanings that fit are listed, as
 * four bytes may match several items. Never throws; the list is empty for anything that is not hex, over 1 MiB or
 * unknown (`describeNoMeaning` says which).
 *
 * @param options.at the contract that was called or that reverted.
 * @example explainHex('0x4e487b71', { lookup: mergeLookups() }).map(({ kind }) => kind) // ['error']
 */
export function explainHex(
  hex: Hex,
  { lookup, at }: { readonly lookup: AbiLookup; readonly at?: ChainAddress | undefined },
): readonly HexMeaning[] {
  const data = hex.length > 2 + MAX_HEX_DIGITS ? undefined : parseHexData(hex);
  if (data === undefined) return [];
  const context = createExplainContext({ lookup, at });
  if (data.length === SELECTOR_DIGITS) {
    return findSelectorItems(data, context).map(({ candidate: { item, origin } }) => ({
      kind: item.kind,
      item,
      origin,
    }));
  }
  if (data.length < SELECTOR_DIGITS) return [];
  const meanings = explainData(data, context);
  if (!hasWholeWords(data)) return meanings;
  const isWord = data.length === 2 + WORD_DIGITS;
  const words = isWord
    ? [...explainTopic(data, lookup, at), ...explainWord(data)]
    : explainWords(data, context);
  const calls = meanings.filter((meaning) => isFitting(meaning) && isLikelyCall(meaning));
  return [...calls, ...words, ...(isWord ? [] : meanings.filter((meaning) => !isFitting(meaning)))];
}

/** Whether words are more likely a call with bytes behind its arguments, rather than begin with a selector by chance. */
function isLikelyCall({ item, suffix }: DataMeaning): boolean {
  return item.inputs.length > 0 || suffix?.attribution !== undefined;
}

/**
 * The possible meanings of the input of a transaction, whatever its length: a call to a function, the best first.
 *
 * @param options.at the contract that was called.
 * @example explainCalldata('0x', { lookup: mergeLookups() }) // []
 */
export function explainCalldata(
  input: Hex,
  { lookup, at }: { readonly lookup: AbiLookup; readonly at?: ChainAddress | undefined },
): readonly (DataMeaning | UnfitMeaning)[] {
  if (input.length < SELECTOR_DIGITS || input.length > 2 + MAX_HEX_DIGITS) return [];
  return explainData(input, createExplainContext({ lookup, at })).filter(({ kind }) => kind === 'calldata');
}

function explainTopic(topic0: Hex, lookup: AbiLookup, at: ChainAddress | undefined): readonly HashMeaning[] {
  const events = lookup.events(topic0, at).slice(0, MAX_EVENTS);
  return events.map(({ item, origin }) => ({ kind: 'event', item, origin }));
}

/**
 * The possible meanings of one word: an address, a text, a number. The plain bytes are not listed.
 *
 * @example explainWord(toAbiWord(5n)).map(({ values }) => values[0]) // [5n]
 */
export function explainWord(word: Hex): readonly BareMeaning[] {
  const value = BigInt(word);
  const text = parsePaddedText(word);
  const readings: (readonly [AbiType, AbiValue])[] = [];
  if (value >= MIN_ADDRESS && value < 1n << 160n) readings.push([address, `0x${word.slice(-40)}`]);
  if (text !== undefined) readings.push([string, text]);
  if (value >= MIN_NEGATIVE) readings.push([int256, BigInt.asIntN(256, value)]);
  readings.push([uint256, value]);
  return readings.map(([type, reading]) => createBareMeaning('word', [type], [reading]));
}

/** The text of a `bytes32` that is padded with zeros. */
function parsePaddedText(word: Hex): string | undefined {
  const codes = new Uint8Array(WORD_DIGITS / 2);
  writeHex(word, codes, 0);
  const end = codes.findLastIndex((code) => code !== 0) + 1;
  const text = String.fromCharCode(...codes.subarray(0, end));
  return READABLE_TEXT.test(text) ? text : undefined;
}

/**
 * The possible meanings of several words: one value as `abi.encode` writes it, if offsets and lengths fit to the last
 * byte; then the plain words.
 */
function explainWords(data: Hex, context: ExplainContext): readonly BareMeaning[] {
  const types = [
    string,
    bytes,
    arrayType(bytes, undefined),
    arrayType(string, undefined),
    arrayType(address, undefined),
    arrayType(uint256, undefined),
  ];
  const meanings = types.flatMap((type): readonly BareMeaning[] => {
    const inputs = [{ name: '', type }];
    const values = decodeParameters(inputs, data);
    if (isDecodeError(values) || !isLikely(type, values[0])) return [];
    return [{ kind: 'blob', inputs, values, nested: explainNested(inputs, values, context) }];
  });
  const words = splitWords(data);
  return words
    ? [
        ...meanings,
        createBareMeaning(
          'blob',
          words.map(() => bytes32),
          words,
        ),
      ]
    : meanings;
}

/** Whether a value is not empty, as empty ones fit many types, and has no small numbers among its addresses. */
function isLikely(type: AbiType, value: AbiValue | undefined): boolean {
  if (value === undefined || value === '' || value === '0x') return false;
  if (!Array.isArray(value)) return true;
  const hasAddresses = type.kind === 'array' && type.item.kind === 'address';
  return value.length > 0 && (!hasAddresses || value.every((item) => BigInt(item) >= MIN_ADDRESS));
}

function splitWords(data: Hex): readonly Hex[] | undefined {
  const count = (data.length - 2) / WORD_DIGITS;
  if (count > MAX_WORDS) return undefined;
  return Array.from({ length: count }, (_, index): Hex => {
    const start = 2 + index * WORD_DIGITS;
    return `0x${data.slice(start, start + WORD_DIGITS)}`;
  });
}

function createBareMeaning(
  kind: 'word' | 'blob',
  types: readonly AbiType[],
  values: readonly AbiValue[],
): BareMeaning {
  const inputs: readonly AbiParameter[] = types.map((type) => ({ name: '', type }));
  return { kind, inputs, values, nested: [] };
}

function hasWholeWords(data: Hex): boolean {
  return data.length > 2 && (data.length - 2) % WORD_DIGITS === 0;
}

/**
 * Why {@link explainHex} finds nothing, as a sentence.
 *
 * @example formatMessage(describeNoMeaning('0x12')) // 'Fewer than 4 bytes, which is too short for a selector.'
 */
export function describeNoMeaning(hex: string): Message {
  if (hex.length > 2 + MAX_HEX_DIGITS) return createMessage('Longer than 1 MiB: not decoded.');
  const data = parseHexData(hex);
  if (data === undefined) return createMessage('Not hex: expected 0x and an even number of hex digits.');
  if (data.length < SELECTOR_DIGITS)
    return createMessage('Fewer than 4 bytes, which is too short for a selector.');
  if (data.length === 2 + ADDRESS_DIGITS)
    return createMessage('20 bytes, which is an address rather than an encoding.');
  if (hasWholeWords(data)) return createMessage('Words that match no single value, too many to list.');
  const selector = data.slice(0, SELECTOR_DIGITS);
  return parseAttribution(data)
    ? createMessage(
        'No known function or error has the selector {0}. The data ends with an ERC-8021 attribution.',
        foreign(selector),
      )
    : createMessage('No known function or error has the selector {0}.', foreign(selector));
}

/** Constants of popular contracts, of which only the hash appears on the chain. */
const HASHED_TEXTS: readonly string[] = [
  // Roles of AccessControl, as OpenZeppelin's presets, its governance and most projects name them.
  ...['ADMIN_ROLE', 'MINTER_ROLE', 'BURNER_ROLE', 'PAUSER_ROLE', 'UNPAUSER_ROLE', 'UPGRADER_ROLE'],
  ...['OPERATOR_ROLE', 'MANAGER_ROLE', 'GOVERNOR_ROLE', 'GUARDIAN_ROLE', 'KEEPER_ROLE', 'RELAYER_ROLE'],
  ...['TIMELOCK_ADMIN_ROLE', 'PROPOSER_ROLE', 'EXECUTOR_ROLE', 'CANCELLER_ROLE', 'SNAPSHOT_ROLE'],
  ...['BRIDGE_ROLE', 'ORACLE_ROLE', 'TREASURER_ROLE', 'WITHDRAWER_ROLE', 'DEPOSITOR_ROLE', 'FREEZER_ROLE'],
  // EIP-712: https://eips.ethereum.org/EIPS/eip-712 and https://eips.ethereum.org/EIPS/eip-2612
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
  'EIP712Domain(string name,uint256 chainId,address verifyingContract)',
  'EIP712Domain(uint256 chainId,address verifyingContract)',
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  // https://eips.ethereum.org/EIPS/eip-3156
  'ERC3156FlashBorrower.onFlashLoan',
  // Storage slots: https://eips.ethereum.org/EIPS/eip-1822, https://eips.ethereum.org/EIPS/eip-2535, and OpenZeppelin's
  // proxies before ERC-1967.
  ...['PROXIABLE', 'diamond.standard.diamond.storage'],
  ...['org.zeppelinos.proxy.implementation', 'org.zeppelinos.proxy.admin'],
];

/** Storage namespaces of OpenZeppelin's contracts, for https://eips.ethereum.org/EIPS/eip-7201. */
const NAMESPACES: readonly string[] = [
  ...['Initializable', 'Ownable', 'Ownable2Step', 'AccessControl', 'AccessControlDefaultAdminRules'],
  ...['AccessControlEnumerable', 'AccessManaged', 'AccessManager', 'Pausable', 'ReentrancyGuard', 'EIP712'],
  ...[
    'Nonces',
    'ERC20',
    'ERC20Capped',
    'ERC20Votes',
    'ERC20Wrapper',
    'ERC4626',
    'ERC721',
    'ERC721Enumerable',
  ],
  ...['ERC721URIStorage', 'ERC1155', 'ERC1155Supply', 'ERC1155URIStorage', 'ERC2981', 'Votes', 'Governor'],
  ...['TimelockController', 'VestingWallet'],
].map((name) => `openzeppelin.storage.${name}`);

/** Storage slots at a hash minus one: https://eips.ethereum.org/EIPS/eip-1967 */
const SLOTS: readonly string[] = [
  'eip1967.proxy.implementation',
  'eip1967.proxy.admin',
  'eip1967.proxy.beacon',
  'eip1967.proxy.rollback',
];

let preimages: ReadonlyMap<Hex, string> | undefined;

/**
 * The expression whose hash a word is, in Solidity: a role of AccessControl, an EIP-712 type, a slot of a proxy or of a
 * namespace; undefined if it is not in the list. The hashes are computed on first use.
 *
 * @param word 32 bytes in lower case.
 * @example
 * findWordPreimage('0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6') // 'keccak256("MINTER_ROLE")'
 */
export function findWordPreimage(word: Hex): string | undefined {
  preimages ??= new Map([
    ...HASHED_TEXTS.map((text) => [hashSignature(text), `keccak256("${text}")`] as const),
    ...SLOTS.map((text) => [toSlot(text), `keccak256("${text}") - 1`] as const),
    ...NAMESPACES.map((text) => [toNamespaceSlot(text), `erc7201("${text}")`] as const),
  ]);
  return preimages.get(word);
}

function toSlot(text: string): Hex {
  return `0x${(BigInt(hashSignature(text)) - 1n).toString(16).padStart(64, '0')}`;
}

/** The hash of the slot, with its last byte set to zero (ERC-7201). */
function toNamespaceSlot(text: string): Hex {
  return `0x${keccak256(toSlot(text)).slice(2, -2)}00`;
}
