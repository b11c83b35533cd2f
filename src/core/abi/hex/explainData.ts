import type { Hex } from '../../values/hex.ts';
import type { AbiError, AbiFunction } from '../abiItem.ts';
import type { AbiParameter, AbiValue } from '../abiType.ts';
import { type AbiLookup, type Candidate, type OnChain, trusts } from '../candidates.ts';
import { isDecodeFault } from '../decode/decodeFault.ts';
import { decodeParameters } from '../decode/decodeParameters.ts';
import { mostTrusted } from '../lookup/mostTrusted.ts';
import type { DataMeaning, NestedMeaning, UnfitMeaning } from './hexMeaning.ts';
import { nestedBytes } from './nestedBytes.ts';
import { panicText } from './panicText.ts';
import { isPanic, solidityErrors } from './solidityErrors.ts';

/** `0x` and a selector. */
export const SELECTOR_DIGITS = 10;
const WORD_DIGITS = 64;
/** Of one selector; each is tried on all of the data. Four bytes are soon hit by chance, but not by what a project has. */
const MOST_CANDIDATES = 16;
/** A multicall in a transaction of a Safe in a user operation: what is deeper is no longer read by a person. */
const DEEPEST = 3;
/** Over all depths: more calls than a person looks through. */
const MOST_NESTED = 256;

/** What is looked up, and how much of what is nested is still to be explained. */
export interface Explaining {
  readonly lookup: AbiLookup;
  readonly at: OnChain | undefined;
  readonly depth: number;
  readonly left: { nested: number };
}

/**
 * The beginning of an explanation.
 *
 * @example
 * const explaining = startExplaining({ lookup });
 */
export function startExplaining({
  lookup,
  at,
}: Pick<Explaining, 'lookup'> & { at?: OnChain | undefined }): Explaining {
  return { lookup, at, depth: 0, left: { nested: MOST_NESTED } };
}

/**
 * The functions and errors that have a selector, the most trusted first, of equal trust functions before errors.
 *
 * @example
 * itemsOf('0xa9059cbb', explaining)[0]?.kind; // 'calldata'
 */
export function itemsOf(selector: Hex, { lookup, at }: Explaining): readonly Selected[] {
  const errors = mostTrusted([...solidityErrors(selector), ...lookup.errors(selector, at)]);
  const selected = [
    ...lookup.functions(selector, at).map((candidate) => ({ kind: 'calldata', candidate }) as const),
    ...errors.map((candidate) => ({ kind: 'revert', candidate }) as const),
  ];
  return selected.sort((a, b) => trustOf(a) - trustOf(b)).slice(0, MOST_CANDIDATES);
}

export interface Selected {
  readonly kind: 'calldata' | 'revert';
  readonly candidate: Candidate<AbiFunction | AbiError>;
}

function trustOf({ candidate }: Selected): number {
  return trusts.indexOf(candidate.origin.trust);
}

/**
 * What data that begins with a selector may be: what fits first, then what is known by the selector alone.
 *
 * @example
 * explainData('0x4e487b710000…0011', explaining)[0]?.item.name; // 'Panic'
 */
export function explainData(data: Hex, explaining: Explaining): readonly (DataMeaning | UnfitMeaning)[] {
  const selected = itemsOf(data.slice(0, SELECTOR_DIGITS) as Hex, explaining);
  const args: Hex = `0x${data.slice(SELECTOR_DIGITS)}`;
  const meanings = selected.map((one) => explainAs(one, args, explaining));
  return [...meanings.filter(isFitting), ...meanings.filter((meaning) => !isFitting(meaning))];
}

function explainAs(
  { kind, candidate }: Selected,
  args: Hex,
  explaining: Explaining,
): DataMeaning | UnfitMeaning {
  const { item, origin } = candidate;
  const values = decodeParameters(item.inputs, args);
  if (isDecodeFault(values)) return { kind, item, origin, reason: values.detail };
  const [code] = values;
  const note = kind === 'revert' && isPanic(item) && typeof code === 'bigint' ? panicText(code) : undefined;
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
  { lookup, depth, left }: Explaining,
): readonly NestedMeaning[] {
  if (depth >= DEEPEST) return [];
  const nested: NestedMeaning[] = [];
  for (const { path, data } of nestedBytes(inputs, values)) {
    if (!mayBeCall(data)) continue;
    if (left.nested === 0) break;
    left.nested--;
    const meanings = explainData(data, { lookup, at: undefined, depth: depth + 1, left }).filter(isFitting);
    if (meanings.length > 0) nested.push({ path, meanings });
  }
  return nested;
}

/** A selector and whole words. */
function mayBeCall(data: Hex): boolean {
  return data.length >= SELECTOR_DIGITS && (data.length - SELECTOR_DIGITS) % WORD_DIGITS === 0;
}
