import assert from 'node:assert/strict';
import { type CodeLens, commands, type Tab, window, workspace } from 'vscode';
import { activateExtension, waitUntil, writeSettings } from './support/extension.ts';

const SOURCE = `interface IERC20 {
    event Transfer(address indexed from, address indexed to, uint value);
    // event Nothing(uint a);
}`;

describe('lens over the events of a source', () => {
  before(() => activateExtension());
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

  it('stands in a file whose first line is an open string of escaped quotes, and that at once', async () => {
    const [lens] = await lenses(`"${'\\"'.repeat(150_000)}\n${SOURCE}`);
    assert.equal(lens?.range.start.line, 2);
  });

  it('knows the types that a source imports, by the remappings of its project too', async () => {
    await write('shop/remappings.txt', 'market/=lib/market-v2/src/\n');
    await write(
      'shop/lib/market-v2/src/Order.sol',
      'import "./Side.sol"; struct Order { address by; Side side; }',
    );
    await write('shop/lib/market-v2/src/Side.sol', 'enum Side { BUY, SELL }');
    const source = `import {Order} from "market/Order.sol";
contract Shop { event Sold(Order indexed order); event Anonymous(Order order) anonymous; event Odd(Gone gone); }`;
    const [sold, ...others] = await lenses(source, 'shop/src/Shop.sol');
    assert.deepEqual(others, []);
    assert.equal(sold?.range.start.line, 1);
    assert.deepEqual(sold.command?.arguments, [
      { event: 'event Sold((address by, uint8 side) indexed order)' },
    ]);
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

  it('stands in a Vyper file', async () => {
    const source =
      '# a pool\nstruct Rate:\n    value: uint256\nevent Ramp:\n    by: indexed(address)\n    rates: DynArray[Rate, 2]\n';
    const [ramp, ...others] = await lenses(source, 'Pool.vy');
    assert.deepEqual(others, []);
    assert.equal(ramp?.range.start.line, 3);
    const event = 'event Ramp(address indexed by, (uint256 value)[] rates)';
    assert.deepEqual(ramp.command?.arguments, [{ event }]);
  });

  it('is none in a file that is too long to have been written', async () => {
    assert.deepEqual(await lenses(SOURCE.padEnd(1_000_001)), []);
  });

  it('is off by setting', async () => {
    await writeSettings({ 'chainside.codeLens.enabled': false });
    assert.deepEqual(await lenses(), []);
  });
});
