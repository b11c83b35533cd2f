import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

const LONGEST_LABEL = 200;
const LONGEST_REST = 300;

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
    placeHolder: harmless(words.placeHolder, LONGEST_REST),
  };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { choice: T }>(items, options);
  return picked?.choice;
}

function harmlessItems<T extends Choice>(choices: readonly T[]) {
  return choices.map((choice) => {
    const { label, description, detail, iconPath, kind } = choice;
    return {
      label: harmless(label, LONGEST_LABEL),
      ...(description === undefined ? {} : { description: harmless(description, LONGEST_REST) }),
      ...(detail === undefined ? {} : { detail: harmless(detail, LONGEST_REST) }),
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
