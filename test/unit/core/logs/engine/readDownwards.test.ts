import assert from 'node:assert/strict';
import {
  createChainClient,
  type FetchLike,
  type LogQuery,
  parseLogFilter,
} from '../../../../../src/core/index.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { createQuirkyFetch, type Quirks } from '../../../../support/fakeFetch.ts';
import { addresses, buildChain, type LogDataSet } from '../../../../support/logDataSets.ts';
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
  const client = createChainClient({ fetch, clock: createTestClock(), url });
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
