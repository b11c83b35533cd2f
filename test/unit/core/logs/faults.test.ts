import assert from 'node:assert/strict';
import { fetch as undiciFetch } from 'undici';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import type { Fault, Intercept } from '../../../../localnet/http/faults.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import {
  type Clock,
  createChainClient,
  type FetchLike,
  type Log,
  type LogOrder,
  parseLogFilter,
  systemClock,
} from '../../../../src/core/index.ts';
import { createTestClock, timeLimits } from '../../../support/clocks.ts';
import { getReadingByTurns } from '../../../support/conformance.ts';
import { byTurns, isFullRun } from '../../../support/fullRun.ts';
import { addresses, buildDataSet, dataSets, type LogDataSet } from '../../../support/logDataSets.ts';

const fetch = undiciFetch as unknown as FetchLike;
const query = { address: addresses[0] };

function keysOf(logs: readonly { blockNumber: bigint | number; logIndex: number }[]): readonly string[] {
  return logs.map((log) => `${log.blockNumber}:${log.logIndex}`);
}

function wantedOf(set: LogDataSet, order: LogOrder = 'oldestFirst'): readonly string[] {
  const wanted = keysOf(set.truth.filter((log) => log.address === addresses[0]));
  return order === 'newestFirst' ? wanted.toReversed() : wanted;
}

