import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createChainClient,
  describeReasons,
  formatMessage,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { createGrowingChain, getRowKeys } from '../../../support/chains.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { runs } from '../../../support/fullRun.ts';
import { type FollowedQuery, followQuery, getLogKey } from '../../../support/logReading.ts';

/** Of all reorgs together, as none of them may have been looked at: deeper than that a query does not look either. */
const MAX_DEPTH = 120;
const PATIENCE = { times: 4, ms: 0 };

type Step =
  | { readonly kind: 'mine'; readonly rows: readonly number[] }
  | { readonly kind: 'reorganise'; readonly depth: number; readonly rows: readonly number[] }
  | { readonly kind: 'sleep'; readonly blocks: number; readonly rows: number }
  | { readonly kind: 'stall' };

const fewRows = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 90, max: 140 }) },
);
const newBlocks = fc.array(fewRows, { minLength: 1, maxLength: 4 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('mine' as const), rows: newBlocks }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reorganise' as const),
      depth: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 6, max: 100 })),
      rows: fc.array(fewRows, { minLength: 0, maxLength: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('sleep' as const),
      blocks: fc.integer({ min: 5, max: 1500 }),
      rows: fc.integer({ min: 0, max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stall' as const) }) },
);

interface Server {
  readonly mostBlocks: number | undefined;
  readonly oneCall: boolean;
  readonly refusesBeyond: boolean;
  /** Of the requests one by one: how far the machine is behind that answers, and whether it fails. */
  readonly behind: readonly number[];
  readonly fails: readonly boolean[];
}

const server: fc.Arbitrary<Server> = fc.record({
  mostBlocks: fc.option(fc.constantFrom(10, 50, 200), { nil: undefined, freq: 3 }),
  oneCall: fc.constant(false),
  refusesBeyond: fc.boolean(),
  behind: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }), fc.constant(0)), {
      maxLength: 4,
    })
    .map((machines) => [0, ...machines.flat()]),
  fails: fc.array(
    fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    { minLength: 1, maxLength: 7 },
  ),
});

const order = fc.constantFrom('newestFirst' as const, 'oldestFirst' as const);

/** Begins with enough blocks that a reorg of every depth leaves some. */
const first = fc.array(
  fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 0, max: 1 }) }, { weight: 1, arbitrary: fewRows }),
  { minLength: 130, maxLength: 300 },
);

describe('followed query on any chain', () => {
  it('has the rows of the chain at the end, and says complete of no block that it lacks rows of', async () => {
    await fc.assert(
      fc.asyncProperty(first, fc.array(step, { minLength: 1, maxLength: 14 }), server, order, run),
      { numRuns: runs(60) },
    );
  });
});

async function run(
  blocks: readonly number[],
  steps: readonly Step[],
  { mostBlocks, oneCall, refusesBeyond, behind, fails }: Server,
  readingOrder: 'newestFirst' | 'oldestFirst',
): Promise<void> {
  let isCalm = true;
  let requests = 0;
  const chain = createGrowingChain({
    ...(mostBlocks === undefined ? {} : { mostBlocks }),
    ...{ oneCall, refusesBeyond },
    behind: () => (isCalm ? 0 : (behind[++requests % behind.length] ?? 0)),
    failure: () =>
      isCalm || !fails[requests % fails.length] ? undefined : Response.json('Bad gateway', { status: 502 }),
  });
  chain.mine(...blocks);
  const client = createChainClient({ url: 'http://chain', fetch: chain.fetch, clock: createTestClock() });
  const answer = await followQuery(
    client,
    parseLogFilter({ address: `0x${'a1'.padStart(40, '0')}`, fromBlock: 0 }),
    {
      order: readingOrder,
      patience: PATIENCE,
    },
  );
  isCalm = false;
  let depthLeft = MAX_DEPTH;
  for (const one of steps) {
    if (one.kind === 'mine') chain.mine(...one.rows);
    if (one.kind === 'reorganise' && one.depth <= depthLeft) {
      depthLeft -= one.depth;
      chain.reorganise(one.depth, ...one.rows);
    }
    if (one.kind === 'sleep') chain.mine(...Array.from({ length: one.blocks }, () => one.rows));
    const told = chain.head - (behind[++requests % behind.length] ?? 0);
    const lost = await answer.advance(BigInt(Math.max(0, told))).catch(() => []);
    const now = new Set(chain.keys());
    assert.deepEqual(
      lost.map(getLogKey).filter((key) => now.has(key)),
      [],
      'taken back by mistake',
    );
    assertHonest(answer, chain.states);
  }
  isCalm = true;
  for (let more = 0; more < 70; more++) {
    chain.mine(more % 9 === 0 ? 1 : 0);
    await answer.advance(BigInt(chain.head));
  }
  assertHonest(answer, chain.states);
  assert.deepEqual(answer.rows.map(getLogKey), chain.keys());
  const { state, reasons, toBlock, rows } = answer.follower.verdict;
  assert.deepEqual(
    [state, toBlock, rows],
    ['complete', BigInt(chain.head), answer.rows.length],
    describeReasons(reasons).map(formatMessage).join(),
  );
}

/** Complete is said of blocks as they were on the chain at some time. */
function assertHonest(
  { follower, rows }: Pick<FollowedQuery, 'follower' | 'rows'>,
  states: ReturnType<typeof createGrowingChain>['states'],
): void {
  const { state, toBlock } = follower.verdict;
  if (state !== 'complete') return;
  const held = rows
    .filter(({ blockNumber }) => blockNumber <= toBlock)
    .map(getLogKey)
    .join();
  const known = states.findLast(
    (blocks) => blocks.length > Number(toBlock) && getRowKeys(blocks, Number(toBlock)).join() === held,
  );
  assert.ok(known, `complete to block ${toBlock}, which no chain had so`);
}
