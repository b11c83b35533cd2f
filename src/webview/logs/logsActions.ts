import { effect } from '@preact/signals';
import { type FormField, getFieldText, listAddressFields, withFieldText } from '../../core/index.ts';
import {
  type Arrangement,
  type CopiedRows,
  MAX_FILTER_CHARS,
  type SortColumn,
} from '../../features/logs/protocol/grid.ts';
import { type ExplorerPlace, isSameForm, type LogCellPlace } from '../../features/logs/protocol/protocol.ts';
import type { RowRange } from '../kit/grid/gridScroll.ts';
import { callHost } from '../kit/panelState.ts';
import { validateForm, validateWhileTyping } from './formValidation.ts';
import type { LogsState } from './logsState.ts';

/** Begins the query, if its form can be used. Resolves to whether it can. */
export async function runQuery(state: LogsState): Promise<boolean> {
  clearTimeout(validationTimer);
  const form = state.form.value;
  state.fieldErrors.value = validateForm(form, state.strings);
  if (hasFieldErrors(state)) return false;
  const settled = await callHost(state, 'run', form);
  state.fieldErrors.value = settled?.errors ?? {};
  // What was typed meanwhile stays.
  if (settled && state.form.value === form && !isSameForm(form, settled.form)) {
    state.form.value = settled.form;
  }
  return !hasFieldErrors(state);
}

function hasFieldErrors(state: LogsState): boolean {
  return Object.keys(state.fieldErrors.value).length > 0;
}

/** After this long without a key what is wrong with what is typed is told. */
const VALIDATION_DELAY_MS = 350;
let validationTimer: ReturnType<typeof setTimeout> | undefined;

/** Takes what was typed. A field that is marked as wrong is judged anew at every key, another one after the last. */
export function changeField(state: LogsState, field: FormField, value: string): void {
  const before = state.form.value;
  state.form.value = withFieldText(before, field, value);
  clearTimeout(validationTimer);
  if (!state.fieldErrors.value[field]) {
    validationTimer = setTimeout(() => validateTyping(state, field), VALIDATION_DELAY_MS);
  } else if (validateWhileTyping(before, field, state.strings) === undefined) validateField(state, field);
  else validateTyping(state, field);
}

function validateTyping(state: LogsState, field: FormField): void {
  setFieldError(state, field, validateWhileTyping(state.form.value, field, state.strings));
}

/** Judges a field that is left; names in it become addresses. */
export async function leaveField(state: LogsState, field: FormField): Promise<void> {
  clearTimeout(validationTimer);
  validateField(state, field);
  const form = state.form.value;
  if (!listAddressFields(form).includes(field) || state.fieldErrors.value[field]) return;
  const settled = await callHost(state, 'resolve', form);
  if (!settled || getFieldText(state.form.value, field) !== getFieldText(form, field)) return;
  const text = getFieldText(settled.form, field);
  if (text !== getFieldText(form, field)) state.form.value = withFieldText(state.form.value, field, text);
  const problem = settled.errors[field];
  if (problem) state.fieldErrors.value = { ...state.fieldErrors.value, [field]: problem };
}

/** Tells a problem of one field. */
export function validateField(state: LogsState, field: FormField): void {
  setFieldError(state, field, validateForm(state.form.value, state.strings)[field]);
}

function setFieldError(state: LogsState, field: FormField, problem: string | undefined): void {
  const { [field]: _, ...others } = state.fieldErrors.value;
  state.fieldErrors.value = problem ? { ...others, [field]: problem } : others;
}

/** Resolves to whether the panel is of that chain now. */
export async function switchToChain(state: LogsState, chainId: number): Promise<boolean> {
  return (await callHost(state, 'switchToChain', chainId)) === true;
}

/** Calls what may not run while the result is being loaded. */
export function callWhenIdle(
  state: LogsState,
  method: 'nextPage' | 'loadAll' | 'exportLogs' | 'secondOpinion',
): void {
  if (!state.snapshot.value.loading) void callHost(state, method);
}

export function copyLogAs(state: LogsState, log: number): void {
  void callHost(state, 'copyLogAs', { answer: state.snapshot.value.answer, log });
}

export function copyCell(state: LogsState, row: number, column: LogCellPlace['column']): void {
  const log = state.cache.get(row)?.log;
  if (log === undefined) return;
  void callHost(state, 'copyCell', { answer: state.snapshot.value.answer, log, column });
}

/** Copies the rows, as the host has them: those that are not here too. */
export function copyRows(
  state: LogsState,
  ranges: readonly RowRange[],
  format: CopiedRows['format'] = 'tsv',
): void {
  const { answer, order } = state.snapshot.value;
  void callHost(state, 'copyRows', { answer, order, selected: toRowPairs(ranges), format });
}

/** Rows as the host knows them. */
export function toRowPairs(ranges: readonly RowRange[]): [number, number][] {
  return ranges.map(({ start, end }) => [start, end]);
}

export function openInExplorer(state: LogsState, log: number, page: ExplorerPlace['page']): void {
  void callHost(state, 'openInExplorer', { answer: state.snapshot.value.answer, log, page });
}

/** Shows the declaration of an event in the editor. */
export function openDeclaration(state: LogsState, log: number): void {
  void callHost(state, 'openDeclaration', { answer: state.snapshot.value.answer, log });
}

/** Shows the transaction of a log in the editor. */
export function showTransaction(state: LogsState, log: number): void {
  void callHost(state, 'showTransaction', { answer: state.snapshot.value.answer, log });
}

