import type { Signal } from '@preact/signals';
import type { GridColumn } from '../../../messaging/panel.ts';
import { COLUMN_HINT_ID, type ColumnHint, hintBelow } from './columnHint.tsx';
import { dragWidth, resize } from './columnWidth.ts';
import { type GridState, widthOf } from './gridState.ts';

const STEP = 16;

/** How the rows are sorted, where they can be. */
export interface SortedBy {
  readonly key: string | undefined;
  readonly descending: boolean;
  readonly by: (key: string) => void;
}

interface HeaderProps<Column extends string, Row> {
  readonly grid: GridState<Column, Row>;
  /** What there is to know of every column. */
  readonly hint: string;
  /** The hint that the page shows. */
  readonly shownHint: Signal<ColumnHint | undefined>;
  readonly sort: SortedBy | undefined;
}

/**
 * Column names. Where rows can be sorted, a click, Enter or Space sorts by the column; its width changes by dragging
 * a border, or by keyboard on the focused name.
 */
export function GridHeader<Column extends string, Row>(props: HeaderProps<Column, Row>) {
  const { row, column: activeColumn } = props.grid.active.value;
  const columns = props.grid.columns.value;
  const { sort } = props;
  // Of several columns that stand for the same order one tells of it.
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

interface ColumnNameProps<Column extends string, Row> extends HeaderProps<Column, Row> {
  readonly column: GridColumn<Column, string>;
  readonly index: number;
  readonly isActive: boolean;
  readonly isSorted: boolean;
}

function ColumnName<Column extends string, Row>(props: ColumnNameProps<Column, Row>) {
  const { grid, column, index, shownHint, sort, isActive, isSorted } = props;
  const { id, name, sortBy, alignEnd } = column;
  const sorts = sort && sortBy !== undefined ? () => sort.by(sortBy) : undefined;
  const direction = sort && isSorted ? directionOf(sort) : undefined;
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
        if (currentTarget.matches(':focus-visible')) shownHint.value = hintBelow(currentTarget, hint);
      }}
      onBlur={() => {
        shownHint.value = undefined;
      }}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0;
        if (event.key === 'Escape' && isHinted) shownHint.value = undefined;
        else if (sorts && (event.key === 'Enter' || event.key === ' ')) sorts();
        else if (event.shiftKey && step !== 0) resize(grid, id, widthOf(column, grid.widths.value) + step);
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
        onPointerDown={(event) => dragWidth(grid, column, event)}
      />
    </div>
  );
}

function directionOf({ descending }: SortedBy): 'ascending' | 'descending' {
  return descending ? 'descending' : 'ascending';
}