/** A client whose every fifth request hangs until its time limit passes. */
function createStalledClient(url: string) {
  const clock = createTestClock();
  let requests = 0;
  let expireNewest: () => void = () => undefined;
  const stalledClock: Clock = {
    ...clock,
    sleep: (ms, { signal } = {}) => {
      if (!timeLimits.includes(ms)) return clock.sleep(ms, { signal });
      return new Promise((resolve, reject) => {
        expireNewest = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
  const stalledFetch: FetchLike = (target, init) => {
    if (++requests % 5 > 0) return fetch(target, init);
    // A client starts the time limit of a request before it sends it.
    expireNewest();
    return new Promise(() => undefined);
  };
  return createChainClient({ fetch: stalledFetch, clock: stalledClock, url });
}

function openQuery(server: ExplorerServer, clock: Clock, order: LogOrder = 'oldestFirst') {
  const client = createChainClient({ fetch, clock, url: server.rpcUrl });
  return client.openLogQuery(parseLogFilter(query), { order });
}

/** A request for a page is sent again so many times. */
const MAX_FAILURES = 4;

/**
 * The fault on every third request, but on no question more often than it is asked again: many that are under way at once
 * fall into step at times, and then it is the same one that comes third, however often.
 */
function everyThird(fault: Fault): Intercept {
  const failures = new Map<string, number>();
  let requests = 0;
  return ({ url, body }) => {
    requests++;
    const question = url + body.replaceAll(/"id":\s*\d+/g, '');
    const before = failures.get(question) ?? 0;
    if (requests < 3 || before === MAX_FAILURES) return undefined;
    requests = 0;
    failures.set(question, before + 1);
    return fault;
  };
}

const respond = (status: number, body: string, headers: Record<string, string> = {}): Fault => ({
  ...{ kind: 'respond', status, body, headers },
});

const rpcError = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } });

const faults: Readonly<Record<string, Fault>> = {
  '429 without a header': respond(429, '{"status":"0","message":"429 Too Many Requests","result":null}'),
  '429 with Retry-After': respond(429, '', { 'retry-after': '2' }),
  '429 with x-ratelimit-reset': respond(429, '', {
    'x-ratelimit-reset': '900',
    'x-ratelimit-remaining': '0',
  }),
  '429 with headers of a server without limits': respond(429, '', { 'x-ratelimit-reset': '-1' }),
  'a rate limit with HTTP 200': respond(200, rpcError(-32016, 'over rate limit')),
  'a rate limit under a code of other limits': respond(
    200,
    rpcError(-32005, 'project ID request rate exceeded'),
    {
      'ratelimit-reset': '3',
    },
  ),
  'a rate limit that is reset at a moment': respond(429, '', {
    // The test's clock begins seven seconds before.
    'x-ratelimit-reset': '1700000012',
  }),
  'HTTP 500': respond(500, '"Internal server error"'),
  'a web page': respond(200, '<html>busy</html>', { 'content-type': 'text/html' }),
  'a truncated body': { kind: 'truncate' },
  'a reset connection': { kind: 'reset' },
  'the wrong id': { kind: 'edit', change: (body) => body.replace(/"id":\s*\d+/, '"id":999999') },
};

const dialectNames = Object.keys(dialects) as DialectName[];
for (const [nth, dialect] of dialectNames.entries()) {
  describe(`log query on ${dialect} when every third answer is`, () => {
    let set: LogDataSet;
    let server: ExplorerServer;
    before(async () => {
      set = dataSets.uneven();
      server = await startExplorer({ index: set.index, dialect });
    });
    after(() => server.stop());

    for (const [at, [name, fault]] of Object.entries(faults).entries()) {
      if (!isFullRun && at % dialectNames.length !== nth) continue;
      const [read, order] = getReadingByTurns(nth + at);
      it(`${name}: still ends complete, ${order}`, async () => {
        server.setIntercept(everyThird(fault));
        const { logs, verdict } = await read(openQuery(server, createTestClock(), order));
        assert.equal(verdict.state, 'complete');
        assert.deepEqual(keysOf(logs), wantedOf(set, order));
      });
    }

    for (const order of byTurns(['oldestFirst', 'newestFirst'] as const, 2, nth)) {
      it(`a stall, ${order}: still ends complete`, async () => {
        const running = createStalledClient(server.rpcUrl).openLogQuery(parseLogFilter(query), { order });
        const logs: Log[] = [];
        for await (const page of running.rest()) logs.push(...page.logs);
        assert.deepEqual(running.verdict?.reasons, []);
        assert.equal(running.verdict?.state, 'complete');
        assert.deepEqual(keysOf(logs), wantedOf(set, order));
      });
    }
  });
}

describe('log query that is interrupted', () => {
  let set: LogDataSet;
  let server: ExplorerServer;
  beforeEach(async () => {
    set = dataSets.uneven();
    server = await startExplorer({ index: set.index, dialect: 'v11.2' });
  });
  afterEach(() => server.stop());

  it('keeps what is loaded on a failure and goes on from there', async () => {
    const running = openQuery(server, createTestClock());
    const logs = [...(await running.nextPage()).logs];
    server.setIntercept(() => respond(500, ''));
    await assert.rejects(running.nextPage());
    await assert.rejects(async () => {
      for await (const page of running.rest()) logs.push(...page.logs);
    });
    server.setIntercept(undefined);
    for await (const page of running.rest()) logs.push(...page.logs);
    assert.equal(running.verdict?.state, 'complete');
    assert.deepEqual(keysOf(logs), wantedOf(set));
  });

  it('stops at once on cancel and goes on when asked again', async () => {
    const running = openQuery(server, systemClock);
    const cancel = new AbortController();
    const logs: Log[] = [];
    await assert.rejects(
      async () => {
        for await (const page of running.rest({ signal: cancel.signal })) {
          logs.push(...page.logs);
          cancel.abort();
        }
      },
      { kind: 'aborted' },
    );
    assert.ok(logs.length > 0 && logs.length < wantedOf(set).length);
    assert.equal(running.verdict?.state, 'more');
    const before = server.requestCount;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(server.requestCount, before, 'asked on after the cancel');
    for await (const page of running.rest()) logs.push(...page.logs);
    assert.deepEqual(keysOf(logs), wantedOf(set));
  });

  it('refuses a second caller while it is being loaded', async () => {
    const running = openQuery(server, systemClock);
    const first = running.nextPage();
    await assert.rejects(running.nextPage(), /already loading/);
    assert.equal((await first).logs.length, 1000);
    assert.equal((await running.nextPage()).logs.length > 0, true);
  });

  it('reports progress up to the whole range', async () => {
    const running = openQuery(server, systemClock);
    const seen: bigint[] = [];
    let blocks = 0n;
    for await (const _ of running.rest({
      onProgress: (progress) => {
        seen.push(progress.blocksDone);
        blocks = progress.blocks;
      },
    }));
    assert.equal(blocks, BigInt(set.head) + 1n);
    assert.equal(seen.at(-1), blocks);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => Number(a - b)),
    );
  });
});

