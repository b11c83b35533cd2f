import assert from 'node:assert/strict';
import {
  AppError,
  createChainClient,
  type Log,
  type LogOrder,
  parseLogFilter,
} from '../../../../../src/core/index.ts';
import {
  createConcurrency,
  createMemoryBudget,
  MAX_BLOCK_BYTES,
  MAX_BLOCK_ROWS,
} from '../../../../../src/core/logs/engine/limits.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { createRow, createScriptedFetch, type ScriptedServer } from '../../../../support/fakeFetch.ts';
import { byTurns, describeInFullRun, isFullRun } from '../../../../support/fullRun.ts';
import {
  getLogKeys,
  type QueryJson,
  type ReadingMode,
  readAll,
  readPages,
} from '../../../../support/logReading.ts';

const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';
const url = 'http://explorer.test/api/eth-rpc';

const ways: Readonly<Record<string, ReadingMode>> = { 'page by page': readPages, 'all at once': readAll };
/** Of two neighbours one stands for both: every way and every order remain. */
const waysInOrder = [
  ['page by page, oldestFirst', readPages, 'oldestFirst'],
  ['all at once, oldestFirst', readAll, 'oldestFirst'],
  ['all at once, newestFirst', readAll, 'newestFirst'],
  ['page by page, newestFirst', readPages, 'newestFirst'],
] as const;
const kinds: Readonly<Record<string, Pick<ScriptedServer, 'says'>>> = {
  'says nothing of itself': {},
  'calls itself v11.2.7': { says: { release: 'v11.2.7' } },
  'calls itself v9.1.0': { says: { release: 'v9.1.0' } },
  'calls itself geth': { says: { name: 'Geth/v1.17.0' } },
};

const orders: readonly LogOrder[] = ['oldestFirst', 'newestFirst'];

function open(server: ScriptedServer, query: QueryJson = { address: A }, order: LogOrder = 'oldestFirst') {
  const { fetch, asked } = createScriptedFetch(server);
  const client = createChainClient({ fetch, clock: createTestClock(), url });
  return { running: client.openLogQuery(parseLogFilter(query), { order }), asked };
}

const page = (block: number, first: number, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => createRow(block, first + index, more));

const codesOf = (reasons: readonly { code: string }[]) => [...new Set(reasons.map(({ code }) => code))];

const byTopic = { topics: [`0x${'7'.repeat(64)}`] };
const topics = { topics: byTopic.topics };

describe('memory of a window', () => {
  const block: readonly Log[] = [{ data: `0x${'5'.repeat(MAX_BLOCK_BYTES)}` } as unknown as Log];

  it('is over what a block can hold by rows, dropped ones too, or by bytes', () => {
    const budget = createMemoryBudget(() => Number.POSITIVE_INFINITY);
    budget.take(MAX_BLOCK_ROWS, []);
    assert.deepEqual([budget.exceedsBlock, budget.isExceeded], [false, false]);
    budget.take(1, []);
    assert.deepEqual([budget.exceedsBlock, budget.isExceeded], [true, true]);
    budget.reset([]);
    assert.deepEqual([budget.exceedsBlock, budget.isExceeded], [false, false]);
    budget.take(1, block);
    assert.deepEqual([budget.exceedsBlock, budget.isExceeded], [true, true]);
  });
});

describeInFullRun('log query on a server without end in one block', () => {
  for (const [name, way, order] of waysInOrder) {
    it(`read ${name}, ${order}: ends there with what a block can hold`, async () => {
      const server: ScriptedServer = {
        head: 40,
        says: { release: 'v11.2.7' },
        // Block 5 begins after ten rows of block 4.
        logs: ({ from, to, after }) => {
          if (from > 5 || to < 4) return [];
          if (!after && from < 5)
            return [...page(4, 0, 10, topics), ...page(5, 0, 990, topics)].slice(0, to < 5 ? 10 : 1000);
          return page(5, after ? after.index + 1 : 0, 1000, topics);
        },
      };
      const { running, asked } = open(server, byTopic, order);
      const { logs, verdict } = await way(running);
      assert.equal(verdict.state, 'uncertain');
      assert.deepEqual(verdict.reasons, [{ code: 'endlessBlock', block: 5n }]);
      assert.equal(verdict.readThrough, order === 'oldestFirst' ? 4n : 6n);
      assert.ok(logs.length > MAX_BLOCK_ROWS / 2 && logs.length <= MAX_BLOCK_ROWS + 2000, `${logs.length}`);
      assert.ok(asked() <= MAX_BLOCK_ROWS / 1000 + 40, `${asked()} requests`);
    });
  }
});

