import assert from 'node:assert/strict';
import {
  type Clock,
  createChainClient,
  type FetchLike,
  type LogQuery,
  parseLogFilter,
} from '../../../../../src/core/index.ts';
import { createManualClock } from '../../../../support/clocks.ts';
import { createQuirkyFetch, type Quirks } from '../../../../support/fakeFetch.ts';
import { addresses, buildChain, buildDataSet, type LogDataSet } from '../../../../support/logDataSets.ts';
import { expectedKeys, getLogKeys, readAll, readPages } from '../../../../support/logReading.ts';

const query = { address: addresses[0] ?? '' };
const explorer: Quirks = { says: { release: 'v11.2.7' }, limit: 1000 };

/** More rows than a page, three of four blocks without any. */
const dense = buildChain(4000, (block) => (block % 4 === 0 ? 6 + (block % 3) : 0));
const sparse = buildChain(4000, (block) => (block % 400 === 7 ? 1 : 0));

/** A server that responds to what has been sent so far, all at once, and counts these rounds. */
function openServer(set: LogDataSet, quirks: Quirks) {
  const serve = createQuirkyFetch(set, quirks);
  const counted = { rounds: 0, logRequests: 0 };
  let round: Promise<void> | undefined;
  const fetch: FetchLike = async (url, init) => {
    if (init.body?.includes('eth_getLogs')) counted.logRequests++;
    round ??= new Promise((resolve) => {
      counted.rounds++;
      setTimeout(() => {
        round = undefined;
        resolve();
      }, 5);
    });
    await round;
    return serve(url, init);
  };
  const url = 'http://explorer.test/api/eth-rpc';
  const client = createChainClient({ fetch, clock: createManualClock(), url });
  const open = () => client.openLogQuery(parseLogFilter(query), { order: 'newestFirst' });
  async function readFirstPage(running: LogQuery) {
    Object.assign(counted, { rounds: 0, logRequests: 0 });
    const { logs, verdict } = await running.nextPage();
    return { logs, verdict, ...counted };
  }
  return { open, readFirstPage };
}

describe('first page, newest first', () => {
  for (const [name, quirks, expected] of [
    ['explorer in order', explorer, 2],
    // Of its pages, only one of fewer than 250 rows is complete.
    ['explorer whose pages have no order', { ...explorer, says: { release: 'v9.1.0' } }, 3],
    ['node', { says: { name: 'Geth/v1.17.0' } }, 2],
  ] as const) {
    it(`of many rows, ${name}: comes after ${expected} round trips, and then all others once`, async () => {
      const { open, readFirstPage } = openServer(dense, quirks);
      const running = open();
      const { logs, rounds, logRequests } = await readFirstPage(running);
      assert.equal(rounds, expected);
      assert.ok(logRequests <= 5 && logs.length >= 100, `${logRequests} requests, ${logs.length} rows`);
      const all = [...logs, ...(await readAll(running)).logs];
      assert.deepEqual(getLogKeys(all), expectedKeys(dense, query).toReversed());
      assert.equal(running.verdict?.state, 'complete');
    });
  }

  it('takes one request for logs when the same is queried again', async () => {
    const { open, readFirstPage } = openServer(dense, explorer);
    await readFirstPage(open());
    const again = await readFirstPage(open());
    assert.deepEqual([again.rounds, again.logRequests], [2, 1]);
    assert.ok(again.logs.length >= 500, `${again.logs.length} rows`);
  });

  it('of few rows has all of them after two round trips, and one request when queried again', async () => {
    const { open, readFirstPage } = openServer(sparse, explorer);
    const { logs, verdict, rounds } = await readFirstPage(open());
    assert.deepEqual(getLogKeys(logs), expectedKeys(sparse, query).toReversed());
    assert.deepEqual([rounds, verdict.state], [2, 'complete']);
    const again = await readFirstPage(open());
    assert.deepEqual([again.rounds, again.logRequests, again.verdict.state], [2, 1, 'complete']);
  });

  it('is no end where a reorg has moved the last row of a full page above the range, as v12 shows it', async () => {
    const { open } = openServer(dense, {
      ...explorer,
      says: { release: 'v12.0.0' },
      change: (rows) =>
        rows.map((row, place) =>
          place === 999 ? { ...row, blockNumber: `0x${(dense.head + 5).toString(16)}` } : row,
        ),
    });
    const { logs } = await readAll(open());
    assert.deepEqual(getLogKeys(logs), expectedKeys(dense, query).toReversed());
  });

  it('goes on below what it has read ahead, page by page', async () => {
    const { open } = openServer(dense, explorer);
    const { logs } = await readPages(open());
    assert.deepEqual(getLogKeys(logs), expectedKeys(dense, query).toReversed());
  });
});

