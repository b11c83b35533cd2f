import { effect } from '@preact/signals';
import {
  type FormField,
  getFieldText,
  listAddressFields,
  listEnumFields,
  withFieldText,
} from '../../core/index.ts';
import { type Arrangement, MAX_FILTER_CHARS, type SortColumn } from '../../features/logs/protocol/grid.ts';
import { type ExplorerPlace, isSameForm, type LogCellPlace } from '../../features/logs/protocol/protocol.ts';
import type { CopiedRows } from '../../messaging/rowSelection.ts';
import type { RowRange } from '../kit/grid/gridScroll.ts';
import { toRowPairs } from '../kit/grid/gridState.ts';
import { callHost, type FocusPlace, getFocusPlace } from '../kit/panelState.ts';
import { validateForm, validateWhileTyping } from './formValidation.ts';
import type { LogsState } from './logsState.ts';

/** Starts the query if its form is valid. Resolves to whether it is. */
export async function runQuery(state: LogsState): Promise<boolean> {
  clearTimeout(validationTimer);
  const form = state.form.value;
  state.fieldErrors.value = validateForm(form, state.strings);
  if (hasFieldErrors(state)) return false;
  const resolved = await callHost(state, 'run', form);
  state.fieldErrors.value = resolved?.errors ?? {};
  // Text that was typed in the meantime stays.
  if (resolved && state.form.value === form && !isSameForm(form, resolved.form)) {
    state.form.value = resolved.form;
  }
  return !hasFieldErrors(state);
}

function hasFieldErrors(state: LogsState): boolean {
  return Object.keys(state.fieldErrors.value).length > 0;
}

/**
 * Changes the text of a field. A field with an error is validated at every key, others some time after the last
 * key.
 */
export function changeField(state: LogsState, field: FormField, value: string): void {
  const before = state.form.value;
  state.form.value = withFieldText(before, field, value);
  clearTimeout(validationTimer);
  if (!state.fieldErrors.value[field]) {
    validationTimer = setTimeout(() => validateTyping(state, field), VALIDATION_DELAY_MS);
  } else if (validateWhileTyping(before, field, state.strings) === undefined) validateField(state, field);
  else validateTyping(state, field);
}

/** Errors of the typed text are shown this long after the last key. */
const VALIDATION_DELAY_MS = 350;

let validationTimer: ReturnType<typeof setTimeout> | undefined;

function validateTyping(state: LogsState, field: FormField): void {
  setFieldError(state, field, validateWhileTyping(state.form.value, field, state.strings));
}

/** Validates a field that loses the focus, and replaces names in it by addresses and numbers. */
export async function leaveField(state: LogsState, field: FormField): Promise<void> {
  clearTimeout(validationTimer);
  validateField(state, field);
  const form = state.form.value;
  const fields = [...listAddressFields(form), ...listEnumFields(form)];
  if (!fields.includes(field) || state.fieldErrors.value[field]) return;
  const resolved = await callHost(state, 'resolve', form);
  if (!resolved || getFieldText(state.form.value, field) !== getFieldText(form, field)) return;
  const text = getFieldText(resolved.form, field);
  if (text !== getFieldText(form, field)) state.form.value = withFieldText(state.form.value, field, text);
  const error = resolved.errors[field];
  if (error) state.fieldErrors.value = { ...state.fieldErrors.value, [field]: error };
}

export function validateField(state: LogsState, field: FormField): void {
  setFieldError(state, field, validateForm(state.form.value, state.strings)[field]);
}

function setFieldError(state: LogsState, field: FormField, error: string | undefined): void {
  const { [field]: _, ...others } = state.fieldErrors.value;
  state.fieldErrors.value = error ? { ...others, [field]: error } : others;
}

/** Resolves to whether the panel uses that chain now. */
export async function switchToChain(state: LogsState, chainId: number): Promise<boolean> {
  return (await callHost(state, 'switchToChain', chainId)) === true;
}

