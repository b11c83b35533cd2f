import { CancellationTokenSource, EventEmitter, MarkdownString, type Uri, window } from 'vscode';
import { findLinks, findUnsafeParts } from '../untrustedText.ts';

/** Every word that the editor is given to show, kept instead of shown; and the answers of somebody at it. */
export interface ShownTexts {
  readonly shown: string[];
  /** Typed into input boxes, one after the other; none left: the box is left. */
  typed: string[];
  saveAs: Uri | undefined;
  /** Chosen of what is offered; nothing unless this says so. */
  choose: (labels: readonly string[]) => number;
  /** What the editor would act on, of all that was shown since the last look; icons of the extension's own left out. */
  harm(): readonly string[];
  leave(): void;
}

/** Stands between the extension and every function of the editor that shows words. */
export function recordShownTexts(): ShownTexts {
  const words: ShownTexts = {
    shown: [],
    typed: [],
    saveAs: undefined,
    choose: () => -1,
    harm() {
      const shown = words.shown.splice(0);
      if (shown.length === 0) throw new Error('Nothing was shown.');
      return shown
        .flatMap((text) => text.replace(/^\$\([a-z~]+\) /, '').split('\n'))
        .flatMap(findUnsafeParts);
    },
    leave: () => void Object.assign(window, real),
  };
  const keep = (...values: readonly unknown[]) => {
    for (const value of values) words.shown.push(...textsIn(value));
  };
  const message = async (text: string, ...rest: readonly unknown[]) => {
    keep(text, rest);
    const buttons = rest.filter((part) => typeof part === 'string');
    return buttons[words.choose(buttons)];
  };
  const noted = (bare: object) =>
    new Proxy(bare, {
      set(target, field, value) {
        if (field !== 'iconPath' && field !== 'value') keep(value);
        return Reflect.set(target, field, value);
      },
    });
  const standIns = {
    showInformationMessage: message,
    showWarningMessage: message,
    showErrorMessage: message,
    setStatusBarMessage: keep,
    async showQuickPick(offered: unknown, options: unknown) {
      const items = (await offered) as readonly { readonly label: string }[];
      keep(items, options);
      return items[words.choose(items.map(({ label }) => label))];
    },
    async showInputBox(options: { validateInput?: (text: string) => unknown; value?: string }) {
      keep({ ...options, value: undefined });
      const typed = words.typed.shift();
      if (typed !== undefined) keep(await options.validateInput?.(typed));
      return typed;
    },
    createInputBox: () => openBox(words, noted),
    createQuickPick: () => openPicker(words, noted),
    async showSaveDialog(options: unknown) {
      keep(options);
      return words.saveAs;
    },
    async withProgress(
      options: unknown,
      task: (progress: { report(value: unknown): void }, token: unknown) => Promise<unknown>,
    ) {
      keep(options);
      return task({ report: keep }, new CancellationTokenSource().token);
    },
    createStatusBarItem: () => noted({ show() {}, hide() {}, dispose() {} }),
    createWebviewPanel(_type: string, title: string) {
      keep(title);
      return noted({});
    },
  };
  const names = Object.keys(standIns) as (keyof typeof standIns)[];
  const real = Object.fromEntries(names.map((name) => [name, window[name]]));
  Object.assign(window, standIns);
  return words;
}

/** An input box into which the typed texts go; what is wrong with one makes way for the next. */
function openBox(words: ShownTexts, noted: (bare: object) => object) {
  const [accepted, changed, pressed, hidden] = [0, 0, 0, 0].map(() => new EventEmitter<unknown>());
  const box = noted({
    ...{ value: '', enabled: true },
    onDidAccept: accepted?.event,
    onDidChangeValue: changed?.event,
    onDidTriggerButton: pressed?.event,
    onDidHide: hidden?.event,
    show: () => typeNext(),
    hide: () => hidden?.fire(undefined),
    dispose() {},
  }) as { value: string; enabled?: boolean };
  let isHidden = false;
  hidden?.event(() => {
    isHidden = true;
  });
  const typeNext = () => {
    // What comes next is for another box.
    if (isHidden) return;
    const typed = words.typed.shift();
    if (typed === undefined) {
      hidden?.fire(undefined);
      return;
    }
    box.value = typed;
    accepted?.fire(undefined);
    const again = setInterval(() => {
      if (box.enabled !== true) return;
      clearInterval(again);
      typeNext();
    }, 1);
    hidden?.event(() => clearInterval(again));
  };
  return box;
}

/** A list of which one row is chosen when there are some, or which is left. */
function openPicker(words: ShownTexts, noted: (bare: object) => object): object {
  type Item = { readonly label: string };
  const [accepted, pressed, pressedOnItem, hidden] = [0, 0, 0, 0].map(() => new EventEmitter<unknown>());
  let isOpen = false;
  /** Unless what was chosen closes it. */
  async function leave(): Promise<void> {
    await new Promise((done) => setTimeout(done));
    if (isOpen) hidden?.fire(undefined);
  }
  const bare: Record<string, unknown> & { items: readonly Item[] } = {
    ...{ value: '', items: [], selectedItems: [] },
    onDidAccept: accepted?.event,
    onDidTriggerButton: pressed?.event,
    onDidTriggerItemButton: pressedOnItem?.event,
    onDidHide: hidden?.event,
    show() {
      isOpen = true;
      const waiting = setInterval(() => {
        if (bare.items.length === 0) return;
        clearInterval(waiting);
        const chosen = bare.items[words.choose(bare.items.map(({ label }) => label))];
        bare.selectedItems = chosen ? [chosen] : [];
        if (chosen) accepted?.fire(undefined);
        void leave();
      }, 1);
    },
    hide() {
      isOpen = false;
      hidden?.fire(undefined);
    },
    dispose() {},
  };
  return noted(bare);
}

/** The texts of a value as deep as the editor looks; not of what a list item or a command carries along. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof MarkdownString) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const carried = ['choice', 'defaultUri', 'iconPath', 'location', 'arguments', 'command'];
  return Object.entries(value).flatMap(([field, part]) => (carried.includes(field) ? [] : textsIn(part)));
}

/** What the editor would make of a Markdown text, the extension's own commands and icons left out. */
export function findUnsafeMarkdown({ value, supportHtml, isTrusted }: MarkdownString): readonly string[] {
  const trusted = typeof isTrusted === 'object' ? isTrusted.enabledCommands : [String(isTrusted)];
  const own = /\]\(command:chainside\.\w+\?[\w%.~!-]+\)$/;
  return [
    ...findLinks(value).filter((link) => !own.test(link)),
    ...trusted.filter((command) => !command.startsWith('chainside.')),
    ...(value.match(/(?<!\\)<[a-z!/]/gi) ?? []),
    ...(supportHtml ? ['HTML'] : []),
    ...findUnsafeParts(
      value
        .replace(/\n(?:\n| *(?=- ))/g, ' ')
        .replaceAll('](', '] (')
        .replace(/(^| )\$\([a-z~-]+\)/g, ''),
    ),
  ];
}
