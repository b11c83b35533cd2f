import { type Column, columns } from '../../features/logs/protocol.ts';
import type { LogsState } from './state.ts';

const STEP = 16;
const NARROWEST = 40;
const WIDEST = 2000;

/** Column names. Their widths change by dragging a border, or by keyboard on the focused name. */
export function GridHeader({ state }: { readonly state: LogsState }) {
  const { strings, active } = state;
  return (
    <div class="head" role="rowgroup">
      <div class="row" role="row" aria-rowindex={1} data-row={-1}>
        {columns.map((column, index) => (
          <div
            key={column}
            class={`cell ${column}`}
            role="columnheader"
            title={strings.resizeHint}
            tabIndex={active.value.row === -1 && active.value.column === index ? 0 : -1}
            data-column={index}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0;
              if (!event.shiftKey || step === 0) return;
              event.preventDefault();
              resize(state, column, state.widths.value[column] + step);
            }}
          >
            {strings[column]}
            <span
              class="resizer"
              aria-hidden="true"
              onPointerDown={(event) => dragWidth(state, column, event)}
            />
          </div>
        ))}
      </div>
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
