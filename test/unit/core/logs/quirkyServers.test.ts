import assert from 'node:assert/strict';
import {
  createChainClient,
  type FetchLike,
  type LogOrder,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { getReadingByTurns } from '../../../support/conformance.ts';
import { createQuirkyFetch, type Quirks, type Row } from '../../../support/fakeFetch.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { addresses, buildDataSet, type LogDataSet, topics } from '../../../support/logDataSets.ts';
import {
  assertVerdictHolds,
  expectedKeys,
  getLogKeys,
  type QueryJson,
  readAll,
} from '../../../support/logReading.ts';

const [A = '', B = ''] = addresses;
const [T0 = '', , T2 = ''] = topics;
const filters: Readonly<Record<string, QueryJson>> = {
  'an address': { address: A },
  'topic0 alone': { topics: [T0] },
  'a wildcard first': { address: A, topics: [null, T2] },
  'two addresses': { address: [A, B] },
  'a part of the range': { address: A, fromBlock: 100, toBlock: 222 },
};
const kinds: Readonly<Record<string, Pick<Quirks, 'says'>>> = {
  'says nothing of itself': {},
  'calls itself v11.2.7': { says: { release: 'v11.2.7' } },
  'calls itself v9.1.0': { says: { release: 'v9.1.0' } },
  'calls itself geth': { says: { name: 'Geth/v1.17.0' } },
};

/** Quirks under which every row can be had, by every kind of server. */
const reachable: Readonly<Record<string, Quirks>> = {
  'gives 100 rows at most': { limit: 100 },
  'gives 500 rows at most': { limit: 500 },
  'gives 10,000 rows at most': { limit: 10_000 },
  'gives the newest 10,000 rows': { limit: 10_000, keeps: 'last' },
  'does not read topics': { limit: 1000, ignores: ['topics'] },
  'does not read the address': { limit: 1000, ignores: ['address'] },
  'does not read the cursor': { limit: 1000, ignores: ['cursor'] },
  'gives every row twice': { change: (rows) => rows.flatMap((row) => [row, row]) },
  'gives rows in reverse': { change: (rows) => rows.toReversed() },
  'pads its numbers': { change: (rows) => rows.map(padNumbers) },
  'writes in upper case': { change: (rows) => rows.map(inUpperCase) },
  'writes numbers as JSON integers': { change: (rows) => rows.map(asIntegers) },
  'adds removed rows': {
    change: (rows) =>
      rows.flatMap((row) => [row, { ...row, blockHash: `0x${'ee'.repeat(32)}`, removed: true }]),
  },
  'adds rows without a block': {
    change: (rows) => [...rows, { ...rows[0], blockNumber: null, blockHash: '' }],
  },
  'leaves out removed': { change: (rows) => rows.map(({ removed, ...row }) => row) },
};

describe('log query on a server that', () => {
  const some = dataSetOf(60);
  const many = dataSetOf(300);
  async function holdAgainst(quirks: Quirks, turn: number): Promise<void> {
    const set = (quirks.limit ?? 0) > 1000 ? many : some;
    const fetch = createQuirkyFetch(set, quirks);
    const queries = [...Object.entries(filters).entries()];
    for (const [nth, [filterName, query]] of byTurns(queries, 6, turn)) {
      const [read, order] = getReadingByTurns(turn + nth);
      const wanted = expectedKeys(set, query, order);
      const { logs } = await read(open(fetch, query, order));
      const what = `${filterName}, ${order}: ${logs.length} of ${wanted.length} logs`;
      assert.deepEqual(getLogKeys(logs), wanted, what);
    }
  }

  for (const [kindTurn, [kind, says]] of Object.entries(kinds).entries()) {
    const all = [...Object.entries(reachable).entries()];
    for (const [quirkTurn, [name, quirks]] of byTurns(all, 3, kindTurn)) {
      it(`${kind} and ${name}: every log is given`, () =>
        holdAgainst({ ...says, ...quirks }, kindTurn + quirkTurn));
    }
  }

  for (const [turn, kind] of ['says nothing of itself', 'calls itself geth'].entries()) {
    it(`${kind} and gives the newest 1,000 rows: every log is given`, () =>
      holdAgainst({ ...kinds[kind], limit: 1000, keeps: 'last' }, turn));
  }

  it('says nothing of itself and cuts off a block: the answer is never complete without it', async () => {
    const crowded = buildDataSet(
      new Map([
        [5, 30],
        [6, 1900],
        [8, 20],
      ]),
    );
    const queries = [{ address: A }, { topics: [null, T2], address: A }, { topics: [T0] }];
    for (const [nth, limit] of byTurns([100, 256, 500, 1000, 1024], 2, 0).entries()) {
      for (const query of byTurns(queries, 3, nth)) {
        const answer = await readAll(open(createQuirkyFetch(crowded, { limit, ignores: ['cursor'] }), query));
        assertVerdictHolds(answer, expectedKeys(crowded, query), () => true);
      }
    }
  });
});

function dataSetOf(blocks: number): LogDataSet {
  const spaced = Array.from({ length: blocks }, (_, n) => [n * 5, n % 10 === 0 ? 90 : 40] as const);
  return buildDataSet(new Map(spaced), { head: blocks * 5 + 9 });
}

function open(fetch: FetchLike, query: QueryJson, order: LogOrder = 'oldestFirst') {
  const url = 'http://explorer.test/api/eth-rpc';
  const client = createChainClient({ fetch, clock: createTestClock(), url });
  return client.openLogQuery(parseLogFilter(query), { order });
}

function padNumbers(row: Row): unknown {
  const pad = (value: unknown) => String(value).replace('0x', '0x00000000000000');
  return { ...row, blockNumber: pad(row.blockNumber), logIndex: pad(row.logIndex), transactionIndex: '0x00' };
}

function inUpperCase(row: Row): unknown {
  const upper = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(upper)
      : typeof value === 'string'
        ? `0x${value.slice(2).toUpperCase()}`
        : value;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, upper(value)]));
}

function asIntegers(row: Row): unknown {
  return {
    ...row,
    blockNumber: Number(row.blockNumber),
    logIndex: Number(row.logIndex),
    transactionIndex: 0,
  };
}

describe('log query on a node whose head is block 0', () => {
  const empty = buildDataSet(new Map(), { head: 0 });

  /** A node that responds so to eth_syncing; undefined: an error. */
  function openAt(syncing: unknown) {
    const serve = createQuirkyFetch(empty, { says: { name: 'Geth/v1.17.0' } });
    const fetch: FetchLike = async (url, init) => {
      if (!init.body?.includes('eth_syncing') || syncing === undefined) return serve(url, init);
      const { id } = JSON.parse(init.body);
      return Response.json({ jsonrpc: '2.0', id, result: syncing });
    };
    const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });
    return client.openLogQuery(parseLogFilter({ address: A }));
  }

  for (const [name, syncing, reasons] of [
    ['is syncing', { startingBlock: '0x0', currentBlock: '0x0', highestBlock: '0x989680' }, ['nodeSyncing']],
    ['says only that it is syncing', true, ['nodeSyncing']],
    ['is not syncing', false, []],
    ['does not know eth_syncing', undefined, []],
  ] as const) {
    it(`${reasons.length > 0 ? 'is uncertain' : 'takes it for the head'} if the node ${name}`, async () => {
      const { verdict } = await readAll(openAt(syncing));
      const codes = verdict.reasons.map(({ code }) => code).filter((code) => code !== 'historyUnchecked');
      assert.deepEqual(codes, reasons);
    });
  }
});
