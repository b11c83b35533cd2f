import * as vscode from 'vscode';
import { settleWithin } from '../timing.ts';
import { escapeUiText } from './untrustedText.ts';
import { withCancellableProgress } from './window.ts';

/** After this long it is shown that somebody is being asked. */
const PROGRESS_DELAY_MS = 700;

/** Asks, under a notification that can cancel it where that takes long; `cancellation` if the user did. */
export async function withDelayedProgress<T>(
  title: string,
  ask: (options: { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T | 'cancelled'> {
  const asked = new AbortController();
  const answer = ask({ signal: asked.signal });
  const soon = await settleWithin(PROGRESS_DELAY_MS, answer);
  if (soon.state === 'ready') return soon.value;
  if (soon.state === 'failed') throw soon.error;
  return withCancellableProgress(title, ({ signal }) => {
    signal.addEventListener('abort', () => asked.abort(), { once: true });
    return answer;
  });
}

/** A row of an {@link openQuickPick}. */
export interface QuickPickChoice extends PickItem {
  /** Shown, but not to be picked. */
  readonly onlyWords?: boolean;
  /** Shown whatever is typed. */
  readonly alwaysShow?: boolean;
  /** At the end of the row, known by their icons. */
  readonly buttons?: readonly InputButton[];
}

/** What was picked, or the icon of the button that was pressed on it. */
export interface Picked<T> {
  readonly choice: T;
  readonly button?: string;
  /** What was typed. */
  readonly text: string;
}

type Row<T> = vscode.QuickPickItem & { readonly choice: T };

interface QuickPickOptions {
  readonly title: string;
  readonly placeHolder: string;
  /** Whether there is a way back to what was asked before. */
  readonly hasBack?: boolean;
  readonly ignoreFocusOut?: boolean;
}

/**
 * A list to pick from. Its rows are drawn once and never move, so that what is picked is what the user sees. Rows that
 * must be read first are read while the open list is busy and empty, until the signal aborts. `back` where the user goes
 * back, undefined when left with Escape.
 */
export function openQuickPick<T extends QuickPickChoice>(
  words: QuickPickOptions,
  rows: readonly T[] | ((signal: AbortSignal) => Promise<readonly T[]>),
): Promise<Picked<T> | 'back' | undefined> {
  const picker = vscode.window.createQuickPick<Row<T>>();
  picker.title = escapeUiText(words.title, MAX_LABEL_CHARS);
  picker.placeholder = escapeUiText(words.placeHolder, MAX_PICK_TEXT_CHARS);
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = words.ignoreFocusOut ?? false;
  if (words.hasBack) picker.buttons = [vscode.QuickInputButtons.Back];
  const closed = new AbortController();

  async function readRows(read: (signal: AbortSignal) => Promise<readonly T[]>): Promise<void> {
    picker.busy = true;
    const choices = await read(closed.signal);
    if (closed.signal.aborted) return;
    picker.items = choices.map(itemOf);
    picker.busy = false;
  }

  return new Promise((resolve, reject) => {
    const end = (picked: Picked<T> | 'back') => {
      resolve(picked);
      picker.hide();
    };
    picker.onDidAccept(() => {
      const choice = picker.selectedItems[0]?.choice;
      if (choice && !choice.onlyWords) end({ choice, text: picker.value });
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
    } else picker.items = rows.map(itemOf);
    picker.show();
  });
}

function itemOf<T extends QuickPickChoice>(choice: T): Row<T> {
  const { alwaysShow = false, buttons = [] } = choice;
  return { ...escapePickItem(choice), alwaysShow, buttons: buttons.map(createInputButton) };
}

const MAX_MESSAGE_CHARS = 600;
const MAX_BUTTON_CHARS = 80;
const MAX_STATUS_CHARS = 120;

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
  const text = escapeUiText(message, MAX_MESSAGE_CHARS);
  return pressed(buttons, (titles) => vscode.window[showers[kind]](text, ...titles));
}

/** A dialog that stays until it is answered; resolves to the button that was pressed. */
export function showModal(
  message: string,
  detail: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const text = escapeUiText(message, MAX_MESSAGE_CHARS);
  const options = { modal: true, detail: escapeUiText(detail, MAX_MESSAGE_CHARS) };
  return pressed(buttons, (titles) => vscode.window.showWarningMessage(text, options, ...titles));
}

/** Words in the status bar that go by themselves, after `ms` milliseconds. */
export function showStatusMessage(message: string, ms: number): void {
  vscode.window.setStatusBarMessage(escapeUiText(message, MAX_STATUS_CHARS), ms);
}

async function pressed(
  buttons: readonly string[],
  show: (titles: readonly string[]) => Thenable<string | undefined>,
): Promise<string | undefined> {
  const titles = buttons.map((button) => escapeUiText(button, MAX_BUTTON_CHARS));
  const chosen = await show(titles);
  return chosen === undefined ? undefined : buttons[titles.indexOf(chosen)];
}

const MAX_LABEL_CHARS = 200;
const MAX_PICK_TEXT_CHARS = 600;

/** What stands in a list to pick from. */
export type PickItem = Pick<vscode.QuickPickItem, 'label' | 'description' | 'detail' | 'iconPath' | 'kind'>;

export type PickOptions = Pick<
  vscode.QuickPickOptions,
  'matchOnDescription' | 'matchOnDetail' | 'ignoreFocusOut'
> & {
  readonly title: string;
  readonly placeHolder: string;
};

/** Lets the user pick one of `choices`; undefined when left with Escape. */
export async function pickOne<T extends PickItem>(
  choices: readonly T[] | Promise<readonly T[]>,
  words: PickOptions,
): Promise<T | undefined> {
  const items = choices instanceof Promise ? choices.then(escapePickItems) : escapePickItems(choices);
  const options = {
    ...words,
    title: escapeUiText(words.title, MAX_LABEL_CHARS),
    placeHolder: escapeUiText(words.placeHolder, MAX_PICK_TEXT_CHARS),
  };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { choice: T }>(items, options);
  return picked?.choice;
}

export function escapePickItems<T extends PickItem>(choices: readonly T[]) {
  return choices.map(escapePickItem);
}

/** A row as the editor takes it, which leads back to its choice. */
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

/** Asks where to save a file. */
export function showSaveDialog(
  title: string,
  options: Pick<vscode.SaveDialogOptions, 'defaultUri' | 'filters'>,
): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({ ...options, title: escapeUiText(title, MAX_LABEL_CHARS) });
}

type ValidationResult = string | vscode.InputBoxValidationMessage;

type InputBoxText = Pick<vscode.InputBoxOptions, 'value' | 'ignoreFocusOut'> & {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly validateInput: (text: string) => ValidationResult | undefined;
};

/** Asks for a text; undefined when left with Escape. */
export function showInputBox(words: InputBoxText): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...words,
    title: escapeUiText(words.title, MAX_LABEL_CHARS),
    prompt: escapeUiText(words.prompt, MAX_PICK_TEXT_CHARS),
    placeHolder: escapeUiText(words.placeHolder ?? '', MAX_LABEL_CHARS),
    validateInput: (text) => {
      const problem = words.validateInput(text);
      if (typeof problem === 'string') return escapeUiText(problem, MAX_PICK_TEXT_CHARS);
      return problem && escapeValidation(problem);
    },
  });
}

