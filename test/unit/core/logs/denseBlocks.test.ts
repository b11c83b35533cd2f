import assert from 'node:assert/strict';
import type { DialectName } from '../../../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import { MemoryIndex } from '../../../../localnet/index/memoryIndex.ts';
import { createChainClient, type FetchLike, parseLogFilter } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { createCachingFetch, withServer } from '../../../support/injectFetch.ts';
import { toHex as hex } from '../../../support/logDataSets.ts';
import { openInjectQuery, type QueryJson, type ReadLogs, readAll } from '../../../support/logReading.ts';

const ROWS = 3_000;
const CONTRACTS = 12;
const EVENTS = 30;
const contract = (number: number) => hex(0xc0de + number, 20);
const event = (number: number) => hex(0xe000 + number, 32);
/** Half of the rows are of the first contract. */
const contractAt = (row: number) => contract(row % 2 === 0 ? 0 : row % CONTRACTS);
/** Rare events stand in the first third of the block only. */
const topic0At = (row: number) => (row < ROWS / 3 && row % 50 === 0 ? event(row % EVENTS) : event(0));

const rows = Array.from({ length: ROWS }, (_, row) => row);

/** A chain whose only crowded block has logs of many contracts and, of one of them, many events. */
function crowdedChain(): MemoryIndex {
  const index = new MemoryIndex();
  index.addBlock({ number: 0, hash: hex(1, 32), consensus: true, transactions: [] });
  const logs = rows.map((row) => ({
    logIndex: row,
    address: contractAt(row),
    topics: [topic0At(row)],
    data: hex(row, 32),
  }));
  const transactions = Array.from({ length: ROWS / 20 }, (_, position) => ({
    hash: hex(0xabc000 + position, 32),
    logs: logs.slice(position * 20, (position + 1) * 20),
  }));
  index.addBlock({ number: 7, hash: hex(2, 32), consensus: true, transactions });
  index.addBlock({ number: 9, hash: hex(3, 32), consensus: true, transactions: [] });
  return index;
}

describe('a crowded block', () => {
  const index = crowdedChain();

  const notFound = { kind: 'respond', status: 404, body: '"Page not found"' } as const;

  function reading<T>(
    dialect: DialectName,
    use: (server: ExplorerServer) => Promise<T>,
    withoutModule = false,
  ): Promise<T> {
    const starting = startExplorer({
      ...{ index, dialect, plannerOrder: () => 'descending' },
      intercept: ({ url }) => (withoutModule && url.startsWith('/api?') ? notFound : undefined),
    });
    return withServer(starting, use);
  }

  const ask = (query: QueryJson) => (server: ExplorerServer) => readAll(openInjectQuery(server, query));

  function assertHonest({ logs, verdict }: ReadLogs): void {
    assert.equal(verdict.state, 'uncertain');
    assert.equal(new Set(logs.map(({ logIndex }) => logIndex)).size, logs.length, 'a log twice');
  }

  it('is read contract by contract where a query by topics alone cannot page', async () => {
    const answer = await reading('v5.1.4', ask({ topics: [event(0)] }));
    const wanted = rows.filter((row) => topic0At(row) === event(0));
    assert.equal(answer.logs.length, wanted.length);
    assertHonest(answer);
  });

  for (const dialect of ['v9.1', 'v10.2'] as const) {
    it(`shows on ${dialect} by another route the events that the first answer hides`, async () => {
      const query = { address: contract(0) };
      const wanted = rows.filter((row) => contractAt(row) === contract(0));
      const without = await reading(dialect, ask(query), true);
      const answer = await reading(dialect, ask(query));
      assert.equal(answer.logs.length, wanted.length);
      assert.ok(without.logs.length < answer.logs.length);
      assertHonest(answer);
      assertHonest(without);
    });
  }

  it('is not asked by that route while the server asks to wait', async () => {
    await reading('v10.2', async (server) => {
      const clock = createTestClock();
      const inject = createCachingFetch(server);
      let refusals = 0;
      const fetch: FetchLike = async (url, init) =>
        url.includes('module=logs') && refusals++ === 0
          ? new Response('', { status: 429, headers: { 'retry-after': '3' } })
          : inject(url, init);
      const client = createChainClient({ fetch, clock, url: server.rpcUrl });
      const { logs } = await readAll(client.openLogQuery(parseLogFilter({ address: contract(0) })));
      assert.equal(logs.length, rows.filter((row) => contractAt(row) === contract(0)).length);
      assert.ok(refusals > 1, 'was not asked again');
      assert.ok(clock.waits.includes(3000), `waits: ${clock.waits}`);
    });
  });
});
