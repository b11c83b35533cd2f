import type * as vscode from 'vscode';
import type { URI } from 'vscode-uri';
import { CancellationTokenSource, EventEmitter } from './classes.ts';

/** Stands in for the person at the editor: what they answer to its lists, boxes and messages, and what those said. */
export interface User {
  /** Labels that they choose in lists, one after the other; none left: the list is left. */
  readonly picks: string[];
  /** What they type into input boxes, one after the other; none left: the box is left. */
  readonly types: string[];
  /** Buttons that they press on messages, one after the other; none left: the message is closed. */
  readonly presses: string[];
  /** Where they save; undefined: the dialog is left. */
  saveAs: URI | undefined;
  /** Labels of the lists that were shown. */
  readonly lists: (readonly string[])[];
  readonly prompts: string[];
  /** What was wrong with what they typed. */
  readonly problems: string[];
  readonly messages: string[];
  /** URLs that the browser was to open. */
  readonly opened: string[];
}

/** As `InputBoxValidationSeverity` of the editor. */
const SEVERITY_ERROR = 3;

export function createDialogs(): { readonly user: User; readonly window: Partial<typeof vscode.window> } {
  const user: User = {
    ...{ picks: [], types: [], presses: [], saveAs: undefined },
    ...{ lists: [], prompts: [], problems: [], messages: [], opened: [] },
  };
  const showMessage = async (message: string, ...buttons: readonly unknown[]) => {
    user.messages.push(message);
    const [wanted] = user.presses;
    if (wanted === undefined) return undefined;
    const pressed = buttons.find((button) => button === wanted || titleOf(button) === wanted);
    if (pressed !== undefined) user.presses.shift();
    return pressed;
  };
  const window = {
    async showQuickPick(
      offered: readonly vscode.QuickPickItem[] | PromiseLike<readonly vscode.QuickPickItem[]>,
    ) {
      const items = await offered;
      user.lists.push(items.map(({ label }) => label));
      const wanted = user.picks.shift();
      if (wanted === undefined) return undefined;
      const found = items.find(({ label }) => label === wanted);
      if (!found)
        throw new Error(`“${wanted}” is not in the list: ${items.map(({ label }) => label).join(', ')}.`);
      return found;
    },
    async showInputBox({ prompt = '', validateInput }: vscode.InputBoxOptions = {}) {
      user.prompts.push(prompt);
      // The box stays open over what is wrong.
      for (let typed = user.types.shift(); typed !== undefined; typed = user.types.shift()) {
        const problem = await validateInput?.(typed);
        if (!problem) return typed;
        user.problems.push(typeof problem === 'string' ? problem : problem.message);
        if (typeof problem !== 'string' && problem.severity !== SEVERITY_ERROR) return typed;
      }
      return undefined;
    },
    createInputBox: () => createInputBox(user),
    showSaveDialog: async () => user.saveAs,
    ...{
      showInformationMessage: showMessage,
      showWarningMessage: showMessage,
      showErrorMessage: showMessage,
    },
    setStatusBarMessage: (message: string) => {
      user.messages.push(message);
      return { dispose: () => undefined };
    },
    async withProgress(
      _options: unknown,
      task: (progress: { report(): void }, token: vscode.CancellationToken) => Promise<unknown>,
    ) {
      const { token } = new CancellationTokenSource();
      return task({ report: () => undefined }, token as unknown as vscode.CancellationToken);
    },
  };
  return { user, window: window as unknown as Partial<typeof vscode.window> };
}

/** A box that the extension closes; it is left when nothing is typed. */
function createInputBox(user: User) {
  const accepted = new EventEmitter<void>();
  const hidden = new EventEmitter<void>();
  const never = new EventEmitter<unknown>();
  const box = {
    ...{ prompt: '', value: '' },
    ...{ onDidAccept: accepted.event, onDidHide: hidden.event },
    ...{ onDidChangeValue: never.event, onDidTriggerButton: never.event },
    show() {
      user.prompts.push(box.prompt);
      const typed = user.types.shift();
      if (typed === undefined) return hidden.fire();
      box.value = typed;
      accepted.fire();
    },
    hide: () => hidden.fire(),
    dispose: () => undefined,
  };
  return box;
}

function titleOf(button: unknown): string | undefined {
  return (button as { readonly title?: string } | undefined)?.title;
}