describe('log query on a server without end', () => {
  for (const [name, way] of Object.entries(ways)) {
    it(`in refusals of what each single block holds, read ${name}: stops with the refusal, and goes on when asked again`, async () => {
      const refusal = { error: { code: -32005, message: 'query returned more than 10 results' } };
      const refused = new Set<number>();
      const server: ScriptedServer = {
        head: 1_000_000,
        says: { name: 'Geth/v1.17.0' },
        logs: ({ from, to }) => {
          if (from === to && from >= 100) refused.add(from);
          return to < 100
            ? Array.from({ length: to - from + 1 }, (_, at) => createRow(from + at, 0, topics))
            : refusal;
        },
      };
      const { running, asked } = open(server, byTopic);
      await assert.rejects(way(running), /more than 10 results/);
      assert.ok(asked() < 400, `${asked()} requests`);
      const rows = running.verdict?.rows ?? 0;
      assert.ok(rows >= 90, `${rows} of the 100 rows that it gives`);
      const first = Math.min(...refused);
      refused.clear();
      await assert.rejects(way(running), /more than 10 results/);
      assert.ok(Math.min(...refused) >= first + 5, `${first} ${Math.min(...refused)}`);
      assert.ok(asked() < 800, `${asked()} requests`);
    });
  }

  for (const order of orders) {
    it(`that always suggests one block less, ${order}: is not followed for ever`, async () => {
      const suggesting: ScriptedServer = {
        head: 1_000_000,
        says: { name: 'Geth/v1.17.0' },
        logs: ({ from, to }) => {
          if (to - from < 10) return [];
          const range = `[0x${from.toString(16)}, 0x${(to - 1).toString(16)}]`;
          return { error: { code: -32005, message: `more than 10 results, try ${range}` } };
        },
      };
      const { running, asked } = open(suggesting, { address: A }, order);
      await running.nextPage();
      assert.ok(asked() < 500, `${asked()} requests`);
    });
  }

  const cursors: Readonly<Record<string, (turn: number, index: number) => number>> = {
    'gives the same page for ever': () => 0,
    'goes back': (_turn, index) => Math.max(0, index - 1500),
    'gives two pages by turns': (turn) => (turn % 2) * 1000,
  };
  for (const [name, firstOf] of Object.entries(cursors)) {
    for (const order of byTurns(orders, 2, name.length))
      it(`whose cursor ${name}, ${order}: ends, and not as complete`, async () => {
        let turn = 0;
        const circling: ScriptedServer = {
          head: 5,
          says: { release: 'v11.2.7' },
          logs: ({ from, to, after }) =>
            from > 3 || to < 3 ? [] : page(3, after ? firstOf(turn++, after.index + 1) : 0, 1000),
        };
        const { running, asked } = open(circling, { address: A }, order);
        const { logs, verdict } = await readAll(running);
        assert.equal(verdict.state, 'uncertain');
        assert.ok(codesOf(verdict.reasons).includes('blockNotWhole'));
        assert.ok(logs.length >= 1000 && logs.length <= 3000);
        assert.ok(asked() < 60, `${asked()} requests`);
      });
  }
});

