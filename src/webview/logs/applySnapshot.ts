import { batch } from '@preact/signals';
import { isSameArrangement } from '../../features/logs/protocol/grid.ts';
import { isSameForm, type LogRowPlace } from '../../features/logs/protocol/protocol.ts';
import type { LogsSnapshot, RowsMove, ShownResult } from '../../features/logs/protocol/snapshot.ts';
import type { RowRange } from '../kit/grid/gridScroll.ts';
import { callHost, type FocusPlace, getFocusPlace } from '../kit/panelState.ts';
import { fetchDetails, foldForm, showDetails } from './logsActions.ts';
import type { LogsState } from './logsState.ts';

/** Shows what the host tells, and keeps the user's place in it as far as it still means the same. */
export function applySnapshot(
  state: LogsState,
  { topRows, moves, ...next }: ShownResult,
  focus: FocusPlace,
): void {
  const before = state.snapshot.value;
  const moved = before.answer === next.answer ? createRowMapping(moves, before.order, next.order) : undefined;
  if (moved) state.cache.moveRows(moved);
  const log = state.details.value?.log?.log ?? state.cache.get(state.active.value.row)?.log;
  state.cache.update(next, next.rows, topRows);
  batch(() => {
    state.snapshot.value = next;
    if (moved) moveSelection(state, moved);
    else if (!hasSameRows(before, next)) state.selection.value = undefined;
    updateColumns(state, next.columns);
    state.hostError.value = undefined;
    const { field, message } = next.error ?? {};
    if (field && message) state.fieldErrors.value = { ...state.fieldErrors.value, [field]: message };
    const isOther = next.answer !== before.answer;
    // What the host has asked by itself: nobody has typed anything else.
    const isTyped = before.executed && !isSameForm(state.form.value, before.executed.form);
    if (isOther && before.executed && next.executed && !isTyped) state.form.value = next.executed.form;
    if (!next.executed || (field && (isOther || before.error?.field !== field))) state.formOpen.value = true;
    else if (isOther) foldForm(state);
    const { log: shown, row } = state.details.value ?? {};
    const isToldMore = next.textVersion !== before.textVersion && next.order === before.order;
    if (isToldMore && shown && !shown.time && row !== undefined) void fetchDetails(state, row);
    if (next.answer !== before.answer) {
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
}

/**
 * Gives the keyboard to the rows where nothing else in the page was chosen: one goes on with what one has asked for. The
 * page waits for it: what opened it may have it for a moment longer.
 */
export function focusRows(state: LogsState, focus: FocusPlace): void {
  if (focus !== 'page' || state.rowCount.value === 0) return;
  if (document.hasFocus()) state.goTo.value = { cell: state.active.peek(), focus: true };
  else addEventListener('focus', () => focusRows(state, getFocusPlace()), { once: true });
}

/** Opens the details of a log again that were open before the page was away, with its row as the active one. */
export async function reopenDetails(state: LogsState, log: number | undefined): Promise<void> {
  const { answer } = state.snapshot.value;
  const place = log === undefined ? undefined : await callHost(state, 'rowOf', { answer, log });
  const now = state.snapshot.value;
  if (!place || now.answer !== answer || now.order !== place.order || state.details.value) return;
  state.goTo.value = { cell: { row: place.row, column: 0 }, focus: getFocusPlace() === 'grid' };
  await showDetails(state, place.row);
}

/** Other columns, only where they are others, and the active cell in one that is there. */
function updateColumns(state: LogsState, columns: LogsSnapshot['columns']): void {
  if (JSON.stringify(columns) === JSON.stringify(state.hostColumns.value)) return;
  state.hostColumns.value = columns;
  const { row, column } = state.active.value;
  if (column >= columns.length) state.active.value = { row, column: columns.length - 1 };
}

/** Whether row numbers mean the rows that they meant: rows are told anew, or more are there. */
function hasSameRows(before: LogsSnapshot, next: LogsSnapshot): boolean {
  if (next.answer !== before.answer) return false;
  return next.order === before.order || (isUnarranged(before) && isUnarranged(next));
}

function isUnarranged({ arrangement }: LogsSnapshot): boolean {
  return isSameArrangement(arrangement, { filter: '' });
}

/** After rows have changed their order, finds the one that shows `log` now, and puts the user where that makes sense. */
export async function restorePlace(
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
      if (place && details && !details.log) void fetchDetails(state, place.row);
    }
    if (state.active.value.row !== active.row) return;
    if (isSameArrangement(arrangement, before.arrangement)) keepRowOnScreen(state, place, focus);
    else resetPlace(state, details && place);
  });
}

/** Rows have come in between: the active one keeps its place on screen. */
function keepRowOnScreen(state: LogsState, place: LogRowPlace | undefined, focus: boolean): void {
  const { row, column } = state.active.value;
  if (row < 0 || !place) return;
  state.goTo.value = { cell: { row: place.row, column }, focus, insteadOf: row };
}

/** The user has arranged the rows otherwise: shows the first ones, or the one whose details are open. */
function resetPlace(state: LogsState, detailed: LogRowPlace | undefined): void {
  const { row, column } = state.active.value;
  if (detailed && row >= 0) {
    state.goTo.value = { cell: { row: detailed.row, column }, focus: false };
  } else {
    state.goTo.value = { cell: { row: Math.min(row, 0), column }, focus: false, onTop: true };
  }
}

/** What is selected stays so; nothing is where a part of it has gone. */
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

/** The active row, the details and what is on screen stay with their rows. */
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

/** Where a row of the order before stands now; undefined where it has gone. */
type RowMapping = (row: number) => number | undefined;

/** How rows came from one order to another; undefined where that is not known. */
export function createRowMapping(
  moves: readonly RowsMove[],
  before: number,
  now: number,
): RowMapping | undefined {
  const isWhole = moves.length > 0 && moves.every(({ from }, at) => from === before + at);
  if (!isWhole || before + moves.length !== now) return undefined;
  return (row) =>
    moves.reduce<number | undefined>(
      (place, move) => (place === undefined ? place : mapRow(move, place)),
      row,
    );
}

function mapRow({ removed, inserted }: RowsMove, row: number): number | undefined {
  let place = row;
  for (const [start, count] of removed) {
    if (row >= start && row < start + count) return undefined;
    if (row >= start) place -= count;
  }
  for (const [start, count] of inserted) if (start <= place) place += count;
  return place;
}

/** The row that stands where `row` did, or the next one behind it that stayed, of so many. */
export function findNearestRow(moved: RowMapping, row: number, rows: number): number {
  for (let at = row; at < row + MAX_SEARCHED_ROWS; at++) {
    const place = moved(at);
    if (place !== undefined) return Math.min(place, Math.max(0, rows - 1));
  }
  return Math.min(row, Math.max(0, rows - 1));
}

/** Rows that go at once are few. */
const MAX_SEARCHED_ROWS = 1000;
