import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

export const LONGEST_LABEL = 200;
export const LONGEST_WORDS = 600;

/** What stands in a list to pick from. */
export type Choice = Pick<vscode.QuickPickItem, 'label' | 'description' | 'detail' | 'iconPath' | 'kind'>;

export type PickWords = Pick<
  vscode.QuickPickOptions,
  'matchOnDescription' | 'matchOnDetail' | 'ignoreFocusOut'
> & {
  readonly title: string;
  readonly placeHolder: string;
};

/** Lets the user pick one of `choices`; undefined when left with Escape. */
export async function pickOne<T extends Choice>(
  choices: readonly T[] | Promise<readonly T[]>,
  words: PickWords,
): Promise<T | undefined> {
  const items = choices instanceof Promise ? choices.then(harmlessItems) : harmlessItems(choices);
  const options = {
    ...words,
    title: harmless(words.title, LONGEST_LABEL),
    placeHolder: harmless(words.placeHolder, LONGEST_WORDS),
  };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { choice: T }>(items, options);
  return picked?.choice;
}

export function harmlessItems<T extends Choice>(choices: readonly T[]) {
  return choices.map(harmlessItem);
}

/** A row as the editor takes it, which leads back to its choice. */
export function harmlessItem<T extends Choice>(choice: T) {
  const { label, description, detail, iconPath, kind } = choice;
  return {
    label: harmless(label, LONGEST_LABEL),
    ...(description === undefined ? {} : { description: harmless(description, LONGEST_WORDS) }),
    ...(detail === undefined ? {} : { detail: harmless(detail, LONGEST_WORDS) }),
    ...(iconPath === undefined ? {} : { iconPath }),
    ...(kind === undefined ? {} : { kind }),
    choice,
  };
}

/** Asks where to save a file. */
export function askWhereToSave(
  title: string,
  options: Pick<vscode.SaveDialogOptions, 'defaultUri' | 'filters'>,
): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({ ...options, title: harmless(title, LONGEST_LABEL) });
}

type InputProblem = string | vscode.InputBoxValidationMessage;

type InputWords = Pick<vscode.InputBoxOptions, 'value' | 'ignoreFocusOut'> & {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly validateInput: (text: string) => InputProblem | undefined;
};

/** Asks for a text; undefined when left with Escape. */
export function askForText(words: InputWords): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...words,
    title: harmless(words.title, LONGEST_LABEL),
    prompt: harmless(words.prompt, LONGEST_WORDS),
    placeHolder: harmless(words.placeHolder ?? '', LONGEST_LABEL),
    validateInput: (text) => {
      const problem = words.validateInput(text);
      if (typeof problem === 'string') return harmless(problem, LONGEST_WORDS);
      return problem && harmlessProblem(problem);
    },
  });
}

type Worded = 'title' | 'prompt' | 'placeholder' | 'validationMessage' | 'buttons';

/** An input box of which the caller holds all but its words. */
interface OpenInput {
  readonly box: Omit<vscode.InputBox, Worded>;
  /** Shows what is wrong, with a button that may help: its icon and its words. Without arguments, clears both. */
  showProblem(problem?: vscode.InputBoxValidationMessage, button?: ButtonWords): void;
  /** Whether a button is the one that the box always has. */
  isLasting(button: vscode.QuickInputButton): boolean;
}

/** A button of a question: its icon and its words. */
export interface ButtonWords {
  readonly icon: string;
  readonly words: string;
}

interface InputOptions {
  readonly value?: string;
  readonly placeHolder?: string;
  /** Called where the user goes back to what was asked before. */
  readonly onBack?: () => void;
  /** A button that it has whatever it shows. */
  readonly lasting?: ButtonWords;
}

/** An input box that stays open until it is hidden. */
export function openInput(title: string, prompt: string, options: InputOptions = {}): OpenInput {
  const { value, placeHolder = '', onBack, lasting } = options;
  const { Back } = vscode.QuickInputButtons;
  const box = vscode.window.createInputBox();
  box.title = harmless(title, LONGEST_LABEL);
  box.prompt = harmless(prompt, LONGEST_WORDS);
  box.placeholder = harmless(placeHolder, LONGEST_LABEL);
  if (value !== undefined) box.value = value;
  const own = lasting ? [questionButton(lasting)] : [];
  const always = [...(onBack ? [Back] : []), ...own];
  box.buttons = always;
  box.onDidTriggerButton((button) => button === Back && onBack?.());
  return {
    box,
    showProblem(problem, button) {
      box.validationMessage = problem && harmlessProblem(problem);
      box.buttons = button ? [...always, questionButton(button)] : always;
    },
    isLasting: (button) => own.includes(button),
  };
}

export function questionButton({ icon, words }: ButtonWords): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip: harmless(words, LONGEST_LABEL) };
}

function harmlessProblem({ message, severity }: vscode.InputBoxValidationMessage) {
  return { message: harmless(message, LONGEST_WORDS), severity };
}
