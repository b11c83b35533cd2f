import type { GridCell } from './gridKeys.ts';

/** The cell that a place on the page is in; undefined outside of the grid's cells. */
export function cellOf(target: EventTarget | null): GridCell | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
  const column = cell?.dataset.column;
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}

/** Gives a cell the focus, and says whether it could: only rows near those in view are drawn. */
export function focusCell(grid: HTMLElement | null, { row, column }: GridCell): boolean {
  const cell = grid?.querySelector<HTMLElement>(`[data-row="${row}"] > [data-column="${column}"]`);
  if (!cell) return false;
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  return true;
}