/** Calls methods that may not run while the result is loading. */
export function callWhenIdle(
  state: LogsState,
  method: 'nextPage' | 'loadAll' | 'exportLogs' | 'secondOpinion',
): void {
  if (!state.snapshot.value.loading) void callHost(state, method);
}

export function copyLogAs(state: LogsState, log: number): void {
  void callHost(state, 'copyLogAs', { resultId: state.snapshot.value.resultId, log });
}

export function copyCell(state: LogsState, row: number, column: LogCellPlace['column']): void {
  const log = state.cache.get(row)?.log;
  if (log === undefined) return;
  void callHost(state, 'copyCell', { resultId: state.snapshot.value.resultId, log, column });
}

/** Copies rows. The host has them all, also those that are not cached here. */
export function copyRows(
  state: LogsState,
  ranges: readonly RowRange[],
  format: CopiedRows['format'] = 'tsv',
): void {
  const { resultId, order } = state.snapshot.value;
  void callHost(state, 'copyRows', { resultId, order, selected: toRowPairs(ranges), format });
}

export function openInExplorer(state: LogsState, log: number, page: ExplorerPlace['page']): void {
  void callHost(state, 'openInExplorer', { resultId: state.snapshot.value.resultId, log, page });
}

/** Opens the declaration of an event in the editor. */
export function openDeclaration(state: LogsState, log: number): void {
  void callHost(state, 'openDeclaration', { resultId: state.snapshot.value.resultId, log });
}

/** Opens the transaction of a log in the editor. */
export function showTransaction(state: LogsState, log: number): void {
  void callHost(state, 'showTransaction', { resultId: state.snapshot.value.resultId, log });
}

/** Opens the details of a row and focuses them. */
export async function focusDetails(state: LogsState, row: number): Promise<void> {
  state.wantsFocus.current = 'details';
  await showDetails(state, row);
  const { value: details } = state.details;
  // The details may be of this row already: draws them again, so that they take the focus. Details that are
  // still being fetched are drawn when they arrive.
  if (details?.log) state.details.value = { ...details };
}

/** Opens the details of a row, or moves open details to it. */
export async function showDetails(state: LogsState, row: number): Promise<void> {
  const { order } = state.snapshot.value;
  const before = state.details.value;
  if (before?.row === row && before.order === order) return;
  state.details.value = { row, order, log: before?.log };
  await fetchDetails(state, row);
}

/** Fetches the log of the details. The host returns nothing while rows in another order are being fetched. */
export async function fetchDetails(state: LogsState, row: number): Promise<void> {
  const { resultId, order } = state.snapshot.value;
  const log = await callHost(state, 'log', { resultId, order, row });
  const now = state.snapshot.value;
  const isCurrent = now.resultId === resultId && now.order === order && state.details.value?.row === row;
  if (log && isCurrent) state.details.value = { row, order, log };
}

/** Closes the details and focuses their row. */
export function closeDetails(state: LogsState): void {
  state.details.value = undefined;
  state.goTo.value = { cell: state.active.value, focus: true };
}

/** Requests another arrangement of the rows, which is shown as soon as the host has it. */
export function arrangeRows(state: LogsState, arrangement: Arrangement): void {
  state.arrangement.value = arrangement;
  void callHost(state, 'arrange', arrangement);
}

/** Sorts by a column: first ascending, then descending, then unsorted. */
export function sortByColumn(state: LogsState, column: SortColumn): void {
  const { sort, ...others } = state.arrangement.value;
  if (sort?.column !== column) arrangeRows(state, { ...others, sort: { column, descending: false } });
  else arrangeRows(state, sort.descending ? others : { ...others, sort: { column, descending: true } });
}

/** Shows topics and data, or their decoded values. The sort order stays if its column is still shown. */
export function toggleRaw(state: LogsState): void {
  const { filter, sort, raw } = state.arrangement.value;
  const keepsSort = sort && !['topics', 'data'].includes(sort.column) && !sort.column.startsWith('argument');
  arrangeRows(state, { filter, ...(keepsSort ? { sort } : {}), raw: !raw });
}

