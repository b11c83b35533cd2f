import type { GridState } from './gridState.ts';

const STEP = 16;
const NARROWEST = 40;
const WIDEST = 2000;

/** How the rows are sorted, where they can be. */
export interface SortedBy<Column extends string> {
  readonly column: Column | undefined;
  readonly descending: boolean;
  readonly by: (column: Column) => void;
}

interface GridHeaderProps<Column extends string, Row> {
  readonly grid: GridState<Column, Row>;
  readonly names: Readonly<Record<Column, string>>;
  readonly hint: string;
  readonly sort: SortedBy<Column> | undefined;
}

/**
 * Column names. Where rows can be sorted, a click, Enter or Space sorts by the column; its width changes by dragging
 * a border, or by keyboard on the focused name.
 */
export function GridHeader<Column extends string, Row>(props: GridHeaderProps<Column, Row>) {
  const { grid, names, hint, sort } = props;
  const { row, column: activeColumn } = grid.active.value;
  return (
    <div class="head" role="rowgroup">
      <div class="row" role="row" aria-rowindex={1} data-row={-1}>
        {grid.columns.map((column, index) => (
          <ColumnName
            key={column}
            grid={grid}
            column={column}
            index={index}
            name={names[column]}
            hint={hint}
            sort={sort}
            isActive={row === -1 && activeColumn === index}
          />
        ))}
      </div>
    </div>
  );
}

interface ColumnNameProps<Column extends string, Row> {
  readonly grid: GridState<Column, Row>;
  readonly column: Column;
  readonly index: number;
  readonly name: string;
  readonly hint: string;
  readonly sort: SortedBy<Column> | undefined;
  readonly isActive: boolean;
}

function ColumnName<Column extends string, Row>(props: ColumnNameProps<Column, Row>) {
  const { grid, column, index, name, hint, sort, isActive } = props;
  const direction = sort?.column === column ? (sort.descending ? 'descending' : 'ascending') : undefined;
  return (
    <div
      class={sort ? `cell ${column} sortable` : `cell ${column}`}
      role="columnheader"
      aria-sort={sort && (direction ?? 'none')}
      title={hint}
      tabIndex={isActive ? 0 : -1}
      data-column={index}
      onClick={() => sort?.by(column)}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0;
        if (sort && (event.key === 'Enter' || event.key === ' ')) sort.by(column);
        else if (event.shiftKey && step !== 0) resize(grid, column, grid.widths.value[column] + step);
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

type Resizable<Column extends string> = Pick<GridState<Column, unknown>, 'widths'>;

function dragWidth<Column extends string>(
  grid: Resizable<Column>,
  column: Column,
  start: PointerEvent,
): void {
  const handle = start.currentTarget as HTMLElement;
  const width = handle.parentElement?.offsetWidth ?? grid.widths.value[column];
  const move = (event: PointerEvent) => resize(grid, column, width + event.clientX - start.clientX);
  handle.setPointerCapture(start.pointerId);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
    once: true,
  });
  start.preventDefault();
}

function resize<Column extends string>(grid: Resizable<Column>, column: Column, width: number): void {
  const bounded = Math.round(Math.min(Math.max(width, NARROWEST), WIDEST));
  grid.widths.value = { ...grid.widths.value, [column]: bounded };
}
