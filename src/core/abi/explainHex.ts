import { keccak256 } from 'ox/Hash';
import { writeHex } from '../eth/bytes.ts';
import { type Hex, parseHexData } from '../eth/hex.ts';
import { hashSignature } from '../eth/keccak.ts';
import type { AbiLookup, ChainAddress } from './candidates.ts';
import { decodeParameters, isDecodeError } from './decode.ts';
import {
  createExplainContext,
  type ExplainContext,
  explainData,
  explainNested,
  findSelectorItems,
  SELECTOR_DIGITS,
} from './explainData.ts';
import type { BareMeaning, HashMeaning, HexMeaning } from './hexMeaning.ts';
import { type AbiParameter, type AbiType, type AbiValue, arrayType } from './type.ts';

const PREFIXED_WORD_DIGITS = 64;
/** 1 MiB: eight times what a node takes as a transaction. */
export const MAX_HEX_DIGITS = 2 * 1024 * 1024;
const MAX_EVENTS = 16;
const ADDRESS_DIGITS = 40;

/**
 * What hex may stand for, the best first: 4 bytes the selector of a function or an error; 32 bytes a topic0, or else an
 * address, a text or a number; 4 bytes and words a call or the data of a revert, with the calls that stand in its
 * `bytes`; words alone what `abi.encode` made. What is known is `lookup`'s, and Solidity's `Error(string)` and
 * `Panic(uint256)`. All that fits is given, as four bytes may mean several things. Nothing is thrown, and nothing comes
 * of what is no hex, over 1 MiB, or unknown (`formatNoMeaning` says which).
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
  const explaining = createExplainContext({ lookup, at });
  if (data.length === SELECTOR_DIGITS) {
    return findSelectorItems(data, explaining).map(({ candidate: { item, origin } }) => ({
      kind: item.kind,
      item,
      origin,
    }));
  }
  if (data.length === 2 + PREFIXED_WORD_DIGITS) return explainOneWord(data, lookup, at);
  const words = areWords(data) ? explainWords(data, explaining) : [];
  return data.length > SELECTOR_DIGITS ? [...words, ...explainData(data, explaining)] : words;
}

function explainOneWord(word: Hex, lookup: AbiLookup, at: ChainAddress | undefined): readonly HexMeaning[] {
  return [...explainTopic(word, lookup, at), ...explainWord(word)];
}

function areWords(data: Hex): boolean {
  return data.length > 2 && (data.length - 2) % PREFIXED_WORD_DIGITS === 0;
}

function explainTopic(topic0: Hex, lookup: AbiLookup, at: ChainAddress | undefined): readonly HashMeaning[] {
  const events = lookup.events(topic0, at).slice(0, MAX_EVENTS);
  return events.map(({ item, origin }) => ({ kind: 'event', item, origin }));
}

/**
 * Why {@link explainHex} has nothing to say, as a sentence.
 *
 * @example formatNoMeaning('0x12') // 'Fewer than 4 bytes, which is too short for a selector.'
 */
export function formatNoMeaning(hex: string): string {
  if (hex.length > 2 + MAX_HEX_DIGITS) return 'Longer than 1 MiB: not decoded.';
  const data = parseHexData(hex);
  if (data === undefined) return 'Not hex: expected 0x and an even number of hex digits.';
  if (data.length < SELECTOR_DIGITS) return 'Fewer than 4 bytes, which is too short for a selector.';
  if (data.length === 2 + ADDRESS_DIGITS) return '20 bytes, which is an address rather than an encoding.';
  if (areWords(data)) return 'Words that match no single value, too many to list.';
  return `No function and no error with the selector ${data.slice(0, SELECTOR_DIGITS)} is known.`;
}

const WORD_DIGITS = 64;
/** A list of words is for a person to look at; what is longer is none. */
const MAX_WORDS = 256;
/** Below stand counts, amounts and flags: an address with so many zeros in front is not met. */
const MIN_ADDRESS = 1n << 96n;
/** -2^127, as a word: a hash is hardly ever so near to zero. */
const MIN_NEGATIVE = (1n << 256n) - (1n << 127n);
const READABLE = /^[\x21-\x7e][\x20-\x7e]*$/;

const uint256: AbiType = { kind: 'uint', bits: 256, text: 'uint256' };
const int256: AbiType = { kind: 'int', bits: 256, text: 'int256' };
const address: AbiType = { kind: 'address', text: 'address' };
const bytes32: AbiType = { kind: 'fixedBytes', size: 32, text: 'bytes32' };
const string: AbiType = { kind: 'string', text: 'string' };
const bytes: AbiType = { kind: 'bytes', text: 'bytes' };

