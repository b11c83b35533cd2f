import fc from 'fast-check';
import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../../../localnet/explorer/plannerOrder.ts';
import { startExplorer } from '../../../../localnet/explorer/server.ts';
import { type NodeProfileName, nodeProfiles } from '../../../../localnet/node/nodeProfiles.ts';
import { startNode } from '../../../../localnet/node/server.ts';
import { cannotReach, ordersOf } from '../../../support/conformance.ts';
import { runs } from '../../../support/fullRun.ts';
import { addresses, buildDataSet, type LogDataSet, topics } from '../../../support/logDataSets.ts';
import {
  assertVerdictHolds,
  countsInBlocks,
  densestBlock,
  expectedKeys,
  openInjectQuery,
  type QueryJson,
  readAll,
  readPages,
  readPageThenRest,
} from '../../../support/logReading.ts';

type Explorer = { readonly dialect: DialectName; readonly order: RowOrder | undefined };
type Node = { readonly profile: NodeProfileName; readonly maxDistance: number; readonly maxLogs: number };
type Run = { readonly blocks: readonly (readonly [gap: number, logs: number])[]; readonly query: QueryJson };

const explorers = (Object.keys(dialects) as DialectName[]).flatMap((dialect) =>
  ordersOf(dialect).map((order): Explorer => ({ dialect, order })),
);

const nodes: fc.Arbitrary<Node> = fc.record({
  profile: fc.constantFrom(...(Object.keys(nodeProfiles) as NodeProfileName[])),
  maxDistance: fc.integer({ min: 4, max: 400 }),
  maxLogs: fc.integer({ min: 20, max: 900 }),
});

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

const query: fc.Arbitrary<QueryJson> = fc.record(
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

const run: fc.Arbitrary<Run> = fc.record({
  blocks: fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), logsInBlock), { maxLength: 14 }),
  query,
});

function dataSetOf({ blocks }: Run): LogDataSet {
  let height = 0;
  const byBlock = blocks.map(([gap, logs]) => {
    height += gap;
    return [height, logs] as const;
  });
  return buildDataSet(new Map(byBlock), { head: height + 5 });
}

/** What may be a limit of a server that does not say what it is: a block of so many logs is not surely whole. */
function isRound(count: number): boolean {
  return count === 256 || count === 512 || (count >= 100 && (count % 100 === 0 || count % 1024 === 0));
}

async function holdAgainst(
  server: Parameters<typeof openInjectQuery>[0],
  set: LogDataSet,
  asked: QueryJson,
  mayDoubt: () => boolean,
): Promise<void> {
  const wanted = expectedKeys(set, asked);
  for (const read of [readPages, readAll, readPageThenRest]) {
    assertVerdictHolds(await read(openInjectQuery(server, asked)), wanted, mayDoubt);
  }
}

/** Random each time: a failure prints the seed and the smallest case that still fails. */
function hold<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(arbitrary, predicate), { numRuns: runs(300) });
}

describe('any log query over any chain', () => {
  it('is answered in full by every explorer, or in doubt where no client could do better', async () => {
    // An explorer is not asked for everything.
    const bound = run.filter(({ query: { address, topics: [topic0 = null] = [] } }) =>
      Boolean(address ?? topic0),
    );
    await hold(
      fc.tuple(fc.constantFrom(...explorers), bound),
      async ([{ dialect, order }, { blocks, query }]) => {
        const set = dataSetOf({ blocks, query });
        const server = await startExplorer({
          ...{ index: set.index, dialect },
          ...(order ? { plannerOrder: () => order } : {}),
        });
        try {
          await holdAgainst(server, set, query, () => cannotReach(dialect, set, query));
        } finally {
          await server.stop();
        }
      },
    );
  });

  it('is answered in full by every node, or in doubt where it refuses a block or may cut one off', async () => {
    await hold(fc.tuple(nodes, run), async ([{ profile, ...limits }, { blocks, query }]) => {
      const set = dataSetOf({ blocks, query });
      const server = await startNode({ index: set.index, profile, limits });
      const countsLogs = 'tooMany' in nodeProfiles[profile] && profile !== 'reth';
      const isNamed = nodeProfiles[profile].clientVersion !== undefined;
      const mayDoubt = () =>
        (countsLogs && densestBlock(set.truth, query) > limits.maxLogs) ||
        (!isNamed && countsInBlocks(set.truth, query).some(isRound));
      try {
        await holdAgainst(server, set, query, mayDoubt);
      } finally {
        await server.stop();
      }
    });
  });
});
