import { batch } from '@preact/signals';
import { isSameArrangement } from '../../features/logs/protocol/arrangement.ts';
import type { LogsSnapshot } from '../../features/logs/protocol/logsSnapshot.ts';
import type { RowPlace } from '../../features/logs/protocol/protocol.ts';
import type { RowRange } from '../kit/grid/virtualRows.ts';
import { readDetails } from './actions.ts';
import { type Moved, nearest } from './parts/placesMoved.ts';
import type { LogsState } from './state.ts';

/** After rows have changed their order, finds the one that shows `log` now, and puts the user where that makes sense. */
export async function followLog(
  state: LogsState,
  log: number | undefined,
  { before, focus }: { readonly before: LogsSnapshot; readonly focus: boolean },
): Promise<void> {
  const { answer, order, arrangement } = state.snapshot.value;
  const [active, details] = [state.active.value, state.details.value];
  const place = log === undefined ? undefined : await state.host.request('rowOf', { answer, log });
  const now = state.snapshot.value;
  if (now.answer !== answer || now.order !== order) return;
  batch(() => {
    // What the user has opened or gone to meanwhile stays.
    if (state.details.value === details) {
      state.details.value = details && place && { row: place.row, order: place.order, log: details.log };
      if (place && details && !details.log) void readDetails(state, place.row);
    }
    if (state.active.value.row !== active.row) return;
    if (isSameArrangement(arrangement, before.arrangement)) stayOnScreen(state, place, focus);
    else beginAnew(state, details && place);
  });
}

/** Rows have come in between: the active one keeps its place on screen. */
function stayOnScreen(state: LogsState, place: RowPlace | undefined, focus: boolean): void {
  const { row, column } = state.active.value;
  if (row < 0 || !place) return;
  state.goTo.value = { cell: { row: place.row, column }, focus, insteadOf: row };
}

/** The user has arranged the rows otherwise: shows the first ones, or the one whose details are open. */
function beginAnew(state: LogsState, detailed: RowPlace | undefined): void {
  const { row, column } = state.active.value;
  if (detailed && row >= 0) {
    state.goTo.value = { cell: { row: detailed.row, column }, focus: false };
  } else {
    state.goTo.value = { cell: { row: Math.min(row, 0), column }, focus: false, onTop: true };
  }
}

/** What is selected stays so; nothing is where a part of it has gone. */
export function moveSelection({ selection }: LogsState, moved: Moved): void {
  const { value } = selection;
  if (!value) return;
  const anchor = moved(value.anchor);
  const ranges: RowRange[] = [];
  for (const { start, end } of value.ranges) {
    const [first, last] = [moved(start), moved(end - 1)];
    if (first === undefined || last === undefined || last - first !== end - 1 - start) {
      selection.value = undefined;
      return;
    }
    ranges.push({ start: first, end: last + 1 });
  }
  selection.value = anchor === undefined ? undefined : { anchor, ranges };
}

/** The active row, the details and what is on screen stay with their rows. */
export function stayWithRows(
  state: LogsState,
  moved: Moved,
  { order, rows, isFocused }: { readonly order: number; readonly rows: number; readonly isFocused: boolean },
): void {
  const place = (row: number) => (row < 0 ? row : nearest(moved, row, rows));
  const { row, column } = state.active.value;
  const details = state.details.value;
  if (details) state.details.value = { ...details, row: place(details.row), order };
  state.goTo.value = { cell: { row: place(row), column }, focus: isFocused, moved: place };
}
