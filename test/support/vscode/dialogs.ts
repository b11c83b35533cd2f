import type * as vscode from 'vscode';
import { findUnsafeParts } from '../untrustedText.ts';
import { CancellationTokenSource, EventEmitter } from './classes.ts';

type Item = vscode.QuickPickItem;

/** Stands in for the person at the editor: what they answer to its lists, boxes and messages, and what those said. */
export class User {
  /**
   * What they choose in lists, one after the other: a label, with or without the count in brackets at its end, or a
   * function that finds the item. The list is closed where it finds none.
   */
  picks: (string | ((items: readonly Item[]) => Item | undefined | Promise<Item | undefined>))[] = [];
  /** What they type into input boxes, one after the other; none left: the box is left. */
  types: string[] = [];
  /** Buttons that they press on messages, one after the other. */
  presses: string[] = [];
  /** Which of these labels they choose in a list without a pick, or on a message without a button to press. */
  choose: (labels: readonly string[]) => number = () => -1;
  /** Where they save; undefined: the dialog is left. */
  saveAs: vscode.Uri | undefined;
  /** Labels that they have picked. */
  readonly picked: string[] = [];
  readonly lists: {
    readonly placeHolder: string;
    readonly labels: string[];
    readonly items: readonly Item[];
  }[] = [];
  readonly prompts: string[] = [];
  /** What was wrong with what they typed. */
  readonly problems: string[] = [];
  /** Texts of messages. */
  readonly told: string[] = [];
  /** File names that were offered to them, and the folders. */
  readonly offered: string[] = [];
  readonly folders: (vscode.Uri | undefined)[] = [];
  /** URLs that the browser was to open. */
  readonly opened: string[] = [];
  /** Every text that the editor was given to show. */
  readonly shown: string[] = [];
  readonly #running = new Set<CancellationTokenSource>();

  /** Runs under a progress notification. */
  async wait<T>(run: (token: vscode.CancellationToken) => Promise<T>): Promise<T> {
    const source = new CancellationTokenSource();
    this.#running.add(source);
    try {
      return await run(source.token as unknown as vscode.CancellationToken);
    } finally {
      this.#running.delete(source);
    }
  }

