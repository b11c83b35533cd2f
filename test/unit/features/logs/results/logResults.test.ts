import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import {
  AppError,
  type ChainClient,
  type Hex,
  type LogFilter,
  type LogPage,
  systemClock,
  type Verdict,
} from '../../../../../src/core/index.ts';
import type { LoadRestOptions } from '../../../../../src/core/logs/query/logQuery.ts';
import { LogResults } from '../../../../../src/features/logs/results/logResults.ts';
import type { ResultsChange } from '../../../../../src/features/logs/results/queryLoad.ts';
import { anyNetwork, bareLog, verdictOf } from '../../../../support/stubs.ts';

const network = anyNetwork(5);
const filter: LogFilter = { addresses: [], topics: [], fromBlock: 'earliest', toBlock: 'latest' };

/**
 * One step of a scripted query: rows with the state after them, when told if so; an error; waiting until it is
 * cancelled; waiting whatever happens; or a wait that the server asks for, which fails when it is over.
 */
type Step =
  | {
      readonly rows: number;
      readonly state: 'more' | 'complete';
      readonly readThrough?: bigint;
      readonly when?: Promise<void>;
      readonly data?: Hex;
    }
  | AppError
  | 'hang'
  | 'deaf'
  | { readonly waitMs: number };

/** A client whose queries take the steps one by one. */
function scriptedClient(steps: Step[]): ChainClient {
  return {
    openLogQuery: (_filter, { waits } = {}) => {
      let verdict: Verdict | undefined;
      async function nextPage({ signal }: LoadRestOptions = {}): Promise<LogPage> {
        const step = steps.shift() ?? assert.fail('It asked once too often.');
        if (step instanceof AppError) throw step;
        if (step === 'hang') {
          return new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(new AppError('aborted', 'Cancelled.')));
          });
        }
        if (step === 'deaf') return new Promise(() => undefined);
        if ('waitMs' in step) {
          await waits?.wait({ ms: step.waitMs, byServer: true }, { signal });
          return nextPage({ signal });
        }
        await step.when;
        const rows = (verdict?.rows ?? 0) + step.rows;
        const { data = '0x' } = step;
        const logs = Array.from({ length: step.rows }, (_, index) =>
          bareLog({ blockNumber: BigInt(rows + index), data }),
        );
        const isRead = step.state !== 'more';
        const after = verdictOf({ isRead, readThrough: step.readThrough ?? (isRead ? 9n : 4n), rows });
        verdict = after;
        return { logs, verdict: after };
      }
      return {
        get verdict() {
          return verdict;
        },
        nextPage,
        async *rest(options = {}) {
          for (let done = 1n; verdict?.state !== 'complete'; done++) {
            const page = await nextPage(options);
            options.onProgress?.({ blocksDone: done, blocks: 10n });
            yield page;
          }
        },
      };
    },
  } as Pick<ChainClient, 'openLogQuery'> as ChainClient;
}

/** A moment that comes when the test says so. */
function createLate() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

function createResults() {
  const states: (string | undefined)[] = [];
  const told: ResultsChange[] = [];
  const limit = { rows: 1000 };
  const results: LogResults = new LogResults({
    onDidChange: (what) => {
      told.push(what);
      if (what !== 'rows') states.push(results.loading);
    },
    clock: systemClock,
    loadAllLimit: () => limit.rows,
  });
  return { results, states, told, limit };
}

/** As {@link createResults}, after the first page of a query that takes these steps. */
async function run(...steps: Step[]) {
  const opened = createResults();
  await opened.results.run(network, scriptedClient(steps), { filter });
  return { ...opened, steps };
}

