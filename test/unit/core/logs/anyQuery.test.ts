import assert from 'node:assert/strict';
import fc from 'fast-check';
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
import { cannotReach, explorerKinds, startExplorerKind } from '../../../support/conformance.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import {
  anew,
  createCachingFetch,
  type InjectableServer,
  type StoppableServer,
  withServer,
} from '../../../support/injectFetch.ts';
import {
  addresses,
  buildChain,
  buildDataSet,
  createRandom,
  type LogDataSet,
  topics,
} from '../../../support/logDataSets.ts';
import {
  assertVerdictHolds,
  countsInBlocks,
  densestBlock,
  expectedKeys,
  getLogKeys,
  openInjectQuery,
  type QueryJson,
  type ReadLogs,
} from '../../../support/logReading.ts';

const MAX_TRIES = 60;
const [A = '', B = ''] = addresses;
const [T0 = ''] = topics;

interface Run {
  /** Empty blocks before each one, and its logs. */
  readonly blocks: readonly (readonly [gap: number, logs: number])[];
  readonly emptyAbove: number;
  readonly query: QueryJson;
  /** Of a hundred requests, so many are answered by a machine that is behind, or so many with an error. */
  readonly behind: number;
  readonly failing: number;
  readonly blocksBehind: number;
  /** Batches are refused. */
  readonly oneCall: boolean;
  readonly seed: number;
}

const seed = fc.integer({ min: 1, max: 2 ** 30 });

/** Logs in a block: mostly few, at times around what a page or a share of one holds. */
const logsInBlock = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 2, arbitrary: fc.integer({ min: 200, max: 450 }) },
  { weight: 1, arbitrary: fc.integer({ min: 990, max: 1010 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1011, max: 2600 }) },
);

const someOf = (values: readonly string[]) =>
  fc.oneof(
    fc.constantFrom(...values),
    fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }),
  );

/** Topic values that stand at a position in the data sets. */
const position = (slot: number) =>
  fc.option(someOf(topics.slice(slot * 2, slot * 2 + 2)), { nil: null, freq: 2 });

