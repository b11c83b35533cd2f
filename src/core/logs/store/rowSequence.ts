import type { RowKey } from '../engine/rowChecks.ts';
import type { Log, LogOrder } from '../log.ts';
import type { LogStore } from './logStore.ts';

/** Places and how many of them there are, one after another. */
export type PlaceRange = readonly [start: number, count: number];

/** How places have moved: first those are gone that are `removed`, by their old places, then others are `inserted`. */
export interface PlacesMoved {
  readonly removed: readonly PlaceRange[];
  readonly inserted: readonly PlaceRange[];
}

/**
 * The rows of a store in the order of their answer, with those that following it has brought: newest first on top of
 * those that were read, else behind them. Numbers are those of the store, and each stands for the same log for ever;
 * places change as rows come and go.
 */
export interface RowSequence {
  /** Places: of the rows that stand, and of those that were taken back and not yet swept. */
  readonly length: number;
  /** Rows that stand. */
  readonly count: number;
  /** Goes up when rows are put in, taken back or swept. */
  readonly version: number;
  /** Rows that following brings come before all others. */
  readonly newestOnTop: boolean;
  /** The number of the row that following brought last, where it has one. */
  readonly newest: number | undefined;
  /** Rows that were taken back and have a place still. */
  readonly struck: ReadonlySet<number>;
  numberAt(place: number): number;
  /** Undefined for a row without a place. */
  placeOf(number: number): number | undefined;
  blockNumberAt(place: number): number;
  slice(start: number, count: number): readonly Log[];
  /** The same places for ever, of the same rows, as they stand now. */
  now(): Pick<RowSequence, 'blockNumberAt' | 'length' | 'numberAt' | 'slice'>;
  /** The rows of blocks from this one on that stand, oldest first, and before them the newest one below. */
  keysFrom(block: bigint): readonly RowKey[];
  /** What has moved since that version, in order; undefined where that is too long ago. */
  movedSince(version: number): readonly PlacesMoved[] | undefined;
  /** Puts rows in that are newer than all that stand, in the order of the chain. */
  add(logs: readonly Log[]): void;
  /** Takes the rows of this block and those above it back. @returns how many. */
  takeBack(block: bigint): number;
  /** Takes their places from rows that were taken back. */
  sweep(): void;
}

/** Whoever looks more seldom has to look at all places anew. */
const MAX_MOVES = 64;

/**
 * Over a store that has the rows of a query, or will have.
 *
 * @param order that of the answer.
 * @example createRowSequence(store, verdict.order).sweep();
 */
export function createRowSequence(store: LogStore, order: LogOrder): RowSequence {
  const isDown = order === 'newestFirst';
  /** Numbers of rows that following brought, in the order of the chain. */
  let added: number[] = [];
  const struck = new Set<number>();
  /** Rows of the query that have no place any more: the newest of them. */
  let lost = 0;
  const moves: PlacesMoved[] = [];
  let version = 0;

  function moved(move: PlacesMoved): void {
    version++;
    moves.push(move);
    if (moves.length > MAX_MOVES) moves.shift();
  }

  const read = () => store.upwardsFrom ?? store.length;
  const readPlaces = () => read() - lost;

  const numberAt = (place: number) => numberIn({ added, lost, read: readPlaces() }, place);

  function numberIn(at: { added: readonly number[]; lost: number; read: number }, place: number): number {
    const { length } = at.added;
    if (isDown) return place < length ? (at.added[length - 1 - place] ?? 0) : place - length + at.lost;
    return place < at.read ? place : (at.added[place - at.read] ?? 0);
  }

  function slicing(length: number, numberOf: (place: number) => number) {
    return (start: number, count: number) => {
      const end = Math.min(length, start + count);
      return Array.from({ length: Math.max(0, end - start) }, (_, offset) =>
        store.get(numberOf(start + offset)),
      );
    };
  }

  function placeOf(number: number): number | undefined {
    if (number < read()) {
      if (isDown) return number < lost ? undefined : number - lost + added.length;
      return number < readPlaces() ? number : undefined;
    }
    const at = searchIn(added, number);
    if (at === undefined) return undefined;
    return isDown ? added.length - 1 - at : readPlaces() + at;
  }

  const places = () => readPlaces() + added.length;

  /** Places from that of the newest row on. */
  function* fromNewest(): Generator<number> {
    for (let at = 0; at < places(); at++) {
      const number = numberAt(isDown ? at : places() - 1 - at);
      if (!struck.has(number)) yield number;
    }
  }

  return {
    get length() {
      return places();
    },
    get count() {
      return places() - struck.size;
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
    slice: (start, count) => slicing(places(), numberAt)(start, count),
    now() {
      const then = { added: [...added], lost, read: readPlaces() };
      const length = places();
      const numberOf = (place: number) => numberIn(then, place);
      return {
        length,
        numberAt: numberOf,
        slice: slicing(length, numberOf),
        blockNumberAt: (place) => store.blockNumberAt(numberOf(place)),
      };
    },
    movedSince: (since) =>
      version - since > moves.length ? undefined : moves.slice(moves.length - (version - since)),
    keysFrom(block) {
      const found: RowKey[] = [];
      for (const number of fromNewest()) {
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
      const before = places();
      for (let number = first; number < store.length; number++) added.push(number);
      moved({ removed: [], inserted: [[isDown ? 0 : before, logs.length]] });
    },
    takeBack(block) {
      store.turnUpwards();
      let count = 0;
      for (const number of fromNewest()) {
        if (BigInt(store.blockNumberAt(number)) < block) break;
        struck.add(number);
        count++;
      }
      if (count > 0) moved({ removed: [], inserted: [] });
      return count;
    },
    sweep() {
      if (struck.size === 0) return;
      const gone = [...struck].map(placeOf).filter((place) => place !== undefined);
      added = added.filter((number) => !struck.has(number));
      for (const number of struck) if (number < read()) lost++;
      struck.clear();
      moved({ removed: toPlaceRanges(gone), inserted: [] });
    },
  };
}

/**
 * Places in as few ranges as there are.
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

function searchIn(numbers: readonly number[], wanted: number): number | undefined {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? low : undefined;
}
