import type { GridColumn } from '../../../messaging/panel.ts';
import type { Widths } from './gridState.ts';

/** One write for all rows. The last column takes what is left of the view. */
export function layOutColumns<Column extends string>(
  grid: HTMLElement | null,
  columns: readonly GridColumn<Column, string>[],
  widths: Widths<Column>,
): void {
  const template = columns.map(({ id }) =>
    id === columns.at(-1)?.id ? `minmax(${widths[id]}px, 1fr)` : `${widths[id]}px`,
  );
  const total = columns.reduce((sum, { id }) => sum + widths[id], 0);
  grid?.style.setProperty('--columns', template.join(' '));
  grid?.style.setProperty('--width', `${total}px`);
}
