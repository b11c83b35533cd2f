import assert from 'node:assert/strict';
import { answerChainModules } from '../../../../localnet/etherscan/chainModules.ts';
import type { NodeLimits } from '../../../../localnet/node/nodeProfile.ts';
import { type NodeProfileName, nodeProfiles } from '../../../../localnet/node/nodeProfiles.ts';
import { createNodeAnswer, startNode } from '../../../../localnet/node/server.ts';
import type { PortalLimits } from '../../../../localnet/portal/coverage.ts';
import { startPortal } from '../../../../localnet/portal/server.ts';
import {
  cannotReach,
  type ExplorerKind,
  explorerKinds,
  getReadingByTurns,
  passesOrphans,
  type Reading,
  startExplorerKind,
} from '../../../support/conformance.ts';
import { byTurns, describeInFullRun } from '../../../support/fullRun.ts';
import type { StoppableServer } from '../../../support/injectFetch.ts';
import { addresses, buildDataSet, dataSets, type LogDataSet, topics } from '../../../support/logDataSets.ts';
import {
  assertVerdictHolds,
  densestBlock,
  expectedKeys,
  getLogKeys,
  openInjectQuery,
  type QueryJson,
  readAll,
  readPageThenRest,
} from '../../../support/logReading.ts';

const [A = '', B = '', C = ''] = addresses;
const [T0 = '', T1 = '', T2 = '', T3 = '', T4 = ''] = topics;

type Queries = Readonly<Record<string, QueryJson>>;

const plain: Queries = {
  'an address': { address: A },
  'an address and topic0': { address: A, topics: [T0] },
  'topic0 alone': { topics: [T1] },
  'several addresses': { address: [A, B, C] },
  'a part of the range': { address: A, fromBlock: 4, toBlock: '0x1f' },
};
const byTopics: Queries = {
  'a null before a topic': { address: A, topics: [T0, null, T4] },
  'a null first': { address: A, topics: [null, T2] },
  'either of two topics, then one': { address: A, topics: [[T0, T1], T2] },
  'one, then either of two': { topics: [T0, [T2, T3]] },
};
/** Explorers are not asked for all blocks without an address or an event. */
const beyondExplorers: Queries = {
  everything: {},
  'a null after the topics': { address: A, topics: [T0, null] },
  'a null first, no address': { topics: [null, T2] },
  'either of two topics, then either of two': {
    topics: [
      [T0, T1],
      [T2, T3],
    ],
  },
};
const all = { ...plain, ...byTopics, ...beyondExplorers };
const { everything: _, ...bounded } = all;

type DataSets = Readonly<Record<string, () => LogDataSet>>;

/** Whether blocks of the data set are empty, full, over a page, or of a fork. */
const hasAllKinds = (set: string) => ['uneven', 'dense', 'forked'].includes(set);
const isForked = (set: string) => set === 'forked' || set === 'mined again';
const only = (isMeant: (set: string) => boolean): DataSets =>
  Object.fromEntries(Object.entries(dataSets).filter(([name]) => isMeant(name)));

/** A kind of server, and what may be asked of it. */
interface ServerKind {
  readonly name: string;
  readonly sets: DataSets;
  readonly queries: Queries;
  start(set: LogDataSet): Promise<StoppableServer>;
  /** Whether no client could do better than doubt the answer. */
  mayDoubt(set: LogDataSet, query: QueryJson, setName: string): boolean;
  /** What is asked in the place of `query`; itself by default. */
  asked?(set: LogDataSet, query: QueryJson): QueryJson;
  /** Whether no log is missing even from an answer in doubt. */
  hasAll?(setName: string): boolean;
}

/** The order matters where a page is full; newest first, the likely one, is held against every set. */
function explorer(kind: ExplorerKind): ServerKind {
  const { dialect, order } = kind;
  const isLikely = order === undefined || order === 'descending';
  return {
    name: `Blockscout ${dialect}${order ? `, rows found ${order}` : ''}`,
    ...(isLikely
      ? { sets: dataSets, queries: { ...plain, ...byTopics } }
      : { sets: only(hasAllKinds), queries: plain }),
    start: ({ index }) => startExplorerKind(kind, { index }),
    mayDoubt: (set, query, setName) =>
      isForked(setName) ? passesOrphans(dialect) : cannotReach(dialect, set, query),
    hasAll: isForked,
  };
}