/** Opens the details of a row and gives them the keyboard. */
export async function focusDetails(state: LogsState, row: number): Promise<void> {
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
  await fetchDetails(state, row);
}

/** Reads what the details of a row show. There is nothing to read while rows in another order are on their way. */
export async function fetchDetails(state: LogsState, row: number): Promise<void> {
  const { answer, order } = state.snapshot.value;
  const log = await callHost(state, 'log', { answer, order, row });
  const now = state.snapshot.value;
  const isWanted = now.answer === answer && now.order === order && state.details.value?.row === row;
  if (log && isWanted) state.details.value = { row, order, log };
}

/** Closes the details and goes back to the row they were of. */
export function closeDetails(state: LogsState): void {
  state.details.value = undefined;
  state.goTo.value = { cell: state.active.value, focus: true };
}

/** Shows the rows in another arrangement, as soon as the host has it ready. */
export function arrangeRows(state: LogsState, arrangement: Arrangement): void {
  state.arrangement.value = arrangement;
  void callHost(state, 'arrange', arrangement);
}

/** Sorts by a column: first ascending, then descending, then by none. */
export function sortByColumn(state: LogsState, column: SortColumn): void {
  const { sort, ...others } = state.arrangement.value;
  if (sort?.column !== column) arrangeRows(state, { ...others, sort: { column, descending: false } });
  else arrangeRows(state, sort.descending ? others : { ...others, sort: { column, descending: true } });
}

/** Shows topics and data, or what they mean. The order stays where a column shows it then. */
export function toggleRaw(state: LogsState): void {
  const { filter, sort, raw } = state.arrangement.value;
  const stays = sort && !['topics', 'data'].includes(sort.column) && !sort.column.startsWith('argument');
  arrangeRows(state, { filter, ...(stays ? { sort } : {}), raw: !raw });
}

/** Shows the loaded logs of the transaction that the active row is of, and no others. */
export async function filterByTransaction(state: LogsState): Promise<void> {
  const log = state.cache.get(state.active.value.row)?.log;
  if (log === undefined) return;
  const { answer } = state.snapshot.value;
  const term = await callHost(state, 'filterTerm', { answer, log, column: 'transaction' });
  if (term) arrangeRows(state, { ...state.arrangement.value, filter: term });
}

/** Narrows the rows further, to those that have the value of the active cell. */
export async function filterByCell(state: LogsState): Promise<void> {
  const { row, column } = state.active.value;
  const log = state.cache.get(row)?.log;
  const id = state.columns.value[column]?.id;
  if (log === undefined || id === undefined) return;
  const { answer } = state.snapshot.value;
  const term = await callHost(state, 'filterTerm', { answer, log, column: id });
  const { filter, ...others } = state.arrangement.value;
  if (!term || ` ${filter} `.includes(` ${term} `)) return;
  const both = `${filter.trim()} ${term}`.trim();
  arrangeRows(state, { ...others, filter: both.length > MAX_FILTER_CHARS ? term : both });
}

/** Whether something else is typed than what the rows are of. */
export function isFormChanged({ form, snapshot }: LogsState): boolean {
  const { executed } = snapshot.value;
  return executed !== undefined && !isSameForm(form.value, executed.form);
}

/** Opens the form and gives it the keyboard. */
export function openForm(state: LogsState): void {
  state.wantsFocus.current = 'form';
  // After the changes are drawn, but before the next key or click: later, this would take the focus from another field.
  if (state.formOpen.value) queueMicrotask(() => focusForm(state));
  state.formOpen.value = true;
}

/** Gives the keyboard to the first field that is wrong, or to the first of all, if the form is to have it. */
export function focusForm({ wantsFocus }: LogsState): void {
  if (wantsFocus.current !== 'form') return;
  wantsFocus.current = undefined;
  const field = (of: string) => document.querySelector<HTMLElement>(`.form ${of}`);
  (field('[aria-invalid="true"]') ?? field('#address'))?.focus();
}

/** Folds the form to the query that ran. What is typed stays. Without such a query the form stays open. */
export function foldForm(state: LogsState): void {
  if (!state.formOpen.value || !state.snapshot.value.executed) return;
  const hadFocus = document.activeElement?.closest('.form') != null;
  if (hadFocus) state.wantsFocus.current = 'line';
  state.formOpen.value = false;
}

/** Brings back the form of what ran. */
export function discardChanges(state: LogsState): void {
  const { executed } = state.snapshot.value;
  if (!executed) return;
  state.form.value = executed.form;
  state.fieldErrors.value = {};
  if (state.formOpen.value) openForm(state);
  else state.wantsFocus.current = 'line';
}

/** Tells the host whether the form is folded, whose command to run it is in sight then. */
export function reportFormFolded(state: LogsState): void {
  effect(() => void callHost(state, 'folded', !state.formOpen.value));
}

/** Rows that stay so long are looked at; those that are scrolled past are not told of. */
const SETTLE_MS = 100;
/** As many as a window of rows may have. */
const MAX_ROWS_IN_VIEW = 2000;
let settleTimer: ReturnType<typeof setTimeout> | undefined;

/** Tells the host which rows are near the screen: only their times are read. */
export function reportRowsInView(state: LogsState, { start, end }: RowRange): void {
  clearTimeout(settleTimer);
  if (end <= start) return;
  settleTimer = setTimeout(() => {
    const { answer, order } = state.snapshot.value;
    const count = Math.min(end - start, MAX_ROWS_IN_VIEW);
    void callHost(state, 'inView', { answer, order, start, count });
  }, SETTLE_MS);
}
