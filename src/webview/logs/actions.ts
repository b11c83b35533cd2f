import { batch } from '@preact/signals';
import type { CellPlace, ExplorerPlace, LogsSnapshot } from '../../features/logs/protocol.ts';
import { checkForm, type FormField } from '../../features/logs/queryForm.ts';
import { RemoteError } from '../../messaging/channel.ts';
import { fill } from '../kit/text.ts';
import type { LogsState } from './state.ts';

/** Begins the query, if its form can be used. Resolves to whether it can. */
export async function runQuery(state: LogsState): Promise<boolean> {
  const form = state.form.value;
  state.problems.value = checkForm(form).problems ?? {};
  if (hasProblems(state)) return false;
  state.problems.value = (await asked(state, state.host.request('run', form))) ?? {};
  return !hasProblems(state);
}

function hasProblems(state: LogsState): boolean {
  return Object.keys(state.problems.value).length > 0;
}

/** Takes what was typed. A field that was told to be wrong is judged anew at every key. */
export function typed(state: LogsState, field: FormField, value: string): void {
  state.form.value = { ...state.form.value, [field]: value };
  if (state.problems.value[field]) judgeField(state, field);
}

/** Tells a problem of one field, when it is left. */
export function judgeField(state: LogsState, field: FormField): void {
  const { [field]: _, ...others } = state.problems.value;
  const problem = checkForm(state.form.value).problems?.[field];
  state.problems.value = problem ? { ...others, [field]: problem } : others;
}

export function nextPage(state: LogsState): void {
  if (!state.snapshot.value.loading) void asked(state, state.host.request('nextPage', undefined));
}

export function loadAll(state: LogsState): void {
  if (!state.snapshot.value.loading) void asked(state, state.host.request('loadAll', undefined));
}

export function tryAgain(state: LogsState): void {
  void asked(state, state.host.request('tryAgain', undefined));
}

export function dismissQuestion(state: LogsState): void {
  void asked(state, state.host.request('dismissQuestion', undefined));
}

export function exportLogs(state: LogsState): void {
  if (!state.snapshot.value.loading) void asked(state, state.host.request('exportLogs', undefined));
}

export function cancel(state: LogsState): void {
  void asked(state, state.host.request('cancel', undefined));
}

export function remedy(state: LogsState, index: number): void {
  void asked(state, state.host.request('remedy', index));
}

export function copyText(state: LogsState, text: string): void {
  void asked(state, state.host.request('copyText', text));
}

export function copyLog(state: LogsState, row: number): void {
  void asked(state, state.host.request('copyLog', { answer: state.snapshot.value.answer, row }));
}

export function copyCell(state: LogsState, row: number, column: CellPlace['column']): void {
  void asked(state, state.host.request('copyCell', { answer: state.snapshot.value.answer, row, column }));
}

export function openInExplorer(state: LogsState, row: number, page: ExplorerPlace['page']): void {
  void asked(state, state.host.request('openInExplorer', { answer: state.snapshot.value.answer, row, page }));
}

/** Opens the details of a row, or moves open ones to it. */
export async function showDetails(state: LogsState, row: number): Promise<void> {
  const { answer } = state.snapshot.value;
  const before = state.details.value;
  if (before?.row === row) return;
  state.details.value = { row, log: before?.log };
  const log = await asked(state, state.host.request('log', { answer, row }));
  const isWanted = state.snapshot.value.answer === answer && state.details.value?.row === row;
  if (isWanted) state.details.value = log && { row, log };
}

/** Closes the details and goes back to the row they were of. */
export function closeDetails(state: LogsState): void {
  state.details.value = undefined;
  state.goTo.value = { cell: state.active.value, focus: true };
}

/** Shows what the host tells; after a further page goes to its first row, unless the user is in the form. */
export function takeSnapshot(state: LogsState, next: LogsSnapshot, userIsTyping: boolean): void {
  const before = state.snapshot.value;
  state.cache.follow(next.answer, next.rows);
  batch(() => {
    state.snapshot.value = next;
    state.hostFailure.value = undefined;
    const { field, message } = next.problem ?? {};
    if (field && message) state.problems.value = { ...state.problems.value, [field]: message };
    if (next.answer !== before.answer) {
      state.details.value = undefined;
      state.goTo.value = { cell: { row: 0, column: 0 }, focus: false, onTop: true };
    } else if (before.loading === 'next' && next.rows > before.rows) {
      const cell = { row: before.rows, column: state.active.value.column };
      state.goTo.value = { cell, focus: !userIsTyping, onTop: true };
    }
  });
}

async function asked<T>(state: LogsState, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RemoteError && error.code === 'aborted') return undefined;
    const words = error instanceof Error ? error.message : String(error);
    state.hostFailure.value = fill(state.strings.hostFailed, words);
    return undefined;
  }
}
