import assert from 'node:assert/strict';
import { type CodeLens, commands, type Tab, window, workspace } from 'vscode';
import { waitUntil, writeSettings } from '../../../support/host/settings.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const SOURCE = `interface IERC20 {
    event Transfer(address indexed from, address indexed to, uint value);
    // event Nothing(uint a);
}`;

describe('lens over the events of a source', () => {
  useExtension();
  afterEach(async () => {
    await writeSettings({ 'chainside.codeLens.enabled': undefined });
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function write(name: string, text: string) {
    const folder = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const uri = folder.with({ path: `${folder.path}/${name}` });
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return uri;
  }

  let files = 0;
  async function lenses(source = SOURCE, name = `Token${++files}.sol`): Promise<readonly CodeLens[]> {
    const opened = await workspace.openTextDocument(await write(name, source));
    const all = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', opened.uri, 10);
    return all.filter(({ command }) => command?.command === 'chainside.queryLogs');
  }

  it('opens a query that has the event filled in', async () => {
    const [lens, ...others] = await lenses();
    assert.deepEqual(others, []);
    assert.equal(lens?.range.start.line, 1);
    assert.equal(lens.command?.title, 'Query…');
    const event = 'event Transfer(address indexed from, address indexed to, uint256 value)';
    assert.deepEqual(lens.command.arguments, [{ event }]);
    await commands.executeCommand(lens.command.command, ...lens.command.arguments);
    const labels = () => window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }: Tab) => label));
    await waitUntil(() => labels().includes('Transfer'));
  });

  it('has its words before it is asked for them, but in a file of very many', async () => {
    const titled = async (events: number) => {
      const declared = Array.from({ length: events }, (_, at) => `event E${at}(uint a);`).join('\n');
      const { uri } = await workspace.openTextDocument(
        await write(`Many${events}.sol`, `contract Many {\n${declared}\n}`),
      );
      const all = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri);
      assert.equal(all.length, events);
      return all.filter(({ command }) => command !== undefined).length;
    };
    assert.deepEqual([await titled(30), await titled(300)], [30, 0]);
  });

  it('reads nothing outside of the folder that is open', async () => {
    const folder = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const outside = folder.with({ path: `${folder.path}-outside/Side.sol` });
    await workspace.fs.writeFile(outside, new TextEncoder().encode('enum Side { BUY }'));
    try {
      const path = outside.path.split('/').slice(-2).join('/');
      const source = `import "../${path}"; import "${outside.path}"; contract A { event E(Side side); event F(); }`;
      const queries = (await lenses(source)).map(({ command }) => command?.arguments);
      assert.deepEqual(queries, [[{ event: 'event F()' }]]);
    } finally {
      await workspace.fs.delete(outside.with({ path: `${folder.path}-outside` }), { recursive: true });
    }
  });

  it('is none in a file that is too long to have been written', async () => {
    assert.deepEqual(await lenses(SOURCE.padEnd(1_000_001)), []);
  });

  it('is off by setting', async () => {
    await writeSettings({ 'chainside.codeLens.enabled': false });
    assert.deepEqual(await lenses(), []);
  });
});
