import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompletionList, commands, type Hover, Position, Uri, workspace } from 'vscode';
import { requireAddress } from '../../src/core/index.ts';
import { createAddressView } from '../support/host/addressView.ts';
import { stubDialogs } from '../support/host/dialogs.ts';
import { openText } from '../support/host/openText.ts';
import { type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';
import {
  activateExtension,
  leaveNetwork,
  selectNetwork,
  useNetworks,
  waitUntil,
} from './support/extension.ts';

const ADDRESS = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('while no network is chosen', () => {
  let server: LoopbackServer;
  let asked: string[] = [];
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-unchosen-'));
    server = await startRpcServer(({ id, method }) => {
      asked.push(method);
      return { jsonrpc: '2.0', id, result: '0x5' };
    });
  });
  after(async () => {
    await leaveNetwork();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  // In place of the network that would be read by default.
  useNetworks(() => ({ mainnet: { rpcUrl: server.url } }));
  beforeEach(async () => {
    await leaveNetwork();
    asked = [];
  });
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  it('the API rejects every question, and asks nobody', async () => {
    const api = await activateExtension();
    const notChosen = { kind: 'notChosen' };
    await assert.rejects(api.latestBlock(), notChosen);
    await assert.rejects(api.nativeBalance(ADDRESS), notChosen);
    await assert.rejects(api.tokenBalances(ADDRESS), notChosen);
    const pages = api.queryLogs({ address: ADDRESS })[Symbol.asyncIterator]();
    await assert.rejects(pages.next(), notChosen);
    assert.deepEqual(asked, []);
  });

  it('a hover has what needs no network and the way to one, and asks nobody', async () => {
    const document = await openText(`address ${ADDRESS};`);
    const hovers = await commands.executeCommand<Hover[]>(
      ...(['vscode.executeHoverProvider', document.uri, new Position(0, 12)] as const),
    );
    const words = hovers.flatMap(({ contents }) =>
      contents.map((each) => (typeof each === 'string' ? each : each.value)),
    );
    assert.doesNotMatch(words.join('\n'), /· Palm/);
    assert.match(words.join('\n'), /Select Network….*chainside\.selectNetwork/);
    assert.deepEqual(asked, []);
  });

  it('a row of an address says nothing of balances, has the way to a network under it, and asks nobody', async () => {
    const view = createAddressView();
    try {
      const account = requireAddress(ADDRESS);
      await view.balances.load(account, 'missing');
      const { description } = view.tree.getTreeItem(view.tree.getNode(account));
      assert.deepEqual([description, await view.rows(account)], ['', ['Select Network…']]);
      assert.deepEqual(asked, []);
    } finally {
      view.dispose();
    }
  });

  it('a command that needs one has it chosen first, and goes on with it', async () => {
    using words = stubDialogs();
    await commands.executeCommand('chainside.lookUpAddress', ADDRESS);
    assert.ok(words.shown.includes('Palm Mainnet'), words.shown.join('\n'));
    assert.deepEqual(asked, []);
    await commands.executeCommand('chainside.queryLogs', { address: ADDRESS, run: true });
    words.choose = (labels) => labels.indexOf('Palm Mainnet');
    await commands.executeCommand('chainside.logs.run');
    await waitUntil(() => asked.includes('eth_getLogs'));
  });

  it('a choice is one until it is left', async () => {
    const api = await activateExtension();
    await selectNetwork('mainnet');
    await waitUntil(() => api.isNetworkChosen);
    assert.equal(await api.latestBlock(), 5n);
  });

  it('settings.json completes to the networks by name', async () => {
    const file = join(folder, 'settings.json');
    await writeFile(file, '{\n  "chainside.network": ""\n}\n');
    const document = await workspace.openTextDocument(Uri.file(file));
    const found = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      new Position(1, '  "chainside.network": "'.length),
    );
    const told = found.items.map(({ label, detail }) => [
      typeof label === 'string' ? label : label.label,
      detail,
    ]);
    const own = told.filter(([, detail]) => detail?.includes(', chain '));
    assert.ok(
      own.some(([label, detail]) => label === 'mainnet' && detail === 'Palm Mainnet, chain 11297108109'),
    );
    assert.ok(own.some(([label]) => label === 'local'));
  });
});
