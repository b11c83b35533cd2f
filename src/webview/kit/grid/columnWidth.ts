import type { GridColumn } from '../../../messaging/panel.ts';
import { type GridState, widthOf } from './gridState.ts';

const NARROWEST = 40;
const WIDEST = 2000;

type Resizable = Pick<GridState<string, unknown>, 'widths'>;

/** Follows the pointer from where it pressed a border, until it lets go. */
export function dragWidth(grid: Resizable, column: GridColumn<string, string>, start: PointerEvent): void {
  const handle = start.currentTarget as HTMLElement;
  const width = handle.parentElement?.offsetWidth ?? widthOf(column, grid.widths.value);
  const move = (event: PointerEvent) => resize(grid, column.id, width + event.clientX - start.clientX);
  handle.setPointerCapture(start.pointerId);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
    once: true,
  });
  start.preventDefault();
}

export function resize(grid: Resizable, column: string, width: number): void {
  const bounded = Math.round(Math.min(Math.max(width, NARROWEST), WIDEST));
  grid.widths.value = { ...grid.widths.value, [column]: bounded };
}
