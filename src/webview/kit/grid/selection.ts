import type { RowRange } from './virtualRows.ts';

/** Several rows that are selected, or none; where nothing of this kind is chosen, the active row is selected. */
export interface Selection {
  /** The row that a selection is extended from. */
  readonly anchor: number;
  /** In order, without a gap of none between two. */
  readonly ranges: readonly RowRange[];
}

/** More stretches than a person picks one by one. */
const MOST_RANGES = 1000;

/** The rows that are selected. */
export function selectedRanges(selection: Selection | undefined, active: number): readonly RowRange[] {
  return selection?.ranges ?? (active < 0 ? [] : [{ start: active, end: active + 1 }]);
}

export function isSelected(ranges: readonly RowRange[], row: number): boolean {
  return ranges.some(({ start, end }) => start <= row && row < end);
}

export function countOf(ranges: readonly RowRange[]): number {
  return ranges.reduce((count, { start, end }) => count + end - start, 0);
}

/** All rows from the anchor to `row`, as lists extend a selection with Shift. */
export function extendTo(selection: Selection | undefined, active: number, row: number): Selection {
  const anchor = selection?.anchor ?? Math.max(0, active);
  return { anchor, ranges: [{ start: Math.min(anchor, row), end: Math.max(anchor, row) + 1 }] };
}

/** With `row` selected besides, or not any more. */
export function toggle(selection: Selection | undefined, active: number, row: number): Selection {
  const before = selectedRanges(selection, active);
  const without = before.flatMap(({ start, end }) =>
    row < start || row >= end
      ? [{ start, end }]
      : [
          { start, end: row },
          { start: row + 1, end },
        ].filter((range) => range.start < range.end),
  );
  const ranges = isSelected(before, row) ? without : joined([...before, { start: row, end: row + 1 }]);
  return ranges.length > MOST_RANGES ? { anchor: row, ranges: before } : { anchor: row, ranges };
}

export function selectAll(rows: number, active: number): Selection {
  return { anchor: Math.max(0, active), ranges: rows === 0 ? [] : [{ start: 0, end: rows }] };
}

function joined(ranges: readonly RowRange[]): readonly RowRange[] {
  const result: RowRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && last.end >= range.start) result[result.length - 1] = { start: last.start, end: range.end };
    else result.push(range);
  }
  return result;
}