/**
 * What one word may be: an address, a text, a number. The bytes as they are need no words.
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
  return readings.map(([type, read]) => bare('word', [type], [read]));
}

/** The text of a `bytes32` that is filled up with zeros. */
function parsePaddedText(word: Hex): string | undefined {
  const codes = new Uint8Array(WORD_DIGITS / 2);
  writeHex(word, codes, 0);
  const end = codes.findLastIndex((code) => code !== 0) + 1;
  const text = String.fromCharCode(...codes.subarray(0, end));
  return READABLE.test(text) ? text : undefined;
}

/**
 * What several words may be: one value as `abi.encode` writes it, where its offset and length fit to the last byte, or
 * else the words that they are.
 */
function explainWords(data: Hex, explaining: ExplainContext): readonly BareMeaning[] {
  const readings = [
    string,
    bytes,
    arrayType(bytes, undefined),
    arrayType(string, undefined),
    arrayType(address, undefined),
    arrayType(uint256, undefined),
  ];
  const meanings = readings.flatMap((type): readonly BareMeaning[] => {
    const inputs = [{ name: '', type }];
    const values = decodeParameters(inputs, data);
    if (isDecodeError(values) || !isLikely(type, values[0])) return [];
    return [{ kind: 'blob', inputs, values, nested: explainNested(inputs, values, explaining) }];
  });
  const words = wordsOf(data);
  return words
    ? [
        ...meanings,
        bare(
          'blob',
          words.map(() => bytes32),
          words,
        ),
      ]
    : meanings;
}

function bare(kind: 'word' | 'blob', types: readonly AbiType[], values: readonly AbiValue[]): BareMeaning {
  const inputs: readonly AbiParameter[] = types.map((type) => ({ name: '', type }));
  return { kind, inputs, values, nested: [] };
}

/** Not empty, as what holds nothing fits many types, and with no small numbers among addresses. */
function isLikely(type: AbiType, value: AbiValue | undefined): boolean {
  if (value === undefined || value === '' || value === '0x') return false;
  if (!Array.isArray(value)) return true;
  const ofAddresses = type.kind === 'array' && type.item.kind === 'address';
  return value.length > 0 && (!ofAddresses || value.every((item) => BigInt(item) >= MIN_ADDRESS));
}

function wordsOf(data: Hex): readonly Hex[] | undefined {
  const count = (data.length - 2) / WORD_DIGITS;
  if (count > MAX_WORDS) return undefined;
  return Array.from({ length: count }, (_, index): Hex => {
    const start = 2 + index * WORD_DIGITS;
    return `0x${data.slice(start, start + WORD_DIGITS)}`;
  });
}

/** Constants of contracts that everybody uses, of which only the hash is met. */
const hashed: readonly string[] = [
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
  // Slots of storage: https://eips.ethereum.org/EIPS/eip-1822, https://eips.ethereum.org/EIPS/eip-2535, and the proxies
  // of OpenZeppelin before ERC-1967.
  ...['PROXIABLE', 'diamond.standard.diamond.storage'],
  ...['org.zeppelinos.proxy.implementation', 'org.zeppelinos.proxy.admin'],
];

/**
 * Namespaces of storage, in their form of https://eips.ethereum.org/EIPS/eip-7201: those of OpenZeppelin's contracts.
 */
const namespaces: readonly string[] = [
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

/** Slots of storage that are a hash less one: https://eips.ethereum.org/EIPS/eip-1967 */
const slots: readonly string[] = [
  ...[
    'eip1967.proxy.implementation',
    'eip1967.proxy.admin',
    'eip1967.proxy.beacon',
    'eip1967.proxy.rollback',
  ],
];

let known: ReadonlyMap<Hex, string> | undefined;

/**
 * What a word is the hash of, as Solidity writes it: a role of AccessControl, a type of EIP-712, a slot of a proxy or
 * of a namespace; undefined where it is none that is known. The hashes are made when first asked for.
 *
 * @param word 32 bytes in lower case.
 * @example
 * findWordPreimage('0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6') // 'keccak256("MINTER_ROLE")'
 */
export function findWordPreimage(word: Hex): string | undefined {
  known ??= new Map([
    ...hashed.map((text) => [hashSignature(text), `keccak256("${text}")`] as const),
    ...slots.map((text) => [slotOf(text), `keccak256("${text}") - 1`] as const),
    ...namespaces.map((text) => [namespaceOf(text), `erc7201("${text}")`] as const),
  ]);
  return known.get(word);
}

function slotOf(text: string): Hex {
  return `0x${(BigInt(hashSignature(text)) - 1n).toString(16).padStart(64, '0')}`;
}

/** The hash of the slot, with a zero as its last byte. */
function namespaceOf(text: string): Hex {
  return `0x${keccak256(slotOf(text)).slice(2, -2)}00`;
}