for (const order of ['oldestFirst', 'newestFirst'] as const) {
  describe(`log query while the chain changes, ${order}`, () => {
    const blocks = () => new Map(Array.from({ length: 60 }, (_, block) => [block, 50] as const));
    /** The block that is read as the nth. */
    const read = (nth: number) => (order === 'oldestFirst' ? nth : 59 - nth);

    it('tells of a reorg between its answers', async () => {
      const set = buildDataSet(blocks());
      const server = await startExplorer({ index: set.index, dialect: 'v11.2' });
      const running = openQuery(server, systemClock, order);
      await running.nextPage();
      const [replaced] = set.index.blocksAt(read(10));
      assert.ok(replaced);
      set.index.orphan(replaced.hash);
      set.index.addBlock({ number: read(10), hash: `0x${'f'.repeat(64)}`, transactions: [] });
      for await (const _ of running.rest());
      await server.stop();
      assert.equal(running.verdict?.state, 'uncertain');
      assert.deepEqual(running.verdict.reasons, [{ code: 'reorg', block: BigInt(read(10)) }]);
    });

    it('tells of a reorg at any height of the end, however few blocks the server gives at once', async () => {
      const set = buildDataSet(blocks());
      const server = await startNode({
        index: set.index,
        profile: 'alchemyFree',
        limits: { maxDistance: 9 },
      });
      const client = createChainClient({ fetch, clock: createTestClock(), url: server.rpcUrl });
      const running = client.openLogQuery(parseLogFilter(query), { order });
      const { verdict } = await running.nextPage();
      assert.equal(verdict.state, 'more');
      const lastRead = Number(verdict.readThrough);
      const [replaced] = set.index.blocksAt(lastRead);
      assert.ok(replaced);
      set.index.orphan(replaced.hash);
      set.index.addBlock({ number: lastRead, hash: `0x${'f'.repeat(64)}`, transactions: [] });
      for await (const _ of running.rest());
      await server.stop();
      assert.deepEqual(running.verdict?.reasons, [{ code: 'reorg', block: BigInt(lastRead) }]);
    });

    it('tells of a reorg between the requests for several addresses', async () => {
      const set = buildDataSet(blocks(), { head: 61 });
      const server = await startExplorer({ index: set.index, dialect: 'v11.2' });
      let asked = 0;
      server.setIntercept(({ body }) => {
        if (body.includes('eth_getLogs')) asked++;
        const [replaced] = set.index.blocksAt(0);
        if (asked === 2 && replaced) set.index.orphan(replaced.hash);
        return undefined;
      });
      const client = createChainClient({ fetch, clock: systemClock, url: server.rpcUrl });
      const [, B = '', C = ''] = addresses;
      const running = client.openLogQuery(parseLogFilter({ address: [B, C], toBlock: 1 }), { order });
      const { verdict } = await running.nextPage();
      await server.stop();
      assert.deepEqual([verdict.state, verdict.reasons], ['uncertain', [{ code: 'reorg', block: 0n }]]);
    });

    it('tells of a head that went back below its range', async () => {
      const set = buildDataSet(blocks());
      const server = await startExplorer({ index: set.index, dialect: 'v11.2' });
      const running = openQuery(server, createTestClock(), order);
      await running.nextPage();
      for (const number of [58, 59]) {
        for (const { hash } of set.index.blocksAt(number)) set.index.orphan(hash);
      }
      for await (const _ of running.rest());
      await server.stop();
      assert.equal(running.verdict?.state, 'uncertain');
      assert.deepEqual(running.verdict.reasons, [{ code: 'headWentBack' }]);
    });

    it('is about the head at which it began, whatever comes after', async () => {
      const set = buildDataSet(blocks());
      const server = await startExplorer({ index: set.index, dialect: 'v11.2' });
      const running = openQuery(server, systemClock, order);
      await running.nextPage();
      const late = { logIndex: 0, address: addresses[0] ?? '0x', topics: [], data: '0x' } as const;
      const transaction = { hash: `0x${'e'.repeat(64)}`, logs: [late] } as const;
      set.index.addBlock({ number: 60, hash: `0x${'d'.repeat(64)}`, transactions: [transaction] });
      const logs: Log[] = [];
      for await (const page of running.rest()) logs.push(...page.logs);
      await server.stop();
      assert.equal(running.verdict?.state, 'complete');
      assert.equal(running.verdict.toBlock, 59n);
      assert.ok(logs.every(({ blockNumber }) => blockNumber <= 59n));
    });

    it('says that a range above the head has nothing yet', async () => {
      const set = buildDataSet(blocks());
      const server = await startExplorer({ index: set.index, dialect: 'v11.2' });
      const client = createChainClient({ fetch, clock: systemClock, url: server.rpcUrl });
      const running = client.openLogQuery(parseLogFilter({ ...query, fromBlock: 60 }), { order });
      const { logs, verdict } = await running.nextPage();
      await server.stop();
      assert.deepEqual([logs, verdict.state, verdict.requests], [[], 'unreached', 2]);
      assert.equal(server.requests.filter(({ body }) => body.includes('eth_getLogs')).length, 0);
      assert.deepEqual(verdict.reasons, [{ code: 'beyondHead', block: 59n }]);
    });
  });
}
