import assert from 'node:assert/strict';
import {
  type CompletionList,
  commands,
  type Hover,
  languages,
  type MarkdownString,
  Position,
  workspace,
} from 'vscode';
import { type ExplorerServer, startExplorer } from '../../../localnet/explorer/server.ts';
import type { ChainsideNetwork } from '../../../src/api.d.ts';
import { requireAddress } from '../../../src/core/index.ts';
import { createAddressView } from '../../support/host/addressView.ts';
import { useDialogs } from '../../support/host/dialogs.ts';
import { openText } from '../../support/host/openText.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../support/host/settings.ts';
import { createWorkspaceFolder } from '../../support/host/workspaceFolder.ts';
import { addresses, dataSets } from '../../support/logDataSets.ts';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { useExtension } from '../../support/vscode/extension.ts';

const NOBODY = `0x${'00'.repeat(19)}99`;
const ADDRESS = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('API for other extensions', () => {
  const api = useExtension();
  const { index, truth, head } = dataSets.uneven();
  const [address = ''] = addresses;
  const count = truth.filter((log) => log.address === address).length;
  let explorer: ExplorerServer;
  let node: LoopbackServer;
  let hanging: LoopbackServer;
  let waiting = 0;

  before(async () => {
    explorer = await startExplorer({ index, dialect: 'v11.2' });
    node = await startRpcServer(({ id, method }) => ({
      ...{ jsonrpc: '2.0', id, result: method === 'eth_getBalance' ? '0x0' : '0x10' },
    }));
    hanging = await startRpcServer(() => {
      waiting++;
      return undefined;
    });
  });
  after(() => Promise.all([explorer.stop(), node.close(), hanging.close()]));
  useNetworks(() => ({
    explorer: { name: 'Explorer', chainId: 31337, rpcUrl: `${explorer.origin}/api/eth-rpc`, symbol: 'ETH' },
    node: { name: 'Node', chainId: 31337, rpcUrl: node.url, symbol: 'ETH' },
    hanging: { name: 'Hanging', chainId: 5, rpcUrl: hanging.url },
  }));
  // Cancels what another network is asked.
  beforeEach(() => selectNetwork('explorer'));

  it('tells the network and its latest block', async () => {
    const described = { id: 'explorer', name: 'Explorer', chainId: 31337, symbol: 'ETH', decimals: 18 };
    assert.deepEqual([api().version, api().network], [2, described]);
    assert.equal(await api().latestBlock(), BigInt(head));
  });

  it('tells an address without a record apart from an empty one', async () => {
    assert.equal(await api().nativeBalance(NOBODY), undefined);
    await selectNetwork('node');
    assert.equal(await api().nativeBalance(NOBODY), 0n);
  });

  for (const order of ['oldestFirst', 'newestFirst'] as const) {
    it(`gives logs page by page to a verdict: ${order}`, async () => {
      const blocks: bigint[] = [];
      const verdicts = [];
      for await (const { logs, verdict } of api().queryLogs({ address }, { order })) {
        blocks.push(...logs.map(({ blockNumber }) => blockNumber));
        verdicts.push([verdict.order, verdict.state]);
      }
      assert.ok(verdicts.length > 1);
      assert.deepEqual([blocks.length, verdicts.at(-1)], [count, [order, 'complete']]);
      const sorted = blocks.toSorted((a, b) => Number(order === 'oldestFirst' ? a - b : b - a));
      assert.deepEqual(blocks, sorted);
    });
  }

  it('asks the same as a server and a script do', async () => {
    const answer = await api().ask('query_events', { address });
    assert.deepEqual([answer.complete, answer.count], [true, String(count)]);
    const wrong = await api().ask('query_events', { address: 'Nobody' });
    assert.match(JSON.stringify(wrong.error), /No address is called Nobody/);
  });

  it('refuses what is no address, no filter and no order before any request', async () => {
    await selectNetwork('hanging');
    const asked = waiting;
    const badInput = { kind: 'badInput' };
    await assert.rejects(api().nativeBalance('0x12'), badInput);
    await assert.rejects(api().tokenBalances('alice'), badInput);
    const query = api().queryLogs({ fromBlock: 9n, toBlock: 3n })[Symbol.asyncIterator]();
    await assert.rejects(query.next(), badInput);
    const upsideDown = { order: 'upsideDown' as 'newestFirst' };
    await assert.rejects(api().queryLogs({}, upsideDown)[Symbol.asyncIterator]().next(), badInput);
    assert.equal(waiting, asked);
  });

  it('gives up on the old network when another one is selected, and says so', async () => {
    await selectNetwork('hanging');
    const asked = waiting;
    const told: ChainsideNetwork[] = [];
    const listening = api().onDidChangeNetwork((network) => told.push(network));
    const stale = assert.rejects(api().latestBlock(), { kind: 'aborted' });
    await waitUntil(() => waiting > asked);
    await selectNetwork('node');
    await stale;
    listening.dispose();
    assert.deepEqual(
      told.map(({ id }) => id),
      ['node'],
    );
    assert.equal(await api().latestBlock(), 16n);
  });
});

