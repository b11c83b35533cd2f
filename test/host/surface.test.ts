import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  type CodeLens,
  type CodeLensProvider,
  type CompletionItemProvider,
  type CompletionList,
  commands,
  EventEmitter,
  type InlayHintsProvider,
  languages,
  Position,
  Range,
  type TreeDataProvider,
  TreeItemCollapsibleState,
  type TreeViewOptions,
  Uri,
  window,
} from 'vscode';
import {
  openInputBox,
  pickOne,
  showInputBox,
  showMessage,
  showModal,
  showSaveDialog,
  showStatusMessage,
} from '../../src/host/ui/dialogs.ts';
import {
  registerCodeLenses,
  registerCompletions,
  registerInlayHints,
} from '../../src/host/ui/languageFeatures.ts';
import { createCommandLink, createMarkdown } from '../../src/host/ui/markdown.ts';
import { openWebviewTab, setTabTitle } from '../../src/host/ui/panels.ts';
import { openTreeView, toTreeItem } from '../../src/host/ui/tree.ts';
import { escapeUiError } from '../../src/host/ui/untrustedText.ts';
import {
  createStatusBarItem,
  openOutputChannel,
  withProgressNotification,
} from '../../src/host/ui/window.ts';
import { hostileNames } from '../fixtures/hostileNames.ts';
import { hostileTexts } from '../fixtures/hostileTexts.ts';
import { useDialogs } from '../support/host/dialogs.ts';
import { openText } from '../support/host/openText.ts';
import { findUnsafeMarkdown, findUnsafeParts } from '../support/untrustedText.ts';

/** Every way of words to the editor, each with one text in every place that takes one. */
const ways: Readonly<Record<string, (text: string) => unknown>> = {
  'an information': (text) => showMessage('information', text, text),
  'a warning': (text) => showMessage('warning', text, text),
  'an error': (text) => showMessage('error', text, text),
  'a dialog': (text) => showModal(text, text, text),
  'words that go by themselves': (text) => showStatusMessage(text, 1),
  'a list': (text) =>
    pickOne([{ label: text, description: text, detail: text }, { label: text }], {
      ...{ title: text, placeHolder: text, matchOnDescription: true },
    }),
  'a list that is still made': (text) =>
    pickOne(Promise.resolve([{ label: text, description: text }]), { title: text, placeHolder: text }),
  'a question where to save': (text) => showSaveDialog(text, { defaultUri: Uri.file('/x') }),
  'an input': (text) =>
    showInputBox({ title: text, prompt: text, placeHolder: text, validateInput: () => text }),
  'an input with a severity': (text) =>
    showInputBox({ title: '', prompt: '', validateInput: () => ({ message: text, severity: 2 }) }),
  'an input that stays open': (text) =>
    openInputBox(text, text).showValidation({ message: text, severity: 3 }, { icon: 'save', tooltip: text }),
  progress: (text) => withProgressNotification(text, async (report) => report(1, text)),
  'an item of the status bar': (text) =>
    createStatusBarItem('x', text, 'chainside.refresh').draw({
      ...{ icon: '', text, tooltip: [text, text], spoken: text, warns: true },
    }),
  'a tab': (text) => setTabTitle(openWebviewTab('x', text), text),
};

