import type { RowKey } from '../engine/rowChecks.ts';
import type { Log, LogOrder } from '../log.ts';
import type { LogStore } from './logStore.ts';

/** Consecutive places. */
export type PlaceRange = readonly [start: number, count: number];

/**
 * How places have moved: first the `removed` ones disappear, by their old places, then the `inserted` ones are
 * added.
 */
export interface PlacesMoved {
  readonly removed: readonly PlaceRange[];
  readonly inserted: readonly PlaceRange[];
}

/**
 * The rows of a store in the order of their result, with those that live updates have added: newest first on top of the
 * query's rows, else after them. Numbers are those of the store and identify a log permanently; places change as rows
 * come and go.
 */
export interface RowSequence {
  /** Number of places: of valid rows, and of removed ones that are not swept yet. */
  readonly length: number;
  /** Number of valid rows. */
  readonly count: number;
  /** Increases when rows are added, removed or swept. */
  readonly version: number;
  /** Added rows come before all others. */
  readonly newestOnTop: boolean;
  /** The number of the row that was added last, if it has a place. */
  readonly newest: number | undefined;
  /** Removed rows that still have a place. */
  readonly struck: ReadonlySet<number>;
  numberAt(place: number): number;
  /** Undefined for a row without a place. */
  placeOf(number: number): number | undefined;
  blockNumberAt(place: number): number;
  slice(start: number, count: number): readonly Log[];
  /** A snapshot: its places keep their rows. */
  now(): Pick<RowSequence, 'blockNumberAt' | 'length' | 'numberAt' | 'slice'>;
  /** The valid rows from this block on, oldest first, preceded by the newest row below it. */
  keysFrom(block: bigint): readonly RowKey[];
  /** The moves since that version, in order; undefined if that is too long ago. */
  movedSince(version: number): readonly PlacesMoved[] | undefined;
  /** Adds rows that are newer than all valid ones, in chain order. */
  add(logs: readonly Log[]): void;
  /**
   * Removes the rows from this block on, which keep their places until {@link sweep}.
   *
   * @returns how many.
   */
  takeBack(block: bigint): number;
  /** Frees the places of removed rows. */
  sweep(): void;
}

/** An observer that is further behind has to read all places again. */
const MAX_MOVES = 64;

/**
 * @param store has the rows of a query, or will have.
 * @param order of the result.
 * @example createRowSequence(store, verdict.order).sweep();
 */
export function createRowSequence(store: LogStore, order: LogOrder): RowSequence {
  const isDown = order === 'newestFirst';
  /** Numbers of the added rows, in chain order. */
  let added: number[] = [];
  const struck = new Set<number>();
  /** How many of the query's newest rows have been swept. */
  let sweptCount = 0;
  const moves: PlacesMoved[] = [];
  let version = 0;

  function recordMove(move: PlacesMoved): void {
    version++;
    moves.push(move);
    if (moves.length > MAX_MOVES) moves.shift();
  }

  const countQueryRows = () => store.upwardsFrom ?? store.length;
  const countQueryPlaces = () => countQueryRows() - sweptCount;

  const numberAt = (place: number) => numberIn({ added, sweptCount, queryPlaces: countQueryPlaces() }, place);

  function numberIn(
    layout: { added: readonly number[]; sweptCount: number; queryPlaces: number },
    place: number,
  ): number {
    const { length } = layout.added;
    if (isDown)
      return place < length ? (layout.added[length - 1 - place] ?? 0) : place - length + layout.sweptCount;
    return place < layout.queryPlaces ? place : (layout.added[place - layout.queryPlaces] ?? 0);
  }

  function createSlicer(length: number, numberOf: (place: number) => number) {
    return (start: number, count: number) => {
      const end = Math.min(length, start + count);
      return Array.from({ length: Math.max(0, end - start) }, (_, offset) =>
        store.get(numberOf(start + offset)),
      );
    };
  }

  function placeOf(number: number): number | undefined {
    if (number < countQueryRows()) {
      if (isDown) return number < sweptCount ? undefined : number - sweptCount + added.length;
      return number < countQueryPlaces() ? number : undefined;
    }
    const index = binarySearch(added, number);
    if (index === undefined) return undefined;
    return isDown ? added.length - 1 - index : countQueryPlaces() + index;
  }

  const countPlaces = () => countQueryPlaces() + added.length;

  /** Numbers of the valid rows, from the newest one. */
  function* iterateFromNewest(): Generator<number> {
    for (let index = 0; index < countPlaces(); index++) {
      const number = numberAt(isDown ? index : countPlaces() - 1 - index);
      if (!struck.has(number)) yield number;
    }
  }

  return {
    get length() {
      return countPlaces();
    },
    get count() {
      return countPlaces() - struck.size;
    },
    get version() {
      return version;
    },
    newestOnTop: isDown,
    get newest() {
      return added[added.length - 1];
    },
    struck,
    numberAt,
    placeOf,
    blockNumberAt: (place) => store.blockNumberAt(numberAt(place)),
    slice: (start, count) => createSlicer(countPlaces(), numberAt)(start, count),
    now() {
      const snapshot = { added: [...added], sweptCount, queryPlaces: countQueryPlaces() };
      const length = countPlaces();
      const numberOf = (place: number) => numberIn(snapshot, place);
      return {
        length,
        numberAt: numberOf,
        slice: createSlicer(length, numberOf),
        blockNumberAt: (place) => store.blockNumberAt(numberOf(place)),
      };
    },
    movedSince: (since) =>
      version - since > moves.length ? undefined : moves.slice(moves.length - (version - since)),
    keysFrom(block) {
      const found: RowKey[] = [];
      for (const number of iterateFromNewest()) {
        const { blockHash, blockNumber, logIndex } = store.get(number);
        found.push({ blockHash, blockNumber, logIndex });
        if (blockNumber < block) break;
      }
      return found.reverse();
    },
    add(logs) {
      if (logs.length === 0) return;
      store.turnUpwards();
      const first = store.length;
      store.append(logs);
      const before = countPlaces();
      for (let number = first; number < store.length; number++) added.push(number);
      recordMove({ removed: [], inserted: [[isDown ? 0 : before, logs.length]] });
    },
    takeBack(block) {
      store.turnUpwards();
      let count = 0;
      for (const number of iterateFromNewest()) {
        if (BigInt(store.blockNumberAt(number)) < block) break;
        struck.add(number);
        count++;
      }
      if (count > 0) recordMove({ removed: [], inserted: [] });
      return count;
    },
    sweep() {
      if (struck.size === 0) return;
      const freed = [...struck].map(placeOf).filter((place) => place !== undefined);
      added = added.filter((number) => !struck.has(number));
      for (const number of struck) if (number < countQueryRows()) sweptCount++;
      struck.clear();
      recordMove({ removed: toPlaceRanges(freed), inserted: [] });
    },
  };
}

/**
 * Merges places into as few ranges as possible.
 *
 * @example toPlaceRanges([4, 2, 3, 9]) // [[2, 3], [9, 1]]
 */
export function toPlaceRanges(places: readonly number[]): readonly PlaceRange[] {
  const ranges: [number, number][] = [];
  for (const place of places.toSorted((a, b) => a - b)) {
    const last = ranges[ranges.length - 1];
    if (last && last[0] + last[1] === place) last[1]++;
    else ranges.push([place, 1]);
  }
  return ranges;
}

function binarySearch(numbers: readonly number[], target: number): number | undefined {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < target) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === target ? low : undefined;
}