/** Filters the loaded logs by the transaction of the active row. */
export async function filterByTransaction(state: LogsState): Promise<void> {
  const log = state.cache.get(state.active.value.row)?.log;
  if (log === undefined) return;
  const { resultId } = state.snapshot.value;
  const term = await callHost(state, 'filterTerm', { resultId, log, column: 'transaction' });
  if (term) arrangeRows(state, { ...state.arrangement.value, filter: term });
}

/** Filters the rows further, by the value of the active cell. */
export async function filterByCell(state: LogsState): Promise<void> {
  const { row, column } = state.active.value;
  const log = state.cache.get(row)?.log;
  const id = state.columns.value[column]?.id;
  if (log === undefined || id === undefined) return;
  const { resultId } = state.snapshot.value;
  const term = await callHost(state, 'filterTerm', { resultId, log, column: id });
  const { filter, ...others } = state.arrangement.value;
  if (!term || ` ${filter} `.includes(` ${term} `)) return;
  const combined = `${filter.trim()} ${term}`.trim();
  arrangeRows(state, { ...others, filter: combined.length > MAX_FILTER_CHARS ? term : combined });
}

/** Whether the form differs from the query of the rows. */
export function isFormChanged({ form, snapshot }: LogsState): boolean {
  const { executed } = snapshot.value;
  return executed !== undefined && !isSameForm(form.value, executed.form);
}

/** Opens the form and focuses it. */
export function openForm(state: LogsState): void {
  state.wantsFocus.current = 'form';
  // After the changes are drawn, but before the next key or click: later would take the focus from another
  // field.
  if (state.formOpen.value) queueMicrotask(() => focusForm(state));
  state.formOpen.value = true;
}

/** Focuses the first invalid field, else the first field, if the form is to get the focus. */
export function focusForm({ wantsFocus }: LogsState): void {
  if (wantsFocus.current !== 'form') return;
  wantsFocus.current = undefined;
  const find = (selector: string) => document.querySelector<HTMLElement>(`.form ${selector}`);
  (find('[aria-invalid="true"]') ?? find('#address'))?.focus();
}

/** Focuses the form of a new page without a query, as soon as the page has the focus. */
export function focusNewForm(state: LogsState, focus: FocusPlace): void {
  if (focus !== 'page' || !state.formOpen.peek() || state.snapshot.peek().executed) return;
  if (document.hasFocus()) openForm(state);
  else addEventListener('focus', () => focusNewForm(state, getFocusPlace()), { once: true });
}

/** Collapses the form to the query that ran. The typed text stays. Without such a query, the form stays open. */
export function foldForm(state: LogsState): void {
  if (!state.formOpen.value || !state.snapshot.value.executed) return;
  const hadFocus = document.activeElement?.closest('.form') != null;
  if (hadFocus) state.wantsFocus.current = 'line';
  state.formOpen.value = false;
}

/** Restores the form of the query that ran. */
export function discardChanges(state: LogsState): void {
  const { executed } = state.snapshot.value;
  if (!executed) return;
  state.form.value = executed.form;
  state.fieldErrors.value = {};
  if (state.formOpen.value) openForm(state);
  else state.wantsFocus.current = 'line';
}

/** Reports whether the form is collapsed: its button is hidden then, and the host shows its own command. */
export function reportFormFolded(state: LogsState): void {
  effect(() => void callHost(state, 'folded', !state.formOpen.value));
}

/** Reports the rows near the screen: the host fetches only their times. */
export function reportRowsInView(state: LogsState, { start, end }: RowRange): void {
  clearTimeout(settleTimer);
  if (end <= start) return;
  settleTimer = setTimeout(() => {
    const { resultId, order } = state.snapshot.value;
    const count = Math.min(end - start, MAX_ROWS_IN_VIEW);
    void callHost(state, 'inView', { resultId, order, start, count });
  }, SETTLE_MS);
}

/** Rows that stay in view this long are reported; rows that are scrolled past are not. */
const SETTLE_MS = 100;

/** The maximum of `rowWindowSchema`. */
const MAX_ROWS_IN_VIEW = 2000;

let settleTimer: ReturnType<typeof setTimeout> | undefined;
