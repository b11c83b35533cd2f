import type { ActiveImplementation, LogPosition, VersionReason } from '../abi/candidates.ts';
import { pushAll } from '../base/values.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import { decodeImplementationChange, type FacetCut, type ImplementationChange } from './upgradeEvents.ts';

/** The code that may have emitted logs from `from` until the next period. */
export interface ImplementationPeriod {
  readonly from: LogPosition;
  /** Empty if only the contract's own code runs; undefined if unknown. */
  readonly code: readonly ActiveImplementation[] | undefined;
  /** Code that ran earlier in the same transaction and may still be running when its replacement is set. */
  readonly earlier: readonly ActiveImplementation[];
  /** Code that the same transaction puts in force later. */
  readonly later: readonly ActiveImplementation[];
  readonly reason: Exclude<VersionReason, 'noAbi' | 'several'> | undefined;
}

export interface ImplementationHistory {
  /** In order; the first one begins at block 0. */
  readonly periods: readonly ImplementationPeriod[];
  /** All code that was ever in force, the latest last. */
  readonly all: readonly ActiveImplementation[];
  /** Whether the contract was never upgraded in the blocks that were read. */
  readonly isEmpty: boolean;
  /** The index of the period that contains a position. */
  periodAt(block: number, transaction: number, log: number): number;
}

export interface FetchedUpgrades {
  readonly address: Address;
  /** Logs of the contract and of its beacons, in any order; others and duplicates are ignored. */
  readonly logs: readonly UpgradeLog[];
  readonly from: number;
  readonly through: number;
  /** Whether logs may be missing in between. */
  readonly isUncertain: boolean;
  /** The contract to which the account delegates now (EIP-7702). */
  readonly delegate?: Address | undefined;
}

export type UpgradeLog = LogCoordinates & Pick<Log, 'address' | 'topics' | 'data'>;

const NONE: readonly ActiveImplementation[] = [];
const START: LogPosition = { block: 0, transaction: 0, log: 0 };

/**
 * Computes the periods of a contract from its upgrades. The code of a period is that of the last upgrade
 * before it, even between two logs of one transaction. Before the first upgrade it is the code that the
 * constructor has set, which no log contains.
 *
 * @example
 * const history = createImplementationHistory({ address, logs, from: 0, through: 1000, isUncertain: false });
 * history.periods[history.periodAt(12, 0, 3)]?.code;
 */
export function createImplementationHistory(upgrades: FetchedUpgrades): ImplementationHistory {
  const { address, from, delegate } = upgrades;
  if (delegate) return createDelegatedHistory(delegate);
  const { changes, through, isTorn: isInconsistent } = listChanges(upgrades);
  const ownChanges = changes.filter((change) => change.address === address);
  const isUncertain = upgrades.isUncertain || isInconsistent;
  const setsCode = ownChanges.some(({ change }) => change.kind !== 'facets');
  const state = createImplementationState(setsCode ? undefined : NONE);
  const periods = listPeriods(changes, { address, state });
  const boundedPeriods = isUncertain
    ? [createUnknownPeriod(START, 'uncertain')]
    : boundPeriods(periods, { from, through });
  const positions = boundedPeriods.map(({ from: position }) => position);
  return {
    periods: boundedPeriods,
    all: listDistinct(periods),
    isEmpty: ownChanges.length === 0 && !isUncertain,
    periodAt: (block, transaction, log) =>
      Math.max(0, findLastBefore(positions, { block, transaction, log })),
  };
}

/**
 * An account delegates by an authorization in any transaction (EIP-7702), which is in no log: its code today says
 * nothing about earlier logs.
 */
function createDelegatedHistory(delegate: Address): ImplementationHistory {
  const code: readonly ActiveImplementation[] = [{ address: delegate, since: START }];
  const period = { ...createUnknownPeriod(START, 'delegated'), later: code };
  return { periods: [period], all: code, isEmpty: false, periodAt: () => 0 };
}

/** One period per position at which the code changes, and one for the rest of each transaction with changes. */
function listPeriods(
  changes: readonly PositionedChange[],
  { address, state }: { readonly address: Address; readonly state: ImplementationState },
): readonly ImplementationPeriod[] {
  const periods = [createPeriod(START, state)];
  for (let start = 0; start < changes.length; ) {
    const { block, transaction } = (changes[start] as PositionedChange).at;
    let end = start;
    while (isInTransaction(changes[end], block, transaction)) end++;
    const steps: Step[] = [{ now: createPeriod({ block, transaction, log: 0 }, state), once: NONE }];
    for (const positioned of changes.slice(start, end)) {
      let once = NONE;
      if (positioned.address === address) once = state.change(positioned.change, positioned.at);
      else state.changeBeacon(positioned.address, positioned.change, positioned.at);
      // The upgrade's own log still comes from the code before it, or from the proxy itself.
      const afterLog = { ...positioned.at, log: positioned.at.log + 1 };
      steps.push({ now: createPeriod(afterLog, state), once });
    }
    pushAll(periods, linkPeriods(steps));
    periods.push(createPeriod({ block, transaction: transaction + 1, log: 0 }, state));
    start = end;
  }
  return periods;
}

