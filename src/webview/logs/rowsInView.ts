import type { RowRange } from '../kit/grid/virtualRows.ts';
import { asked } from '../kit/panelState.ts';
import type { LogsState } from './state.ts';

/** Rows that stay so long are looked at; those that are scrolled past are not told of. */
const SETTLED_MS = 100;
/** As many as a window of rows may have. */
const MOST_ROWS = 2000;
let settling: ReturnType<typeof setTimeout> | undefined;

/** Tells the host which rows are near the screen: only their times are read. */
export function tellInView(state: LogsState, { start, end }: RowRange): void {
  clearTimeout(settling);
  if (end <= start) return;
  settling = setTimeout(() => {
    const { answer, order } = state.snapshot.value;
    const count = Math.min(end - start, MOST_ROWS);
    void asked(state, 'inView', { answer, order, start, count });
  }, SETTLED_MS);
}