describe('log query on a server that does not read what it is asked', () => {
  const spread = Array.from({ length: 1000 }, (_, index) => createRow(index * 50, 0));

  for (const [nth, [kind, says]] of Object.entries(kinds).entries()) {
    for (const [name, way, order] of byTurns(waysInOrder, 4, nth)) {
      it(`and ${kind}, the same page for every question, read ${name}: is never complete, and soon ended`, async () => {
        const server = { head: 1_000_000, ...says, logs: () => spread };
        const { running, asked } = open(server, { address: A }, order);
        const { logs, verdict } = await way(running);
        assert.equal(verdict.state, 'uncertain');
        const codes = codesOf(verdict.reasons);
        assert.ok(codes.includes('otherRows') && codes.includes('questionIgnored'), `${codes}`);
        assert.ok(logs.length <= 1000 && (logs.length > 0 || order === 'newestFirst'));
        assert.ok(asked() < 60, `${asked()} requests`);
      });
    }

    it(`and ${kind}, all rows for a part of the range: gives those of the part, in doubt`, async () => {
      const rows = Array.from({ length: 90 }, (_, index) => createRow(index * 50, 0));
      const { running } = open(
        { head: 5000, ...says, logs: () => rows },
        { address: A, fromBlock: 100, toBlock: 222 },
      );
      const { logs, verdict } = await readAll(running);
      assert.deepEqual(getLogKeys(logs), ['100:0', '150:0', '200:0']);
      assert.deepEqual([verdict.state, verdict.reasons], ['uncertain', [{ code: 'otherRows', block: 100n }]]);
    });
  }

  for (const [nth, [kind, says]] of byTurns([...Object.entries(kinds).entries()], 4, 3)) {
    const order = orders[Math.floor(nth / 2) % orders.length];
    it(`and ${kind}, rows of another address, ${order}: is never complete, and ended`, async () => {
      const server: ScriptedServer = {
        head: 100_000,
        ...says,
        logs: ({ from, to }) => page(Math.min(from, to), 0, isFullRun ? 1000 : 50, { address: B }),
      };
      const { running, asked } = open(server, { address: A }, order);
      const { logs, verdict } = await readAll(running);
      assert.deepEqual(logs, []);
      assert.equal(verdict.state, 'uncertain');
      assert.ok(codesOf(verdict.reasons).includes('otherRows'));
      assert.ok(asked() < 1500, `${asked()} requests`);
    });
  }

  it('but shows a log where its transaction was mined anew, as v12 does: is not put in doubt', async () => {
    const rows = [...page(7, 0, 3), ...page(9, 0, 1)];
    const { running } = open(
      { head: 50, says: { release: 'v12.0.0' }, logs: () => rows },
      { address: A, toBlock: 8 },
    );
    const { logs, verdict } = await readAll(running);
    assert.deepEqual([getLogKeys(logs), verdict.state], [['7:0', '7:1', '7:2'], 'complete']);
  });
});

describe('log query, all at once', () => {
  for (const order of byTurns(orders, 2, 1))
    it(`can be left within one block, and goes on there, ${order}`, async () => {
      const server: ScriptedServer = {
        head: 3,
        says: { name: 'Geth/v1.17.0' },
        logs: ({ from, to }) => (from > 2 || to < 2 ? [] : page(2, 0, 12_345)),
      };
      const { running } = open(server, { address: A }, order);
      const logs: Log[] = [];
      let turns = 0;
      do {
        turns++;
        for await (const given of running.rest()) {
          logs.push(...given.logs);
          const read = order === 'oldestFirst' ? 1n : 3n;
          if (running.verdict?.state === 'more') assert.equal(running.verdict.readThrough, read);
          break;
        }
      } while (running.verdict?.state === 'more');
      assert.ok(turns >= 3);
      assert.equal(running.verdict?.state, 'complete');
      const wanted = Array.from({ length: 12_345 }, (_, index) => `2:${index}`);
      assert.deepEqual(getLogKeys(logs), order === 'oldestFirst' ? wanted : wanted.toReversed());
    });

  it('reads blocks that are too much to wait when they are next, and loses none', async () => {
    const data = `0x${'5'.repeat(20_000)}`;
    const BLOCKS = 2;
    const PAGES = 5;
    const readToEnd = new Set<number>();
    const tooEarly: number[] = [];
    const { running } = open({
      head: BLOCKS - 1,
      logs: ({ from, to, after }) => {
        if (from !== to) return page(from, 0, 100, { data });
        const next = after ? after.index + 1 : 0;
        // Three pages of 2 MB are more than a window may hold before it is next.
        const isFirst = Array.from({ length: from }, (_, block) => block).every((block) =>
          readToEnd.has(block),
        );
        if (next > 300 && !isFirst) tooEarly.push(from);
        if (next < PAGES * 100) return page(from, next, 100, { data });
        readToEnd.add(from);
        return [];
      },
    });
    const { logs } = await readAll(running);
    const rows = Array.from({ length: PAGES * 100 }, (_, index) => index);
    const wanted = Array.from({ length: BLOCKS }, (_, block) => rows.map((index) => `${block}:${index}`));
    assert.deepEqual(getLogKeys(logs), wanted.flat());
    assert.deepEqual(tooEarly, []);
  });
});

