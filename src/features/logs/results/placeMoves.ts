import { type PlaceRange, type PlacesMoved, toPlaceRanges } from '../../../core/index.ts';

/** How rows have moved from one order to the next. */
export interface RowsMoved extends PlacesMoved {
  /** The order before; the one after it is the next. */
  readonly from: number;
}

interface PlaceMoves {
  add(from: number, removed: readonly PlaceRange[], inserted: readonly PlaceRange[]): void;
  /** What was added since the last time, if it leads to `order`. */
  take(order: number): readonly RowsMoved[];
}

/** Beyond these whoever has the rows looks at them anew. */
const MOST_MOVES = 32;
const MOST_RANGES = 256;

export function createPlaceMoves(): PlaceMoves {
  let moves: RowsMoved[] = [];
  return {
    add(from, removed, inserted) {
      const last = moves[moves.length - 1];
      if (last && last.from + 1 !== from) moves = [];
      if (removed.length + inserted.length > MOST_RANGES || moves.length >= MOST_MOVES) moves = [];
      else moves.push({ from, removed, inserted });
    },
    take(order) {
      const taken = moves;
      moves = [];
      const last = taken[taken.length - 1];
      return last && last.from + 1 === order ? taken : [];
    },
  };
}

interface Known {
  readonly isGone: (row: number) => boolean;
  readonly isNew: (row: number) => boolean;
}

/** What is gone of `before`, and what is new in `after`; undefined where the others did not keep their order. */
export function movesBetween(
  before: Uint32Array,
  after: Uint32Array,
  { isGone, isNew }: Known,
): PlacesMoved | undefined {
  const removed: number[] = [];
  const inserted: number[] = [];
  let old = 0;
  const skipGone = () => {
    for (; old < before.length && isGone(before[old] ?? 0); old++) removed.push(old);
  };
  for (const [place, row] of after.entries()) {
    if (isNew(row)) {
      inserted.push(place);
      continue;
    }
    skipGone();
    if (before[old++] !== row) return undefined;
  }
  skipGone();
  return old === before.length
    ? { removed: toPlaceRanges(removed), inserted: toPlaceRanges(inserted) }
    : undefined;
}
