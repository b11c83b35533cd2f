import type { Hex } from '../eth/hex.ts';
import { type AbiLookup, type Candidate, type ChainAddress, sortByTrust, trustLevels } from './candidates.ts';
import { decodeParameters, isDecodeError } from './decode.ts';
import { type DataMeaning, formatPanicCode, type NestedMeaning, type UnfitMeaning } from './hexMeaning.ts';
import type { AbiError, AbiFunction } from './item.ts';
import type { AbiParameter, AbiType, AbiValue } from './type.ts';

/** `0x` and a selector. */
export const SELECTOR_DIGITS = 10;
const WORD_DIGITS = 64;
/** Of one selector; each is tried on all of the data. Four bytes are soon hit by chance, but not by what a project has. */
const MAX_CANDIDATES = 16;
/** A multicall in a transaction of a Safe in a user operation: what is deeper is no longer read by a person. */
const MAX_DEPTH = 3;
/** Over all depths: more calls than a person looks through. */
const MAX_NESTED = 256;

/** What is looked up, and how much of what is nested is still to be explained. */
export interface ExplainContext {
  readonly lookup: AbiLookup;
  readonly at: ChainAddress | undefined;
  readonly depth: number;
  readonly left: { nested: number };
}

/**
 * The beginning of an explanation.
 *
 * @example
 * const explaining = createExplainContext({ lookup });
 */
export function createExplainContext({
  lookup,
  at,
}: Pick<ExplainContext, 'lookup'> & { at?: ChainAddress | undefined }): ExplainContext {
  return { lookup, at, depth: 0, left: { nested: MAX_NESTED } };
}

/**
 * The functions and errors that have a selector, the most trusted first, of equal trust functions before errors.
 *
 * @example
 * findSelectorItems('0xa9059cbb', explaining)[0]?.kind; // 'calldata'
 */
export function findSelectorItems(selector: Hex, { lookup, at }: ExplainContext): readonly SelectorItem[] {
  const errors = sortByTrust([...findSolidityErrors(selector), ...lookup.errors(selector, at)]);
  const selected = [
    ...lookup.functions(selector, at).map((candidate) => ({ kind: 'calldata', candidate }) as const),
    ...errors.map((candidate) => ({ kind: 'revert', candidate }) as const),
  ];
  return selected.sort((a, b) => trustOf(a) - trustOf(b)).slice(0, MAX_CANDIDATES);
}

export interface SelectorItem {
  readonly kind: 'calldata' | 'revert';
  readonly candidate: Candidate<AbiFunction | AbiError>;
}

function trustOf({ candidate }: SelectorItem): number {
  return trustLevels.indexOf(candidate.origin.trust);
}

/**
 * What data that begins with a selector may be: what fits first, then what is known by the selector alone.
 *
 * @example
 * explainData('0x4e487b710000…0011', explaining)[0]?.item.name; // 'Panic'
 */
export function explainData(data: Hex, explaining: ExplainContext): readonly (DataMeaning | UnfitMeaning)[] {
  const selected = findSelectorItems(data.slice(0, SELECTOR_DIGITS) as Hex, explaining);
  const args: Hex = `0x${data.slice(SELECTOR_DIGITS)}`;
  const meanings = selected.map((one) => explainAs(one, args, explaining));
  return [...meanings.filter(isFitting), ...meanings.filter((meaning) => !isFitting(meaning))];
}

function explainAs(
  { kind, candidate }: SelectorItem,
  args: Hex,
  explaining: ExplainContext,
): DataMeaning | UnfitMeaning {
  const { item, origin } = candidate;
  const values = decodeParameters(item.inputs, args);
  if (isDecodeError(values)) return { kind, item, origin, reason: values.detail };
  const [code] = values;
  const note =
    kind === 'revert' && isPanic(item) && typeof code === 'bigint' ? formatPanicCode(code) : undefined;
  return { kind, item, origin, values, nested: explainNested(item.inputs, values, explaining), note };
}

function isFitting(meaning: DataMeaning | UnfitMeaning): meaning is DataMeaning {
  return 'values' in meaning;
}

/**
 * The calls and reverts in the `bytes` among values, down to a bounded depth and number. Where they go is not known, so
 * that what is deployed somewhere is not trusted more.
 *
 * @example
 * explainNested(item.inputs, values, explaining)[0]?.path; // [1, 0]
 */
export function explainNested(
  inputs: readonly AbiParameter[],
  values: readonly AbiValue[],
  { lookup, depth, left }: ExplainContext,
): readonly NestedMeaning[] {
  if (depth >= MAX_DEPTH) return [];
  const nested: NestedMeaning[] = [];
  for (const { path, data } of iterateNestedBytes(inputs, values)) {
    if (!isPossibleCall(data)) continue;
    if (left.nested === 0) break;
    left.nested--;
    const meanings = explainData(data, { lookup, at: undefined, depth: depth + 1, left }).filter(isFitting);
    if (meanings.length > 0) nested.push({ path, meanings });
  }
  return nested;
}

/** A selector and whole words. */
function isPossibleCall(data: Hex): boolean {
  return data.length >= SELECTOR_DIGITS && (data.length - SELECTOR_DIGITS) % WORD_DIGITS === 0;
}

/** A `bytes` among values. */
export interface NestedBytes {
  /** Indices from the values on, down through arrays and tuples. */
  readonly path: readonly number[];
  readonly data: Hex;
}

/**
 * All `bytes` among values, in order. As deep as their types are, which are bounded where they are read.
 *
 * @example [...iterateNestedBytes([{ name: 'data', type: { kind: 'bytes', text: 'bytes' } }], ['0x12'])].length // 1
 */
export function* iterateNestedBytes(
  inputs: readonly AbiParameter[],
  values: readonly AbiValue[],
): Generator<NestedBytes> {
  for (const [index, { type }] of inputs.entries()) {
    if (holdsBytes(type)) yield* bytesIn(type, values[index], [index]);
  }
}

function* bytesIn(
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
    if (inner && holdsBytes(inner)) yield* bytesIn(inner, member, [...path, index]);
  }
}

/** So that an array of a million words is not walked through. */
function holdsBytes(type: AbiType): boolean {
  if (type.kind === 'array') return holdsBytes(type.item);
  if (type.kind === 'tuple') return type.members.some((member) => holdsBytes(member.type));
  return type.kind === 'bytes';
}

const origin = { trust: 'bundled', from: 'Solidity', contract: undefined, line: undefined } as const;

/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const errors: readonly AbiError[] = [
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
 * The errors that the language itself raises: no contract declares them.
 *
 * @example findSolidityErrors('0x4e487b71')[0]?.item.signature // 'Panic(uint256)'
 */
export function findSolidityErrors(selector: Hex): readonly Candidate<AbiError>[] {
  return errors.filter((item) => item.selector === selector).map((item) => ({ item, origin }));
}

/**
 * Whether it is Solidity's own `Panic(uint256)`.
 *
 * @example isPanic({ signature: 'Panic(uint256)' }) // true
 */
export function isPanic({ signature }: { readonly signature: string }): boolean {
  return signature === 'Panic(uint256)';
}