/** The code after a change, and code that ran once with it. */
interface Step {
  readonly now: ImplementationPeriod;
  readonly once: readonly ActiveImplementation[];
}

/** Completes the periods of one transaction with the code that runs in its other periods. */
function linkPeriods(steps: readonly Step[]): readonly ImplementationPeriod[] {
  const laterSteps: (readonly ActiveImplementation[])[] = [];
  let later = NONE;
  for (const step of steps.toReversed()) {
    laterSteps.push(later);
    later = exclude([...listRun(step), ...later], NONE);
  }
  let earlier = NONE;
  return steps.map((step, index) => {
    const { now } = step;
    earlier = exclude([...earlier, ...listRun(step)], NONE);
    return {
      ...now,
      earlier: exclude(earlier, now.code),
      later: exclude(laterSteps[steps.length - 1 - index] ?? NONE, now.code),
    };
  });
}

function listRun({ now, once }: Step): readonly ActiveImplementation[] {
  return [...once, ...(now.code ?? NONE)];
}

function createPeriod(from: LogPosition, state: ImplementationState): ImplementationPeriod {
  const code = state.code();
  const reason = code ? undefined : state.isLost ? 'uncertain' : 'constructor';
  return { from, code, earlier: NONE, later: NONE, reason };
}

function createUnknownPeriod(
  from: LogPosition,
  reason: NonNullable<ImplementationPeriod['reason']>,
): ImplementationPeriod {
  return { from, code: undefined, earlier: NONE, later: NONE, reason };
}

/** Marks everything outside the blocks that were read as unknown. */
function boundPeriods(
  periods: readonly ImplementationPeriod[],
  { from, through }: Pick<FetchedUpgrades, 'from' | 'through'>,
): readonly ImplementationPeriod[] {
  const [first, ...later] = periods;
  const after: LogPosition = { block: through + 1, transaction: 0, log: 0 };
  const inside = later.filter(
    (period) => period.from.block >= from && comparePositions(period.from, after) < 0,
  );
  const start: LogPosition = { block: from, transaction: 0, log: 0 };
  return [
    ...(from > 0 ? [createUnknownPeriod(START, 'unread')] : []),
    ...(first && through >= from ? [{ ...first, from: from > 0 ? start : START }] : []),
    ...inside,
    createUnknownPeriod(through < from ? START : after, 'unread'),
  ];
}

function exclude(
  code: readonly ActiveImplementation[],
  excluded: ImplementationPeriod['code'],
): readonly ActiveImplementation[] {
  const seen = new Set(excluded?.map(({ address }) => address));
  return code.filter(({ address }) => {
    if (seen.has(address)) return false;
    seen.add(address);
    return true;
  });
}

function listDistinct(periods: readonly ImplementationPeriod[]): readonly ActiveImplementation[] {
  const latest = new Map<Address, ActiveImplementation>();
  for (const { code, earlier } of periods.toReversed()) {
    for (const implementation of [...earlier, ...(code ?? NONE)].toReversed()) {
      if (!latest.has(implementation.address)) latest.set(implementation.address, implementation);
    }
  }
  return [...latest.values()].toReversed();
}

interface PositionedChange {
  readonly at: LogPosition;
  readonly address: Address;
  readonly change: ImplementationChange;
}

/** No contract is upgraded as often: from the block of a further change on, the code is unknown. */
const MAX_CHANGES = 2000;
const MAX_CHANGES_PER_TRANSACTION = 64;

/**
 * The changes in order, without duplicates. Two different logs at one position come from two forks of the
 * chain.
 */
