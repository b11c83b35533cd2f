import * as vscode from 'vscode';
import { settleWithin } from '../timing.ts';
import { escapeUiText } from './untrustedText.ts';
import { withCancellableProgress } from './window.ts';

/**
 * Opens a quick pick. Its rows are set once and never move, so that the user picks what they see. Rows can be
 * loaded while the open quick pick is busy and empty; `signal` aborts when it closes.
 *
 * @returns 'back' when the user goes back, undefined when they leave it with Escape.
 */
export function openQuickPick<T extends QuickPickChoice>(
  options: QuickPickOptions,
  rows: readonly T[] | ((signal: AbortSignal) => Promise<readonly T[]>),
): Promise<Picked<T> | 'back' | undefined> {
  const picker = vscode.window.createQuickPick<Row<T>>();
  picker.title = escapeUiText(options.title, MAX_LABEL_CHARS);
  picker.placeholder = escapeUiText(options.placeHolder, MAX_PICK_TEXT_CHARS);
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = options.ignoreFocusOut ?? false;
  if (options.hasBack) picker.buttons = [vscode.QuickInputButtons.Back];
  const closed = new AbortController();

  async function readRows(read: (signal: AbortSignal) => Promise<readonly T[]>): Promise<void> {
    picker.busy = true;
    const choices = await read(closed.signal);
    if (closed.signal.aborted) return;
    picker.items = choices.map(toQuickPickItem);
    const focused = picker.items.filter(({ choice }) => choice.isFocused);
    if (focused.length > 0) picker.activeItems = focused;
    picker.busy = false;
  }

  return new Promise((resolve, reject) => {
    const end = (picked: Picked<T> | 'back') => {
      resolve(picked);
      picker.hide();
    };
    picker.onDidAccept(() => {
      const choice = picker.selectedItems[0]?.choice;
      if (choice && !choice.isInformation) end({ choice, text: picker.value });
    });
    picker.onDidTriggerButton(() => end('back'));
    picker.onDidTriggerItemButton(({ item, button }) => {
      const { iconPath } = button;
      if (iconPath instanceof vscode.ThemeIcon) {
        end({ choice: item.choice, button: iconPath.id, text: picker.value });
      }
    });
    picker.onDidHide(() => {
      closed.abort();
      resolve(undefined);
      picker.dispose();
    });
    if (typeof rows === 'function') {
      readRows(rows).catch((error) => {
        reject(error);
        picker.hide();
      });
    } else picker.items = rows.map(toQuickPickItem);
    picker.show();
  });
}

export interface QuickPickChoice extends PickItem {
  /** Shown, but cannot be picked. */
  readonly isInformation?: boolean;
  readonly alwaysShow?: boolean;
  /** Of loaded rows, the one that Enter picks; without any, the first. */
  readonly isFocused?: boolean;
  /** At the end of the row, identified by their icons. */
  readonly buttons?: readonly InputButton[];
}

/** The picked row, or the row whose button was pressed. */
export interface Picked<T> {
  readonly choice: T;
  readonly button?: string;
  /** The text in the filter field. */
  readonly text: string;
}

interface QuickPickOptions {
  readonly title: string;
  readonly placeHolder: string;
  /** Whether there is a button back to the previous dialog. */
  readonly hasBack?: boolean;
  readonly ignoreFocusOut?: boolean;
}

type Row<T> = vscode.QuickPickItem & { readonly choice: T };

function toQuickPickItem<T extends QuickPickChoice>(choice: T): Row<T> {
  const { alwaysShow = false, buttons = [] } = choice;
  return { ...escapePickItem(choice), alwaysShow, buttons: buttons.map(createInputButton) };
}

/** Lets the user pick one of `choices`; undefined when they leave with Escape. */
export async function pickOne<T extends PickItem>(
  choices: readonly T[] | Promise<readonly T[]>,
  options: PickOptions,
): Promise<T | undefined> {
  const items = choices instanceof Promise ? choices.then(escapePickItems) : escapePickItems(choices);
  const escaped = {
    ...options,
    title: escapeUiText(options.title, MAX_LABEL_CHARS),
    placeHolder: escapeUiText(options.placeHolder, MAX_PICK_TEXT_CHARS),
  };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { choice: T }>(items, escaped);
  return picked?.choice;
}

export type PickItem = Pick<vscode.QuickPickItem, 'label' | 'description' | 'detail' | 'iconPath' | 'kind'>;

type PickOptions = Pick<
  vscode.QuickPickOptions,
  'matchOnDescription' | 'matchOnDetail' | 'ignoreFocusOut'
> & {
  readonly title: string;
  readonly placeHolder: string;
};

function escapePickItems<T extends PickItem>(choices: readonly T[]) {
  return choices.map(escapePickItem);
}

/** Escapes the texts of a row. The row carries its choice. */
function escapePickItem<T extends PickItem>(choice: T) {
  const { label, description, detail, iconPath, kind } = choice;
  return {
    label: escapeUiText(label, MAX_LABEL_CHARS),
    ...(description === undefined ? {} : { description: escapeUiText(description, MAX_PICK_TEXT_CHARS) }),
    ...(detail === undefined ? {} : { detail: escapeUiText(detail, MAX_PICK_TEXT_CHARS) }),
    ...(iconPath === undefined ? {} : { iconPath }),
    ...(kind === undefined ? {} : { kind }),
    choice,
  };
}

