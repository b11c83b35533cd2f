import assert from 'node:assert/strict';
import { type CodeLens, commands, type Tab, window, workspace } from 'vscode';
import { activated, until, writeSettings } from './support/extension.ts';

const SOURCE = `interface IERC20 {
    event Transfer(address indexed from, address indexed to, uint value);
    // event Nothing(uint a);
}`;

describe('lens over the events of a Solidity file', () => {
  before(() => activated());
  afterEach(async () => {
    await writeSettings({ 'chainside.codeLens.enabled': undefined });
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  let files = 0;
  async function lenses(source = SOURCE): Promise<readonly CodeLens[]> {
    const workspaceFolder = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const uri = workspaceFolder.with({ path: `${workspaceFolder.path}/Token${++files}.sol` });
    await workspace.fs.writeFile(uri, new TextEncoder().encode(source));
    const opened = await workspace.openTextDocument(uri);
    const all = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', opened.uri, 10);
    return all.filter(({ command }) => command?.command === 'chainside.queryLogs');
  }

  it('opens a query that has the event filled in', async () => {
    const [lens, ...others] = await lenses();
    assert.deepEqual(others, []);
    assert.equal(lens?.range.start.line, 1);
    assert.equal(lens.command?.title, 'Query logs of Transfer');
    assert.deepEqual(lens.command.arguments, [{ event: 'Transfer(address,address,uint256)' }]);
    await commands.executeCommand(lens.command.command, ...lens.command.arguments);
    const labels = () => window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }: Tab) => label));
    await until(() => labels().some((label) => label.startsWith('Logs')));
  });

  it('stands in a file whose first line is an open string of escaped quotes, and that at once', async () => {
    const [lens] = await lenses(`"${'\\"'.repeat(150_000)}\n${SOURCE}`);
    assert.equal(lens?.range.start.line, 2);
  });

  it('is none in a file that is too long to have been written', async () => {
    assert.deepEqual(await lenses(SOURCE.padEnd(1_000_001)), []);
  });

  it('is off by setting', async () => {
    await writeSettings({ 'chainside.codeLens.enabled': false });
    assert.deepEqual(await lenses(), []);
  });
});
