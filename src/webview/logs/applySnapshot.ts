import { batch } from '@preact/signals';
import { isSameArrangement } from '../../features/logs/protocol/grid.ts';
import { isSameForm, type LogRowPlace } from '../../features/logs/protocol/protocol.ts';
import type { LogsSnapshot, RowsMove, ShownResult } from '../../features/logs/protocol/snapshot.ts';
import type { RowRange } from '../kit/grid/gridScroll.ts';
import { callHost, type FocusPlace, getFocusPlace } from '../kit/panelState.ts';
import { applyGroups } from './groupsActions.ts';
import { fetchDetails, foldForm, openForm, showDetails } from './logsActions.ts';
import type { LogsState } from './logsState.ts';

/** Shows a snapshot of the host, and preserves the user's position in it as far as it still means the same. */
export function applySnapshot(
  state: LogsState,
  { topRows, moves, ...next }: ShownResult,
  focus: FocusPlace,
): void {
  const before = state.snapshot.value;
  const moved =
    before.resultId === next.resultId ? createRowMapping(moves, before.order, next.order) : undefined;
  if (moved) state.cache.moveRows(moved);
  const log = state.details.value?.log?.log ?? state.cache.get(state.active.value.row)?.log;
  state.cache.update(next, next.rows, topRows);
  const { field, message } = next.error ?? {};
  const isOtherResult = next.resultId !== before.resultId;
  const hasNewError = field !== undefined && (isOtherResult || before.error?.field !== field);
  batch(() => {
    state.snapshot.value = next;
    applyGroups(state, before, next);
    if (moved) moveSelection(state, moved);
    else if (!hasSameRows(before, next)) state.selection.value = undefined;
    state.hostError.value = undefined;
    if (field && message) state.fieldErrors.value = { ...state.fieldErrors.value, [field]: message };
    // The host has run another query: shows its form, unless the user has changed the form.
    const isFormEdited = before.executed && !isSameForm(state.form.value, before.executed.form);
    if (isOtherResult && before.executed && next.executed && !isFormEdited)
      state.form.value = next.executed.form;
    if (!next.executed || hasNewError) state.formOpen.value = true;
    else if (isOtherResult) foldForm(state);
    const { log: shownLog, row } = state.details.value ?? {};
    const hasNewTexts = next.textVersion !== before.textVersion && next.order === before.order;
    if (hasNewTexts && shownLog && !shownLog.time && row !== undefined) void fetchDetails(state, row);
    if (next.resultId !== before.resultId) {
      state.details.value = undefined;
      state.active.value = { row: 0, column: 0 };
      state.goTo.value = { cell: state.active.value, focus: false, onTop: true };
      focusRows(state, focus);
    } else if (before.rows === 0 && focus === 'page') {
      focusRows(state, focus);
    } else if (moved) {
      moveWithRows(state, moved, { order: next.order, rows: next.rows, isFocused: focus === 'grid' });
    } else if (next.order !== before.order) {
      void restorePlace(state, log, { before, focus: focus === 'grid' });
    } else if (before.loading === 'next' && next.rows > before.rows && isUnarranged(next)) {
      const cell = { row: before.rows, column: state.active.value.column };
      state.goTo.value = { cell, focus: focus !== 'field', onTop: true };
    }
  });
  // Its message is shown while the field has the focus.
  if (hasNewError && focus !== 'field' && document.hasFocus()) openForm(state);
}

/**
 * Focuses the rows if nothing else in the page has been focused. If the page does not have the focus yet, waits
 * for it: whatever opened the panel may have it for a moment longer.
 */
export function focusRows(state: LogsState, focus: FocusPlace): void {
  if (focus !== 'page' || state.rowCount.value === 0) return;
  if (document.hasFocus()) state.goTo.value = { cell: state.active.peek(), focus: true };
  else addEventListener('focus', () => focusRows(state, getFocusPlace()), { once: true });
}

/** Reopens the details that were open before the page was hidden, and activates their row. */
export async function reopenDetails(state: LogsState, log: number | undefined): Promise<void> {
  const { resultId } = state.snapshot.value;
  const place = log === undefined ? undefined : await callHost(state, 'rowOf', { resultId, log });
  const now = state.snapshot.value;
  if (!place || now.resultId !== resultId || now.order !== place.order || state.details.value) return;
  state.goTo.value = { cell: { row: place.row, column: 0 }, focus: getFocusPlace() === 'grid' };
  await showDetails(state, place.row);
}

