import assert from 'node:assert/strict';
import {
  type CodeAction,
  type CodeLens,
  type CompletionList,
  commands,
  EventEmitter,
  type InlayHint,
  languages,
  Position,
  Range,
  TreeItemCollapsibleState,
  Uri,
  window,
} from 'vscode';
import { systemClock } from '../../../../src/core/index.ts';
import { registerDiagnostics } from '../../../../src/host/ui/diagnostics.ts';
import {
  openInputBox,
  openQuickPick,
  pickOne,
  showInputBox,
  showMessage,
  showModal,
  showSaveDialog,
  showStatusMessage,
} from '../../../../src/host/ui/dialogs.ts';
import {
  registerCodeLenses,
  registerCompletions,
  registerInlayHints,
} from '../../../../src/host/ui/languageFeatures.ts';
import { createCommandLink, createMarkdown } from '../../../../src/host/ui/markdown.ts';
import { openWebviewTab, setTabTitle } from '../../../../src/host/ui/panels.ts';
import { openTreeView, toTreeItem } from '../../../../src/host/ui/tree.ts';
import { escapeUiError } from '../../../../src/host/ui/untrustedText.ts';
import {
  createStatusBarItem,
  openOutputChannel,
  withProgressNotification,
} from '../../../../src/host/ui/window.ts';
import { hostileNames } from '../../../fixtures/hostileNames.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { openText } from '../../../support/host/openText.ts';
import { findUnsafeMarkdown, findUnsafeParts } from '../../../support/untrustedText.ts';
import { editor } from '../../../support/vscode/module.ts';

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
  'a list that is opened': (text) =>
    openQuickPick({ title: text, placeHolder: text }, [
      { label: text, description: text, detail: text, buttons: [{ icon: 'edit', tooltip: text }] },
    ]),
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
      ...{ icon: 'x', text, tooltip: [text, text], spoken: text, warns: true },
    }),
  'a tab': (text) => setTabTitle(openWebviewTab('x', text), text),
};

describe('every way of words to the editor', () => {
  const texts = Object.entries({ ...hostileTexts, ...hostileNames });
  const person = useDialogs({ notesItems: true });
  const assertHarmless = (shown: readonly unknown[], what: string) =>
    assert.deepEqual(shown.map(String).flatMap(findUnsafeParts), [], what);

  for (const [way, show] of Object.entries(ways)) {
    it(`makes no link and no icon of a text, and hides nothing: ${way}`, async () => {
      for (const [what, text] of texts) {
        person.types = [text];
        await show(text);
        assert.deepEqual(person.harm(), [], what);
      }
    });
  }

  it('makes no link and no icon of a text in a row of a view', () => {
    for (const [what, text] of texts) {
      const { label, description, tooltip, accessibilityInformation, command } = toTreeItem({
        ...{ id: text, label: text, description: text, tooltip: [text, 'own'], accessibleLabel: text },
        ...{ tokens: ['value', 'raw'], collapsibleState: TreeItemCollapsibleState.None },
        command: { command: 'x', title: text },
      });
      const lines = String(tooltip).split('\n');
      assert.equal(lines.length, text === '' ? 1 : 2);
      assertHarmless([label, description, ...lines, accessibilityInformation?.label, command?.title], what);
    }
  });

  it('makes no link and no icon of a text that stands in a source', async () => {
    const at = new Position(0, 0);
    const range = new Range(at, at);
    const changed = new EventEmitter<void>();
    let text = '';
    const registered = [
      registerCodeLenses('*', changed.event, async () => [
        {
          at,
          show: () => ({ title: text, tooltip: [text], command: 'chainside.copyValue', argument: text }),
        },
      ]),
      registerCompletions('*', async () => ({
        ...{ inserting: range, replacing: range, isCut: false },
        items: [
          { label: text, description: text, detail: text, documentation: [text], text: '0x', typed: text },
        ],
      })),
      registerInlayHints('*', changed.event, async () => [{ at, label: text, tooltip: [text] }]),
      registerDiagnostics({
        ...{ clock: systemClock, onDidChange: changed.event },
        find: async () => [
          { range, message: text, code: 'x', severity: 'error', fix: { title: text, replacement: '' } },
        ],
      }),
    ];
    try {
      const { document } = await window.showTextDocument(await openText(''));
      const { uri } = document;
      const provided = async <T>(kind: string, ...args: readonly unknown[]) =>
        (await commands.executeCommand<readonly T[]>(`vscode.execute${kind}Provider`, uri, ...args))[0] ??
        assert.fail(kind);
      for (const [what, hostile] of texts) {
        text = hostile;
        changed.fire();
        const { items } = await commands.executeCommand<CompletionList>(
          'vscode.executeCompletionItemProvider',
          ...[uri, at],
        );
        const [item = assert.fail()] = items;
        const { command } = await provided<CodeLens>('CodeLens');
        const inlay = await provided<InlayHint>('InlayHint', range);
        const fix = await provided<CodeAction>('CodeAction', range);
        const label = typeof item.label === 'string' ? [] : [item.label.label, item.label.description];
        const told = languages.getDiagnostics(uri).map(({ message }) => message);
        const shown = [
          ...[command?.title, command?.tooltip, ...label, item.detail, item.documentation, item.filterText],
          ...[inlay.label, inlay.tooltip, fix.title, ...told],
        ];
        assert.equal(shown.length, 11);
        assertHarmless(shown, what);
      }
    } finally {
      for (const each of registered) each.dispose();
      editor.closeTabs();
    }
  });

  it('tells the editor once of rows that change in one go', async () => {
    const changed = new EventEmitter<string | undefined>();
    openTreeView('x', async () => ({
      onDidChangeTreeData: changed.event,
      getTreeItem: () => ({ id: 'a', label: 'a', description: '', tooltip: [], accessibleLabel: 'a' }),
      getChildren: async () => ['a'],
    }));
    const provider = editor.trees.get('x');
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

  it('writes records of the output that forge no others', () => {
    const records: string[] = [];
    const write = (record: string) => records.push(record);
    const { createOutputChannel } = window;
    const bare = { trace: write, debug: write, info: write, warn: write, error: write };
    Object.assign(window, { createOutputChannel: () => Object.freeze(bare) });
    const channel = openOutputChannel();
    Object.assign(window, { createOutputChannel });
    for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) channel[level]('a\nb\u001b');
    assert.deepEqual(new Set(records), new Set(['a\n    b<U+001B>']));
  });

  it('keeps an error that goes on to the editor, with a message that does no harm', () => {
    for (const [what, text] of texts) {
      const error = new TypeError(text);
      assert.equal(escapeUiError(error), error);
      assertHarmless([error.message], what);
    }
  });

  it('gives back what was chosen as it was, however it was shown', async () => {
    person.choose = () => 1;
    const [, second] = ['[a](command:b)', '$(alert)'];
    assert.equal(await showMessage('error', '', '[a](command:b)', '$(alert)'), second);
    const choices = [{ label: 'a' }, { label: '$(alert)' }];
    assert.equal(await pickOne(choices, { title: '', placeHolder: '' }), choices[1]);
  });
});
