import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { GridColumn } from '../../../messaging/panel.ts';
import type { RowRange } from './gridScroll.ts';
import type { RowCache } from './rowCache.ts';

/** The position of the user in a grid, and the rows near there. */
export interface GridState<Column extends string, Row> {
  readonly columns: ReadonlySignal<readonly GridColumn<Column, string>[]>;
  readonly rowCount: ReadonlySignal<number>;
  /** Changes when the same row numbers mean other rows. */
  readonly order: ReadonlySignal<number>;
  /** Changes when the texts of the same rows change. */
  readonly textVersion?: ReadonlySignal<number> | undefined;
  readonly cache: RowCache<Row>;
  readonly widths: Signal<ColumnWidths>;
  /** The first row in view. */
  readonly topRow: Signal<number>;
  readonly active: Signal<GridCell>;
  /** Undefined: only the active row. To be cleared when row numbers change their meaning. */
  readonly selection: Signal<RowSelection | undefined>;
  /** Set to scroll the grid. */
  readonly goTo: Signal<MoveRequest | undefined>;
}

/** A cell of the grid. Row -1 is the header. */
interface GridCell {
  readonly row: number;
  readonly column: number;
}

/** A cell to scroll to and activate. */
interface MoveRequest {
  readonly cell: GridCell;
  readonly focus: boolean;
  /** Scrolls its row to the top instead of as little as possible. */
  readonly onTop?: boolean;
  /** Where rows have moved without the user. The rows on screen stay, except at the very top. */
  readonly moved?: (row: number) => number;
  /** Its row takes the place of this row on screen, if that is in view. */
  readonly insteadOf?: number;
}

/** Pixels, of columns that the user resized. */
export type ColumnWidths = Readonly<Record<string, number>>;

export function createGridState<Column extends string, Row>(
  start: GridOptions<Column, Row>,
): GridState<Column, Row> {
  const { columns, rowCount, order, textVersion, cache, savedWidths, topRow } = start;
  return {
    columns,
    rowCount,
    order,
    textVersion,
    cache,
    widths: signal(savedWidths ?? {}),
    topRow: signal(topRow),
    active: signal({ row: topRow, column: 0 }),
    selection: signal(undefined),
    goTo: signal(undefined),
  };
}

interface GridOptions<Column extends string, Row> {
  readonly columns: ReadonlySignal<readonly GridColumn<Column, string>[]>;
  readonly rowCount: ReadonlySignal<number>;
  readonly order: ReadonlySignal<number>;
  readonly textVersion?: ReadonlySignal<number> | undefined;
  readonly cache: RowCache<Row>;
  readonly savedWidths: ColumnWidths | undefined;
  readonly topRow: number;
}

export function getColumnWidth({ id, width }: GridColumn<string, string>, widths: ColumnWidths): number {
  return widths[id] ?? width;
}

interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows of one page of the view. */
  readonly pageRows: number;
}

/** Returns the cell that a key moves to, by the ARIA grid pattern; undefined for other keys. */
export function findCellAfterKey(
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { row, column }: GridCell,
  { rows, columns, pageRows }: GridSize,
): GridCell | undefined {
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  const toRow = (target: number) => ({ row: Math.min(Math.max(target, -1), lastRow), column });
  const toColumn = (target: number) => ({ row, column: Math.min(Math.max(target, 0), lastColumn) });
  switch (key) {
    case 'ArrowUp':
      return toRow(row - 1);
    case 'ArrowDown':
      return toRow(row + 1);
    case 'ArrowLeft':
      return toColumn(column - 1);
    case 'ArrowRight':
      return toColumn(column + 1);
    case 'PageUp':
      return toRow(Math.max(row - pageRows, Math.min(row, 0)));
    case 'PageDown':
      return toRow(row + pageRows);
    case 'Home':
      return ctrlKey ? { row: Math.min(0, lastRow), column: 0 } : toColumn(0);
    case 'End':
      return ctrlKey ? { row: lastRow, column: lastColumn } : toColumn(lastColumn);
    default:
      return undefined;
  }
}

/** Returns the cell that an element is in; undefined outside of the cells of a grid. */
export function findCell(target: EventTarget | null): GridCell | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
  const column = cell?.dataset.column;
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}

/** Focuses a cell. Returns false if it is not drawn: only rows near those in view are. */
export function focusCell(grid: HTMLElement | null, { row, column }: GridCell): boolean {
  const cell = grid?.querySelector<HTMLElement>(`[data-row="${row}"] > [data-column="${column}"]`);
  if (!cell) return false;
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  return true;
}

type SelectableGrid = Pick<GridState<string, unknown>, 'active' | 'goTo' | 'rowCount'> & {
  readonly selection: Signal<RowSelection | undefined>;
};

