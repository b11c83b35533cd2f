import { createMessage } from '../base/text.ts';
import type { Hex } from '../eth/hex.ts';
import { parseAttribution, parseCallSuffix } from './callSuffix.ts';
import { type AbiLookup, type Candidate, type ChainAddress, sortByTrust, trustLevels } from './candidates.ts';
import { decodeArguments, decodeParameters, isDecodeError } from './decode.ts';
import { type DataMeaning, describePanicCode, type NestedMeaning, type UnfitMeaning } from './hexMeaning.ts';
import type { AbiError, AbiFunction } from './item.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';

/** `0x` and four bytes. */
export const SELECTOR_DIGITS = 10;
const WORD_DIGITS = 64;
/** Per selector; each one is tried on all of the data. Four bytes collide by chance, but rarely within one project. */
const MAX_CANDIDATES = 16;
/** A multicall inside a Safe transaction inside a user operation; nobody reads deeper. */
const MAX_DEPTH = 3;
/** Over all depths: more calls than a person reads. */
const MAX_NESTED = 256;

export interface ExplainContext {
  readonly lookup: AbiLookup;
  readonly at: ChainAddress | undefined;
  readonly depth: number;
  readonly budget: { nested: number };
}

/**
 * Creates the context of the outermost data.
 *
 * @example
 * const context = createExplainContext({ lookup });
 */
export function createExplainContext({
  lookup,
  at,
}: Pick<ExplainContext, 'lookup'> & { at?: ChainAddress | undefined }): ExplainContext {
  return { lookup, at, depth: 0, budget: { nested: MAX_NESTED } };
}

/**
 * The possible meanings of data that begins with a selector: those that fit, then those that fit with bytes behind the
 * arguments, then those with the selector alone. Items of which only the types are known come after others that fit.
 *
 * @example
 * explainData('0x4e487b710000…0011', context)[0]?.item.name; // 'Panic'
 */
export function explainData(data: Hex, context: ExplainContext): readonly (DataMeaning | UnfitMeaning)[] {
  const selected = findSelectorItems(data.slice(0, SELECTOR_DIGITS) as Hex, context);
  const args: Hex = `0x${data.slice(SELECTOR_DIGITS)}`;
  const meanings = selected.map((selectorItem) => explainAs(selectorItem, args, context));
  return meanings.toSorted((a, b) => getFitRank(a) - getFitRank(b));
}

function getFitRank(meaning: DataMeaning | UnfitMeaning): number {
  if (!isFitting(meaning)) return 4;
  return (meaning.origin.trust === 'signatures' ? 2 : 0) + (meaning.suffix ? 1 : 0);
}

function explainAs(
  { kind, candidate }: SelectorItem,
  args: Hex,
  context: ExplainContext,
): DataMeaning | UnfitMeaning {
  const { item, origin } = candidate;
  const decoded = kind === 'calldata' ? decodeArguments(item.inputs, args) : decodeRevert(item, args);
  if ('detail' in decoded) return { kind, item, origin, reason: decoded.detail };
  const { values, rest } = decoded;
  const note = kind === 'revert' ? describeError(item, values) : undefined;
  const suffix = rest === '0x' ? undefined : parseCallSuffix(rest);
  return { kind, item, origin, values, nested: explainNested(item.inputs, values, context), note, suffix };
}

function describeError(item: AbiFunction | AbiError, values: readonly AbiValue[]): DataMeaning['note'] {
  const [code, urls] = values;
  if (isPanic(item)) return typeof code === 'bigint' ? describePanicCode(code) : undefined;
  const hasUrl = item.signature === OFFCHAIN_LOOKUP && Array.isArray(urls) && urls.length > 0;
  return hasUrl ? OFFCHAIN_DATA : undefined;
}

const OFFCHAIN_LOOKUP = 'OffchainLookup(address,string[],bytes,bytes4,bytes)';
const OFFCHAIN_DATA = createMessage(
  'the data are off chain, and the contract works: a client that calls the sender itself fetches them from one of the URLs (ERC-3668)',
);

/** Nothing follows the arguments of an error. */
function decodeRevert({ inputs }: AbiFunction | AbiError, args: Hex): ReturnType<typeof decodeArguments> {
  const values = decodeParameters(inputs, args);
  return isDecodeError(values) ? values : { values, rest: '0x' };
}

export function isFitting(meaning: DataMeaning | UnfitMeaning): meaning is DataMeaning {
  return 'values' in meaning;
}

interface SelectorItem {
  readonly kind: 'calldata' | 'revert';
  readonly candidate: Candidate<AbiFunction | AbiError>;
}

/**
 * The functions and errors with a selector, the most trusted first; at equal trust functions before errors.
 *
 * @example
 * findSelectorItems('0xa9059cbb', context)[0]?.kind; // 'calldata'
 */
export function findSelectorItems(selector: Hex, { lookup, at }: ExplainContext): readonly SelectorItem[] {
  const errors = sortByTrust([...findSolidityErrors(selector), ...lookup.errors(selector, at)]);
  const selected = [
    ...lookup.functions(selector, at).map((candidate) => ({ kind: 'calldata', candidate }) as const),
    ...errors.map((candidate) => ({ kind: 'revert', candidate }) as const),
  ];
  return selected.sort((a, b) => getTrustRank(a) - getTrustRank(b)).slice(0, MAX_CANDIDATES);
}

function getTrustRank({ candidate }: SelectorItem): number {
  return trustLevels.indexOf(candidate.origin.trust);
}

/**
 * The calls and reverts in the `bytes` among values, down to a bounded depth and number. Their targets are unknown, so
 * no deployment is preferred.
 *
 * @example
 * explainNested(item.inputs, values, context)[0]?.path; // [1, 0]
 */
