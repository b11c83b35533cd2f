import type { GridState } from './gridState.ts';

const NARROWEST = 40;
const WIDEST = 2000;

type Resizable<Column extends string> = Pick<GridState<Column, unknown>, 'widths'>;

/** Follows the pointer from where it pressed a border, until it lets go. */
export function dragWidth<Column extends string>(
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

export function resize<Column extends string>(grid: Resizable<Column>, column: Column, width: number): void {
  const bounded = Math.round(Math.min(Math.max(width, NARROWEST), WIDEST));
  grid.widths.value = { ...grid.widths.value, [column]: bounded };
}
