import * as vscode from 'vscode';
import { harmless } from '../harmless.ts';
import {
  type ButtonWords,
  type Choice,
  harmlessItem,
  LONGEST_LABEL,
  LONGEST_WORDS,
  questionButton,
} from '../questions.ts';

/** A row of an {@link openList}. */
export interface ListChoice extends Choice {
  /** Shown, but not to be picked. */
  readonly onlyWords?: boolean;
  /** Shown whatever is typed. */
  readonly alwaysShow?: boolean;
  /** At the end of the row, known by their icons. */
  readonly buttons?: readonly ButtonWords[];
}

/** What was picked, or the icon of the button that was pressed on it. */
export interface Picked<T> {
  readonly choice: T;
  readonly button?: string;
  /** What was typed. */
  readonly text: string;
}

type Row<T> = vscode.QuickPickItem & { readonly choice: T };

interface ListWords {
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
export function openList<T extends ListChoice>(
  words: ListWords,
  rows: readonly T[] | ((signal: AbortSignal) => Promise<readonly T[]>),
): Promise<Picked<T> | 'back' | undefined> {
  const picker = vscode.window.createQuickPick<Row<T>>();
  picker.title = harmless(words.title, LONGEST_LABEL);
  picker.placeholder = harmless(words.placeHolder, LONGEST_WORDS);
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

function itemOf<T extends ListChoice>(choice: T): Row<T> {
  const { alwaysShow = false, buttons = [] } = choice;
  return { ...harmlessItem(choice), alwaysShow, buttons: buttons.map(questionButton) };
}
