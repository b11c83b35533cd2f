import { type FormField, getFieldText, listAddressFields, withFieldText } from '../../core/index.ts';
import type { CellPlace, ExplorerPlace } from '../../features/logs/protocol/protocol.ts';
import { isSameForm } from '../../features/logs/protocol/sameForm.ts';
import type { CopiedRows } from '../../features/logs/protocol/selectedRows.ts';
import type { RowRange } from '../kit/grid/virtualRows.ts';
import { asked } from '../kit/panelState.ts';
import { formProblems } from './parts/formProblems.ts';
import { typingProblem } from './parts/typingProblem.ts';
import type { LogsState } from './state.ts';

/** Begins the query, if its form can be used. Resolves to whether it can. */
export async function runQuery(state: LogsState): Promise<boolean> {
  clearTimeout(pause);
  const form = state.form.value;
  state.problems.value = formProblems(form, state.strings);
  if (hasProblems(state)) return false;
  const settled = await asked(state, 'run', form);
  state.problems.value = settled?.problems ?? {};
  // What was typed meanwhile stays.
  if (settled && state.form.value === form && !isSameForm(form, settled.form)) {
    state.form.value = settled.form;
  }
  return !hasProblems(state);
}

function hasProblems(state: LogsState): boolean {
  return Object.keys(state.problems.value).length > 0;
}

/** After this long without a key what is wrong with what is typed is told. */
const TYPING_MS = 350;
let pause: ReturnType<typeof setTimeout> | undefined;

/** Takes what was typed. A field that is marked as wrong is judged anew at every key, another one after the last. */
export function typed(state: LogsState, field: FormField, value: string): void {
  const before = state.form.value;
  state.form.value = withFieldText(before, field, value);
  clearTimeout(pause);
  if (!state.problems.value[field]) {
    pause = setTimeout(() => judgeTyping(state, field), TYPING_MS);
  } else if (typingProblem(before, field, state.strings) === undefined) judgeField(state, field);
  else judgeTyping(state, field);
}

function judgeTyping(state: LogsState, field: FormField): void {
  setProblem(state, field, typingProblem(state.form.value, field, state.strings));
}

/** Judges a field that is left; names in it become addresses. */
export async function leaveField(state: LogsState, field: FormField): Promise<void> {
  clearTimeout(pause);
  judgeField(state, field);
  const form = state.form.value;
  if (!listAddressFields(form).includes(field) || state.problems.value[field]) return;
  const settled = await asked(state, 'settle', form);
  if (!settled || getFieldText(state.form.value, field) !== getFieldText(form, field)) return;
  const text = getFieldText(settled.form, field);
  if (text !== getFieldText(form, field)) state.form.value = withFieldText(state.form.value, field, text);
  const problem = settled.problems[field];
  if (problem) state.problems.value = { ...state.problems.value, [field]: problem };
}

/** Tells a problem of one field. */
export function judgeField(state: LogsState, field: FormField): void {
  setProblem(state, field, formProblems(state.form.value, state.strings)[field]);
}

function setProblem(state: LogsState, field: FormField, problem: string | undefined): void {
  const { [field]: _, ...others } = state.problems.value;
  state.problems.value = problem ? { ...others, [field]: problem } : others;
}

/** Resolves to whether the panel is of that chain now. */
export async function switchToChain(state: LogsState, chainId: number): Promise<boolean> {
  return (await asked(state, 'switchToChain', chainId)) === true;
}

/** Has the panel ask the active network. */
export function moveNetwork(state: LogsState): void {
  void asked(state, 'moveNetwork', undefined);
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

export function secondOpinion(state: LogsState): void {
  if (!state.snapshot.value.loading) void asked(state, 'secondOpinion', undefined);
}

export function follow(state: LogsState): void {
  void asked(state, 'follow', undefined);
}

export function notify(state: LogsState): void {
  void asked(state, 'notify', undefined);
}

export function copyQueryAs(state: LogsState): void {
  void asked(state, 'copyQueryAs', undefined);
}

export function cancel(state: LogsState): void {
  void asked(state, 'cancel', undefined);
}

export function skipWait(state: LogsState): void {
  void asked(state, 'skipWait', undefined);
}

export function remedy(state: LogsState, title: string): void {
  void asked(state, 'remedy', title);
}

export function copyText(state: LogsState, text: string): void {
  void asked(state, 'copyText', text);
}

export function copyLogAs(state: LogsState, log: number): void {
  void asked(state, 'copyLogAs', { answer: state.snapshot.value.answer, log });
}

export function copyCell(state: LogsState, row: number, column: CellPlace['column']): void {
  const log = state.cache.get(row)?.log;
  if (log === undefined) return;
  void asked(state, 'copyCell', { answer: state.snapshot.value.answer, log, column });
}

/** Copies the rows, as the host has them: those that are not here too. */
export function copyRows(
  state: LogsState,
  ranges: readonly RowRange[],
  format: CopiedRows['format'] = 'tsv',
): void {
  const { answer, order } = state.snapshot.value;
  void asked(state, 'copyRows', { answer, order, selected: stretchesOf(ranges), format });
}

/** Rows as the host knows them. */
export function stretchesOf(ranges: readonly RowRange[]): [number, number][] {
  return ranges.map(({ start, end }) => [start, end]);
}

export function openInExplorer(state: LogsState, log: number, page: ExplorerPlace['page']): void {
  void asked(state, 'openInExplorer', { answer: state.snapshot.value.answer, log, page });
}

/** Shows the declaration of an event in the editor. */
export function openDeclaration(state: LogsState, log: number): void {
  void asked(state, 'openDeclaration', { answer: state.snapshot.value.answer, log });
}

/** Shows the transaction of a log in the editor. */
export function showTransaction(state: LogsState, log: number): void {
  void asked(state, 'showTransaction', { answer: state.snapshot.value.answer, log });
}

/** Opens the details of a row and gives them the keyboard. */
export async function enterDetails(state: LogsState, row: number): Promise<void> {
  state.wantsFocus.current = 'details';
  await showDetails(state, row);
  const { value: details } = state.details;
  // They may be of this row already. What is still on its way is drawn when it comes.
  if (details?.log) state.details.value = { ...details };
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
