import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../../../localnet/explorer/plannerOrder.ts';
import type { Replicas } from '../../../../localnet/explorer/replicas.ts';
import { startExplorer } from '../../../../localnet/explorer/server.ts';
import { type NodeProfileName, nodeProfiles } from '../../../../localnet/node/nodeProfiles.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import {
  createChainClient,
  type FetchLike,
  type Log,
  type LogOrder,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { ordersOf } from '../../../support/conformance.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import { createCachingFetch, type InjectableServer } from '../../../support/injectFetch.ts';
import { addresses, buildDataSet, createRandom, topics } from '../../../support/logDataSets.ts';
import { expectedKeys, getLogKeys, openInjectQuery, type QueryJson } from '../../../support/logReading.ts';

const MAX_TRIES = 60;
const [A = '', B = ''] = addresses;
const [T0 = ''] = topics;

const kinds = (Object.keys(dialects) as DialectName[]).flatMap((dialect) =>
  ordersOf(dialect).map((found): Explorer => ({ dialect, found })),
);

interface Explorer {
  readonly dialect: DialectName;
  readonly found: RowOrder | undefined;
}

interface Node {
  readonly profile: NodeProfileName;
  readonly maxDistance: number;
  readonly maxLogs: number;
}

const explorer: fc.Arbitrary<Explorer> = fc.constantFrom(...kinds);
const node: fc.Arbitrary<Node> = fc.record({
  profile: fc.constantFrom(...(Object.keys(nodeProfiles) as NodeProfileName[])),
  maxDistance: fc.integer({ min: 9, max: 300 }),
  maxLogs: fc.integer({ min: 120, max: 900 }),
});

const query: fc.Arbitrary<QueryJson> = fc.record(
  {
    address: fc.constantFrom<readonly string[]>([A], [A, B], [B]).map((list) => [...list]),
    topics: fc.constantFrom([T0], [null, T0]),
    fromBlock: fc.constantFrom<string | number>('earliest', 5, 'latest-30', -8),
  },
  { requiredKeys: ['address'], noNullPrototype: true },
);

const trouble = fc.record({
  /** Logs of each block, none of them more than any server gives out of one. */
  logs: fc.array(fc.integer({ min: 0, max: 110 }), { minLength: 1, maxLength: 45 }),
  emptyBefore: fc.integer({ min: 0, max: 1200 }),
  query,
  /**
   * Of a hundred requests, so many are answered by a machine that is behind, or so many with an error. Not both: a request
   * that fails may look like a batch that is refused, without which no machine says what it knows.
   */
  shares: fc.constantFrom({ behind: 0, failing: 0 }, { behind: 30, failing: 0 }, { behind: 0, failing: 12 }),
  blocksBehind: fc.integer({ min: 1, max: 6 }),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

type Trouble = typeof trouble extends fc.Arbitrary<infer T> ? T : never;

function dataSetOf({ logs, emptyBefore, seed }: Trouble) {
  return buildDataSet(new Map(logs.map((count, block) => [emptyBefore + block, count])), { seed });
}

function replicasOf({ shares: { behind }, blocksBehind, seed }: Trouble): { replicas?: Replicas } {
  if (behind === 0) return {};
  const random = createRandom(seed);
  return { replicas: { blocksBehind, isBehind: () => random(100) < behind } };
}

/** Reads to the end, page by page and all at once by turns; goes on where the server fails for good. */
async function read(
  server: InjectableServer,
  { query, shares: { failing }, seed }: Trouble,
  order: LogOrder,
) {
  let requests = 0;
  const random = createRandom(seed + 1);
  const inject = createCachingFetch(server, () => `${requests}`);
  const fetch: FetchLike = (url, init) => {
    requests++;
    return random(100) < failing
      ? Promise.resolve(new Response('"busy"', { status: random(2) === 0 ? 500 : 429 }))
      : inject(url, init);
  };
  const client = createChainClient({ fetch, clock: createTestClock(), url: server.rpcUrl });
  const running = client.openLogQuery(parseLogFilter(query), { order });
  const logs: Log[] = [];
  for (let tries = 0; (running.verdict?.state ?? 'more') === 'more'; tries++) {
    assert.ok(tries < MAX_TRIES, `${order}, try ${tries}`);
    try {
      if (random(3) > 0) logs.push(...(await running.nextPage()).logs);
      else for await (const page of running.rest()) logs.push(...page.logs);
    } catch (error) {
      assert.match(String((error as { kind?: unknown }).kind), /rateLimited|server/, `${order} ${error}`);
    }
  }
  assert.equal(running.verdict?.requests, requests);
  return { keys: getLogKeys(logs), verdict: running.verdict ?? assert.fail() };
}

async function compare(server: InjectableServer & { stop(): Promise<void> }, run: Trouble): Promise<void> {
  const set = dataSetOf(run);
  try {
    for (const order of ['oldestFirst', 'newestFirst'] as const) {
      const { keys, verdict } = await read(server, run, order);
      const fromBlock = Number(verdict.fromBlock);
      const toBlock = Number(verdict.toBlock);
      const isAhead = fromBlock > toBlock;
      const wanted = isAhead ? [] : expectedKeys(set, { ...run.query, fromBlock, toBlock }, order);
      assert.deepEqual(keys, wanted, order);
      const reasons = verdict.reasons.map(({ code }) => code).join();
      // By chance, only a machine that is behind may have answered what checks the head.
      const isUnlucky = run.shares.behind > 0 && reasons === 'headWentBack';
      const state = isAhead ? 'unreached' : isUnlucky ? 'uncertain' : 'complete';
      assert.equal(verdict.state, state, reasons);
    }
  } finally {
    await server.stop();
  }
}

/** Random each time: a failure prints the seed and the smallest case that still fails. */
function hold<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(arbitrary, predicate), { numRuns: isFullRun ? 1000 : 20 });
}

describe('a log query in both orders, over any chain, with machines that are behind and requests that fail', () => {
  it('gives the same logs on every explorer', async () => {
    await hold(fc.tuple(explorer, trouble), async ([{ dialect, found }, run]) => {
      const { index } = dataSetOf(run);
      const plannerOrder = found === undefined ? {} : { plannerOrder: () => found };
      await compare(await startExplorer({ index, dialect, ...plannerOrder, ...replicasOf(run) }), run);
    });
  });

  it('gives the same logs on every node', async () => {
    await hold(fc.tuple(node, trouble), async ([{ profile, ...limits }, run]) => {
      const { index } = dataSetOf(run);
      await compare(await startNode({ index, profile, limits, ...replicasOf(run) }), run);
    });
  });
});

describe('the page with the last rows of a log query', () => {
  for (const order of ['oldestFirst', 'newestFirst'] as const) {
    it(`says that the answer is complete, ${order}`, async () => {
      const blocks = Array.from({ length: 60 }, (_, block) => [block, 15] as const);
      const server = await startExplorer({ index: buildDataSet(new Map(blocks)).index, dialect: 'v12' });
      try {
        const running = openInjectQuery(server, { address: [A, B], fromBlock: 0, toBlock: 59 }, order);
        const pages: number[] = [];
        do pages.push((await running.nextPage()).logs.length);
        while (running.verdict?.state === 'more' && pages.length < MAX_TRIES);
        assert.equal(running.verdict?.state, 'complete');
        assert.ok(!pages.includes(0), pages.join());
      } finally {
        await server.stop();
      }
    });
  }
});
