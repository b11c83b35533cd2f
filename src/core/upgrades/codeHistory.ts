import type { ChainPlace, RunningCode, VersionDoubt } from '../abi/codeVersions.ts';
import type { Address } from '../values/address.ts';
import { isIn, type PlacedChange, placedChanges, type ReadUpgrades } from './placedChanges.ts';
import { comparePlaces, lastBefore } from './places.ts';
import { type CodeState, createCodeState } from './runningCode.ts';

/** The code that may have emitted logs from a place on, through the place before the next stretch. */
export interface Stretch {
  readonly from: ChainPlace;
  /** Empty where only the contract's own code runs; undefined where it is not known. */
  readonly code: readonly RunningCode[] | undefined;
  /** What ran before in the same transaction, as code goes on that has put other code into its place. */
  readonly earlier: readonly RunningCode[];
  /** What the same transaction puts in force later. */
  readonly later: readonly RunningCode[];
  /** Why the code is not known. */
  readonly doubt: Exclude<VersionDoubt, 'noAbi' | 'several'> | undefined;
}

/** Which code ran at one address, from block to block. */
export interface CodeHistory {
  /** In order; the first begins at block 0. */
  readonly stretches: readonly Stretch[];
  /** Every code that was in force at some place, the latest last. */
  readonly all: readonly RunningCode[];
  /** Whether the contract was never upgraded, as far as it was read. */
  readonly isEmpty: boolean;
  /** The number of the stretch in which a place is. */
  stretchAt(block: number, transaction: number, log: number): number;
}

const NONE: readonly RunningCode[] = [];
const START: ChainPlace = { block: 0, transaction: 0, log: 0 };

/**
 * Puts the upgrades of a contract together. The code of a stretch is that of the last upgrade before it, also between
 * two logs of one transaction; before the first upgrade it is what the constructor has set, which no log tells.
 *
 * @example
 * const history = codeHistory({ address, logs, from: 0, through: 1000, isUncertain: false });
 * history.stretches[history.stretchAt(12, 0, 3)]?.code;
 */
export function codeHistory(upgrades: ReadUpgrades): CodeHistory {
  const { address, from } = upgrades;
  const { changes, through, isTorn } = placedChanges(upgrades);
  const own = changes.filter((change) => change.address === address);
  const isUncertain = upgrades.isUncertain || isTorn;
  const setsCode = own.some(({ change }) => change.kind !== 'facets');
  const state = createCodeState(setsCode ? undefined : NONE);
  const stretches = stretchesOf(changes, { address, state });
  const bounded = isUncertain
    ? [doubted(START, 'uncertain')]
    : boundedStretches(stretches, { from, through });
  const places = bounded.map(({ from: place }) => place);
  return {
    stretches: bounded,
    all: distinct(stretches),
    isEmpty: own.length === 0 && !isUncertain,
    stretchAt: (block, transaction, log) => Math.max(0, lastBefore(places, { block, transaction, log })),
  };
}

/** One stretch for each place at which the code changes, and around each transaction that changes it. */
function stretchesOf(
  changes: readonly PlacedChange[],
  { address, state }: { readonly address: Address; readonly state: CodeState },
): readonly Stretch[] {
  const stretches = [stretch(START, state)];
  for (let start = 0; start < changes.length; ) {
    const { block, transaction } = (changes[start] as PlacedChange).at;
    let end = start;
    while (isIn(changes[end], block, transaction)) end++;
    const steps: Step[] = [{ now: stretch({ block, transaction, log: 0 }, state), once: NONE }];
    for (const one of changes.slice(start, end)) {
      let once = NONE;
      if (one.address === address) once = state.change(one.change, one.at);
      else state.changeBeacon(one.address, one.change, one.at);
      // The log of an upgrade is still of the code before it, or of the proxy itself.
      const behind = { ...one.at, log: one.at.log + 1 };
      steps.push({ now: stretch(behind, state), once });
    }
    stretches.push(...besideEachOther(steps));
    stretches.push(stretch({ block, transaction: transaction + 1, log: 0 }, state));
    start = end;
  }
  return stretches;
}

/** What is in force after a change, and what ran once with it. */
interface Step {
  readonly now: Stretch;
  readonly once: readonly RunningCode[];
}

/** The stretches of one transaction, each with what the others run: put together once, not for each of them anew. */
function besideEachOther(steps: readonly Step[]): readonly Stretch[] {
  const behind: (readonly RunningCode[])[] = [];
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

function ranIn({ now, once }: Step): readonly RunningCode[] {
  return [...once, ...(now.code ?? NONE)];
}

function stretch(from: ChainPlace, state: CodeState): Stretch {
  const code = state.code();
  const doubt = code ? undefined : state.isLost ? 'uncertain' : 'constructor';
  return { from, code, earlier: NONE, later: NONE, doubt };
}

function doubted(from: ChainPlace, doubt: NonNullable<Stretch['doubt']>): Stretch {
  return { from, code: undefined, earlier: NONE, later: NONE, doubt };
}

/** Nothing is known outside of the blocks that were read. */
function boundedStretches(
  stretches: readonly Stretch[],
  { from, through }: Pick<ReadUpgrades, 'from' | 'through'>,
): readonly Stretch[] {
  const [first, ...later] = stretches;
  const after: ChainPlace = { block: through + 1, transaction: 0, log: 0 };
  const inside = later.filter((one) => one.from.block >= from && comparePlaces(one.from, after) < 0);
  const begin: ChainPlace = { block: from, transaction: 0, log: 0 };
  return [
    ...(from > 0 ? [doubted(START, 'unread')] : []),
    ...(first && through >= from ? [{ ...first, from: from > 0 ? begin : START }] : []),
    ...inside,
    doubted(through < from ? START : after, 'unread'),
  ];
}

function others(code: readonly RunningCode[], without: Stretch['code']): readonly RunningCode[] {
  const known = new Set(without?.map(({ address }) => address));
  return code.filter(({ address }) => {
    if (known.has(address)) return false;
    known.add(address);
    return true;
  });
}

function distinct(stretches: readonly Stretch[]): readonly RunningCode[] {
  const latest = new Map<Address, RunningCode>();
  for (const { code, earlier } of stretches.toReversed()) {
    for (const one of [...earlier, ...(code ?? NONE)].toReversed()) {
      if (!latest.has(one.address)) latest.set(one.address, one);
    }
  }
  return [...latest.values()].toReversed();
}