describe('log results', () => {
  it('loads the first page, then the next, then no more', async () => {
    const { results, states, told } = await run({ rows: 3, state: 'more' }, { rows: 2, state: 'complete' });
    const { resultId } = results;
    assert.deepEqual([results.rows.length, results.hasMore, results.network], [3, true, network]);
    await results.nextPage();
    assert.deepEqual([results.rows.length, results.hasMore, results.resultId], [5, false, resultId]);
    await results.nextPage();
    assert.deepEqual(states, ['first', undefined, 'next', undefined]);
    assert.deepEqual(told, ['begun', 'state', 'state', 'state']);
  });

  it('asks for the newest first unless the oldest are wanted', async () => {
    const orders: unknown[] = [];
    for (const order of [undefined, 'oldestFirst'] as const) {
      const client = scriptedClient([{ rows: 1, state: 'complete' }]);
      const open: ChainClient['openLogQuery'] = (asked, options) => {
        orders.push(options?.order);
        return client.openLogQuery(asked, options);
      };
      const asked = order === undefined ? { filter } : { filter, order };
      await createResults().results.run(network, { ...client, openLogQuery: open }, asked);
    }
    assert.deepEqual(orders, ['newestFirst', 'oldestFirst']);
  });

  it('keeps what is loaded through an error, and goes on behind it', async () => {
    const failure = new AppError('server', 'failed');
    const { results } = await run({ rows: 3, state: 'more' }, failure, { rows: 1, state: 'complete' });
    await results.nextPage();
    assert.deepEqual([results.rows.length, results.error, results.loading], [3, failure, undefined]);
    await results.nextPage();
    assert.deepEqual([results.rows.length, results.error], [4, undefined]);
  });

  it('tries the first page again after an error', async () => {
    const { results } = await run(new AppError('network', 'no'), { rows: 2, state: 'complete' });
    assert.equal(results.hasMore, false);
    await results.nextPage();
    assert.equal(results.rows.length, 2);
  });

  it('asks one page at a time', async () => {
    const { results } = await run({ rows: 1, state: 'more' }, { rows: 1, state: 'more' });
    await Promise.all([results.nextPage(), results.nextPage()]);
    assert.equal(results.rows.length, 2);
  });

  it('loads all that remains, page after page', async () => {
    const steps: Step[] = [1, 2, 3].map((rows) => ({ rows, state: rows === 3 ? 'complete' : 'more' }));
    const { results, states } = await run(...steps);
    const all = results.loadAll();
    assert.equal(results.loading, 'all');
    await all;
    assert.deepEqual([results.rows.length, results.hasMore, results.notice], [6, false, undefined]);
    assert.deepEqual(states, ['first', undefined, 'all', undefined]);
    assert.equal(results.progress, undefined);
  });

  it('tells how far it is while it loads all', async () => {
    const { results } = await run({ rows: 1, state: 'more' }, { rows: 1, state: 'more' }, 'hang');
    const all = results.loadAll();
    while (results.rows.length < 2) await turn();
    assert.deepEqual(results.progress, { blocksDone: 1n, blocks: 10n, msLeft: undefined });
    results.cancel();
    await all;
    assert.deepEqual([results.notice, results.rows.length, results.progress], ['cancelled', 2, undefined]);
  });

  it('goes on with loading all after a cancel and after an error', async () => {
    const { results, steps } = await run(
      { rows: 1, state: 'more' },
      'hang',
      { rows: 1, state: 'more' },
      new AppError('server', 'failed'),
      { rows: 1, state: 'more' },
      { rows: 1, state: 'complete' },
    );
    const cancelled = results.loadAll();
    results.cancel();
    await cancelled;
    await results.loadAll();
    assert.deepEqual([results.rows.length, (results.error as Error).message], [2, 'failed']);
    await results.tryAgain();
    assert.deepEqual([results.rows.length, results.error, steps.length], [4, undefined, 0]);
  });

  it('asks before it loads past the limit, each time', async () => {
    const { results, limit } = createResults();
    limit.rows = 4;
    const steps: Step[] = Array.from({ length: 6 }, (_, index) => ({
      rows: 2,
      state: index === 5 ? 'complete' : 'more',
    }));
    await results.run(network, scriptedClient(steps), { filter });
    await results.loadAll();
    assert.deepEqual([results.rows.length, results.notice, results.hasMore], [4, 'limit', true]);
    await results.loadAll();
    assert.deepEqual([results.rows.length, results.notice], [8, 'limit']);
    results.dismissLimitPrompt();
    assert.equal(results.notice, undefined);
    await results.loadAll();
    assert.deepEqual([results.rows.length, results.notice, results.hasMore], [12, undefined, false]);
  });

  it('asks before it loads more than the limit takes in memory, of logs with much data', async () => {
    const data: Hex = `0x${'5'.repeat(2 ** 21)}`;
    const { results } = await run(
      ...Array.from({ length: 100 }, (): Step => ({ rows: 1, state: 'more', data })),
    );
    await results.loadAll();
    assert.deepEqual([results.rows.length <= 66, results.notice, results.hasMore], [true, 'limit', true]);
  });

  it('does not ask when every block is read at the limit and only the look back at the end is missing', async () => {
    const { results, limit } = createResults();
    limit.rows = 4;
    const client = scriptedClient([
      { rows: 2, state: 'more' },
      { rows: 2, state: 'more', readThrough: 9n },
      { rows: 0, state: 'complete' },
    ]);
    await results.run(network, client, { filter });
    await results.loadAll();
    assert.deepEqual(
      [results.rows.length, results.notice, results.verdict?.state],
      [4, undefined, 'complete'],
    );
  });

  it('lets a newer run take over from one that is under way', async () => {
    const { results } = createResults();
    const first = results.run(network, scriptedClient(['hang']), { filter });
    const { resultId } = results;
    const second = results.run(network, scriptedClient([{ rows: 2, state: 'complete' }]), { filter });
    await Promise.all([first, second]);
    assert.deepEqual([results.rows.length, results.notice, results.loading], [2, undefined, undefined]);
    assert.notEqual(results.resultId, resultId);
  });

  it('forgets everything when it is cleared, and what was under way', async () => {
    const { results } = await run({ rows: 3, state: 'more' }, 'hang');
    const next = results.nextPage();
    results.clear('moved');
    await next;
    assert.deepEqual(
      [results.rows.length, results.notice, results.network, results.verdict, results.loading],
      [0, 'moved', undefined, undefined, undefined],
    );
  });

  it('asks no more once its network is left, and keeps its rows', async () => {
    const { results, steps } = await run({ rows: 3, state: 'more' }, 'hang', { rows: 1, state: 'complete' });
    const next = results.nextPage();
    results.freeze();
    await next;
    await results.nextPage();
    await results.loadAll();
    assert.deepEqual(
      [results.rows.length, results.hasMore, results.loading, steps.length],
      [3, false, undefined, 1],
    );
    await results.run(network, scriptedClient([{ rows: 2, state: 'more' }]), { filter });
    assert.deepEqual([results.rows.length, results.hasMore], [2, true]);
  });

  it('shows a cancel at once, whatever the server does', async () => {
    for (const way of ['nextPage', 'loadAll'] as const) {
      const { results, states } = await run({ rows: 3, state: 'more' }, 'deaf');
      const loading = results[way]();
      assert.equal(results.loading, way === 'nextPage' ? 'next' : 'all');
      results.cancel();
      assert.deepEqual(
        [results.loading, results.notice, results.progress],
        [undefined, 'cancelled', undefined],
      );
      assert.equal(states.at(-1), undefined);
      await loading;
      assert.deepEqual([results.rows.length, results.error, results.hasMore], [3, undefined, true]);
      const again = results.loadAll();
      assert.equal(results.loading, 'all');
      results.cancel();
      await again;
      assert.deepEqual([results.loading, results.notice], [undefined, 'cancelled']);
    }
  });

  it('keeps a page that was on its way when it was cancelled, and asks behind it only then', async () => {
    const late = createLate();
    const { results, steps } = await run(
      { rows: 3, state: 'more' },
      { rows: 2, state: 'more', when: late.promise },
      { rows: 1, state: 'complete' },
    );
    const next = results.nextPage();
    results.cancel();
    await next;
    const again = results.nextPage();
    await turn();
    assert.deepEqual([results.rows.length, results.loading, steps.length], [3, 'next', 1]);
    late.resolve();
    await again;
    assert.deepEqual([results.rows.length, results.loading, results.notice], [6, undefined, undefined]);
  });

  it('does not call an answer cancelled whose end was on its way', async () => {
    const late = createLate();
    const end: Step = { rows: 2, state: 'complete', when: late.promise };
    const { results } = await run({ rows: 3, state: 'more' }, end);
    const all = results.loadAll();
    results.cancel();
    await all;
    assert.equal(results.notice, 'cancelled');
    late.resolve();
    // On a busy machine the loading makes breaks.
    for (let turns = 0; results.notice !== undefined && turns < 1000; turns++) await turn();
    assert.deepEqual([results.rows.length, results.notice, results.progress], [5, undefined, undefined]);
  });

  it('tells what it waits for, as long as it does', async () => {
    const last: Step = { rows: 1, state: 'complete' };
    const { results, told } = await run({ rows: 3, state: 'more' }, { waitMs: 50_000 }, last);
    const before = systemClock.now();
    const next = results.nextPage();
    assert.equal(results.backoff?.byServer, true);
    assert.ok(results.backoff.endsAt >= before + 50_000);
    assert.equal(told.at(-1), 'rows');
    results.skipWait();
    await next;
    assert.deepEqual([results.rows.length, results.backoff], [4, undefined]);
  });

  it('waits no more once it is cancelled', async () => {
    const { results } = await run({ rows: 3, state: 'more' }, { waitMs: 50_000 });
    const next = results.nextPage();
    results.cancel();
    assert.deepEqual([results.backoff, results.notice], [undefined, 'cancelled']);
    await next;
    await turn();
    assert.deepEqual([results.rows.length, results.loading, results.error], [3, undefined, undefined]);
  });
});
