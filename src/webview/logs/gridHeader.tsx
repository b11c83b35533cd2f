import { type Column, columns } from '../../features/logs/protocol.ts';
import { sortBy } from './actions.ts';
import type { LogsState } from './state.ts';

const STEP = 16;
const NARROWEST = 40;
const WIDEST = 2000;

/**
 * Column names. A click, Enter or Space sorts by the column; its width changes by dragging a border, or by keyboard
 * on the focused name.
 */
export function GridHeader({ state }: { readonly state: LogsState }) {
  const { active } = state;
  return (
    <div class="head" role="rowgroup">
      <div class="row" role="row" aria-rowindex={1} data-row={-1}>
        {columns.map((column, index) => (
          <ColumnName
            key={column}
            state={state}
            column={column}
            index={index}
            isActive={active.value.row === -1 && active.value.column === index}
          />
        ))}
      </div>
    </div>
  );
}

interface ColumnNameProps {
  readonly state: LogsState;
  readonly column: Column;
  readonly index: number;
  readonly isActive: boolean;
}

function ColumnName({ state, column, index, isActive }: ColumnNameProps) {
  const { strings } = state;
  const { sort } = state.arrangement.value;
  const direction = sort?.column === column ? (sort.descending ? 'descending' : 'ascending') : undefined;
  return (
    <div
      class={`cell ${column}`}
      role="columnheader"
      aria-sort={direction ?? 'none'}
      title={`${strings.sortHint} ${strings.resizeHint}`}
      tabIndex={isActive ? 0 : -1}
      data-column={index}
      onClick={() => sortBy(state, column)}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0;
        if (event.key === 'Enter' || event.key === ' ') sortBy(state, column);
        else if (event.shiftKey && step !== 0) resize(state, column, state.widths.value[column] + step);
        else return;
        event.preventDefault();
      }}
    >
      <span class="name">{strings[column]}</span>
      {direction && (
        <span class="direction" aria-hidden="true">
          {direction === 'ascending' ? '▲' : '▼'}
        </span>
      )}
      <span
        class="resizer"
        aria-hidden="true"
        onClick={(event) => event.stopPropagation()}
        onPointerDown={(event) => dragWidth(state, column, event)}
      />
    </div>
  );
}

function dragWidth(state: LogsState, column: Column, start: PointerEvent): void {
  const handle = start.currentTarget as HTMLElement;
  const width = handle.parentElement?.offsetWidth ?? state.widths.value[column];
  const move = (event: PointerEvent) => resize(state, column, width + event.clientX - start.clientX);
  handle.setPointerCapture(start.pointerId);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
    once: true,
  });
  start.preventDefault();
}

function resize(state: LogsState, column: Column, width: number): void {
  const bounded = Math.round(Math.min(Math.max(width, NARROWEST), WIDEST));
  state.widths.value = { ...state.widths.value, [column]: bounded };
}
