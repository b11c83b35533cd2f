import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

const LONGEST_MESSAGE = 600;
const LONGEST_BUTTON = 80;
const LONGEST_STATUS = 120;

const showers = {
  information: 'showInformationMessage',
  warning: 'showWarningMessage',
  error: 'showErrorMessage',
} as const;

/** A notification; resolves to the button that was pressed. */
export function showMessage(
  kind: keyof typeof showers,
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const text = harmless(message, LONGEST_MESSAGE);
  return pressed(buttons, (titles) => vscode.window[showers[kind]](text, ...titles));
}

/** A dialog that stays until it is answered; resolves to the button that was pressed. */
export function showModal(
  message: string,
  detail: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const text = harmless(message, LONGEST_MESSAGE);
  const options = { modal: true, detail: harmless(detail, LONGEST_MESSAGE) };
  return pressed(buttons, (titles) => vscode.window.showWarningMessage(text, options, ...titles));
}

/** Words in the status bar that go by themselves, after `ms` milliseconds. */
export function showBriefly(message: string, ms: number): void {
  vscode.window.setStatusBarMessage(harmless(message, LONGEST_STATUS), ms);
}

async function pressed(
  buttons: readonly string[],
  show: (titles: readonly string[]) => Thenable<string | undefined>,
): Promise<string | undefined> {
  const titles = buttons.map((button) => harmless(button, LONGEST_BUTTON));
  const chosen = await show(titles);
  return chosen === undefined ? undefined : buttons[titles.indexOf(chosen)];
}