describe('every way of words to the editor', () => {
  const texts = Object.entries({ ...hostileTexts, ...hostileNames });
  const words = useDialogs({ notesItems: true });

  for (const [way, show] of Object.entries(ways)) {
    it(`makes no link and no icon of a text, and hides nothing: ${way}`, async () => {
      for (const [what, text] of texts) {
        words.types = [text];
        await show(text);
        assert.ok(words.shown.length > 0);
        const own = words.shown.map((shown) => shown.replace(/^\$\(\) /, '').replaceAll('\n', ' '));
        words.shown.length = 0;
        assert.deepEqual(own.flatMap(findUnsafeParts), [], what);
      }
    });
  }

  it('makes no link and no icon of a text in a row of a view', () => {
    for (const [what, text] of texts) {
      const item = toTreeItem({
        ...{ id: text, label: text, description: text, tooltip: [text, 'own'], accessibleLabel: text },
        ...{ tokens: ['value', 'raw'], collapsibleState: TreeItemCollapsibleState.None },
        command: { command: 'x', title: text },
      });
      const { label, description, tooltip, accessibilityInformation, command } = item;
      const lines = String(tooltip).split('\n');
      assert.equal(lines.length, text === '' ? 1 : 2);
      const shown = [label, description, ...lines, accessibilityInformation?.label, command?.title];
      assert.deepEqual(shown.map(String).flatMap(findUnsafeParts), [], what);
    }
  });

  it('makes no link and no icon of a text that stands in a source', async () => {
    const { registerCodeLensProvider, registerCompletionItemProvider, registerInlayHintsProvider } =
      languages;
    let lenses: CodeLensProvider | undefined;
    let completions: CompletionItemProvider | undefined;
    let inlays: InlayHintsProvider | undefined;
    const standIns = {
      registerCodeLensProvider: (_: unknown, provider: CodeLensProvider) => {
        lenses = provider;
      },
      registerCompletionItemProvider: (_: unknown, provider: CompletionItemProvider) => {
        completions = provider;
      },
      registerInlayHintsProvider: (_: unknown, provider: InlayHintsProvider) => {
        inlays = provider;
      },
    };
    const at = new Position(0, 0);
    const range = new Range(at, at);
    const changed = new EventEmitter<void>().event;
    const document = await openText('');
    const { token } = new CancellationTokenSource();
    let text = '';
    Object.assign(languages, standIns);
    try {
      registerCodeLenses('*', changed, async () => [
        {
          at,
          show: () => ({ title: text, tooltip: [text], command: 'chainside.copyValue', argument: text }),
        },
      ]);
      registerCompletions('*', async () => ({
        ...{ inserting: range, replacing: range, isCut: false },
        items: [
          { label: text, description: text, detail: text, documentation: [text], text: '0x', typed: text },
        ],
      }));
      registerInlayHints('*', changed, async () => [{ at, label: text, tooltip: [text] }]);
    } finally {
      Object.assign(languages, {
        registerCodeLensProvider,
        registerCompletionItemProvider,
        registerInlayHintsProvider,
      });
    }
    const context = { triggerKind: 0, triggerCharacter: undefined } as const;
    for (const [what, hostile] of texts) {
      text = hostile;
      const [lens] = ((await lenses?.provideCodeLenses(document, token)) ?? []) as CodeLens[];
      assert.ok(lens);
      await lenses?.resolveCodeLens?.(lens, token);
      const { command } = lens;
      const offered = await completions?.provideCompletionItems(document, at, token, context);
      const [item] = (offered as CompletionList).items;
      const [inlay] = (await inlays?.provideInlayHints(document, range, token)) ?? [];
      assert.ok(command && item && inlay);
      const label = typeof item.label === 'string' ? [] : [item.label.label, item.label.description];
      const shown = [
        ...[command.title, command.tooltip, ...label, item.detail, item.documentation],
        ...[item.filterText, inlay.label, inlay.tooltip],
      ];
      assert.equal(shown.length, 9);
      assert.deepEqual(shown.map(String).flatMap(findUnsafeParts), [], what);
    }
  });

  it('tells the editor once of rows that change in one go', async () => {
    const changed = new EventEmitter<string | undefined>();
    const row = { id: 'a', label: 'a', description: '', tooltip: [], accessibleLabel: 'a' };
    const rows = {
      onDidChangeTreeData: changed.event,
      getTreeItem: () => row,
      getChildren: async () => ['a'],
    };
    const { createTreeView } = window;
    let provider: TreeDataProvider<string> | undefined;
    const standIn = (_id: string, options: TreeViewOptions<string>) => {
      provider = options.treeDataProvider;
    };
    Object.assign(window, { createTreeView: standIn });
    openTreeView('x', async () => rows);
    Object.assign(window, { createTreeView });
    await provider?.getChildren();
    const told: unknown[] = [];
    provider?.onDidChangeTreeData?.((change) => told.push(change));
    for (const change of ['a', 'b', 'a']) changed.fire(change);
    await Promise.resolve();
    for (const change of ['a', undefined, undefined]) changed.fire(change);
    await Promise.resolve();
    assert.deepEqual(told, [['a', 'b'], undefined]);
  });

  it('makes no link but its own in Markdown, and trusts no command but its own', () => {
    for (const [what, text] of texts) {
      const markdown = createMarkdown([
        [{ icon: 'check' }, text, { strong: text }, text],
        [createCommandLink(text, 'chainside.labelAddress', text, text)],
        [
          { title: text, page: text },
          { title: text, page: `https://x.example/${text.slice(0, 500)}` },
        ],
      ]);
      const pages = /\]\(https?:\/\/[\w\-.~:/?#@!&+,;=%]+\)/g;
      markdown.value = markdown.value.replace(pages, '');
      assert.deepEqual(findUnsafeMarkdown(markdown), [], what);
      assert.deepEqual(markdown.isTrusted, { enabledCommands: ['chainside.labelAddress'] });
    }
  });

  it('writes records of the output that forge no others', async () => {
    const records: string[] = [];
    const write = (record: string) => records.push(record);
    const { createOutputChannel } = window;
    const bare = { trace: write, debug: write, info: write, warn: write, error: write };
    Object.assign(window, { createOutputChannel: () => Object.freeze(bare) });
    const channel = openOutputChannel();
    Object.assign(window, { createOutputChannel });
    for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) channel[level]('a\nb\u001b');
    assert.deepEqual(new Set(records), new Set(['a\n    b<U+001B>']));
    await commands.executeCommand('chainside.showOutput');
  });

  it('keeps an error that goes on to the editor, with a message that does no harm', () => {
    for (const [what, text] of texts) {
      const error = new TypeError(text);
      assert.equal(escapeUiError(error), error);
      assert.deepEqual(findUnsafeParts(error.message), [], what);
    }
  });

  it('gives back what was chosen as it was, however it was shown', async () => {
    words.choose = () => 1;
    const [, second] = ['[a](command:b)', '$(alert)'];
    assert.equal(await showMessage('error', '', '[a](command:b)', '$(alert)'), second);
    const choices = [{ label: 'a' }, { label: '$(alert)' }];
    assert.equal(await pickOne(choices, { title: '', placeHolder: '' }), choices[1]);
  });
});