const HEAD = 200_000;

/** Logs in every `step`-th block, down from `newest`, and in the first ones. */
function everyNth(step: number, newest = HEAD - 3): LogDataSet {
  const blocks = Array.from({ length: 450 }, (_, at) => newest - at * step);
  return buildDataSet(new Map([1, 2, 3, ...blocks].map((block) => [block, 1])), { head: HEAD });
}

/** A node that responds to a request for the whole range only once it is released, and the client's clock. */
function openSlowNode(set: LogDataSet, { takesBatches = true, filter = query } = {}) {
  const serve = createQuirkyFetch(set, { says: { name: 'Geth/v1.17.0' } });
  const whole = { requests: 0, aborted: 0, isHeld: true };
  const windows = { below: 0 };
  let release = () => {};
  const fetch: FetchLike = async (url, init) => {
    if (!takesBatches && init.body?.startsWith('['))
      return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } });
    const isWhole = init.body?.includes(`"fromBlock":"0x0","toBlock":"0x${set.head.toString(16)}"`);
    const from = Number(/"fromBlock":"(0x\w+)"/.exec(init.body ?? '')?.[1] ?? HEAD);
    if (!isWhole && from < HEAD - 9000) windows.below++;
    if (isWhole && ++whole.requests > 0 && whole.isHeld) {
      await new Promise<void>((resolve, reject) => {
        release = resolve;
        init.signal?.addEventListener('abort', () => {
          whole.aborted++;
          reject(init.signal?.reason);
        });
      });
    }
    if (init.body?.includes('eth_getBlockByNumber')) {
      const answers = [JSON.parse(init.body)].flat().map(({ id, params: [number] }) => {
        return { jsonrpc: '2.0', id, result: { number } };
      });
      return Response.json(init.body.startsWith('[') ? answers : answers[0]);
    }
    return serve(url, init);
  };
  const manual = createManualClock();
  // What only lets other work run needs no time.
  const sleep: Clock['sleep'] = (ms, options) =>
    ms === 0 ? new Promise((resolve) => setImmediate(resolve)) : manual.sleep(ms, options);
  const clock = { ...manual, sleep };
  const client = createChainClient({ fetch, clock, url: 'http://node.test/' });
  return {
    whole,
    windows,
    open: (filled: Parameters<typeof parseLogFilter>[0] = filter) =>
      client.openLogQuery(parseLogFilter(filled), { order: 'newestFirst' }),
    release() {
      whole.isHeld = false;
      release();
    },
    /** The result, while a second passes whenever nothing else happens. */
    async whileTimePasses<T>(result: Promise<T>): Promise<T> {
      let isDone = false;
      const end = result.finally(() => {
        isDone = true;
      });
      for (let second = 0; second < 20 && !isDone; second++) {
        for (let idle = 0; idle < 100 && !isDone; idle++) await new Promise(setImmediate);
        if (!isDone) await clock.pass(1000);
      }
      assert.ok(isDone, 'the page waits for the whole range');
      return end;
    },
  };
}