const FULL_BLOCK = 'a full block with orphans';
const fullBlock = () =>
  buildDataSet(
    new Map([
      [3, 40],
      [5, 1500],
      [6, 900],
    ]),
    { orphans: (block) => (block > 4 ? 700 : 0) },
  );
const notFound = { kind: 'respond', status: 404, body: '"Page not found"' } as const;

/** Nothing tells such a server from one that hides rows of a crowded block behind a short page. */
function unknownExplorer(kind: ExplorerKind): ServerKind {
  const known = explorer(kind);
  return {
    name: `${known.name}, that does not tell its release`,
    sets: { ...only((set) => set === 'uneven' || set === 'around a page'), [FULL_BLOCK]: fullBlock },
    queries: { ...plain, 'a null first': byTopics['a null first'] ?? {} },
    start: ({ index }) =>
      startExplorerKind(kind, {
        index,
        intercept: ({ url }) => (url.endsWith('/backend-version') ? notFound : undefined),
      }),
    mayDoubt({ truth }, query, setName) {
      if (setName === FULL_BLOCK && passesOrphans(kind.dialect)) return true;
      const [topic0 = null] = query.topics ?? [];
      const crowded = densestBlock(truth, { ...query, topics: [topic0] });
      return crowded >= (query.address === undefined ? 1000 : 250);
    },
    hasAll: (set) => kind.dialect === 'v12' && set !== FULL_BLOCK,
  };
}

/** How a portal ends its answers: nothing is lost by any of them. Of two thousand million blocks there are too many pieces. */
const portals: readonly ServerKind[] = (
  [
    ['at the end of the range', {}, dataSets],
    ['after some blocks', { blocks: 40 }, only((set) => set !== 'near 2^31')],
    ['after some bytes', { bytes: 20_000 }, dataSets],
    ['at pieces of its store', { chunk: 16, bytes: 50_000 }, only((set) => set !== 'near 2^31')],
    ['after each block', { blocks: 1 }, only((set) => hasAllKinds(set) || set === 'small')],
  ] as const satisfies readonly (readonly [string, PortalLimits, DataSets])[]
).map(([ending, limits, sets]) => ({
  name: `a portal that ends an answer ${ending}`,
  sets,
  queries: ending === 'after each block' ? { 'an address': { address: A } } : all,
  start: ({ index }) => startPortal({ index, limits }),
  mayDoubt: () => false,
}));

/** Small enough that the data sets go over them, each in the way of its profile. */
const nodeLimits: Readonly<Record<NodeProfileName, NodeLimits>> = {
  geth: { maxDistance: 50 },
  reth: { maxDistance: 120, maxLogs: 700 },
  anvil: {},
  besu: { maxDistance: 40 },
  hardhat: {},
  nethermind: { maxLogs: 150 },
  erigon: {},
  polygonEdge: { maxDistance: 60 },
  infura: { maxDistance: 200, maxLogs: 500 },
  alchemy: { maxLogs: 300 },
  alchemyFree: { maxDistance: 9 },
  quicknode: { maxDistance: 30 },
  gateway: { maxLogs: 400 },
};

/** A node refuses a block that holds more than it gives out; reth gives a single block whole. */
function node(profile: NodeProfileName): ServerKind {
  const { maxLogs = Number.POSITIVE_INFINITY } = nodeLimits[profile];
  return {
    name: profile,
    sets: dataSets,
    queries: all,
    start: ({ index }) => startNode({ index, profile, limits: nodeLimits[profile] }),
    mayDoubt: ({ truth }, query) => profile !== 'reth' && densestBlock(truth, query) > maxLogs,
    // Some of these servers take two thousand million blocks in no number of requests that anyone would send.
    asked: ({ head }, query) => ({ fromBlock: Math.max(0, head - 1000), ...query }),
  };
}

/** Etherscan's API over what an explorer has indexed. */
function createEtherscan({ index }: LogDataSet): StoppableServer {
  const answer = createNodeAnswer({ index, profile: 'geth', limits: {} });
  const results = new Map<string, unknown>();
  async function call(method: string, params: readonly unknown[]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    if (results.has(body)) return results.get(body);
    const reply = answer({ number: 1, method: 'POST', url: '/', headers: {}, body });
    const { result, error } = JSON.parse(reply.body ?? '');
    if (error) throw new Error(error.message);
    results.set(body, result);
    return result;
  }
  return {
    stop: async () => {},
    rpcUrl: 'http://etherscan.test/v2/api?chainid=31337&apikey=KEY',
    async inject({ url }) {
      const body = await answerChainModules(new URL(url, 'http://etherscan.test').searchParams, call);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    },
  };
}

