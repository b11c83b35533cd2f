import assert from 'node:assert/strict';
import type { ChainsideLogPage, ChainsideNetwork } from '../../src/api.d.ts';
import { localnetFromEnv } from '../support/localnetAddresses.ts';
import { type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';
import { activateExtension, selectNetwork, useNetworks, waitUntil } from './support/extension.ts';

const NOBODY = `0x${'00'.repeat(19)}99`;

describe('API for other extensions', () => {
  const { anvilUrl, rpcUrl, chain } = localnetFromEnv();
  let hanging: LoopbackServer;
  let waiting = 0;

  before(async () => {
    hanging = await startRpcServer(() => {
      waiting++;
      return undefined;
    });
  });
  after(() => hanging.close());
  useNetworks(() => ({
    explorer: { name: 'Explorer', chainId: chain.chainId, rpcUrl, symbol: 'ETH' },
    node: { name: 'Node', chainId: chain.chainId, rpcUrl: anvilUrl, symbol: 'ETH' },
    hanging: { name: 'Hanging', chainId: 5, rpcUrl: hanging.url },
  }));
  before(() => selectNetwork('explorer'));
  // Cancels what another network is asked.
  afterEach(() => selectNetwork('explorer'));

  it('tells the network, its latest block and exact balances', async () => {
    const api = await activateExtension();
    assert.deepEqual(api.network, {
      id: 'explorer',
      name: 'Explorer',
      chainId: 31337,
      symbol: 'ETH',
      decimals: 18,
    });
    assert.ok((await api.latestBlock()) >= 300n);
    const balance = await api.nativeBalance(chain.accounts.alice);
    assert.ok(balance !== undefined && balance > 10n ** 18n);
  });

  it('tells an address without a record apart from an empty one', async () => {
    const api = await activateExtension();
    assert.equal(await api.nativeBalance(NOBODY), undefined);
    await selectNetwork('node');
    assert.equal(await api.nativeBalance(NOBODY), 0n);
  });

  it('gives logs page by page to a verdict', async () => {
    const api = await activateExtension();
    const pages: ChainsideLogPage[] = [];
    for await (const page of api.queryLogs({ address: chain.contracts.usd.address })) pages.push(page);
    assert.ok(pages.length > 1);
    assert.equal(pages.at(-1)?.verdict.state, 'complete');
    const places = pages.flatMap(({ logs }) => logs.map((log) => `${log.blockNumber}/${log.logIndex}`));
    assert.ok(places.length > 1000);
    assert.equal(new Set(places).size, places.length);
  });

  it('gives the newest logs first where it is asked to', async () => {
    const api = await activateExtension();
    const filter = { address: chain.contracts.usd.address };
    const blocks: bigint[] = [];
    for await (const { logs, verdict } of api.queryLogs(filter, { order: 'newestFirst' })) {
      assert.equal(verdict.order, 'newestFirst');
      blocks.push(...logs.map(({ blockNumber }) => blockNumber));
    }
    assert.ok(blocks.length > 1000);
    assert.deepEqual(
      blocks,
      blocks.toSorted((a, b) => Number(b - a)),
    );
  });

  it('refuses what is no address, no filter and no order before any request', async () => {
    const api = await activateExtension();
    await selectNetwork('hanging');
    const asked = waiting;
    const badInput = { kind: 'badInput' };
    await assert.rejects(api.nativeBalance('0x12'), badInput);
    await assert.rejects(api.tokenBalances('alice'), badInput);
    const query = api.queryLogs({ fromBlock: 9n, toBlock: 3n })[Symbol.asyncIterator]();
    await assert.rejects(query.next(), badInput);
    const upsideDown = { order: 'upsideDown' as 'newestFirst' };
    await assert.rejects(api.queryLogs({}, upsideDown)[Symbol.asyncIterator]().next(), badInput);
    assert.equal(waiting, asked);
  });

  it('gives up on the old network when another one is selected, and says so', async () => {
    const api = await activateExtension();
    await selectNetwork('hanging');
    const asked = waiting;
    const told: ChainsideNetwork[] = [];
    const listening = api.onDidChangeNetwork((network) => told.push(network));
    const stale = assert.rejects(api.latestBlock(), { kind: 'aborted' });
    await waitUntil(() => waiting > asked);
    await selectNetwork('node');
    await stale;
    listening.dispose();
    assert.deepEqual(
      told.map(({ id }) => id),
      ['node'],
    );
    assert.ok((await api.latestBlock()) >= 300n);
  });
});
