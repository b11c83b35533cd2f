import assert from 'node:assert/strict';
import { inSequence } from '../../../../localnet/http/faults.ts';
import { MemoryIndex } from '../../../../localnet/index/memoryIndex.ts';
import { type PortalServer, startPortal } from '../../../../localnet/portal/server.ts';
import {
  createChainClient,
  type FetchLike,
  type Hex,
  type Log,
  type LogOrder,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { anew, createCachingFetch, withServer } from '../../../support/injectFetch.ts';
import { addresses, buildChain, topics } from '../../../support/logDataSets.ts';
import {
  createInjectClient,
  createTestClient,
  expectedKeys,
  getLogKeys,
  openInjectQuery,
  readAll,
  readPages,
} from '../../../support/logReading.ts';

const [A = '0x', B = '0x'] = addresses;
const [T0 = '0x'] = topics;
const orders: readonly LogOrder[] = ['oldestFirst', 'newestFirst'];

interface Line {
  header: { number: number; hash?: string; parentHash?: string };
  logs?: { address: string; logIndex: number; topics: string[]; data: string }[];
}

/** Changes the lines of an answer. */
const lines = (change: (lines: Line[]) => readonly (Line | string)[]) => (body: string) =>
  change(
    body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
    .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join('\n');

const changeLogs = (change: object) =>
  lines((all) =>
    all.map((line) => ({ ...line, logs: (line.logs ?? []).map((log) => ({ ...log, ...change })) })),
  );

const isStream = ({ url }: { readonly url: string }) => url.endsWith('/stream');

describe('log query on a portal that errs', () => {
  const set = buildChain(120, 5);
  let server: PortalServer;
  before(async () => {
    server = await startPortal({ index: set.index, limits: { blocks: 35 } });
  });
  after(() => server.stop());
  afterEach(() => server.setIntercept(undefined));

  const query = { address: A };
  const read = (order: LogOrder) =>
    readAll(createTestClient(server.rpcUrl).openLogQuery(parseLogFilter(query), { order }));

  const changes: Readonly<Record<string, (body: string) => string>> = {
    'a line that is no JSON': lines((all) => [...all.slice(0, 1), '{"header":{"num', ...all.slice(1)]),
    'a line without a header': lines((all) => all.map((line) => ({ ...line, header: undefined }) as never)),
    'a header without a hash': lines(([first, ...others]) => [
      { ...first, header: { number: first?.header.number ?? 0 } },
      ...others,
    ]),
    'a block twice': lines((all) => [...all, ...all.slice(-1)]),
    'blocks in another order': lines((all) => all.toReversed()),
    'an answer without the first block that it covers': lines((all) => all.slice(1)),
    'a block above those that were asked for': lines((all) => [
      ...all,
      { header: { number: 5_000_000, hash: `0x${'5'.repeat(64)}` } },
    ]),
    'a web page': () => '<html>busy</html>',
    'nothing at all': () => '',
  };
  for (const [turn, [name, change]] of Object.entries(changes).entries()) {
    it(`asks again after ${name}, and says so when it does not end`, async () => {
      for (const order of byTurns(orders, 2, turn)) {
        const faults = [undefined, { kind: 'edit' as const, change }, undefined];
        server.setIntercept((request) => (isStream(request) ? faults.shift() : undefined));
        const { logs, verdict } = await read(order);
        assert.equal(verdict.state, 'complete');
        assert.deepEqual(getLogKeys(logs), expectedKeys(set, query, order));

        server.setIntercept((request) => (isStream(request) ? { kind: 'edit', change } : undefined));
        await assert.rejects(read(order), { kind: 'badResponse' });
      }
    });
  }

  it('asks again after an answer that breaks off in its compressed bytes', async () => {
    for (const order of orders) {
      const faults = inSequence([undefined, { kind: 'truncate' }, { kind: 'reset' }]);
      server.setIntercept((request) => (isStream(request) ? faults(request) : undefined));
      const { logs, verdict } = await read(order);
      assert.equal(verdict.state, 'complete');
      assert.deepEqual(getLogKeys(logs), expectedKeys(set, query, order));
    }
  });

  it('leaves out rows that were not asked for, and doubts the answer', async () => {
    const strayed = changeLogs({ address: B });
    for (const order of orders) {
      const faults = [undefined, { kind: 'edit' as const, change: strayed }];
      server.setIntercept((request) => (isStream(request) ? faults.shift() : undefined));
      const { logs, verdict } = await read(order);
      assert.equal(verdict.state, 'uncertain');
      assert.ok(verdict.reasons.some(({ code }) => code === 'otherRows'));
      assert.ok(logs.every(({ address }) => address === A));
    }
  });

  it('refuses a row that is no log', async () => {
    const bad = changeLogs({ data: 'zz' });
    server.setIntercept((request) => (isStream(request) ? { kind: 'edit', change: bad } : undefined));
    await assert.rejects(read('oldestFirst'), { kind: 'badLogs', details: { field: 'data' } });
  });

  it('tells the words of a query that it does not take, and asks no second time', async () => {
    const body = JSON.stringify({
      error: { type: 'x', code: 'y', message: "Couldn't parse query: too odd" },
    });
    server.setIntercept((request) =>
      isStream(request) ? { kind: 'respond', status: 400, body } : undefined,
    );
    server.forgetRequests();
    await assert.rejects(read('oldestFirst'), (error: { kind: string; details: object }) => {
      assert.equal(error.kind, 'rpc');
      assert.match(JSON.stringify(error.details), /too odd/);
      return true;
    });
    assert.equal(server.requests.filter(isStream).length, 1);
  });

  it('waits as the portal asks where it counts requests', async () => {
    const clock = createTestClock();
    const { fetch } = globalThis;
    const faults = [
      { kind: 'respond' as const, status: 429, headers: { 'retry-after': '4' } },
      { kind: 'respond' as const, status: 529, headers: { 'retry-after': '2' } },
    ];
    server.setIntercept((request) => (isStream(request) ? faults.shift() : undefined));
    const client = createChainClient({ fetch: fetch as unknown as FetchLike, clock, url: server.rpcUrl });
    const { logs, verdict } = await readPages(client.openLogQuery(parseLogFilter(query)));
    assert.equal(verdict.state, 'complete');
    assert.deepEqual(getLogKeys(logs), expectedKeys(set, query));
    assert.deepEqual(
      clock.waits.filter((ms) => ms >= 1000),
      [4000, 2000],
    );
  });

  it('says that the newest blocks were lost where the portal knows none of them any more', async () => {
    for (const order of orders) {
      server.setIntercept((request) => (isStream(request) ? { kind: 'respond', status: 204 } : undefined));
      const { verdict } = await read(order);
      assert.equal(verdict.state, 'uncertain');
      assert.deepEqual(
        verdict.reasons.map(({ code }) => code),
        ['headWentBack'],
      );
    }
  });

  it('says that earlier logs are missing where its blocks begin later than the range', async () => {
    const starting = startPortal({ index: set.index, startBlock: 70, limits: { blocks: 35 } });
    await withServer(starting, async (late) => {
      for (const order of orders) {
        for (const read of [readAll, readPages]) {
          const { logs, verdict } = await read(openInjectQuery(late, query, order));
          assert.equal(verdict.state, 'uncertain');
          assert.deepEqual(verdict.reasons, [{ code: 'startsLater', block: 70n }]);
          assert.deepEqual(getLogKeys(logs), expectedKeys(set, { ...query, fromBlock: 70 }, order));
        }
      }
      const { verdict } = await readAll(openInjectQuery(late, { ...query, fromBlock: 5, toBlock: 60 }));
      assert.deepEqual([verdict.state, verdict.rows], ['uncertain', 0]);
      const within = await readAll(openInjectQuery(late, { ...query, fromBlock: 70 }));
      assert.equal(within.verdict.state, 'complete');
    });
  });

  it('answers what else is asked of it, and says of the rest that it has none', async () => {
    const client = createTestClient(server.rpcUrl);
    assert.equal(await client.getBlockNumber(), BigInt(set.head));
    assert.equal(await client.getChainId(), undefined);
    assert.deepEqual(client.dialect()?.family, 'portal');
    assert.deepEqual(
      await client.fetchBlockTimes([7n, 9n]),
      new Map([
        [7n, { time: 14_000, source: 'stream' }],
        [9n, { time: 18_000, source: 'stream' }],
      ]),
    );
    await assert.rejects(client.getBalance(A as Hex), {
      kind: 'notServed',
      message: /only logs and block headers/,
    });
  });
});

/** A chain of so many blocks with two logs in each, of which those from `from` on can be replaced. */
function createForkingChain(blocks: number) {
  const index = new MemoryIndex();
  const hashes = new Map<number, Hex>();
  const add = (number: number, branch: number) => {
    const hash: Hex = `0x${branch}${number.toString(16).padStart(63, '0')}`;
    hashes.set(number, hash);
    const logs = [0, 1].map((logIndex) => ({ logIndex, address: A, topics: [T0], data: '0x' as Hex }));
    const transactions = [{ hash: `0x${branch}a${number.toString(16).padStart(62, '0')}` as Hex, logs }];
    index.addBlock({ number, hash, transactions });
  };
  for (let number = 0; number < blocks; number++) add(number, 1);
  return {
    index,
    hashes,
    fork(from: number, branch: number) {
      for (let number = blocks - 1; number >= from; number--) index.orphan(hashes.get(number) ?? '0x');
      for (let number = from; number < blocks; number++) add(number, branch);
    },
  };
}

describe('log query on a portal whose chain is reorganised while it is read', () => {
  /** A query of a portal whose `nth` answer comes after a reorg from block `from` on. */
  const begin = (
    { nth, from, branch = 2 }: { readonly nth: number; readonly from: number; readonly branch?: number },
    use: (server: PortalServer, isOneChain: (logs: readonly Log[]) => boolean) => Promise<void>,
  ) => {
    const chain = createForkingChain(200);
    return withServer(startPortal({ index: chain.index, limits: { blocks: 30 } }), (server) => {
      let streams = 0;
      server.setIntercept((request) => {
        if (isStream(request) && ++streams === nth) chain.fork(from, branch);
        return undefined;
      });
      return use(server, (logs) =>
        logs.every(({ blockNumber, blockHash }) => chain.hashes.get(Number(blockNumber)) === blockHash),
      );
    });
  };
  const open = (server: PortalServer, order: LogOrder) =>
    createInjectClient(server, anew).openLogQuery(parseLogFilter({ address: A }), { order });

  for (const [turn, from] of [10, 55, 100, 140, 199].entries()) {
    for (const [orderTurn, order] of orders.entries()) {
      it(`is certain only of rows of one chain: ${order}, from block ${from} on, at each of its answers`, async () => {
        for (const nth of byTurns([1, 2, 3, 4, 5, 6, 7, 8], 8, turn + 3 * orderTurn)) {
          await begin({ nth, from, branch: 2 + turn }, async (server, isOneChain) => {
            const { logs, verdict } = await (nth % 2 === 0 ? readAll : readPages)(open(server, order));
            if (verdict.state === 'complete') assert.ok(isOneChain(logs), `${nth}: rows of two chains`);
            else assert.ok(verdict.reasons.some(({ code }) => code === 'reorg'));
            assert.equal(logs.length, 400);
            assert.equal(new Set(getLogKeys(logs)).size, 400);
          });
        }
      });
    }
  }

  it('reads a range anew that it has given nothing of', () =>
    begin({ nth: 4, from: 60 }, async (server, isOneChain) => {
      const { logs, verdict } = await readAll(open(server, 'newestFirst'));
      assert.equal(verdict.state, 'complete');
      assert.ok(isOneChain(logs));
    }));

  it('does not take for one chain what a portal gives that names no fork', () =>
    begin({ nth: 3, from: 20 }, async (server) => {
      const inject = createCachingFetch(server, anew);
      // As a portal does that does not hold the hash against its own.
      const fetch: FetchLike = (target, init) =>
        inject(target, {
          ...init,
          ...(init.body && { body: JSON.stringify({ ...JSON.parse(init.body), parentBlockHash: null }) }),
        });
      const client = createChainClient({ fetch, clock: createTestClock(), url: server.rpcUrl });
      const { verdict } = await readPages(client.openLogQuery(parseLogFilter({ address: A })));
      assert.equal(verdict.state, 'uncertain');
      assert.ok(verdict.reasons.some(({ code }) => code === 'reorg'));
    }));

  it('gives up on a portal that tells of a fork for ever', () =>
    begin({ nth: 0, from: 0 }, async (server) => {
      const body = JSON.stringify({ previousBlocks: [] });
      let streams = 0;
      server.setIntercept((request) =>
        isStream(request) && ++streams > 1 ? { kind: 'respond', status: 409, body } : undefined,
      );
      await assert.rejects(readPages(open(server, 'oldestFirst')), { kind: 'badResponse' });
      assert.ok(streams < 30);
    }));
});
