import {
  type CancellationToken,
  CancellationTokenSource,
  type QuickPickItem,
  type Uri,
  window,
} from 'vscode';

/** Stands in for the person at the editor: picks, names files, cancels; and keeps what they were told. */
export interface Person {
  /** Labels that they choose in quick picks, one after the other. */
  picks: string[];
  saveAs: Uri | undefined;
  /** Buttons that they choose on messages, one after the other; none left: the message is closed. */
  presses: string[];
  readonly told: string[];
  /** Cancels what runs under a progress notification. */
  cancel(): void;
  leave(): void;
}

export function standInForPerson(): Person {
  const {
    showQuickPick,
    showSaveDialog,
    showInformationMessage,
    showWarningMessage,
    showErrorMessage,
    withProgress,
  } = window;
  const real = {
    showQuickPick,
    showSaveDialog,
    showInformationMessage,
    showWarningMessage,
    showErrorMessage,
    withProgress,
  };
  const running = new Set<CancellationTokenSource>();
  const person: Person = {
    picks: [],
    saveAs: undefined,
    presses: [],
    told: [],
    cancel() {
      for (const source of running) source.cancel();
    },
    leave: () => void Object.assign(window, real),
  };
  const tell = async (message: string, ...buttons: readonly unknown[]) => {
    person.told.push(message);
    return buttons.find((button) => button === person.presses[0]) && person.presses.shift();
  };
  Object.assign(window, {
    async showQuickPick(items: readonly QuickPickItem[]) {
      const wanted = person.picks.shift();
      const found = items.find(({ label }) => label === wanted);
      if (!found) throw new Error(`${wanted} is not offered, only ${items.map(({ label }) => label)}.`);
      return found;
    },
    showSaveDialog: async () => person.saveAs,
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
  });
  return person;
}
