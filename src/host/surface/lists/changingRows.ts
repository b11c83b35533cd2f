import * as vscode from 'vscode';

export interface ChangingRows<T extends vscode.QuickPickItem> {
  /** Shows these from now on. */
  draw(rows: readonly T[]): void;
  /** Shows the same ones anew, for the editor to look which of them match what is typed. */
  redraw(): void;
  /** Whether it is none of these, but one that was shown before. */
  isOfBefore(row: T): boolean;
  /** What the list was accepted with, for now or once the editor has drawn all rows; undefined where nothing is active. */
  picked(): Promise<T | undefined>;
}

/**
 * The rows of a list that may change while it is open. The editor names a row by its place, be it in rows that it was
 * given before and still shows. So those share no place with the new ones: they keep their places as separators, which
 * the editor draws nowhere but before a row.
 */
export function changingRows<T extends vscode.QuickPickItem>(picker: vscode.QuickPick<T>): ChangingRows<T> {
  let shown: readonly T[] = [];
  /** The places that the editor may name. */
  let taken = { from: 0, to: 0 };
  let underWay: Promise<void> | undefined;

  function draw(rows: readonly T[]): void {
    const from = rows.length <= taken.from ? 0 : taken.to;
    const to = from + rows.length;
    const places = picker.items.slice(0, taken.to).map(asPlace);
    places.splice(from, rows.length, ...rows);
    shown = rows;
    taken = { from: Math.min(from, taken.from), to: Math.max(to, taken.to) };
    picker.items = places;
    const mine = drawn().then(() => {
      if (underWay !== mine) return;
      underWay = undefined;
      taken = { from, to };
    });
    underWay = mine;
  }

  return {
    draw,
    redraw: () => draw(shown),
    isOfBefore: (row) => !shown.includes(row),
    async picked() {
      const [named] = picker.selectedItems;
      if (named) return named;
      // What was made active may not match what has been typed, and is none until that is told.
      while (underWay) await underWay;
      return picker.activeItems[0];
    },
  };
}

/** Stands for a row of before without being one. */
function asPlace<T extends vscode.QuickPickItem>(row: T): T {
  return { ...row, label: '', kind: vscode.QuickPickItemKind.Separator };
}

/** Resolves when the editor has drawn what lists were given before, and has told what is active in them. */
async function drawn(): Promise<void> {
  // A list hands its rows over in the next turn, and the editor answers in the order in which it is asked.
  await new Promise((done) => setTimeout(done));
  await vscode.commands.executeCommand('noop').then(undefined, () => undefined);
}
