import { addressFields } from '../../features/logs/protocol/namedAddresses.ts';
import type { CellPlace, ExplorerPlace } from '../../features/logs/protocol/protocol.ts';
import { type FormField, textOf, withText } from '../../features/logs/protocol/queryForm.ts';
import { asked } from '../kit/panelState.ts';
import { formProblems } from './formProblems.ts';
import type { LogsState } from './state.ts';

/** Begins the query, if its form can be used. Resolves to whether it can. */
export async function runQuery(state: LogsState): Promise<boolean> {
  const form = state.form.value;
  state.problems.value = formProblems(form, state.strings);
  if (hasProblems(state)) return false;
  const settled = await asked(state, 'run', form);
  state.problems.value = settled?.problems ?? {};
  // What was typed meanwhile stays.
  if (settled && state.form.value === form) state.form.value = settled.form;
  return !hasProblems(state);
}

function hasProblems(state: LogsState): boolean {
  return Object.keys(state.problems.value).length > 0;
}

/** Takes what was typed. A field that is marked as wrong is judged anew at every key. */
export function typed(state: LogsState, field: FormField, value: string): void {
  state.form.value = withText(state.form.value, field, value);
  if (state.problems.value[field]) judgeField(state, field);
}

/** Judges a field that is left; names in it become addresses. */
export async function leaveField(state: LogsState, field: FormField): Promise<void> {
  judgeField(state, field);
  const form = state.form.value;
  if (!addressFields(form).includes(field) || state.problems.value[field]) return;
  const settled = await asked(state, 'settle', form);
  if (!settled || textOf(state.form.value, field) !== textOf(form, field)) return;
  const text = textOf(settled.form, field);
  if (text !== textOf(form, field)) state.form.value = withText(state.form.value, field, text);
  const problem = settled.problems[field];
  if (problem) state.problems.value = { ...state.problems.value, [field]: problem };
}

/** Tells a problem of one field. */
export function judgeField(state: LogsState, field: FormField): void {
  const { [field]: _, ...others } = state.problems.value;
  const problem = formProblems(state.form.value, state.strings)[field];
  state.problems.value = problem ? { ...others, [field]: problem } : others;
}

export function switchToChain(state: LogsState, chainId: number): void {
  void asked(state, 'switchToChain', chainId);
}

export function nextPage(state: LogsState): void {
  if (!state.snapshot.value.loading) void asked(state, 'nextPage', undefined);
}

export function loadAll(state: LogsState): void {
  if (!state.snapshot.value.loading) void asked(state, 'loadAll', undefined);
}

export function tryAgain(state: LogsState): void {
  void asked(state, 'tryAgain', undefined);
}

export function dismissQuestion(state: LogsState): void {
  void asked(state, 'dismissQuestion', undefined);
}

export function exportLogs(state: LogsState): void {
  if (!state.snapshot.value.loading) void asked(state, 'exportLogs', undefined);
}

export function cancel(state: LogsState): void {
  void asked(state, 'cancel', undefined);
}

export function skipWait(state: LogsState): void {
  void asked(state, 'skipWait', undefined);
}

export function remedy(state: LogsState, index: number): void {
  void asked(state, 'remedy', index);
}

export function copyText(state: LogsState, text: string): void {
  void asked(state, 'copyText', text);
}

export function copyLog(state: LogsState, log: number): void {
  void asked(state, 'copyLog', { answer: state.snapshot.value.answer, log });
}

export function copyCell(state: LogsState, row: number, column: CellPlace['column']): void {
  const log = state.cache.get(row)?.log;
  if (log === undefined) return;
  void asked(state, 'copyCell', { answer: state.snapshot.value.answer, log, column });
}

export function openInExplorer(state: LogsState, log: number, page: ExplorerPlace['page']): void {
  void asked(state, 'openInExplorer', { answer: state.snapshot.value.answer, log, page });
}

/** Shows the declaration of an event in the editor. */
export function openDeclaration(state: LogsState, log: number): void {
  void asked(state, 'openDeclaration', { answer: state.snapshot.value.answer, log });
}

/** Opens the details of a row, or moves open ones to it. */
export async function showDetails(state: LogsState, row: number): Promise<void> {
  const { order } = state.snapshot.value;
  const before = state.details.value;
  if (before?.row === row && before.order === order) return;
  state.details.value = { row, order, log: before?.log };
  await readDetails(state, row);
}

/** Reads what the details of a row show. There is nothing to read while rows in another order are on their way. */
export async function readDetails(state: LogsState, row: number): Promise<void> {
  const { answer, order } = state.snapshot.value;
  const log = await asked(state, 'log', { answer, order, row });
  const now = state.snapshot.value;
  const isWanted = now.answer === answer && now.order === order && state.details.value?.row === row;
  if (log && isWanted) state.details.value = { row, order, log };
}

/** Closes the details and goes back to the row they were of. */
export function closeDetails(state: LogsState): void {
  state.details.value = undefined;
  state.goTo.value = { cell: state.active.value, focus: true };
}