/** Shows a notification; resolves to the button that was pressed. */
export function showMessage(
  kind: keyof typeof showers,
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const text = escapeUiText(message, MAX_MESSAGE_CHARS);
  return showWithButtons(buttons, (titles) => vscode.window[showers[kind]](text, ...titles));
}

const showers = {
  information: 'showInformationMessage',
  warning: 'showWarningMessage',
  error: 'showErrorMessage',
} as const;

/** Shows a modal dialog; resolves to the button that was pressed. */
export function showModal(
  message: string,
  detail: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const text = escapeUiText(message, MAX_MESSAGE_CHARS);
  const options = { modal: true, detail: escapeUiText(detail, MAX_MESSAGE_CHARS) };
  return showWithButtons(buttons, (titles) => vscode.window.showWarningMessage(text, options, ...titles));
}

/** Shows a message in the status bar for `ms` milliseconds. */
export function showStatusMessage(message: string, ms: number): void {
  vscode.window.setStatusBarMessage(escapeUiText(message, MAX_STATUS_CHARS), ms);
}

async function showWithButtons(
  buttons: readonly string[],
  show: (titles: readonly string[]) => Thenable<string | undefined>,
): Promise<string | undefined> {
  const titles = buttons.map((button) => escapeUiText(button, MAX_BUTTON_CHARS));
  const chosen = await show(titles);
  return chosen === undefined ? undefined : buttons[titles.indexOf(chosen)];
}

export function showSaveDialog(
  title: string,
  options: Pick<vscode.SaveDialogOptions, 'defaultUri' | 'filters'>,
): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({ ...options, title: escapeUiText(title, MAX_LABEL_CHARS) });
}

/** Lets the user enter a text; undefined when they leave with Escape. */
export function showInputBox(options: InputBoxText): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...options,
    title: escapeUiText(options.title, MAX_LABEL_CHARS),
    prompt: escapeUiText(options.prompt, MAX_PICK_TEXT_CHARS),
    placeHolder: escapeUiText(options.placeHolder ?? '', MAX_LABEL_CHARS),
    validateInput: (text) => {
      const error = options.validateInput(text);
      if (typeof error === 'string') return escapeUiText(error, MAX_PICK_TEXT_CHARS);
      return error && escapeValidation(error);
    },
  });
}

type ValidationResult = string | vscode.InputBoxValidationMessage;

type InputBoxText = Pick<vscode.InputBoxOptions, 'value' | 'ignoreFocusOut'> & {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly validateInput: (text: string) => ValidationResult | undefined;
};

/** Opens an input box that stays open until it is hidden. */
export function openInputBox(title: string, prompt: string, options: InputOptions = {}): OpenInput {
  const { value, placeHolder = '', onBack, lasting } = options;
  const { Back } = vscode.QuickInputButtons;
  const box = vscode.window.createInputBox();
  box.title = escapeUiText(title, MAX_LABEL_CHARS);
  box.prompt = escapeUiText(prompt, MAX_PICK_TEXT_CHARS);
  box.placeholder = escapeUiText(placeHolder, MAX_LABEL_CHARS);
  if (value !== undefined) box.value = value;
  const permanent = lasting ? [createInputButton(lasting)] : [];
  const always = [...(onBack ? [Back] : []), ...permanent];
  box.buttons = always;
  box.onDidTriggerButton((button) => button === Back && onBack?.());
  return {
    box,
    showValidation(problem, button) {
      box.validationMessage = problem && escapeValidation(problem);
      box.buttons = button ? [...always, createInputButton(button)] : always;
    },
    isLasting: (button) => permanent.includes(button),
  };
}

/** An open input box. The caller controls everything except its texts. */
interface OpenInput {
  readonly box: Omit<vscode.InputBox, EscapedField>;
  /** Shows a validation error and a button that may help. Without arguments, clears both. */
  showValidation(problem?: vscode.InputBoxValidationMessage, button?: InputButton): void;
  isLasting(button: vscode.QuickInputButton): boolean;
}

type EscapedField = 'title' | 'prompt' | 'placeholder' | 'validationMessage' | 'buttons';

interface InputButton {
  readonly icon: string;
  readonly tooltip: string;
}

interface InputOptions {
  readonly value?: string;
  readonly placeHolder?: string;
  /** Called when the user goes back to the previous dialog. */
  readonly onBack?: () => void;
  readonly lasting?: InputButton;
}

function createInputButton({ icon, tooltip }: InputButton): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip: escapeUiText(tooltip, MAX_LABEL_CHARS) };
}

function escapeValidation({ message, severity }: vscode.InputBoxValidationMessage) {
  return { message: escapeUiText(message, MAX_PICK_TEXT_CHARS), severity };
}

/**
 * Runs `task`; once that takes long, under a notification that can cancel it. Resolves to 'cancelled' if the user
 * did.
 */
export async function withDelayedProgress<T>(
  title: string,
  task: (options: { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T | 'cancelled'> {
  const controller = new AbortController();
  const result = task({ signal: controller.signal });
  const outcome = await settleWithin(PROGRESS_DELAY_MS, result);
  if (outcome.state === 'ready') return outcome.value;
  if (outcome.state === 'failed') throw outcome.error;
  return withCancellableProgress(title, ({ signal }) => {
    signal.addEventListener('abort', () => controller.abort(), { once: true });
    return result;
  });
}

const PROGRESS_DELAY_MS = 700;

const MAX_LABEL_CHARS = 200;
const MAX_PICK_TEXT_CHARS = 600;

const MAX_MESSAGE_CHARS = 600;
const MAX_BUTTON_CHARS = 80;
const MAX_STATUS_CHARS = 120;
