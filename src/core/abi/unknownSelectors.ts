import type { Hex } from '../eth/hex.ts';
import type { AbiLookup } from './candidates.ts';
import { findSolidityErrors, SELECTOR_DIGITS } from './explainData.ts';

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
