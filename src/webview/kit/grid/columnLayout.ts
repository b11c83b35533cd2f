import type { GridColumn } from '../../../messaging/panel.ts';
import { type Widths, widthOf } from './gridState.ts';

/** One write for all rows. The last column takes what is left of the view. */
export function layOutColumns(
  grid: HTMLElement | null,
  columns: readonly GridColumn<string, string>[],
  widths: Widths,
): void {
  const template = columns.map((column, index) => {
    const width = `${widthOf(column, widths)}px`;
    return index === columns.length - 1 ? `minmax(${width}, 1fr)` : width;
  });
  const total = columns.reduce((sum, column) => sum + widthOf(column, widths), 0);
  grid?.style.setProperty('--columns', template.join(' '));
  grid?.style.setProperty('--width', `${total}px`);
}