type Worded = 'title' | 'prompt' | 'placeholder' | 'validationMessage' | 'buttons';

/** An input box of which the caller holds all but its words. */
interface OpenInput {
  readonly box: Omit<vscode.InputBox, Worded>;
  /** Shows what is wrong, with a button that may help: its icon and its words. Without arguments, clears both. */
  showProblem(problem?: vscode.InputBoxValidationMessage, button?: InputButton): void;
  /** Whether a button is the one that the box always has. */
  isLasting(button: vscode.QuickInputButton): boolean;
}

/** A button of a question: its icon and its words. */
interface InputButton {
  readonly icon: string;
  readonly tooltip: string;
}

interface InputOptions {
  readonly value?: string;
  readonly placeHolder?: string;
  /** Called where the user goes back to what was asked before. */
  readonly onBack?: () => void;
  /** A button that it has whatever it shows. */
  readonly lasting?: InputButton;
}

/** An input box that stays open until it is hidden. */
export function openInputBox(title: string, prompt: string, options: InputOptions = {}): OpenInput {
  const { value, placeHolder = '', onBack, lasting } = options;
  const { Back } = vscode.QuickInputButtons;
  const box = vscode.window.createInputBox();
  box.title = escapeUiText(title, MAX_LABEL_CHARS);
  box.prompt = escapeUiText(prompt, MAX_PICK_TEXT_CHARS);
  box.placeholder = escapeUiText(placeHolder, MAX_LABEL_CHARS);
  if (value !== undefined) box.value = value;
  const own = lasting ? [createInputButton(lasting)] : [];
  const always = [...(onBack ? [Back] : []), ...own];
  box.buttons = always;
  box.onDidTriggerButton((button) => button === Back && onBack?.());
  return {
    box,
    showProblem(problem, button) {
      box.validationMessage = problem && escapeValidation(problem);
      box.buttons = button ? [...always, createInputButton(button)] : always;
    },
    isLasting: (button) => own.includes(button),
  };
}

function createInputButton({ icon, tooltip }: InputButton): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip: escapeUiText(tooltip, MAX_LABEL_CHARS) };
}

function escapeValidation({ message, severity }: vscode.InputBoxValidationMessage) {
  return { message: escapeUiText(message, MAX_PICK_TEXT_CHARS), severity };
}
