import type { ActiveImplementation, LogPosition, VersionReason } from '../abi/candidates.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import { decodeImplementationChange, type FacetCut, type ImplementationChange } from './upgradeEvents.ts';

/** The code that may have emitted logs from a place on, through the place before the next stretch. */
export interface ImplementationPeriod {
  readonly from: LogPosition;
  /** Empty where only the contract's own code runs; undefined where it is not known. */
  readonly code: readonly ActiveImplementation[] | undefined;
  /** What ran before in the same transaction, as code goes on that has put other code into its place. */
  readonly earlier: readonly ActiveImplementation[];
  /** What the same transaction puts in force later. */
  readonly later: readonly ActiveImplementation[];
  /** Why the code is not known. */
  readonly reason: Exclude<VersionReason, 'noAbi' | 'several'> | undefined;
}

/** Which code ran at one address, from block to block. */
export interface ImplementationHistory {
  /** In order; the first begins at block 0. */
  readonly periods: readonly ImplementationPeriod[];
  /** Every code that was in force at some place, the latest last. */
  readonly all: readonly ActiveImplementation[];
  /** Whether the contract was never upgraded, as far as it was read. */
  readonly isEmpty: boolean;
  /** The number of the stretch in which a place is. */
  periodAt(block: number, transaction: number, log: number): number;
}

const NONE: readonly ActiveImplementation[] = [];
const START: LogPosition = { block: 0, transaction: 0, log: 0 };

/**
 * Puts the upgrades of a contract together. The code of a stretch is that of the last upgrade before it, also between
 * two logs of one transaction; before the first upgrade it is what the constructor has set, which no log tells.
 *
 * @example
 * const history = createImplementationHistory({ address, logs, from: 0, through: 1000, isUncertain: false });
 * history.stretches[history.stretchAt(12, 0, 3)]?.code;
 */
export function createImplementationHistory(upgrades: FetchedUpgrades): ImplementationHistory {
  const { address, from } = upgrades;
  const { changes, through, isTorn } = listChanges(upgrades);
  const own = changes.filter((change) => change.address === address);
  const isUncertain = upgrades.isUncertain || isTorn;
  const setsCode = own.some(({ change }) => change.kind !== 'facets');
  const state = createImplementationState(setsCode ? undefined : NONE);
  const stretches = listPeriods(changes, { address, state });
  const bounded = isUncertain ? [withReason(START, 'uncertain')] : boundPeriods(stretches, { from, through });
  const places = bounded.map(({ from: place }) => place);
  return {
    periods: bounded,
    all: distinct(stretches),
    isEmpty: own.length === 0 && !isUncertain,
    periodAt: (block, transaction, log) => Math.max(0, findLastBefore(places, { block, transaction, log })),
  };
}

/** One stretch for each place at which the code changes, and around each transaction that changes it. */
function listPeriods(
  changes: readonly PositionedChange[],
  { address, state }: { readonly address: Address; readonly state: ImplementationState },
): readonly ImplementationPeriod[] {
  const stretches = [createPeriod(START, state)];
  for (let start = 0; start < changes.length; ) {
    const { block, transaction } = (changes[start] as PositionedChange).at;
    let end = start;
    while (isInTransaction(changes[end], block, transaction)) end++;
    const steps: Step[] = [{ now: createPeriod({ block, transaction, log: 0 }, state), once: NONE }];
    for (const one of changes.slice(start, end)) {
      let once = NONE;
      if (one.address === address) once = state.change(one.change, one.at);
      else state.changeBeacon(one.address, one.change, one.at);
      // The log of an upgrade is still of the code before it, or of the proxy itself.
      const behind = { ...one.at, log: one.at.log + 1 };
      steps.push({ now: createPeriod(behind, state), once });
    }
    stretches.push(...besideEachOther(steps));
    stretches.push(createPeriod({ block, transaction: transaction + 1, log: 0 }, state));
    start = end;
  }
  return stretches;
}

/** What is in force after a change, and what ran once with it. */
interface Step {
  readonly now: ImplementationPeriod;
  readonly once: readonly ActiveImplementation[];
}

/** The stretches of one transaction, each with what the others run: put together once, not for each of them anew. */
function besideEachOther(steps: readonly Step[]): readonly ImplementationPeriod[] {
  const behind: (readonly ActiveImplementation[])[] = [];
  let later = NONE;
  for (const step of steps.toReversed()) {
    behind.push(later);
    later = others([...ranIn(step), ...later], NONE);
  }
  let earlier = NONE;
  return steps.map((step, index) => {
    const { now } = step;
    earlier = others([...earlier, ...ranIn(step)], NONE);
    return {
      ...now,
      earlier: others(earlier, now.code),
      later: others(behind[steps.length - 1 - index] ?? NONE, now.code),
    };
  });
}

