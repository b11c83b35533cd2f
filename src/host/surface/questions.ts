import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

const LONGEST_LABEL = 200;
const LONGEST_WORDS = 600;

/** What stands in a list to pick from. */
export type Choice = Pick<vscode.QuickPickItem, 'label' | 'description' | 'detail' | 'iconPath' | 'kind'>;

type PickWords = Pick<vscode.QuickPickOptions, 'matchOnDescription' | 'matchOnDetail' | 'ignoreFocusOut'> & {
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

/**
 * Lets the user pick one of `choices`, or type something else: `typed` says what that would be, which stands above the
 * choices that fit and is what is picked, whatever is selected below it; what is `onlyWords` cannot be picked. Undefined
 * when left with Escape.
 */
export function pickOrType<T extends Choice & { readonly onlyWords?: boolean }>(
  choices: readonly T[],
  typed: (text: string) => readonly T[],
  words: PickWords,
): Promise<T | undefined> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { choice: T }>();
  picker.title = harmless(words.title, LONGEST_LABEL);
  picker.placeholder = harmless(words.placeHolder, LONGEST_WORDS);
  picker.matchOnDescription = words.matchOnDescription ?? false;
  picker.matchOnDetail = words.matchOnDetail ?? false;
  picker.ignoreFocusOut = words.ignoreFocusOut ?? false;
  const offered = harmlessItems(choices);
  picker.items = offered;
  return new Promise((resolve) => {
    picker.onDidChangeValue((text) => {
      const others = harmlessItems(typed(text)).map((item) => ({ ...item, alwaysShow: true }));
      picker.items = [...others, ...offered];
    });
    picker.onDidAccept(() => {
      // Who types or pastes fast confirms before what is typed stands among the choices: what is selected then is another.
      const [told] = typed(picker.value);
      const picked = told && !told.onlyWords ? told : (picker.selectedItems[0]?.choice ?? told);
      if (!picked || picked.onlyWords) return;
      resolve(picked);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function harmlessItems<T extends Choice>(choices: readonly T[]) {
  return choices.map((choice) => {
    const { label, description, detail, iconPath, kind } = choice;
    return {
      label: harmless(label, LONGEST_LABEL),
      ...(description === undefined ? {} : { description: harmless(description, LONGEST_WORDS) }),
      ...(detail === undefined ? {} : { detail: harmless(detail, LONGEST_WORDS) }),
      ...(iconPath === undefined ? {} : { iconPath }),
      ...(kind === undefined ? {} : { kind }),
      choice,
    };
  });
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
  showProblem(problem?: vscode.InputBoxValidationMessage, button?: { icon: string; words: string }): void;
}

/** An input box that stays open until it is hidden. */
export function openInput(title: string, prompt: string): OpenInput {
  const box = vscode.window.createInputBox();
  box.title = harmless(title, LONGEST_LABEL);
  box.prompt = harmless(prompt, LONGEST_WORDS);
  return {
    box,
    showProblem(problem, button) {
      box.validationMessage = problem && harmlessProblem(problem);
      box.buttons = button
        ? [{ iconPath: new vscode.ThemeIcon(button.icon), tooltip: harmless(button.words, LONGEST_LABEL) }]
        : [];
    },
  };
}

function harmlessProblem({ message, severity }: vscode.InputBoxValidationMessage) {
  return { message: harmless(message, LONGEST_WORDS), severity };
}