export function explainNested(
  inputs: readonly AbiParameter[],
  values: readonly AbiValue[],
  { lookup, depth, budget }: ExplainContext,
): readonly NestedMeaning[] {
  if (depth >= MAX_DEPTH) return [];
  const nested: NestedMeaning[] = [];
  for (const { path, data } of iterateNestedBytes(inputs, values)) {
    if (!isPossibleCall(data)) continue;
    if (budget.nested === 0) break;
    budget.nested--;
    const meanings = explainData(data, { lookup, at: undefined, depth: depth + 1, budget }).filter(isFitting);
    if (meanings.length > 0) nested.push({ path, meanings });
  }
  return nested;
}

/** Whether data is a selector and whole words, with or without an ERC-8021 suffix. */
function isPossibleCall(data: Hex): boolean {
  if (data.length < SELECTOR_DIGITS) return false;
  return (data.length - SELECTOR_DIGITS) % WORD_DIGITS === 0 || parseAttribution(data) !== undefined;
}

interface NestedBytes {
  /** Indices into the values, then into nested arrays and tuples. */
  readonly path: readonly number[];
  readonly data: Hex;
}

/**
 * Iterates over all `bytes` among values, in order. The recursion is as deep as the types, whose depth is bounded.
 *
 * @example [...iterateNestedBytes([{ name: 'data', type: { kind: 'bytes', text: 'bytes' } }], ['0x12'])].length // 1
 */
export function* iterateNestedBytes(
  inputs: readonly AbiParameter[],
  values: readonly AbiValue[],
): Generator<NestedBytes> {
  for (const [index, { type }] of inputs.entries()) {
    if (containsBytes(type)) yield* iterateBytes(type, values[index], [index]);
  }
}

function* iterateBytes(
  type: AbiType,
  value: AbiValue | undefined,
  path: readonly number[],
): Generator<NestedBytes> {
  if (type.kind === 'bytes') {
    if (typeof value === 'string') yield { path, data: value as Hex };
    return;
  }
  if (!Array.isArray(value)) return;
  for (const [index, member] of value.entries()) {
    const inner =
      type.kind === 'array' ? type.item : type.kind === 'tuple' ? type.members[index]?.type : undefined;
    if (inner && containsBytes(inner)) yield* iterateBytes(inner, member, [...path, index]);
  }
}

/** Checks the type first, so that an array of a million words is not walked. */
function containsBytes(type: AbiType): boolean {
  if (type.kind === 'array') return containsBytes(type.item);
  if (type.kind === 'tuple') return type.members.some((member) => containsBytes(member.type));
  return type.kind === 'bytes';
}

const SOLIDITY_ORIGIN = { trust: 'bundled', from: 'Solidity', contract: undefined, line: undefined } as const;

/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const SOLIDITY_ERRORS: readonly AbiError[] = [
  {
    kind: 'error',
    name: 'Error',
    inputs: [{ name: 'message', type: { kind: 'string', text: 'string' } }],
    signature: 'Error(string)',
    selector: '0x08c379a0',
  },
  {
    kind: 'error',
    name: 'Panic',
    inputs: [{ name: 'code', type: { kind: 'uint', bits: 256, text: 'uint256' } }],
    signature: 'Panic(uint256)',
    selector: '0x4e487b71',
  },
];

/**
 * The errors that Solidity itself raises; no contract declares them.
 *
 * @example findSolidityErrors('0x4e487b71')[0]?.item.signature // 'Panic(uint256)'
 */
export function findSolidityErrors(selector: Hex): readonly Candidate<AbiError>[] {
  return SOLIDITY_ERRORS.filter((item) => item.selector === selector).map((item) => ({
    item,
    origin: SOLIDITY_ORIGIN,
  }));
}

/**
 * Whether an error is Solidity's own `Panic(uint256)`.
 *
 * @example isPanic({ signature: 'Panic(uint256)' }) // true
 */
export function isPanic({ signature }: { readonly signature: string }): boolean {
  return signature === 'Panic(uint256)';
}

/** Selectors whose names are looked up for one view, as many as of events. */
const MAX_SELECTORS = 50;

/**
 * The different selectors that begin calls or revert data and that a lookup does not know, in their order; a bounded
 * number.
 *
 * @example listUnknownSelectors(['0xa9059cbb00', '0x', '0xa9059cbb'], mergeLookups()) // ['0xa9059cbb']
 */
export function listUnknownSelectors(data: Iterable<Hex>, lookup: AbiLookup): readonly Hex[] {
  const selectors = new Set<Hex>();
  for (const each of data) {
    if (each.length >= SELECTOR_DIGITS) selectors.add(each.slice(0, SELECTOR_DIGITS) as Hex);
  }
  const isUnknown = (selector: Hex) =>
    lookup.functions(selector).length === 0 &&
    lookup.errors(selector).length === 0 &&
    findSolidityErrors(selector).length === 0;
  return [...selectors].filter(isUnknown).slice(0, MAX_SELECTORS);
}

/** Fetches names of selectors, if a provider for them is allowed. The lookup has them afterwards. */
export type PrefetchSelectors = (selectors: readonly Hex[]) => Promise<unknown>;

/**
 * Fetches the names of the functions and errors that a lookup does not know.
 *
 * @param data calls and revert data.
 * @example await prefetchUnknownSelectors([transaction.input], { lookup, prefetchSelectors });
 */
export async function prefetchUnknownSelectors(
  data: Iterable<Hex>,
  {
    lookup,
    prefetchSelectors,
  }: { readonly lookup: AbiLookup; readonly prefetchSelectors?: PrefetchSelectors | undefined },
): Promise<void> {
  const unknown = prefetchSelectors ? listUnknownSelectors(data, lookup) : [];
  if (unknown.length > 0) await prefetchSelectors?.(unknown);
}
