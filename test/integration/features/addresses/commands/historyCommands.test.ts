import assert from 'node:assert/strict';
import { commands, env, type QuickPickItem, window } from 'vscode';
import { useDialogs } from '../../../../support/host/dialogs.ts';
import { type RecordedServer, startRecordedServer } from '../../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks } from '../../../../support/host/settings.ts';
import { sharedLocalnet } from '../../../../support/sharedLocalnet.ts';
import { useExtension } from '../../../../support/vscode/extension.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface NodeLog {
  readonly blockNumber: string;
  readonly transactionHash: string;
}

const { anvilUrl, node, rpcUrl, chain } = await sharedLocalnet();

describe('what came to an address and went from it', () => {
  useExtension();
  const { alice } = chain.accounts;
  let broken: RecordedServer;
  const person = useDialogs();

  before(async () => {
    broken = await startRecordedServer();
  });
  after(() => broken.close());
  useNetworks(() => ({
    explorer: { name: 'Explorer', chainId: chain.chainId, rpcUrl },
    node: { name: 'Node', chainId: chain.chainId, rpcUrl: anvilUrl },
    broken: { name: 'Broken', chainId: 5, rpcUrl: `${broken.url}/api/eth-rpc` },
  }));
  beforeEach(async () => {
    await selectNetwork('explorer');
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  const list = (place: number) => person.lists[place] ?? assert.fail(`There was no list ${place}.`);
  const hashes = (items: readonly QuickPickItem[]) => items.flatMap(({ detail }) => detail ?? []);

  /** Transactions of the newest block in which ERC-20 or ERC-721 tokens came to Alice or went from her. */
  async function newestOfNode(): Promise<readonly string[]> {
    const word = `0x${'0'.repeat(24)}${alice.slice(2).toLowerCase()}`;
    const sides = await Promise.all(
      [
        [TRANSFER, word],
        [TRANSFER, null, word],
      ].map((topics) => node.call('eth_getLogs', [{ topics, fromBlock: '0x0', toBlock: 'latest' }])),
    );
    const logs = sides.flat() as readonly NodeLog[];
    const newest = Math.max(...logs.map(({ blockNumber }) => Number(blockNumber)));
    return logs
      .filter(({ blockNumber }) => Number(blockNumber) === newest)
      .map(({ transactionHash }) => transactionHash);
  }

  it('is listed page by page, the newest first; a choice shows its transaction', async () => {
    person.picks = [(items) => items.at(-1), (items) => items[0]];
    await commands.executeCommand('chainside.showTransfers', alice);
    const [first, second] = [list(0), list(1)];
    assert.equal(first.items.at(-1)?.label, 'Show More…');
    assert.match(
      first.placeHolder,
      /^The newest [\d,]+ transfers, from .*Select a transfer to open its transaction\./,
    );
    assert.ok(second.items.length > first.items.length);
    assert.deepEqual(hashes(second.items).slice(0, first.items.length - 1), hashes(first.items));
    for (const { label, description } of first.items.slice(0, -1)) {
      assert.match(label, /^[+−±][\d.,]+M? (?:× )?\w+|^[+−±]\w+ #\d+$/);
      assert.match(description ?? '', /^(?:from|to|minted|burned).* · .*20\d\d/);
    }
    const [newest = ''] = hashes(first.items);
    assert.ok((await newestOfNode()).includes(newest), newest);
    const { document } = window.activeTextEditor ?? assert.fail('No editor is active.');
    assert.equal(document.uri.scheme, 'chainside-transaction');
    assert.match(
      document.getText(),
      new RegExp(`^.* paid .*\nTransaction ${newest} on Explorer\n\nStatus: Success`),
    );
  });

  it('leads to no transaction of another network, where that became the active one meanwhile', async () => {
    person.picks = [
      async (items) => {
        await selectNetwork('broken');
        return items[0];
      },
    ];
    await commands.executeCommand('chainside.showTransfers', alice);
    assert.deepEqual(person.told, ['This transaction is on Explorer. The active network is Broken.']);
    assert.equal(window.activeTextEditor, undefined);
  });

  it('is that of the row that it is asked of, and shows no transaction where the list is left', async () => {
    person.picks = [() => undefined];
    await commands.executeCommand('chainside.showTransfers', { account: alice });
    assert.equal(person.lists.length, 1);
    assert.ok(hashes(list(0).items).length > 0);
    assert.equal(window.activeTextEditor, undefined);
  });

  it('has the balance of each day; a choice copies it whole', async () => {
    await env.clipboard.writeText('nothing');
    person.picks = [(items) => items[0]];
    await commands.executeCommand('chainside.showBalances', alice);
    const { items, placeHolder } = list(0);
    assert.match(
      placeHolder,
      /^From .*Select a day to copy the balance\. The explorer covers the last 10 days only\.$/,
    );
    assert.ok(items.length > 0);
    const days = items.map(({ description = '' }) => description.slice(0, 10));
    assert.deepEqual(days, days.toSorted().reverse());
    const [{ label, description = '' }] = items as [QuickPickItem];
    assert.match(label, /^[\d,]+(\.\d+)? ETH$/);
    assert.match(description, /^20\d\d-\d\d-\d\d$/);
    assert.equal(await env.clipboard.readText(), label.replace(/,| ETH$/g, ''));
  });

  for (const [what, network, words] of [
    ['is told by explorers alone: of a node nobody is asked', 'node', /^Only explorers provide this data/],
    ['is not said to be nothing where the explorer fails', 'broken', /127\.0\.0\.1/],
  ] as const)
    it(what, async () => {
      broken.answer = () => ({ status: 403, body: 'no' });
      await selectNetwork(network);
      await commands.executeCommand('chainside.showTransfers', alice);
      await commands.executeCommand('chainside.showBalances', alice);
      assert.equal(person.told.length, 2);
      for (const told of person.told) assert.match(told, words);
      assert.deepEqual(person.lists, []);
    });

  it('is nothing on record where the explorer says so', async () => {
    broken.answer = ({ url }) => ({
      body: url.includes('by-day') ? [] : { items: [], next_page_params: null },
    });
    await selectNetwork('broken');
    person.picks = [() => undefined];
    await commands.executeCommand('chainside.showTransfers', alice);
    assert.deepEqual(list(0).items, []);
    assert.match(list(0).placeHolder, /^0 transfers, from/);
    await commands.executeCommand('chainside.showBalances', alice);
    const [words = ''] = person.told;
    assert.match(
      words,
      /^The explorer has no balance history for \S+\. The explorer covers recent days only, and/,
    );
    assert.match(words, /does not report whether it has indexed every block\.$/);
  });
});