/** Whether row numbers still mean the same rows: only texts have changed, or rows were appended. */
function hasSameRows(before: LogsSnapshot, next: LogsSnapshot): boolean {
  if (next.resultId !== before.resultId) return false;
  return next.order === before.order || (isUnarranged(before) && isUnarranged(next));
}

function isUnarranged({ arrangement }: LogsSnapshot): boolean {
  return isSameArrangement(arrangement, { filter: '' });
}

/** After the order of the rows has changed, finds the row of `log` and restores the user's position. */
export async function restorePlace(
  state: LogsState,
  log: number | undefined,
  { before, focus }: { readonly before: LogsSnapshot; readonly focus: boolean },
): Promise<void> {
  const { resultId, order, arrangement } = state.snapshot.value;
  const [active, details] = [state.active.value, state.details.value];
  const place = log === undefined ? undefined : await state.host.request('rowOf', { resultId, log });
  const now = state.snapshot.value;
  if (now.resultId !== resultId || now.order !== order) return;
  batch(() => {
    // Keeps what the user has opened or moved to in the meantime.
    if (state.details.value === details) {
      state.details.value = details && place && { row: place.row, order: place.order, log: details.log };
      if (place && details && !details.log) void fetchDetails(state, place.row);
    }
    if (state.active.value.row !== active.row) return;
    if (isSameArrangement(arrangement, before.arrangement)) keepRowOnScreen(state, place, focus);
    else resetPlace(state, details && place);
  });
}

/** Rows were inserted: the active row keeps its place on screen. */
function keepRowOnScreen(state: LogsState, place: LogRowPlace | undefined, focus: boolean): void {
  const { row, column } = state.active.value;
  if (row < 0 || !place) return;
  state.goTo.value = { cell: { row: place.row, column }, focus, insteadOf: row };
}

/** The user has changed the arrangement: shows the first rows, or the row whose details are open. */
function resetPlace(state: LogsState, detailed: LogRowPlace | undefined): void {
  const { row, column } = state.active.value;
  if (detailed && row >= 0) {
    state.goTo.value = { cell: { row: detailed.row, column }, focus: false };
  } else {
    state.goTo.value = { cell: { row: Math.min(row, 0), column }, focus: false, onTop: true };
  }
}

/** Combines the moves from one order to another; undefined if they are not complete. */
export function createRowMapping(
  moves: readonly RowsMove[],
  before: number,
  now: number,
): RowMapping | undefined {
  const isComplete = moves.length > 0 && moves.every(({ from }, offset) => from === before + offset);
  if (!isComplete || before + moves.length !== now) return undefined;
  return (row) =>
    moves.reduce<number | undefined>(
      (place, move) => (place === undefined ? place : mapRow(move, place)),
      row,
    );
}

/** Moves the selection with its rows; clears it if a part of it is gone. */
function moveSelection({ selection }: LogsState, moved: RowMapping): void {
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

/** Moves the active row, the details and the view with their rows. */
function moveWithRows(
  state: LogsState,
  moved: RowMapping,
  { order, rows, isFocused }: { readonly order: number; readonly rows: number; readonly isFocused: boolean },
): void {
  const place = (row: number) => (row < 0 ? row : findNearestRow(moved, row, rows));
  const { row, column } = state.active.value;
  const details = state.details.value;
  if (details) state.details.value = { ...details, row: place(details.row), order };
  state.goTo.value = { cell: { row: place(row), column }, focus: isFocused, moved: place };
}

/** Maps a row of the previous order to the current one; undefined if it is gone. */
type RowMapping = (row: number) => number | undefined;

function mapRow({ removed, inserted }: RowsMove, row: number): number | undefined {
  let place = row;
  for (const [start, count] of removed) {
    if (row >= start && row < start + count) return undefined;
    if (row >= start) place -= count;
  }
  for (const [start, count] of inserted) if (start <= place) place += count;
  return place;
}

/** Returns the new place of `row`, or of the next row after it that still exists; at most the last of `rows`. */
export function findNearestRow(moved: RowMapping, row: number, rows: number): number {
  for (let candidate = row; candidate < row + MAX_SEARCHED_ROWS; candidate++) {
    const place = moved(candidate);
    if (place !== undefined) return Math.min(place, Math.max(0, rows - 1));
  }
  return Math.min(row, Math.max(0, rows - 1));
}

/** Few rows are removed at once. */
const MAX_SEARCHED_ROWS = 1000;
