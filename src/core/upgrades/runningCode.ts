import type { ChainPlace, RunningCode } from '../abi/codeVersions.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { CodeChange, FacetCut } from './upgradeEvents.ts';

/** What stands at a place: undefined where it is not known. */
type Known<T> = T | undefined;

/** Functions and facets of one diamond that are followed; real ones have up to a few hundred. */
const MOST_SELECTORS = 20_000;
const MOST_FACETS = 256;

/** Code as it is in force, taken through its changes one after the other. */
export interface CodeState {
  /** The code that may run; undefined where that is not known. */
  code(): readonly RunningCode[] | undefined;
  /** Whether more has changed than is followed: from there on nothing is known. */
  readonly isLost: boolean;
  /** Takes in a change by the contract itself. @returns what ran once besides. */
  change(change: CodeChange, at: ChainPlace): readonly RunningCode[];
  /** Takes in an upgrade of a beacon. */
  changeBeacon(beacon: Address, change: CodeChange, at: ChainPlace): void;
}

/**
 * The code of a contract before its first upgrade.
 *
 * @param first what is in force then: undefined where it is not known, empty for a contract's own code alone.
 */
export function createCodeState(first: Known<readonly RunningCode[]>): CodeState {
  let implementation = first;
  let beacon: Address | undefined;
  const beacons = new Map<Address, Known<RunningCode>>();
  const facetOf = new Map<Hex, Address>();
  const facets = new Map<Address, { readonly since: ChainPlace; selectors: number }>();
  let isLost = false;

  function take(selector: Hex): void {
    const facet = facetOf.get(selector);
    const known = facet && facets.get(facet);
    facetOf.delete(selector);
    if (!known) return;
    known.selectors--;
    if (known.selectors === 0 && facet) facets.delete(facet);
  }

  function give(selector: Hex, facet: Address, since: ChainPlace): void {
    if (facetOf.get(selector) === facet) return;
    // First there, then away: a facet that gets the same function again is the same as before.
    const known = facets.get(facet) ?? { since, selectors: 0 };
    take(selector);
    known.selectors++;
    facets.set(facet, known);
    facetOf.set(selector, facet);
  }

  function cut({ facet, selectors }: FacetCut, at: ChainPlace): void {
    for (const selector of selectors) {
      if (!facet) take(selector);
      else give(selector, facet, at);
      if (facetOf.size > MOST_SELECTORS || facets.size > MOST_FACETS) isLost = true;
      if (isLost) return;
    }
  }

  return {
    get isLost() {
      return isLost;
    },
    code() {
      const main = beacon === undefined ? implementation : listed(beacons.get(beacon));
      if (isLost || !main) return undefined;
      const cut = Array.from(facets, ([address, { since }]): RunningCode => ({ address, since }));
      return [...main, ...cut];
    },
    change(change, since) {
      switch (change.kind) {
        case 'implementation':
          implementation = sameOrSince(implementation, { address: change.address, since });
          beacon = undefined;
          return [];
        case 'beacon':
          beacon = change.address;
          return [];
        case 'facets':
          for (const one of change.cuts) cut(one, since);
          return change.init ? [{ address: change.init, since }] : [];
        case 'unreadable':
          implementation = undefined;
          beacon = undefined;
          return [];
      }
    },
    changeBeacon(address, change, since) {
      if (change.kind === 'implementation') beacons.set(address, { address: change.address, since });
      else if (change.kind === 'unreadable') beacons.set(address, undefined);
    },
  };
}

function listed(code: RunningCode | undefined): readonly RunningCode[] | undefined {
  return code && [code];
}

/** An upgrade to what is in force already changes nothing. */
function sameOrSince(before: readonly RunningCode[] | undefined, now: RunningCode): readonly RunningCode[] {
  const [known, ...others] = before ?? [];
  return known?.address === now.address && others.length === 0 ? [known] : [now];
}