/** The newest blocks, which the engine leaves out. */
const LAG_BLOCKS = 12;

const etherscan: ServerKind = {
  name: "Etherscan's API",
  sets: dataSets,
  queries: bounded,
  start: async (set) => createEtherscan(set),
  // A single block that has more cannot be read.
  mayDoubt: ({ truth }, query) => densestBlock(truth, query) >= 10_000,
  asked: ({ head }, query) => ({ ...query, fromBlock: 0, toBlock: Math.max(0, head - LAG_BLOCKS) }),
};

const servers = [
  ...byTurns(explorerKinds, 2, 0).map(explorer),
  ...byTurns(explorerKinds, 4, 1).map(unknownExplorer),
  ...portals,
  ...(Object.keys(nodeProfiles) as NodeProfileName[]).map(node),
  etherscan,
];

/**
 * How the nth query of a data set is read. Going over from pages to the rest differs from both only where more than a page
 * is there, and a cursor that is left; newest first none is followed.
 */
function readingsOf(setName: string, nth: number): readonly Reading[] {
  const goesOver = nth % 2 === 0 && (setName === 'uneven' || setName === 'dense');
  const reading = getReadingByTurns(nth);
  return goesOver ? [reading, [readPageThenRest, 'oldestFirst']] : [reading];
}

/** Servers do not change what they serve. */
const made = new Map<() => LogDataSet, LogDataSet>();

/** A run that is not full holds each server against a part of the data sets, with some of its queries. */
for (const [nth, { name, sets, queries, ...kind }] of servers.entries()) {
  describe(`log query on ${name}`, () => {
    for (const [place, [setName, makeSet]] of byTurns([...Object.entries(sets).entries()], 10, nth + 2)) {
      describe(`data set: ${setName}`, () => {
        let set: LogDataSet;
        let server: StoppableServer;
        before(async () => {
          set = made.get(makeSet) ?? makeSet();
          made.set(makeSet, set);
          server = await kind.start(set);
        });
        after(() => server.stop());

        for (const [at, [queryName, query]] of byTurns(
          [...Object.entries(queries).entries()],
          10,
          Math.floor(nth / 10) + 3 * place,
        )) {
          it(`gives every log of ${queryName}, or says that it may not`, async () => {
            const sent = kind.asked?.(set, query) ?? query;
            for (const [read, order] of readingsOf(setName, nth + at)) {
              const wanted = expectedKeys(set, sent, order);
              const answer = await read(openInjectQuery(server, sent, order));
              assertVerdictHolds(answer, wanted, () => kind.mayDoubt(set, query, setName));
              // Also of a few crowded blocks beside billions without logs.
              assert.ok(answer.verdict.requests < 1000, `${answer.verdict.requests} requests`);
              const given = new Set(getLogKeys(answer.logs));
              if (kind.hasAll?.(setName)) assert.ok(wanted.every((key) => given.has(key)));
            }
          });
        }
      });
    }
  });
}

describe("log query on Etherscan's API", () => {
  const ask = (set: LogDataSet) => readAll(openInjectQuery(createEtherscan(set), { address: A }));

  it('reads a block of more than 1,000 logs by pages, and leaves out the newest ones, which may not be indexed', async () => {
    const set = buildDataSet(
      new Map([
        [3, 1_600],
        [39, 5],
      ]),
      { head: 40 },
    );
    const { logs, verdict } = await ask(set);
    assert.deepEqual(getLogKeys(logs), expectedKeys(set, { address: A, toBlock: 40 - LAG_BLOCKS }));
    assert.ok(logs.length > 1_000);
    assert.deepEqual([verdict.state, verdict.toBlock], ['complete', 28n]);
  });

  describeInFullRun('of many logs', () => {
    it('says that a block of more than 10,000 logs is not complete', async () => {
      const { verdict } = await ask(buildDataSet(new Map([[3, 12_800]]), { head: 40 }));
      assert.notEqual(verdict.state, 'complete');
    });
  });
});
