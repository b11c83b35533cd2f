import assert from 'node:assert/strict';
import { type CompletionList, commands, languages, type Uri, window, workspace } from 'vscode';
import { createWorkspaceFolder } from '../support/host/workspaceFolder.ts';
import { activateExtension, waitUntil } from './support/extension.ts';

describe('files that have a schema', () => {
  before(() => activateExtension());
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  async function show(folder: string, name: string, text: string): Promise<Uri> {
    const parent = await createWorkspaceFolder(folder);
    const uri = parent.with({ path: `${parent.path}/${name}` });
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await window.showTextDocument(uri);
    return uri;
  }

  async function assertFaults(uri: Uri, ...expected: readonly RegExp[]): Promise<void> {
    const found = () => languages.getDiagnostics(uri).map(({ message }) => message);
    await waitUntil(() => expected.every((fault) => found().some((message) => fault.test(message))));
  }

  it('are checked and completed as they are typed: labels of the team', async () => {
    const text = '{ "labels": [{ "address": "0x12", "name": "", "chain": 1 }, { } ] }';
    const uri = await show('.chainside', 'labels.json', text);
    await assertFaults(uri, /^Not an address/, /Property chain is not allowed/);
    const document = await workspace.openTextDocument(uri);
    const list = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      ...[uri, document.positionAt(text.indexOf('{ }') + 2)],
    );
    const offered = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(
      ['address', 'name', 'chainId'].every((field) => offered.includes(field)),
      offered.join(),
    );
  });

  it('are checked as they are typed: queries', async () => {
    const read = { contract: 'Corner', function: 'capOf' };
    const uri = await show(
      'queries',
      'wrong.chainlog.json',
      JSON.stringify({ chainId: 1, read, event: 'Paid' }),
    );
    await assertFaults(uri, /^Property event is not allowed/);
  });
});
