import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CodeAction,
  type CompletionItem,
  type CompletionList,
  commands,
  type Diagnostic,
  DiagnosticSeverity,
  type InlayHint,
  languages,
  Position,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { openText } from '../../../support/host/openText.ts';
import { selectNetwork, useNetworks, waitUntil, writeSettings } from '../../../support/host/settings.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const RIGHT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const WRONG = RIGHT.replace('Fb', 'fB');

describe('checksums in a text', () => {
  useExtension();
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-literals-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  // Outside of the workspace, and no constants: those would name their addresses for the suites that follow.
  async function show(name: string, text: string): Promise<TextDocument> {
    const file = join(folder, name);
    await writeFile(file, text);
    return (await window.showTextDocument(Uri.file(file))).document;
  }

  const ours = (uri: Uri): readonly Diagnostic[] =>
    languages.getDiagnostics(uri).filter(({ source }) => source === 'Chainside');

  it('are errors in Solidity where they are wrong, and are mended by a quick fix', async () => {
    const document = await show('A.sol', `emit Paid(${WRONG});`);
    await waitUntil(() => ours(document.uri).length === 1);
    const [problem] = ours(document.uri);
    assert.equal(problem?.severity, DiagnosticSeverity.Error);
    assert.match(problem.message, new RegExp(RIGHT));
    assert.deepEqual(problem.range, new Range(0, 10, 0, 10 + WRONG.length));

    const actions = await commands.executeCommand<CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
    );
    const fix = actions.find(({ title }) => title === 'Convert to EIP-55 checksum address');
    await workspace.applyEdit(fix?.edit ?? assert.fail('There is no fix.'));
    assert.equal(document.getText(), `emit Paid(${RIGHT});`);
    await waitUntil(() => ours(document.uri).length === 0);
  });

  it('are hints elsewhere, found anew as one types, and gone with the text', async () => {
    const document = await show('a.json', `{ "right": "${RIGHT}", "lower": "${RIGHT.toLowerCase()}" }`);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(1), `"wrong": "${WRONG}", `);
    await workspace.applyEdit(edit);
    await waitUntil(() => ours(document.uri).length === 1);
    assert.equal(ours(document.uri)[0]?.severity, DiagnosticSeverity.Hint);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await waitUntil(() => ours(document.uri).length === 0);
  });
});

describe('names of addresses in a text', () => {
  useExtension();
  useNetworks(() => ({ here: { name: 'Here', chainId: 77, rpcUrl: 'http://127.0.0.1:1' } }));
  before(async () => {
    await selectNetwork('here');
    await commands.executeCommand('chainside.labelAddress', RIGHT, 'Treasury [x](command:y)');
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await writeSettings({ 'chainside.inlayHints.enabled': undefined });
  });

  async function completions(text: string, language?: string): Promise<readonly CompletionItem[]> {
    const document = await openText(text, language);
    const { items } = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      new Position(0, text.length),
    );
    return items.filter(({ insertText }) => insertText === RIGHT);
  }

  it('are offered where an address is typed, and put in with its checksum', async () => {
    for (const [text, language] of [
      ['const a = 0x', 'typescript'],
      ['{"a": "0x5F', 'json'],
      ['to 0xTrea', 'plaintext'],
    ] as const) {
      const [item, ...others] = await completions(text, language);
      assert.deepEqual(others, [], text);
      const label = item?.label;
      assert.ok(typeof label === 'object' && label.label.startsWith('Treasury'), text);
      assert.doesNotMatch(label.label, /\]\(/);
      assert.equal(label.description, '0x5FbD…0aa3');
      assert.equal(item?.detail, 'your label');
      assert.match(item.filterText ?? '', /^0x5FbDB2\w+ Treasury/);
    }
  });

  it('are offered nowhere else', async () => {
    for (const text of ['a', '0', 'a0x', `${RIGHT}00`, 'x'])
      assert.deepEqual(await completions(text), [], text);
  });

  const inlays = (document: TextDocument, lines = 9) =>
    commands.executeCommand<InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      new Range(0, 0, lines, 0),
    );

  it('stand behind them once that is set, in the range that is shown', async () => {
    const document = await openText(`a ${RIGHT.toLowerCase()};\nb 0x${'77'.repeat(20)}\n\n${RIGHT}\n`);
    assert.deepEqual(await inlays(document), []);
    await writeSettings({ 'chainside.inlayHints.enabled': true });
    const [first, second, ...others] = await inlays(document);
    assert.deepEqual(others, []);
    assert.deepEqual([first?.position, second?.position], [new Position(0, 44), new Position(3, 42)]);
    assert.match(String(first?.label), /^Treasury/);
    assert.match(String(first?.tooltip), /\nyour label\non /);
    assert.equal((await inlays(document, 2)).length, 1);
    assert.deepEqual(await inlays(await openText('no address in here')), []);
  });
});