function ranIn({ now, once }: Step): readonly ActiveImplementation[] {
  return [...once, ...(now.code ?? NONE)];
}

function createPeriod(from: LogPosition, state: ImplementationState): ImplementationPeriod {
  const code = state.code();
  const doubt = code ? undefined : state.isLost ? 'uncertain' : 'constructor';
  return { from, code, earlier: NONE, later: NONE, reason: doubt };
}

function withReason(
  from: LogPosition,
  doubt: NonNullable<ImplementationPeriod['reason']>,
): ImplementationPeriod {
  return { from, code: undefined, earlier: NONE, later: NONE, reason: doubt };
}

/** Nothing is known outside of the blocks that were read. */
function boundPeriods(
  stretches: readonly ImplementationPeriod[],
  { from, through }: Pick<FetchedUpgrades, 'from' | 'through'>,
): readonly ImplementationPeriod[] {
  const [first, ...later] = stretches;
  const after: LogPosition = { block: through + 1, transaction: 0, log: 0 };
  const inside = later.filter((one) => one.from.block >= from && comparePositions(one.from, after) < 0);
  const begin: LogPosition = { block: from, transaction: 0, log: 0 };
  return [
    ...(from > 0 ? [withReason(START, 'unread')] : []),
    ...(first && through >= from ? [{ ...first, from: from > 0 ? begin : START }] : []),
    ...inside,
    withReason(through < from ? START : after, 'unread'),
  ];
}

function others(
  code: readonly ActiveImplementation[],
  without: ImplementationPeriod['code'],
): readonly ActiveImplementation[] {
  const known = new Set(without?.map(({ address }) => address));
  return code.filter(({ address }) => {
    if (known.has(address)) return false;
    known.add(address);
    return true;
  });
}

function distinct(stretches: readonly ImplementationPeriod[]): readonly ActiveImplementation[] {
  const latest = new Map<Address, ActiveImplementation>();
  for (const { code, earlier } of stretches.toReversed()) {
    for (const one of [...earlier, ...(code ?? NONE)].toReversed()) {
      if (!latest.has(one.address)) latest.set(one.address, one);
    }
  }
  return [...latest.values()].toReversed();
}

/** The upgrades of a contract as they were read. */
export interface FetchedUpgrades {
  readonly address: Address;
  /** Logs of the contract and of its beacons, in any order; others and repeated ones are left out. */
  readonly logs: readonly UpgradeLog[];
  /** From this block on all are there. */
  readonly from: number;
  /** Through this block all are there. */
  readonly through: number;
  /** Whether some may be missing in between. */
  readonly isUncertain: boolean;
}

/** What of a log tells an upgrade. */
export type UpgradeLog = LogCoordinates & Pick<Log, 'address' | 'topics' | 'data'>;

/** A change by the contract itself or by a beacon. */
interface PositionedChange {
  readonly at: LogPosition;
  readonly address: Address;
  readonly change: ImplementationChange;
}

/** Changes that are followed; from their block on nothing is known. No contract is upgraded as often by people. */
const MAX_CHANGES = 2000;
/** Changes by one transaction. */
const MAX_CHANGES_PER_TRANSACTION = 64;

/** In order, each once. Two that differ at one place are of two chains. */
function listChanges({ address, logs, through }: FetchedUpgrades) {
  const byPlace = new Map<string, PositionedChange & { readonly log: UpgradeLog }>();
  let isTorn = false;
  const beacons = new Set<Address>();
  const read = logs.flatMap((log) => {
    const change = decodeImplementationChange(log);
    if (change?.kind === 'beacon' && log.address === address) beacons.add(change.address);
    return change ? [{ log, change }] : [];
  });
  for (const { log, change } of read) {
    if (log.address !== address && !beacons.has(log.address)) continue;
    const at = toLogPosition(log);
    const key = `${at.block} ${at.log}`;
    const before = byPlace.get(key);
    if (before && !isSameLog(before.log, log)) isTorn = true;
    byPlace.set(key, { at, address: log.address, change, log });
  }
  const changes = [...byPlace.values()].sort((a, b) => comparePositions(a.at, b.at));
  const end = changes.findIndex(
    ({ at: { block, transaction } }, index) =>
      index >= MAX_CHANGES ||
      isInTransaction(changes[index + MAX_CHANGES_PER_TRANSACTION], block, transaction),
  );
  const first = changes[end];
  return {
    changes: first ? changes.filter(({ at }) => at.block < first.at.block) : changes,
    through: first ? Math.min(through, first.at.block - 1) : through,
    isTorn,
  };
}