const anyQuery: fc.Arbitrary<QueryJson> = fc.record(
  {
    address: someOf(addresses),
    topics: fc.oneof(
      fc.tuple(position(0)),
      fc.tuple(position(0), position(1)),
      fc.tuple(position(0), position(1), position(2)),
    ),
    fromBlock: fc.nat({ max: 60 }),
    toBlock: fc.integer({ min: 60, max: 400 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** A server in order, whatever it holds and is asked. */
const calm: fc.Arbitrary<Run> = fc.record({
  blocks: fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), logsInBlock), { maxLength: 14 }),
  query: anyQuery,
  emptyAbove: fc.constant(5),
  ...{
    behind: fc.constant(0),
    failing: fc.constant(0),
    blocksBehind: fc.constant(0),
    oneCall: fc.constant(false),
    seed,
  },
});

/** No block has more logs than any server gives out of one. */
const troubled: fc.Arbitrary<Run> = fc
  .record({
    logs: fc.array(fc.integer({ min: 0, max: 110 }), { minLength: 1, maxLength: 45 }),
    emptyBefore: fc.integer({ min: 0, max: 1200 }),
    query: fc.record(
      {
        address: fc.constantFrom<readonly string[]>([A], [A, B], [B]),
        topics: fc.constantFrom([T0], [null, T0]),
        fromBlock: fc.constantFrom<string | number>('earliest', 5, 'latest-30', -8),
      },
      { requiredKeys: ['address'], noNullPrototype: true },
    ),
    // Not both: a request that fails may look like a batch that is refused, without which no machine says what it knows.
    shares: fc.constantFrom(
      { behind: 0, failing: 0, oneCall: false },
      { behind: 30, failing: 0, oneCall: false },
      { behind: 30, failing: 0, oneCall: true },
      { behind: 0, failing: 12, oneCall: false },
    ),
    blocksBehind: fc.integer({ min: 1, max: 6 }),
    seed,
  })
  .map(({ logs, emptyBefore, shares, ...run }) => ({
    ...run,
    ...shares,
    blocks: logs.map((count, at) => [at === 0 ? emptyBefore : 1, count] as const),
    emptyAbove: 0,
  }));

function dataSetOf({ blocks, emptyAbove, seed }: Run): LogDataSet {
  let height = 0;
  const byBlock = blocks.map(([gap, logs]) => {
    height += gap;
    return [height, logs] as const;
  });
  return buildDataSet(new Map(byBlock), { seed, head: height + emptyAbove });
}

/** Reads to the end, page by page and all at once by turns; goes on where the server fails for good. */
async function read(server: InjectableServer, { query, failing, seed }: Run, order: LogOrder) {
  let requests = 0;
  const random = createRandom(seed + 1);
  const inject = createCachingFetch(server, anew);
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
  return { logs, verdict: running.verdict ?? assert.fail() };
}

type Start<K> = (
  kind: K,
  data: Pick<LogDataSet, 'index'> & { replicas?: Replicas; batches?: false },
) => Promise<StoppableServer>;

/** No client can tell which of several machines has answered a single call. */
const isBlind = ({ oneCall, behind }: Run) => oneCall && behind > 0;

/** Nothing is missing of the blocks that are said to be read. */
function assertReadThrough({ logs, verdict }: ReadLogs, set: LogDataSet, query: QueryJson): void {
  const { order, fromBlock, toBlock, readThrough } = verdict;
  if (readThrough === undefined) return;
  const [first, last] = order === 'newestFirst' ? [readThrough, toBlock] : [fromBlock, readThrough];
  if (first > last) return;
  const given = new Set(getLogKeys(logs));
  const read = expectedKeys(set, { ...query, fromBlock: Number(first), toBlock: Number(last) });
  assert.ok(read.every((key) => given.has(key)));
}

/** Random each time: a failure prints the seed and the smallest case that still fails. */
function hold<K>(kinds: fc.Arbitrary<K>, runs: fc.Arbitrary<Run>, start: Start<K>, mayDoubt: MayDoubt<K>) {
  const property = fc.asyncProperty(kinds, runs, async (kind, run) => {
    const { query, behind, blocksBehind, oneCall } = run;
    const set = dataSetOf(run);
    const random = createRandom(run.seed);
    const replicas = { blocksBehind, isBehind: () => random(100) < behind };
    const options = { ...(behind > 0 && { replicas }), ...(oneCall && { batches: false as const }) };
    await withServer(start(kind, { index: set.index, ...options }), async (server) => {
      for (const order of ['oldestFirst', 'newestFirst'] as const) {
        const answer = await read(server, run, order);
        const { state, reasons, ...range } = answer.verdict;
        const [fromBlock, toBlock] = [Number(range.fromBlock), Number(range.toBlock)];
        const isAhead = fromBlock > toBlock;
        const wanted = isAhead ? [] : expectedKeys(set, { ...query, fromBlock, toBlock }, order);
        // By chance, only a machine that is behind may have answered what checks the head.
        const isUnlucky = behind > 0 && reasons.map(({ code }) => code).join() === 'headWentBack';
        assertVerdictHolds(answer, wanted, () => isBlind(run) || isUnlucky || mayDoubt(kind, set, query));
        if (behind > 0) assertReadThrough(answer, set, query);
        if (isUnlucky && !isBlind(run)) assert.deepEqual(getLogKeys(answer.logs), wanted);
        if (isAhead && !isBlind(run)) assert.equal(state, 'unreached');
      }
    });
  });
  return fc.assert(property, { numRuns: isFullRun ? 300 : 12 });
}

type MayDoubt<K> = (kind: K, set: LogDataSet, query: QueryJson) => boolean;

/** What may be a limit of a server that does not say what it is: a block of so many logs is not surely whole. */
function isRound(count: number): boolean {
  return count === 256 || count === 512 || (count >= 100 && (count % 100 === 0 || count % 1024 === 0));
}

describe('any log query over any chain, in both orders', () => {
  const never = () => false;
  const explorers = fc.constantFrom(...explorerKinds);
  const startAny: Start<(typeof explorerKinds)[number]> = startExplorerKind;
  const profile = fc.constantFrom(...(Object.keys(nodeProfiles) as NodeProfileName[]));
  const nodesOf = ([fewestBlocks, fewestLogs]: readonly [number, number]) =>
    fc.record({
      profile,
      maxDistance: fc.integer({ min: fewestBlocks, max: 400 }),
      maxLogs: fc.integer({ min: fewestLogs, max: 900 }),
    });
  type Node = ReturnType<typeof nodesOf> extends fc.Arbitrary<infer T> ? T : never;
  const startOne: Start<Node> = ({ profile, ...limits }, data) => startNode({ ...data, profile, limits });

  it('is answered in full by every explorer, or in doubt where no client could do better', () => {
    // An explorer is not asked for everything.
    const bound = calm.filter(({ query: { address, topics: [topic0 = null] = [] } }) =>
      Boolean(address ?? topic0),
    );
    return hold(explorers, bound, startAny, ({ dialect }, set, query) => cannotReach(dialect, set, query));
  });

  it('is answered in full by every node, or in doubt where it refuses a block or may cut one off', () =>
    hold(nodesOf([4, 20]), calm, startOne, ({ profile, maxLogs }, { truth }, query) => {
      const countsLogs = 'tooMany' in nodeProfiles[profile] && profile !== 'reth';
      const isNamed = nodeProfiles[profile].clientVersion !== undefined;
      return (
        (countsLogs && densestBlock(truth, query) > maxLogs) ||
        (!isNamed && countsInBlocks(truth, query).some(isRound))
      );
    }));

  it('is answered in full by every explorer whose machines are behind, or that fails at times', () =>
    hold(explorers, troubled, startAny, never));

  it('is answered in full by every node whose machines are behind, or that fails at times', () =>
    hold(nodesOf([9, 120]), troubled, startOne, never));
});

describe('the page with the last rows of a log query', () => {
  for (const order of ['oldestFirst', 'newestFirst'] as const) {
    it(`says that the answer is complete, ${order}`, () => {
      const { index } = buildChain(60, 15);
      return withServer(startExplorer({ index, dialect: 'v12' }), async (server) => {
        const running = openInjectQuery(server, { address: [A, B], fromBlock: 0, toBlock: 59 }, order);
        const pages: number[] = [];
        do pages.push((await running.nextPage()).logs.length);
        while (running.verdict?.state === 'more' && pages.length < MAX_TRIES);
        assert.equal(running.verdict?.state, 'complete');
        assert.ok(!pages.includes(0), pages.join());
      });
    });
  }
});
