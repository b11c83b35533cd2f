import assert from 'node:assert/strict';
import { startExplorer } from '../../../../localnet/explorer/server.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import {
  createChainClient,
  type FetchLike,
  type Log,
  type LogOrder,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { byTurns, isFullRun } from '../../../support/fullRun.ts';
import {
  createCachingFetch,
  type InjectableServer,
  type StoppableServer,
  withServer,
} from '../../../support/injectFetch.ts';
import { addresses, buildChain, type LogDataSet, topics } from '../../../support/logDataSets.ts';
import { expectedKeys, getLogKeys, type QueryJson } from '../../../support/logReading.ts';

const [A = '', B = ''] = addresses;
const [, , T2 = ''] = topics;
const queries: readonly QueryJson[] = [{ address: A }, { address: [A, B], topics: [null, T2] }];
const MAX_REQUESTS = 300;
/** From one interrupted request to the next. */
const STEP = isFullRun ? 1 : 9;
/** For each query, so that over both every way is held from every end. */
const ways = [
  [
    ['rest', 'oldestFirst'],
    ['pages', 'newestFirst'],
  ],
  [
    ['pages', 'oldestFirst'],
    ['rest', 'newestFirst'],
  ],
] as const;

/** What happens to a request, and with it to the query. */
const kinds = [
  'cancelled',
  'refused for good',
  'answered 429',
  'answered with a web page',
  'cut off',
  'reset',
] as const;
type Interruption = (typeof kinds)[number];

const servers = {
  'v5.1.4': (set: LogDataSet) => startExplorer({ index: set.index, dialect: 'v5.1.4' }),
  'v11.2': (set: LogDataSet) => startExplorer({ index: set.index, dialect: 'v11.2' }),
  infura: (set: LogDataSet) =>
    startNode({ index: set.index, profile: 'infura', limits: { maxDistance: 30, maxLogs: 500 } }),
} satisfies Record<string, (set: LogDataSet) => Promise<StoppableServer>>;

describe('log query whose nth request, for every n, is', () => {
  // One block is crowded, but not more than the least that any version gives whole.
  const set = buildChain(45, (block) => (block === 30 ? 240 : 30), { head: 50 });

  for (const [serverTurn, [name, start]] of Object.entries(servers).entries()) {
    for (const [kindTurn, kind] of byTurns([...kinds.entries()], 3, serverTurn)) {
      const turn = serverTurn + Math.floor(kindTurn / 2);
      it(`${kind}: goes on without a gap on ${name}`, () =>
        withServer<StoppableServer, void>(start(set), async (server) => {
          for (const [at, query] of byTurns([...queries.entries()], 2, turn)) {
            for (const [way, order] of ways[at] ?? []) {
              const wanted = expectedKeys(set, query, order);
              for (let nth = 1, reached = true; reached; nth += STEP) {
                assert.ok(nth < MAX_REQUESTS, `${nth} requests`);
                const read = await readInterrupted(server, query, { way, order, kind, nth });
                assert.deepEqual(getLogKeys(read.logs), wanted, `request ${nth}`);
                if (!read.isCheckRefused) assert.equal(read.state, 'complete');
                reached = read.reached;
              }
            }
          }
        }));
    }
  }
});

interface Interrupted {
  readonly way: 'rest' | 'pages';
  readonly order: LogOrder;
  readonly kind: Interruption;
  readonly nth: number;
}

async function readInterrupted(
  server: InjectableServer,
  query: QueryJson,
  { way, order, kind, nth }: Interrupted,
) {
  let requests = 0;
  let cancel = new AbortController();
  const inject = createCachingFetch(server);
  const fetch: FetchLike = async (url, init) => {
    requests++;
    if (requests !== nth) return inject(url, init);
    if (kind === 'cancelled') cancel.abort();
    if (kind === 'refused for good') return new Response('"Not today"', { status: 403 });
    if (kind === 'answered 429') return new Response('', { status: 429 });
    if (kind === 'answered with a web page') return new Response('<html>busy</html>');
    if (kind === 'reset') throw new TypeError('fetch failed');
    const answer = await inject(url, init);
    return kind === 'cut off' ? new Response((await answer.text()).slice(0, -9)) : answer;
  };
  const client = createChainClient({ fetch, clock: createTestClock(), url: server.rpcUrl });
  const running = client.openLogQuery(parseLogFilter(query), { order });
  const logs: Log[] = [];
  const listReasons = () => running.verdict?.reasons.map(({ code }) => code).join();
  // A check that is refused for good is a reason; the rows are there.
  const isCheckRefused = () => kind === 'refused for good' && listReasons() === 'historyUnchecked';
  for (let tries = 0; running.verdict?.state !== 'complete' && !isCheckRefused(); tries++) {
    assert.ok(tries < 50, listReasons() ?? 'no verdict');
    cancel = new AbortController();
    const { signal } = cancel;
    try {
      if (way === 'pages') logs.push(...(await running.nextPage({ signal })).logs);
      else for await (const page of running.rest({ signal })) logs.push(...page.logs);
    } catch (error) {
      const expected = { cancelled: 'aborted', 'refused for good': 'forbidden' }[String(kind)];
      assert.equal((error as { kind?: unknown }).kind, expected);
    }
    assert.equal(running.verdict?.requests ?? requests, requests);
  }
  return {
    logs,
    state: running.verdict?.state,
    isCheckRefused: isCheckRefused(),
    reached: requests >= nth,
  };
}
