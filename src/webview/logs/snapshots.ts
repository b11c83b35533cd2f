import { batch } from '@preact/signals';
import { isSameArrangement } from '../../features/logs/protocol/arrangement.ts';
import type { LogsSnapshot, ShownAnswer } from '../../features/logs/protocol/logsSnapshot.ts';
import { isSameForm } from '../../features/logs/protocol/sameForm.ts';
import { type FocusPlace, focusPlace } from '../kit/focusPlace.ts';
import { asked } from '../kit/panelState.ts';
import { readDetails, showDetails } from './actions.ts';
import { foldForm } from './fold.ts';
import { followLog, moveSelection, stayWithRows } from './followLog.ts';
import { placesAfter } from './parts/placesMoved.ts';
import type { LogsState } from './state.ts';

/** Shows what the host tells, and keeps the user's place in it as far as it still means the same. */
export function showAnswer(
  state: LogsState,
  { topRows, moves, ...next }: ShownAnswer,
  focus: FocusPlace,
): void {
  const before = state.snapshot.value;
  const moved = before.answer === next.answer ? placesAfter(moves, before.order, next.order) : undefined;
  if (moved) state.cache.move(moved);
  const log = state.details.value?.log?.log ?? state.cache.get(state.active.value.row)?.log;
  state.cache.follow(next, next.rows, topRows);
  batch(() => {
    state.snapshot.value = next;
    if (moved) moveSelection(state, moved);
    else if (!keepsRows(before, next)) state.selection.value = undefined;
    showColumns(state, next.columns);
    state.hostFailure.value = undefined;
    const { field, message } = next.problem ?? {};
    if (field && message) state.problems.value = { ...state.problems.value, [field]: message };
    const isOther = next.answer !== before.answer;
    // What the host has asked by itself: nobody has typed anything else.
    const isTyped = before.executed && !isSameForm(state.form.value, before.executed.form);
    if (isOther && before.executed && next.executed && !isTyped) state.form.value = next.executed.form;
    if (!next.executed || (field && (isOther || before.problem?.field !== field)))
      state.formOpen.value = true;
    else if (isOther) foldForm(state);
    const { log: shown, row } = state.details.value ?? {};
    const isToldMore = next.telling !== before.telling && next.order === before.order;
    if (isToldMore && shown && !shown.time && row !== undefined) void readDetails(state, row);
    if (next.answer !== before.answer) {
      state.details.value = undefined;
      state.active.value = { row: 0, column: 0 };
      state.goTo.value = { cell: state.active.value, focus: false, onTop: true };
      enterRows(state, focus);
    } else if (before.rows === 0 && focus === 'page') {
      enterRows(state, focus);
    } else if (moved) {
      stayWithRows(state, moved, { order: next.order, rows: next.rows, isFocused: focus === 'grid' });
    } else if (next.order !== before.order) {
      void followLog(state, log, { before, focus: focus === 'grid' });
    } else if (before.loading === 'next' && next.rows > before.rows && isPlain(next)) {
      const cell = { row: before.rows, column: state.active.value.column };
      state.goTo.value = { cell, focus: focus !== 'field', onTop: true };
    }
  });
}

/**
 * Gives the keyboard to the rows where nothing else in the page was chosen: one goes on with what one has asked for. The
 * page waits for it: what opened it may have it for a moment longer.
 */
export function enterRows(state: LogsState, focus: FocusPlace): void {
  if (focus !== 'page' || state.rowCount.value === 0) return;
  if (document.hasFocus()) state.goTo.value = { cell: state.active.peek(), focus: true };
  else addEventListener('focus', () => enterRows(state, focusPlace()), { once: true });
}

/** Opens the details of a log again that were open before the page was away, with its row as the active one. */
export async function reopenDetails(state: LogsState, log: number | undefined): Promise<void> {
  const { answer } = state.snapshot.value;
  const place = log === undefined ? undefined : await asked(state, 'rowOf', { answer, log });
  const now = state.snapshot.value;
  if (!place || now.answer !== answer || now.order !== place.order || state.details.value) return;
  state.goTo.value = { cell: { row: place.row, column: 0 }, focus: focusPlace() === 'grid' };
  await showDetails(state, place.row);
}

/** Other columns, only where they are others, and the active cell in one that is there. */
function showColumns(state: LogsState, columns: LogsSnapshot['columns']): void {
  if (JSON.stringify(columns) === JSON.stringify(state.toldColumns.value)) return;
  state.toldColumns.value = columns;
  const { row, column } = state.active.value;
  if (column >= columns.length) state.active.value = { row, column: columns.length - 1 };
}

/** Whether row numbers mean the rows that they meant: rows are told anew, or more are there. */
function keepsRows(before: LogsSnapshot, next: LogsSnapshot): boolean {
  if (next.answer !== before.answer) return false;
  return next.order === before.order || (isPlain(before) && isPlain(next));
}

function isPlain({ arrangement }: LogsSnapshot): boolean {
  return isSameArrangement(arrangement, { filter: '' });
}
