import assert from 'node:assert/strict';
import type { ProxyKinds } from '../../../localnet/chain/proxyKinds.ts';
import { type DialectName, dialects } from '../../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../../localnet/explorer/plannerOrder.ts';
import { startExplorer } from '../../../localnet/explorer/server.ts';
import type { MemoryIndex } from '../../../localnet/index/memoryIndex.ts';
import { address, blockHash, buildIndex } from '../../fixtures/explorerDataSets.ts';
import { FIRST_SECOND, TIMED_ADDRESS, timedChain } from '../../support/chains.ts';
import { addresses, dataSets, topics } from '../../support/logDataSets.ts';
import { type GrowingLocalnet, growingLocalnet, sharedProxyKinds } from '../../support/sharedLocalnet.ts';

/** The JSON that an explorer of this release has at a path, with its status. */
async function get(index: MemoryIndex, dialect: DialectName, url: string) {
  const server = await startExplorer({ index, dialect });
  try {
    const reply = await server.inject({ method: 'GET', url, headers: {}, body: '' });
    return { httpStatus: reply.status, ...JSON.parse(String(reply.body)) };
  } finally {
    await server.stop();
  }
}

describe('the explorer’s module of logs', () => {
  const [address = ''] = addresses;
  const [topic0 = ''] = topics;
  const { index, truth } = dataSets.dense();

  const ask = (query: Readonly<Record<string, string>>) =>
    get(index, 'v9.1', `/api?${new URLSearchParams({ module: 'logs', action: 'getLogs', ...query })}`);

  it('gives the first thousand rows of a block in order, without their block hash', async () => {
    const { message, result } = await ask({ fromBlock: '3', toBlock: '3', address });
    const wanted = truth.filter((log) => log.blockNumber === 3 && log.address === address).slice(0, 1000);
    assert.equal(message, 'OK');
    assert.deepEqual(
      result.map(({ logIndex }: { logIndex: string }) => Number(logIndex)),
      wanted.map(({ logIndex }) => logIndex),
    );
    assert.equal('blockHash' in result[0], false);
    assert.equal(result[0].topics.length, 4);
  });

  it('narrows by topic0, and says in words when there is none, or what is wrong', async () => {
    const { result } = await ask({ fromBlock: '0', toBlock: 'latest', topic0 });
    assert.ok(result.length > 0);
    assert.ok(result.every(({ topics: [first] }: { topics: string[] }) => first === topic0));
    assert.deepEqual(await ask({ fromBlock: '6', toBlock: '6', address }), {
      ...{ httpStatus: 200, status: '0', message: 'No logs found', result: [] },
    });
    assert.match((await ask({ fromBlock: '0', toBlock: '1' })).message, /parameters missing/);
    assert.match((await ask({ fromBlock: 'x', toBlock: '1', address })).message, /fromBlock/);
  });
});

describe('the explorer’s routes for times', () => {
  const index = timedChain(100);

  const ask = (url: string, dialect: DialectName = 'v11.2') => get(index, dialect, url);

  const at = (second: number, closest: string) =>
    `/api?module=block&action=getblocknobytime&timestamp=${FIRST_SECOND + second}&closest=${closest}`;

  it('name the block nearest to a time, in an object, and as bare text for a while in v9', async () => {
    assert.deepEqual(await ask(at(504, 'before')), {
      ...{ httpStatus: 200, status: '1', message: 'OK', result: { blockNumber: '50' } },
    });
    assert.equal((await ask(at(504, 'before'), 'v9.1')).result, '50');
    assert.deepEqual((await ask(at(504, 'after'))).result, { blockNumber: '51' });
    assert.deepEqual((await ask(at(508, 'before'))).result, { blockNumber: '50' });
  });

  it('pass over a block of that very second when asked for the one after it, and name one that is not there', async () => {
    assert.deepEqual((await ask(at(500, 'after'))).result, { blockNumber: '51' });
    assert.deepEqual((await ask(at(-5, 'before'))).result, { blockNumber: '-1' });
    assert.deepEqual((await ask(at(5000, 'after'))).result, { blockNumber: '100' });
  });

  it('look at a minute around on old releases', async () => {
    assert.equal((await ask(at(5000, 'before'), 'v5.1.4')).message, 'Block does not exist');
    assert.deepEqual((await ask(at(504, 'before'), 'v5.1.4')).result, { blockNumber: '50' });
  });

  it('say in words what is wrong', async () => {
    for (const [query, words] of [
      ['', /'timestamp' is required/],
      ['&timestamp=1', /'closest' is required/],
      ['&timestamp=x&closest=before', /Invalid `timestamp`/],
      ['&timestamp=1&closest=near', /Invalid `closest`/],
    ] as const) {
      const { status, message, result } = await ask(`/api?module=block&action=getblocknobytime${query}`);
      assert.deepEqual([status, result], ['0', null]);
      assert.match(message, words);
    }
    assert.equal((await ask('/api?module=block&action=no')).message, 'Unknown action');
  });

  it('tell the time of a block, and of each log of the module', async () => {
    const { height, timestamp } = await ask('/api/v2/blocks/50');
    assert.deepEqual([height, timestamp], [50, '2026-11-01T00:08:20.000000Z']);
    assert.equal((await ask('/api/v2/blocks/100')).httpStatus, 404);
    const query = `fromBlock=50&toBlock=50&address=${TIMED_ADDRESS}`;
    const { result } = await ask(`/api?module=logs&action=getLogs&${query}`);
    assert.equal(Number(result[0].timeStamp), FIRST_SECOND + 500);
  });
});