function listChanges({ address, logs, through }: FetchedUpgrades) {
  const byPosition = new Map<string, PositionedChange & { readonly log: UpgradeLog }>();
  let isInconsistent = false;
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
    const existing = byPosition.get(key);
    if (existing && !isSameLog(existing.log, log)) isInconsistent = true;
    byPosition.set(key, { at, address: log.address, change, log });
  }
  const changes = [...byPosition.values()].sort((a, b) => comparePositions(a.at, b.at));
  const end = changes.findIndex(
    ({ at: { block, transaction } }, index) =>
      index >= MAX_CHANGES ||
      isInTransaction(changes[index + MAX_CHANGES_PER_TRANSACTION], block, transaction),
  );
  const first = changes[end];
  return {
    changes: first ? changes.filter(({ at }) => at.block < first.at.block) : changes,
    through: first ? Math.min(through, first.at.block - 1) : through,
    isTorn: isInconsistent,
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

function isInTransaction(change: PositionedChange | undefined, block: number, transaction: number): boolean {
  return change?.at.block === block && change.at.transaction === transaction;
}

function comparePositions(a: LogPosition, b: LogPosition): number {
  return a.block - b.block || a.transaction - b.transaction || a.log - b.log;
}

/** Block numbers of logs are safe integers: the log parser rejects higher ones. */
function toLogPosition({ blockNumber, transactionIndex, logIndex }: LogCoordinates): LogPosition {
  return { block: Number(blockNumber), transaction: transactionIndex, log: logIndex };
}

type LogCoordinates = Pick<Log, 'blockNumber' | 'transactionIndex' | 'logIndex'>;

/** The index of the last of the sorted `positions` at or before `at`; -1 if there is none. */
function findLastBefore(positions: readonly LogPosition[], at: LogPosition): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePositions(positions[middle] as LogPosition, at) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Functions and facets of one diamond that are tracked; real diamonds have up to a few hundred. */
const MAX_SELECTORS = 20_000;
const MAX_FACETS = 256;

interface ImplementationState {
  code(): readonly ActiveImplementation[] | undefined;
  /** Whether a limit was exceeded: from there on the code is unknown. */
  readonly isLost: boolean;
  /** Applies a change of the contract itself. @returns code that also ran once. */
  change(change: ImplementationChange, at: LogPosition): readonly ActiveImplementation[];
  changeBeacon(beacon: Address, change: ImplementationChange, at: LogPosition): void;
}

/**
 * Starts before the first upgrade.
 *
 * @param first the code in force at the start: undefined if unknown, empty if only the contract's own code
 *   runs.
 */
function createImplementationState(first: readonly ActiveImplementation[] | undefined): ImplementationState {
  let implementation = first;
  let beacon: Address | undefined;
  const beacons = new Map<Address, ActiveImplementation | undefined>();
  const facetOf = new Map<Hex, Address>();
  const facets = new Map<Address, { readonly since: LogPosition; selectors: number }>();
  let isLost = false;

  function removeSelector(selector: Hex): void {
    const facet = facetOf.get(selector);
    const usage = facet && facets.get(facet);
    facetOf.delete(selector);
    if (!usage) return;
    usage.selectors--;
    if (usage.selectors === 0 && facet) facets.delete(facet);
  }

  function assignSelector(selector: Hex, facet: Address, since: LogPosition): void {
    if (facetOf.get(selector) === facet) return;
    // Get before remove: a facet that is assigned the same function again keeps its start.
    const usage = facets.get(facet) ?? { since, selectors: 0 };
    removeSelector(selector);
    usage.selectors++;
    facets.set(facet, usage);
    facetOf.set(selector, facet);
  }

  function applyCut({ facet, selectors }: FacetCut, at: LogPosition): void {
    for (const selector of selectors) {
      if (!facet) removeSelector(selector);
      else assignSelector(selector, facet, at);
      if (facetOf.size > MAX_SELECTORS || facets.size > MAX_FACETS) isLost = true;
      if (isLost) return;
    }
  }

  return {
    get isLost() {
      return isLost;
    },
    code() {
      const main = beacon === undefined ? implementation : toList(beacons.get(beacon));
      if (isLost || !main) return undefined;
      const cut = Array.from(facets, ([address, { since }]): ActiveImplementation => ({ address, since }));
      return [...main, ...cut];
    },
    change(change, since) {
      switch (change.kind) {
        case 'implementation':
          implementation = replaceImplementation(implementation, { address: change.address, since });
          beacon = undefined;
          return [];
        case 'beacon':
          beacon = change.address;
          return [];
        case 'facets':
          for (const cut of change.cuts) applyCut(cut, since);
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

function toList(code: ActiveImplementation | undefined): readonly ActiveImplementation[] | undefined {
  return code && [code];
}

/** An upgrade to the current implementation changes nothing. */
function replaceImplementation(
  before: readonly ActiveImplementation[] | undefined,
  now: ActiveImplementation,
): readonly ActiveImplementation[] {
  const [current, ...others] = before ?? [];
  return current?.address === now.address && others.length === 0 ? [current] : [now];
}
