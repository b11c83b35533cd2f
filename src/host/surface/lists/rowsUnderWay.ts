import * as vscode from 'vscode';

export interface RowsUnderWay<T extends vscode.QuickPickItem> {
  /** Whether the editor may not have drawn all rows that it was given. */
  readonly areAny: boolean;
  draw(rows: readonly T[]): void;
  /** What an accepted list was accepted with; undefined where nobody can say. */
  picked(): Promise<T | undefined>;
}

/**
 * The editor names a row by its place. While rows are under way to it, that may be a place among those before, and it
 * may name none at all because what it made active does not match what has been typed. Then the row is meant that is
 * active once all are drawn, unless another one was named.
 */
export function rowsUnderWay<T extends vscode.QuickPickItem>(picker: vscode.QuickPick<T>): RowsUnderWay<T> {
  let last: Promise<void> | undefined;
  /** All that the place may be of. */
  let shown: (readonly T[])[] = [];

  return {
    get areAny() {
      return last !== undefined;
    },
    draw(rows) {
      shown.push(picker.items, rows);
      picker.items = rows;
      const mine = drawn().then(() => {
        if (last !== mine) return;
        last = undefined;
        shown = [];
      });
      last = mine;
    },
    async picked() {
      const [named] = picker.selectedItems;
      if (!last) return named;
      const meant = named && labelsAt(picker.items.indexOf(named));
      while (last) await last;
      const [active] = picker.activeItems;
      return active && (!meant || meant.includes(active.label)) ? active : undefined;
    },
  };

  function labelsAt(place: number): readonly (string | undefined)[] {
    return shown.map((rows) => rows[place]?.label);
  }
}

/** Resolves when the editor has drawn what lists were given before, and has told what is active in them. */
async function drawn(): Promise<void> {
  // A list hands its rows over in the next turn, and the editor answers in the order in which it is asked.
  await new Promise((done) => setTimeout(done));
  await vscode.commands.executeCommand('noop').then(undefined, () => undefined);
}
