import { effect } from '@preact/signals';
import { isSameForm } from '../../features/logs/protocol/sameForm.ts';
import { asked } from '../kit/panelState.ts';
import type { LogsState } from './state.ts';

/** Whether something else is typed than what the rows are of. */
export function isChanged({ form, snapshot }: LogsState): boolean {
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
  state.problems.value = {};
  if (state.formOpen.value) openForm(state);
  else state.wantsFocus.current = 'line';
}

/** Tells the host whether the form is folded, whose command to run it is in sight then. */
export function tellFold(state: LogsState): void {
  effect(() => void asked(state, 'folded', !state.formOpen.value));
}