describe('first page, newest first, of a node that takes long for the whole range', () => {
  for (const [name, set, minRows] of [
    ['of many rows', everyNth(5), 100],
    ['of few rows', everyNth(400), 1],
    ['of few rows, none in the newest blocks', everyNth(400, HEAD - 9_000), 1],
  ] as const) {
    it(`${name}: comes before it, and the whole range has the others once it is there`, async () => {
      const { open, whole, windows, release, whileTimePasses } = openSlowNode(set);
      const running = open();
      const { logs, verdict } = await whileTimePasses(running.nextPage());
      const all = expectedKeys(set, query).toReversed();
      assert.ok(logs.length >= minRows && logs.length < all.length, `${logs.length} rows`);
      assert.deepEqual(getLogKeys(logs), all.slice(0, logs.length));
      assert.deepEqual([verdict.state, whole.requests, whole.aborted], ['more', 1, 0]);
      release();
      for (let idle = 0; idle < 100; idle++) await new Promise(setImmediate);
      const { below } = windows;
      const others = await whileTimePasses(readPages(running));
      assert.deepEqual(getLogKeys([...logs, ...others.logs]), all);
      assert.equal(others.verdict.state, 'complete');
      assert.equal(windows.below, below, 'windows are read that the whole range has');
    });

    for (const [mode, read] of [
      ['page by page', readPages],
      ['all', readAll],
    ] as const) {
      it(`${name}: goes on without it, ${mode}, and then cancels it`, async () => {
        const { open, whole, whileTimePasses } = openSlowNode(set);
        const running = open();
        const { logs } = await whileTimePasses(running.nextPage());
        const others = await whileTimePasses(read(running));
        assert.deepEqual(getLogKeys([...logs, ...others.logs]), expectedKeys(set, query).toReversed());
        assert.deepEqual([others.verdict.state, whole.aborted], ['complete', 1]);
      });
    }
  }

  const many = Array.from({ length: 1000 }, (_, at) => `0x${(at + 4096).toString(16).padStart(40, 'f')}`);
  for (const [name, traits] of [
    ['without batches', { takesBatches: false }],
    ['of a filter in two requests', { filter: { address: [query.address, ...many].join(' ') } }],
  ] as const)
    it(`comes before it ${name}, and goes on`, async () => {
      const set = everyNth(5);
      const { open, whole, whileTimePasses } = openSlowNode(set, traits);
      // What the node takes is known by then.
      const other = open({ address: many[0] });
      whole.isHeld = false;
      await whileTimePasses(readAll(other));
      Object.assign(whole, { isHeld: true, requests: 0, aborted: 0 });
      const running = open();
      const { logs, verdict } = await whileTimePasses(running.nextPage());
      assert.ok(logs.length > 0 && verdict.state === 'more', `${logs.length} rows, ${verdict.state}`);
      const others = await whileTimePasses(readPages(running));
      assert.deepEqual(getLogKeys([...logs, ...others.logs]), expectedKeys(set, query).toReversed());
      assert.deepEqual([others.verdict.state, whole.aborted], ['complete', whole.requests]);
    });

  for (const [when, turns] of [
    ['before the next page', 100],
    ['during the next page', 0],
  ] as const)
    it(`comes first again when the same is queried again, if the whole range came ${when}`, async () => {
      const { open, release, whole, whileTimePasses } = openSlowNode(everyNth(400));
      const running = open();
      await whileTimePasses(running.nextPage());
      release();
      for (let idle = 0; idle < turns; idle++) await new Promise(setImmediate);
      await whileTimePasses(readPages(running));
      whole.isHeld = true;
      const { logs, verdict } = await whileTimePasses(open().nextPage());
      assert.ok(logs.length > 0 && verdict.state === 'more', verdict.state);
    });

  it('has all rows where the whole range comes soon after the newest ones', async () => {
    const set = everyNth(50);
    const { open, release } = openSlowNode(set);
    const page = open().nextPage();
    for (let idle = 0; idle < 200; idle++) await new Promise(setImmediate);
    // No time passes here.
    release();
    const { logs, verdict } = await page;
    assert.deepEqual(getLogKeys(logs), expectedKeys(set, query).toReversed());
    assert.equal(verdict.state, 'complete');
  });
});
