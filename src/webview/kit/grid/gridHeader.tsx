import type { ReadonlySignal, Signal } from '@preact/signals';
import type { GridColumn } from '../../../messaging/panel.ts';
import { type ColumnWidths, type GridState, getColumnWidth } from './gridState.ts';

/**
 * The column names. If rows can be sorted, a click, Enter or Space sorts by the column. A column is resized by
 * dragging its border, or with Shift and the arrow keys.
 */
export function GridHeader<Column extends string, Row>(props: HeaderProps<Column, Row>) {
  const { row, column: activeColumn } = props.grid.active.value;
  const columns = props.grid.columns.value;
  const { sort } = props;
  // If several columns have the same sort key, only the first shows the direction.
  const sorted = sort?.key === undefined ? undefined : columns.find(({ sortBy }) => sortBy === sort.key);
  return (
    <div class="head" role="rowgroup">
      <div class="row" role="row" aria-rowindex={1} data-row={-1}>
        {columns.map((column, index) => (
          <ColumnName
            {...props}
            key={column.id}
            column={column}
            index={index}
            isActive={row === -1 && activeColumn === index}
            isSorted={column === sorted}
          />
        ))}
      </div>
    </div>
  );
}

/** How the rows are sorted. */
export interface SortState {
  readonly key: string | undefined;
  readonly descending: boolean;
  readonly onSort: (key: string) => void;
}

interface HeaderProps<Column extends string, Row> {
  readonly grid: GridState<Column, Row>;
  /** Added to the hint of every column. */
  readonly hint: string;
  /** The hint that the page shows now. */
  readonly shownHint: Signal<ColumnHint | undefined>;
  readonly sort: SortState | undefined;
}

interface ColumnNameProps<Column extends string, Row> extends HeaderProps<Column, Row> {
  readonly column: GridColumn<Column, string>;
  readonly index: number;
  readonly isActive: boolean;
  readonly isSorted: boolean;
}

function ColumnName<Column extends string, Row>(props: ColumnNameProps<Column, Row>) {
  const { grid, column, index, shownHint, sort, isActive, isSorted } = props;
  const { id, name, sortBy, alignEnd } = column;
  const sorts = sort && sortBy !== undefined ? () => sort.onSort(sortBy) : undefined;
  const direction = sort && isSorted ? getSortDirection(sort) : undefined;
  const hint = column.hint ? `${column.hint} ${props.hint}` : props.hint;
  const isHinted = isActive && shownHint.value !== undefined;
  return (
    <div
      class={`cell${alignEnd ? ' end' : ''}${sorts ? ' sortable' : ''}`}
      role="columnheader"
      aria-sort={sorts && (direction ?? 'none')}
      aria-describedby={isHinted ? COLUMN_HINT_ID : undefined}
      title={hint}
      tabIndex={isActive ? 0 : -1}
      data-column={index}
      onClick={sorts}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) shownHint.value = placeHintBelow(currentTarget, hint);
      }}
      onBlur={() => {
        shownHint.value = undefined;
      }}
      onKeyDown={(event) => {
        const step =
          event.key === 'ArrowLeft' ? -WIDTH_STEP_PX : event.key === 'ArrowRight' ? WIDTH_STEP_PX : 0;
        if (event.key === 'Escape' && isHinted) shownHint.value = undefined;
        else if (sorts && (event.key === 'Enter' || event.key === ' ')) sorts();
        else if (event.shiftKey && step !== 0)
          resizeColumn(grid, id, getColumnWidth(column, grid.widths.value) + step);
        else return;
        event.preventDefault();
      }}
    >
      <span class="name">{name}</span>
      {direction && (
        <span class="direction" aria-hidden="true">
          {direction === 'ascending' ? '▲' : '▼'}
        </span>
      )}
      <span
        class="resizer"
        aria-hidden="true"
        onClick={(event) => event.stopPropagation()}
        onPointerDown={(event) => dragColumnWidth(grid, column, event)}
      />
    </div>
  );
}

const WIDTH_STEP_PX = 16;

function getSortDirection({ descending }: SortState): 'ascending' | 'descending' {
  return descending ? 'descending' : 'ascending';
}

/**
 * Sets the column widths of all rows in one write. The last column fills the rest of the view, unless its text would
 * be at the far end.
 */
export function layOutColumns(
  grid: HTMLElement | null,
  columns: readonly GridColumn<string, string>[],
  widths: ColumnWidths,
): void {
  const template = columns.map((column, index) => {
    const width = `${getColumnWidth(column, widths)}px`;
    return index === columns.length - 1 && !column.alignEnd ? `minmax(${width}, 1fr)` : width;
  });
  const total = columns.reduce((sum, column) => sum + getColumnWidth(column, widths), 0);
  grid?.style.setProperty('--columns', template.join(' '));
  grid?.style.setProperty('--width', `${total}px`);
}

/** Follows the pointer from a column border until it is released. */
function dragColumnWidth(grid: ResizableGrid, column: GridColumn<string, string>, start: PointerEvent): void {
  const handle = start.currentTarget as HTMLElement;
  const width = handle.parentElement?.offsetWidth ?? getColumnWidth(column, grid.widths.value);
  const move = (event: PointerEvent) => resizeColumn(grid, column.id, width + event.clientX - start.clientX);
  handle.setPointerCapture(start.pointerId);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
    once: true,
  });
  start.preventDefault();
}

type ResizableGrid = Pick<GridState<string, unknown>, 'widths'>;

function resizeColumn(grid: ResizableGrid, column: string, width: number): void {
  const bounded = Math.round(Math.min(Math.max(width, MIN_COLUMN_WIDTH_PX), MAX_COLUMN_WIDTH_PX));
  grid.widths.value = { ...grid.widths.value, [column]: bounded };
}

const MIN_COLUMN_WIDTH_PX = 40;
const MAX_COLUMN_WIDTH_PX = 2000;

/** Shows the hint of the column name with the keyboard focus. The pointer gets the tooltip of the browser. */
export function ColumnHintBox({ hint }: { readonly hint: ReadonlySignal<ColumnHint | undefined> }) {
  if (!hint.value) return null;
  const { text, left, top } = hint.value;
  return (
    <div
      class="column-hint"
      id={COLUMN_HINT_ID}
      role="tooltip"
      style={{ left: `${left}px`, top: `${top}px`, maxWidth: `${MAX_HINT_WIDTH_PX}px` }}
    >
      {text}
    </div>
  );
}

/** The text of a column hint and its place on the page. */
export interface ColumnHint {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

/** Places a hint below `element`, inside of the page. */
function placeHintBelow(element: HTMLElement, text: string): ColumnHint {
  const { left, bottom } = element.getBoundingClientRect();
  const rightmost = document.documentElement.clientWidth - MAX_HINT_WIDTH_PX;
  return { text, left: Math.max(0, Math.min(left, rightmost)), top: bottom + 2 };
}

const MAX_HINT_WIDTH_PX = 360;
const COLUMN_HINT_ID = 'column-hint';
