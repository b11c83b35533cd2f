import type { RowsMove } from '../../../features/logs/protocol/logsSnapshot.ts';

/** Where a row of the order before stands now; undefined where it has gone. */
export type Moved = (row: number) => number | undefined;

/** How rows came from one order to another; undefined where that is not known. */
export function placesAfter(moves: readonly RowsMove[], before: number, now: number): Moved | undefined {
  const isWhole = moves.length > 0 && moves.every(({ from }, at) => from === before + at);
  if (!isWhole || before + moves.length !== now) return undefined;
  return (row) =>
    moves.reduce<number | undefined>(
      (place, move) => (place === undefined ? place : after(move, place)),
      row,
    );
}

function after({ removed, inserted }: RowsMove, row: number): number | undefined {
  let place = row;
  for (const [start, count] of removed) {
    if (row >= start && row < start + count) return undefined;
    if (row >= start) place -= count;
  }
  for (const [start, count] of inserted) if (start <= place) place += count;
  return place;
}

/** The row that stands where `row` did, or the next one behind it that stayed, of so many. */
export function nearest(moved: Moved, row: number, rows: number): number {
  for (let at = row; at < row + MOST_LOOKED_AT; at++) {
    const place = moved(at);
    if (place !== undefined) return Math.min(place, Math.max(0, rows - 1));
  }
  return Math.min(row, Math.max(0, rows - 1));
}

/** Rows that go at once are few. */
const MOST_LOOKED_AT = 1000;