/** Handles the selection keys of VS Code lists. Returns whether the key was one of them. */
export function selectByKey(
  grid: SelectableGrid,
  event: KeyboardEvent,
  size: Parameters<typeof findCellAfterKey>[2],
): boolean {
  const { row } = grid.active.value;
  if (isToggleEvent(event) && !event.shiftKey && event.key.toLowerCase() === 'a') {
    grid.selection.value = selectAllRows(grid.rowCount.value, row);
    return true;
  }
  if (event.key === 'Escape' && grid.selection.value) {
    grid.selection.value = undefined;
    return true;
  }
  const cell =
    event.shiftKey && !event.altKey && row >= 0
      ? findCellAfterKey(event, grid.active.value, size)
      : undefined;
  if (!cell || cell.row === row) return false;
  extendSelection(grid, { ...cell, row: Math.max(0, cell.row) });
  return true;
}

/** Handles mouse presses as VS Code lists do. */
export function selectByMouse(grid: SelectableGrid, event: MouseEvent): void {
  const cell = findCell(event.target);
  if (!cell || cell.row < 0) return;
  const opensMenu = event.button === 2 || (isMac() && event.ctrlKey);
  if (opensMenu) {
    const isInSelection = isRowSelected(
      getSelectedRanges(grid.selection.value, grid.active.value.row),
      cell.row,
    );
    if (!isInSelection) grid.selection.value = undefined;
  } else if (event.button !== 0) {
    return;
  } else if (event.shiftKey) {
    event.preventDefault();
    extendSelection(grid, cell);
  } else if (isToggleEvent(event)) {
    event.preventDefault();
    grid.selection.value = toggleRow(grid.selection.value, grid.active.value.row, cell.row);
    grid.goTo.value = { cell, focus: true };
  } else {
    grid.selection.value = undefined;
  }
}

/**
 * Keeps *Select All* of VS Code, which selects all text of the page, out of a grid with the focus. A selection by
 * dragging starts at an element inside of the page instead.
 */
export function preventTextSelection(grid: HTMLElement): () => void {
  const preventSelection = (event: Event) => {
    if (event.target === document.body && grid.contains(document.activeElement)) event.preventDefault();
  };
  document.addEventListener('selectstart', preventSelection);
  return () => document.removeEventListener('selectstart', preventSelection);
}

function extendSelection(grid: SelectableGrid, cell: GridCell): void {
  grid.selection.value = extendToRow(grid.selection.value, grid.active.value.row, cell.row);
  grid.goTo.value = { cell, focus: true };
}

function isToggleEvent({ ctrlKey, metaKey }: KeyboardEvent | MouseEvent): boolean {
  return isMac() ? metaKey : ctrlKey;
}

function isMac(): boolean {
  return /^Mac/.test(navigator.platform);
}

/** Selected rows, several or none. Without such a selection, the active row counts as selected. */
export interface RowSelection {
  /** The row that Shift extends the selection from. */
  readonly anchor: number;
  /** In order; adjacent ranges are merged. */
  readonly ranges: readonly RowRange[];
}

export function getSelectedRanges(selection: RowSelection | undefined, active: number): readonly RowRange[] {
  return selection?.ranges ?? (active < 0 ? [] : [{ start: active, end: active + 1 }]);
}

export function isRowSelected(ranges: readonly RowRange[], row: number): boolean {
  return ranges.some(({ start, end }) => start <= row && row < end);
}

export function countRows(ranges: readonly RowRange[]): number {
  return ranges.reduce((count, { start, end }) => count + end - start, 0);
}

/** Ranges of rows in the form of the protocol. */
export function toRowPairs(ranges: readonly RowRange[]): [number, number][] {
  return ranges.map(({ start, end }) => [start, end]);
}

/** Selects all rows from the anchor to `row`, as Shift does in lists. */
export function extendToRow(selection: RowSelection | undefined, active: number, row: number): RowSelection {
  const anchor = selection?.anchor ?? Math.max(0, active);
  return { anchor, ranges: [{ start: Math.min(anchor, row), end: Math.max(anchor, row) + 1 }] };
}

/** Selects or deselects `row`. */
export function toggleRow(selection: RowSelection | undefined, active: number, row: number): RowSelection {
  const before = getSelectedRanges(selection, active);
  const without = before.flatMap(({ start, end }) =>
    row < start || row >= end
      ? [{ start, end }]
      : [
          { start, end: row },
          { start: row + 1, end },
        ].filter((range) => range.start < range.end),
  );
  const ranges = isRowSelected(before, row) ? without : joinRanges([...before, { start: row, end: row + 1 }]);
  return ranges.length > MAX_SELECTED_RANGES ? { anchor: row, ranges: before } : { anchor: row, ranges };
}

/** More ranges than a person selects one by one. */
const MAX_SELECTED_RANGES = 1000;

export function selectAllRows(rows: number, active: number): RowSelection {
  return { anchor: Math.max(0, active), ranges: rows === 0 ? [] : [{ start: 0, end: rows }] };
}

function joinRanges(ranges: readonly RowRange[]): readonly RowRange[] {
  const result: RowRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && last.end >= range.start) result[result.length - 1] = { start: last.start, end: range.end };
    else result.push(range);
  }
  return result;
}