const headers = new Headers();
const good = (ms: number | undefined) => ({ status: 200, headers, ms });
const refusal = { status: 429, headers, ms: undefined };

function paceAfter(times: readonly number[]) {
  const pace = createConcurrency(createTestClock());
  for (const ms of times) pace.observe(good(ms));
  return pace;
}

const repeat = (ms: number, count: number) => new Array<number>(count).fill(ms);

describe('pace of requests', () => {
  it('grows by one for each good answer, to its bound', () => {
    const first = paceAfter([]).limit;
    assert.equal(paceAfter(repeat(50, 3)).limit, first + 3);
    assert.equal(paceAfter(repeat(50, 500)).limit, 24);
  });

  it('gives back what only makes answers wait in line, but not below where it began', () => {
    const first = paceAfter([]).limit;
    const grown = paceAfter(repeat(2, 100));
    for (const ms of repeat(100, 50)) grown.observe(good(ms));
    assert.ok(grown.limit < 24 && grown.limit >= first, String(grown.limit));
    for (const ms of repeat(100, 1000)) grown.observe(good(ms));
    assert.equal(grown.limit, first);
  });

  it('does not take a server for strained whose head comes much sooner than its logs', () => {
    const pace = paceAfter([]);
    pace.observe(good(undefined));
    for (const ms of repeat(800, 100)) pace.observe(good(ms));
    assert.equal(pace.limit, 24);
  });

  it('halves at a refusal, and then grows by one for a whole round of answers', () => {
    const pace = paceAfter(repeat(50, 100));
    pace.observe(refusal);
    assert.equal(pace.limit, 12);
    for (const ms of repeat(50, 12)) pace.observe(good(ms));
    assert.equal(pace.limit, 12);
    for (const ms of repeat(50, 2)) pace.observe(good(ms));
    assert.equal(pace.limit, 13);
  });

  it('halves at an answer that is slow beside the quickest', () => {
    const pace = paceAfter(repeat(50, 100));
    pace.observe(good(5000));
    assert.equal(pace.limit, 12);
  });
});

describe('pace that a server asks for', () => {
  const answer = (status: number, headers: Record<string, string>) => ({
    ...{ status, headers: new Headers(headers), ms: undefined },
  });
  const usedUp = (ms: number | string) =>
    answer(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(ms) });

  it('halves at a rate limit that comes as a good answer, and does not take it for a quick one', () => {
    const pace = paceAfter(repeat(50, 100));
    const error = new AppError('rateLimited', 'Over rate limit.', { code: -32016 });
    pace.observe({ ...good(1), error });
    assert.equal(pace.limit, 12);
    for (const ms of repeat(110, 12)) pace.observe(good(ms));
    assert.equal(pace.limit, 12);
  });

  for (const ms of ['60001', '315360000000', '1e15', '1e400', 'Infinity']) {
    it(`ends at a wait of ${ms} ms, says so, and asks again when it is begun anew`, () => {
      const pace = createConcurrency(createTestClock());
      pace.observe(usedUp(ms));
      const error = {
        kind: 'rateLimited',
        message: /^The server requests a wait of .* (?:seconds|years)\.$/,
      };
      assert.throws(() => pace.throwIfBlocked(), error);
      assert.throws(() => pace.throwIfBlocked(), error);
      pace.restart();
      pace.throwIfBlocked();
    });
  }

  it('says of a 503 that the server is not available', () => {
    const pace = createConcurrency(createTestClock());
    pace.observe(answer(503, { 'retry-after': '315360000' }));
    assert.throws(() => pace.throwIfBlocked(), { kind: 'unavailable', message: /10 years/ });
  });

  it('leaves a wait of up to a minute to the gate', () => {
    const pace = createConcurrency(createTestClock());
    pace.observe(answer(429, { 'retry-after': '60' }));
    pace.throwIfBlocked();
  });
});