describe('the explorer’s route of an address', () => {
  let localnet: GrowingLocalnet;
  let kinds: ProxyKinds;

  before(async () => {
    localnet = await growingLocalnet();
    kinds = await sharedProxyKinds();
  });

  async function ask(dialect: DialectName, address: string) {
    localnet.setDialect(dialect);
    const url = `/api/v2/addresses/${address}`;
    const { status, body } = await localnet.explorer.inject({ method: 'GET', url, headers: {}, body: '' });
    return { status, body: JSON.parse(String(body)) };
  }

  it('writes names as its era does', async () => {
    const old = await ask('v6.3', kinds.eip1967);
    const [implementation] = old.body.implementations;
    assert.equal(implementation.address.toLowerCase(), kinds.logic);
    assert.match(old.body.creation_tx_hash, /^0x[0-9a-f]{64}$/);
    assert.equal('creation_transaction_hash' in old.body, false);
    const today = await ask('v11.2', kinds.eip1967);
    assert.equal(today.body.implementations[0].address_hash, implementation.address);
    assert.equal(today.body.creation_transaction_hash, old.body.creation_tx_hash);
    assert.equal('creation_tx_hash' in today.body, false);
  });

  it('finds proxies by the names that releases have for them', async () => {
    const types = {
      ...{ clone: 'eip1167', delegated: 'eip7702', safe: 'master_copy', uups7760: 'erc7760' },
      ...{ innerClone: 'minimal_proxy', cloneWithArguments: 'clone_with_immutable_arguments' },
      ...{ eip1967Beacon: 'eip1967_beacon', eip1822: 'eip1822', openZeppelin: 'eip1967_oz' },
      ...{ diamond: 'eip2535', comptroller: 'comptroller' },
    };
    for (const [name, type] of Object.entries(types)) {
      const { body } = await ask('v11.2', kinds[name as keyof typeof kinds]);
      assert.equal(body.proxy_type, type, name);
      assert.equal(body.implementations[0].address_hash.toLowerCase(), kinds.logic, name);
    }
    assert.equal((await ask('v11.2', kinds.deployer)).body.proxy_type, null);
  });

  it('knows a token by its transfers, and what is nobody’s by the era', async () => {
    const { usd, badge, items } = localnet.chain.contracts;
    const typeOf = async (address: string) => (await ask('v11.2', address)).body.token.type;
    assert.deepEqual(
      [await typeOf(usd.address), await typeOf(badge.address), await typeOf(items.address)],
      ['ERC-20', 'ERC-721', 'ERC-1155'],
    );
    const nobody = `0x${'0'.repeat(36)}abcd`;
    assert.deepEqual(await ask('v6.3', nobody), { status: 404, body: { message: 'Not found' } });
    const today = await ask('v11.2', nobody);
    assert.deepEqual([today.status, today.body.is_contract], [200, false]);
    assert.equal((await ask('v9.1', '0x12')).body.message, 'Invalid address hash');
    assert.equal((await ask('v11.2', '0x12')).status, 422);
  });
});

// 1500 logs, three to a block: a page and a half.
const blocks = Array.from({ length: 500 }, (_, number) => ({ number, logs: [{}, {}, {}] }));

describe('pages of releases whose limit names no order', () => {
  it('hold the newest rows, sorted only afterwards', async () => {
    for (const dialect of ['v6.8', 'v6.10', 'v9.1', 'v10.2'] as const) {
      const heights = await pageHeights(dialect, 'descending');
      assert.equal(heights.length, 1000, dialect);
      assert.equal(heights.at(-1), 499, dialect);
      assert.deepEqual(
        heights,
        heights.toSorted((a, b) => a - b),
        dialect,
      );
    }
  });

  it('hold any rows, the same on every call', async () => {
    const heights = await pageHeights('v9.1', 'scattered');
    assert.equal(heights.length, 1000);
    assert.ok(Math.min(...heights) < 10 && Math.max(...heights) > 490);
    assert.deepEqual(await pageHeights('v9.1', 'scattered'), heights);
  });

  it('are short up to v9.4 where orphans were counted, and full since v10', async () => {
    const orphans = [499, 498, 497].map(blockHash);
    assert.equal((await pageHeights('v9.1', 'descending', orphans)).length, 991);
    assert.equal((await pageHeights('v10.2', 'descending', orphans)).length, 1000);
  });

  it('are in order again since v11', async () => {
    assert.equal((await pageHeights('v11.2', 'descending')).at(-1), 333);
  });
});

async function pageHeights(
  dialect: DialectName,
  order: RowOrder,
  orphans: readonly `0x${string}`[] = [],
): Promise<number[]> {
  const index = buildIndex({ blocks });
  for (const hash of orphans) index.orphan(hash);
  const filter = { address, fromBlock: '0x0', toBlock: '0x1f3' };
  const context = {
    ...{ index, plannerOrder: () => order },
    forward: async () => ({ failed: 'not asked' }),
  };
  const entries = await dialects[dialect].methods.eth_getLogs?.run([filter], context);
  return (entries as { blockNumber: string }[]).map(({ blockNumber }) => Number(blockNumber));
}
