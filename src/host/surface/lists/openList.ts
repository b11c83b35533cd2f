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
import { changingRows } from './changingRows.ts';

/** A row of an {@link openList}. */
export interface ListChoice extends Choice {
  /** Shown, but not to be picked. */
  readonly onlyWords?: boolean;
  /** At the end of the row, known by their icons. */
  readonly buttons?: readonly ButtonWords[];
}

/** What was picked, or the icon of the button that was pressed on it. */
export interface Picked<T> {
  readonly choice: T;
  readonly button?: string;
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
 * A list to pick from whose rows may change while it is open: `fill` shows them, as often as there are others, until its
 * signal aborts. What is active stays active. `back` where the user goes back, undefined when left with Escape.
 */
export function openList<T extends ListChoice>(
  words: ListWords,
  fill: (show: (choices: readonly T[]) => void, signal: AbortSignal) => void,
): Promise<Picked<T> | 'back' | undefined> {
  const picker = vscode.window.createQuickPick<Row<T>>();
  picker.title = harmless(words.title, LONGEST_LABEL);
  picker.placeholder = harmless(words.placeHolder, LONGEST_WORDS);
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = words.ignoreFocusOut ?? false;
  picker.keepScrollPosition = true;
  if (words.hasBack) picker.buttons = [vscode.QuickInputButtons.Back];
  const closed = new AbortController();
  const rows = changingRows(picker);
  let pickable: readonly Row<T>[] = [];
  let isPlaced = false;

  function show(choices: readonly T[]): void {
    if (closed.signal.aborted) return;
    const active = picker.activeItems[0];
    const items = choices.map(itemOf);
    pickable = items.filter(({ choice, kind }) => kind === undefined && !choice.onlyWords);
    rows.draw(items);
    // Of rows that are searched the editor takes the first that matches.
    const next = sameAs(active) ?? (picker.value === '' ? pickable[0] : undefined);
    isPlaced = next !== undefined;
    if (next) picker.activeItems = [next];
  }

  function sameAs(row: Row<T> | undefined): Row<T> | undefined {
    const named = pickable.filter(({ choice }) => choice.label === row?.choice.label);
    return named.find(({ choice }) => choice.description === row?.choice.description) ?? named[0];
  }

  /** A row that was made active while this was typed may not match, and then none would be. */
  function searched(): void {
    if (isPlaced) rows.redraw();
    isPlaced = false;
  }

  /** Where the user went on in the rows of before while these were drawn. */
  function moved([active]: typeof picker.activeItems): void {
    const same = active && rows.isOfBefore(active) ? sameAs(active) : undefined;
    if (!same) return;
    isPlaced = true;
    picker.activeItems = [same];
  }

  return new Promise((resolve) => {
    const end = (picked: Picked<T> | 'back' | undefined) => {
      resolve(picked);
      picker.hide();
    };
    picker.onDidAccept(async () => {
      const choice = (await rows.picked())?.choice;
      if (choice && !choice.onlyWords && !closed.signal.aborted) end({ choice });
    });
    picker.onDidChangeValue(searched);
    picker.onDidChangeActive(moved);
    picker.onDidTriggerButton(() => end('back'));
    picker.onDidTriggerItemButton(({ item, button }) => {
      const { iconPath } = button;
      if (iconPath instanceof vscode.ThemeIcon) end({ choice: item.choice, button: iconPath.id });
    });
    picker.onDidHide(() => {
      closed.abort();
      resolve(undefined);
      picker.dispose();
    });
    fill(show, closed.signal);
    picker.show();
  });
}

function itemOf<T extends ListChoice>(choice: T): Row<T> {
  return { ...harmlessItem(choice), buttons: (choice.buttons ?? []).map(questionButton) };
}