describe('while no network is chosen', () => {
  const api = useExtension();
  const person = useDialogs();
  const asked: string[] = [];
  let server: LoopbackServer;

  before(async () => {
    server = await startRpcServer(({ id, method }) => {
      asked.push(method);
      return { jsonrpc: '2.0', id, result: '0x5' };
    });
  });
  after(() => server.close());
  // In place of the network that would be read by default.
  useNetworks(() => ({ mainnet: { rpcUrl: server.url } }));
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  it('the API rejects every question, and asks nobody', async () => {
    const notChosen = { kind: 'notChosen' };
    await assert.rejects(api().latestBlock(), notChosen);
    await assert.rejects(api().nativeBalance(ADDRESS), notChosen);
    await assert.rejects(api().tokenBalances(ADDRESS), notChosen);
    const pages = api().queryLogs({ address: ADDRESS })[Symbol.asyncIterator]();
    await assert.rejects(pages.next(), notChosen);
    assert.deepEqual(asked, []);
  });

  it('a hover has what needs no network and the way to one, and asks nobody', async () => {
    const { uri } = await openText(`address ${ADDRESS};`);
    const at = new Position(0, 12);
    const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', uri, at);
    const words = hovers.flatMap(({ contents }) => contents.map((each) => (each as MarkdownString).value));
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

  it('settings.json completes to the networks by name', async () => {
    const folder = await createWorkspaceFolder('settings');
    const uri = folder.with({ path: `${folder.path}/settings.json` });
    await workspace.fs.writeFile(uri, new TextEncoder().encode('{\n  "chainside.network": ""\n}\n'));
    await languages.setTextDocumentLanguage(await workspace.openTextDocument(uri), 'jsonc');
    const { items } = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      ...[uri, new Position(1, '  "chainside.network": "'.length)],
    );
    const own = new Map(
      items.map(({ label, detail }) => [typeof label === 'string' ? label : label.label, detail]),
    );
    assert.equal(own.get('mainnet'), 'Palm Mainnet, chain 11297108109');
    assert.match(own.get('local') ?? '', /, chain 31337$/);
  });

  it('a command that needs one has it chosen first, and goes on with it', async () => {
    await commands.executeCommand('chainside.lookUpAddress', ADDRESS);
    assert.ok(person.shown.includes('Palm Mainnet'), person.shown.join('\n'));
    assert.equal(asked.length, 0);
    await commands.executeCommand('chainside.queryLogs', { address: ADDRESS, run: true });
    person.choose = (labels) => labels.indexOf('Palm Mainnet');
    await commands.executeCommand('chainside.logs.run');
    await waitUntil(() => asked.includes('eth_getLogs'));
    assert.equal(await api().latestBlock(), 5n);
  });
});