function isSameLog(a: UpgradeLog, b: UpgradeLog): boolean {
  return (
    a.address === b.address &&
    a.transactionIndex === b.transactionIndex &&
    a.data === b.data &&
    a.topics.join() === b.topics.join()
  );
}

/** Whether a change is by this transaction. */
function isInTransaction(change: PositionedChange | undefined, block: number, transaction: number): boolean {
  return change?.at.block === block && change.at.transaction === transaction;
}

/** Where logs stand, in the order of the chain. */
function comparePositions(a: LogPosition, b: LogPosition): number {
  return a.block - b.block || a.transaction - b.transaction || a.log - b.log;
}

/** Block numbers of logs are exact as numbers: their reader refuses higher ones. */
function toLogPosition({ blockNumber, transactionIndex, logIndex }: LogCoordinates): LogPosition {
  return { block: Number(blockNumber), transaction: transactionIndex, log: logIndex };
}

type LogCoordinates = Pick<Log, 'blockNumber' | 'transactionIndex' | 'logIndex'>;

/** The number of the last of `places`, which are in order, at or before one; -1 where all come later. */
function findLastBefore(places: readonly LogPosition[], at: LogPosition): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePositions(places[middle] as LogPosition, at) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What stands at a place: undefined where it is not known. */
type Maybe<T> = T | undefined;

/** Functions and facets of one diamond that are followed; real ones have up to a few hundred. */
const MAX_SELECTORS = 20_000;
const MAX_FACETS = 256;

/** Code as it is in force, taken through its changes one after the other. */
interface ImplementationState {
  /** The code that may run; undefined where that is not known. */
  code(): readonly ActiveImplementation[] | undefined;
  /** Whether more has changed than is followed: from there on nothing is known. */
  readonly isLost: boolean;
  /** Takes in a change by the contract itself. @returns what ran once besides. */
  change(change: ImplementationChange, at: LogPosition): readonly ActiveImplementation[];
  /** Takes in an upgrade of a beacon. */
  changeBeacon(beacon: Address, change: ImplementationChange, at: LogPosition): void;
}

/**
 * The code of a contract before its first upgrade.
 *
 * @param first what is in force then: undefined where it is not known, empty for a contract's own code alone.
 */
function createImplementationState(first: Maybe<readonly ActiveImplementation[]>): ImplementationState {
  let implementation = first;
  let beacon: Address | undefined;
  const beacons = new Map<Address, Maybe<ActiveImplementation>>();
  const facetOf = new Map<Hex, Address>();
  const facets = new Map<Address, { readonly since: LogPosition; selectors: number }>();
  let isLost = false;

  function take(selector: Hex): void {
    const facet = facetOf.get(selector);
    const known = facet && facets.get(facet);
    facetOf.delete(selector);
    if (!known) return;
    known.selectors--;
    if (known.selectors === 0 && facet) facets.delete(facet);
  }

  function give(selector: Hex, facet: Address, since: LogPosition): void {
    if (facetOf.get(selector) === facet) return;
    // First there, then away: a facet that gets the same function again is the same as before.
    const known = facets.get(facet) ?? { since, selectors: 0 };
    take(selector);
    known.selectors++;
    facets.set(facet, known);
    facetOf.set(selector, facet);
  }

  function cut({ facet, selectors }: FacetCut, at: LogPosition): void {
    for (const selector of selectors) {
      if (!facet) take(selector);
      else give(selector, facet, at);
      if (facetOf.size > MAX_SELECTORS || facets.size > MAX_FACETS) isLost = true;
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
      const cut = Array.from(facets, ([address, { since }]): ActiveImplementation => ({ address, since }));
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

function listed(code: ActiveImplementation | undefined): readonly ActiveImplementation[] | undefined {
  return code && [code];
}

/** An upgrade to what is in force already changes nothing. */
function sameOrSince(
  before: readonly ActiveImplementation[] | undefined,
  now: ActiveImplementation,
): readonly ActiveImplementation[] {
  const [known, ...others] = before ?? [];
  return known?.address === now.address && others.length === 0 ? [known] : [now];
}