  /** Cancels what runs under a progress notification. */
  cancel(): void {
    for (const source of this.#running) source.cancel();
  }

  keep(...values: readonly unknown[]): void {
    this.shown.push(...values.flatMap(textsIn));
  }

  /** What the editor would act on, of all that was shown since the last look; icons of the extension's own left out. */
  harm(): readonly string[] {
    const shown = this.shown.splice(0);
    if (shown.length === 0) throw new Error('Nothing was shown.');
    return shown.flatMap((text) => text.replace(/^\$\([a-z~]+\) /, '').split('\n')).flatMap(findUnsafeParts);
  }
}

/** As `InputBoxValidationSeverity` of the editor. */
const SEVERITY_ERROR = 3;

/** The functions of the editor that ask its user, or tell them something. */
export function createDialogs(user: User) {
  const showMessage = async (message: string, ...rest: readonly unknown[]) => {
    user.told.push(message);
    user.keep(message, rest);
    const buttons = rest.filter((part) => typeof part === 'string');
    const [wanted = ''] = user.presses;
    return buttons.includes(wanted) ? user.presses.shift() : buttons[user.choose(buttons)];
  };
  return {
    async showQuickPick(
      offered: readonly Item[] | PromiseLike<readonly Item[]>,
      options: vscode.QuickPickOptions = {},
    ) {
      return pick(user, await offered, options);
    },
    async showInputBox({ validateInput, value, ...texts }: vscode.InputBoxOptions = {}) {
      user.prompts.push(texts.prompt ?? '');
      user.keep(texts);
      // The box stays open over what is wrong.
      for (let typed = user.types.shift(); typed !== undefined; typed = user.types.shift()) {
        const problem = await validateInput?.(typed);
        if (!problem) return typed;
        user.keep(problem);
        user.problems.push(typeof problem === 'string' ? problem : problem.message);
        if (typeof problem !== 'string' && problem.severity !== SEVERITY_ERROR) return typed;
      }
      return undefined;
    },
    createInputBox: () => createInputBox(user),
    createQuickPick: () => createQuickPick(user),
    async showSaveDialog(options: vscode.SaveDialogOptions) {
      user.keep(options);
      const { defaultUri } = options;
      user.folders.push(defaultUri?.with({ path: defaultUri.path.replace(/\/[^/]*$/, '') }));
      user.offered.push(defaultUri?.path.split('/').at(-1) ?? '');
      return user.saveAs;
    },
    ...{
      showInformationMessage: showMessage,
      showWarningMessage: showMessage,
      showErrorMessage: showMessage,
    },
    setStatusBarMessage: (message: string) => {
      user.told.push(message);
      user.keep(message);
      return { dispose: () => undefined };
    },
    withProgress(
      options: vscode.ProgressOptions,
      task: (progress: { report(value: unknown): void }, token: vscode.CancellationToken) => Promise<unknown>,
    ) {
      user.keep(options);
      return user.wait((token) => task({ report: (value) => user.keep(value) }, token));
    },
  };
}

/** Items of the status bar and tabs that are never shown, whose texts count as shown. */
export function createNotedItems(user: User) {
  return {
    createStatusBarItem: () => noted(user, { show() {}, hide() {}, dispose() {} }),
    createWebviewPanel(_type: string, title: string) {
      user.keep(title);
      return noted(user, {});
    },
  };
}

async function pick(
  user: User,
  items: readonly Item[],
  { placeHolder = '', ...more }: vscode.QuickPickOptions,
): Promise<Item | undefined> {
  const labels = items.map(({ label }) => label);
  user.lists.push({ placeHolder, labels, items });
  user.keep(items, placeHolder, more);
  const wanted = user.picks.shift();
  if (typeof wanted === 'function') return wanted(items);
  if (wanted === undefined) return items[user.choose(labels)];
  const found = items.find(({ label }) => label === wanted || label.replace(/ \([\d,]+\)$/, '') === wanted);
  if (!found) throw new Error(`“${wanted}” is not in the list: ${labels.join(', ')}.`);
  user.picked.push(found.label);
  return found;
}

function noted<T extends object>(user: User, bare: T): T {
  return new Proxy(bare, {
    set(target, field, value) {
      if (field !== 'iconPath' && field !== 'value') user.keep(value);
      return Reflect.set(target, field, value);
    },
  });
}

/** An input box into which the typed texts go; what is wrong with one makes way for the next. */
function createInputBox(user: User) {
  const [accepted, changed, pressed, hidden] = emitters();
  let isHidden = false;
  const box = noted(user, {
    ...{ prompt: '', value: '', enabled: true },
    ...{ onDidAccept: accepted.event, onDidChangeValue: changed.event },
    ...{ onDidTriggerButton: pressed.event, onDidHide: hidden.event },
    show() {
      user.prompts.push(box.prompt);
      typeNext();
    },
    hide: () => hidden.fire(undefined),
    dispose() {},
  });
  hidden.event(() => {
    isHidden = true;
  });
  function typeNext(): void {
    // What comes next is for another box.
    if (isHidden) return;
    const typed = user.types.shift();
    if (typed === undefined) {
      box.hide();
      return;
    }
    box.value = typed;
    accepted.fire(undefined);
    const again = setInterval(() => {
      if (!box.enabled) return;
      clearInterval(again);
      typeNext();
    }, 1);
    hidden.event(() => clearInterval(again));
  }
  return box;
}

/** A list in which they choose as soon as it has rows, and which is left then unless that closes it. */
function createQuickPick(user: User) {
  const [accepted, pressed, pressedOnItem, hidden] = emitters();
  let isOpen = false;
  const list = noted(user, {
    ...{ value: '', placeholder: '', items: [] as readonly Item[], selectedItems: [] as readonly Item[] },
    ...{ onDidAccept: accepted.event, onDidHide: hidden.event },
    ...{ onDidTriggerButton: pressed.event, onDidTriggerItemButton: pressedOnItem.event },
    show() {
      isOpen = true;
      const waiting = setInterval(() => {
        if (list.items.length === 0) return;
        clearInterval(waiting);
        void choose();
      }, 1);
      hidden.event(() => clearInterval(waiting));
    },
    hide() {
      isOpen = false;
      hidden.fire(undefined);
    },
    dispose() {},
  });
  async function choose(): Promise<void> {
    const chosen = await pick(user, list.items, { placeHolder: list.placeholder });
    list.selectedItems = chosen ? [chosen] : [];
    if (chosen) accepted.fire(undefined);
    await new Promise((done) => setTimeout(done));
    if (isOpen) list.hide();
  }
  return list;
}

function emitters() {
  const emitter = () => new EventEmitter<unknown>();
  return [emitter(), emitter(), emitter(), emitter()] as const;
}

/** The texts of a value as deep as the editor looks; not of what a list item or a command carries along. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  // Markdown has its own rules.
  if ('isTrusted' in value) return [];
  const carried = ['choice', 'defaultUri', 'iconPath', 'location', 'arguments', 'command'];
  return Object.entries(value).flatMap(([field, part]) => (carried.includes(field) ? [] : textsIn(part)));
}
