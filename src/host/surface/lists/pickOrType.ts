import * as vscode from 'vscode';
import { harmless } from '../harmless.ts';
import { type Choice, harmlessItems, LONGEST_LABEL, LONGEST_WORDS, type PickWords } from '../questions.ts';
import { changingRows } from './changingRows.ts';

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
  const rows = changingRows(picker);
  rows.draw(offered);
  let isTold = false;
  return new Promise((resolve) => {
    picker.onDidChangeValue((text) => {
      const others = harmlessItems(typed(text)).map((item) => ({ ...item, alwaysShow: true }));
      if (isTold || others.length > 0) rows.draw([...others, ...offered]);
      isTold = others.length > 0;
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
