import {
  type CancellationToken,
  CancellationTokenSource,
  type InputBoxOptions,
  type QuickPickItem,
  type QuickPickOptions,
  type SaveDialogOptions,
  Uri,
  window,
} from 'vscode';

type Picked = QuickPickItem | undefined;

interface OfferedList {
  readonly placeHolder: string;
  readonly items: readonly QuickPickItem[];
}

/** Stands in for the person at the editor: picks, names files, cancels; and keeps what they were told. */
export interface DialogStub {
  /**
   * What they choose in quick picks, one after the other: by its label, of which a count in brackets at the end may be
   * left out, or by a look at the list, which is left where that finds nothing.
   */
  picks: (string | ((items: readonly QuickPickItem[]) => Picked | Promise<Picked>))[];
  /** Labels that they have chosen. */
  readonly picked: string[];
  /** Lists that were offered to them. */
  readonly lists: OfferedList[];
  saveAs: Uri | undefined;
  /** File names that were offered to them, and the folders. */
  readonly offered: string[];
  readonly folders: (Uri | undefined)[];
  /** What they type into input boxes, one after the other; none left: the box is left. */
  types: string[];
  /** Buttons that they choose on messages, one after the other; none left: the message is closed. */
  presses: string[];
  readonly told: string[];
  /** What input boxes asked them for. */
  readonly prompts: string[];
  /** Cancels what runs under a progress notification. */
  cancel(): void;
  leave(): void;
}

export function stubDialogs(): DialogStub {
  const running = new Set<CancellationTokenSource>();
  const person: DialogStub = {
    picks: [],
    picked: [],
    lists: [],
    saveAs: undefined,
    types: [],
    presses: [],
    told: [],
    offered: [],
    folders: [],
    prompts: [],
    cancel() {
      for (const source of running) source.cancel();
    },
    leave: () => void Object.assign(window, real),
  };
  const tell = async (message: string, ...buttons: readonly unknown[]) => {
    person.told.push(message);
    return buttons.find((button) => button === person.presses[0]) && person.presses.shift();
  };
  const standIns = {
    async showQuickPick(items: readonly QuickPickItem[], { placeHolder = '' }: QuickPickOptions = {}) {
      person.lists.push({ placeHolder, items });
      const wanted = person.picks.shift();
      if (typeof wanted === 'function') return wanted(items);
      const found = items.find(
        ({ label }) => label === wanted || label.replace(/ \([\d,]+\)$/, '') === wanted,
      );
      if (!found) throw new Error(`${wanted} is not offered, only ${items.map(({ label }) => label)}.`);
      person.picked.push(found.label);
      return found;
    },
    async showInputBox({ prompt = '' }: InputBoxOptions) {
      person.prompts.push(prompt);
      return person.types.shift();
    },
    async showSaveDialog({ defaultUri }: SaveDialogOptions) {
      person.folders.push(defaultUri && Uri.joinPath(defaultUri, '..'));
      person.offered.push(defaultUri?.path.split('/').at(-1) ?? '');
      return person.saveAs;
    },
    showInformationMessage: tell,
    showWarningMessage: tell,
    showErrorMessage: tell,
    async withProgress(
      _options: unknown,
      task: (progress: { report(): void }, token: CancellationToken) => Promise<unknown>,
    ) {
      const source = new CancellationTokenSource();
      running.add(source);
      try {
        return await task({ report() {} }, source.token);
      } finally {
        running.delete(source);
      }
    },
  };
  const names = Object.keys(standIns) as (keyof typeof standIns)[];
  const real = Object.fromEntries(names.map((name) => [name, window[name]]));
  Object.assign(window, standIns);
  return person;
}
