import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createChainClient,
  describeReasons,
  formatMessage,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { type ChainState, createGrowingChain } from '../../../support/chains.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { runs } from '../../../support/fullRun.ts';
import { type FollowedQuery, followQuery, getLogKey } from '../../../support/logReading.ts';

/** Of all reorgs together, as none of them may have been looked at: deeper than that a query does not look either. */
const MAX_DEPTH = 120;
const PATIENCE = { times: 4, ms: 0 };
/** Looks in which a chain that only grows becomes known, and those in which it does not even grow. */
const CALM_LOOKS = 15;
const QUIET_LOOKS = 4;

type Change =
  | { readonly kind: 'mine'; readonly rows: readonly number[] }
  | { readonly kind: 'reorganise'; readonly depth: number; readonly rows: readonly number[] }
  | { readonly kind: 'sleep'; readonly blocks: number; readonly rows: number }
  | { readonly kind: 'stall' };

/** `race`: what happens during the look after so many requests, if it sends as many. */
interface Step {
  readonly change: Change;
  readonly race: { readonly after: number; readonly change: Change } | undefined;
}

const rowsOfBlock = fc.oneof(
  { weight: 60, arbitrary: fc.constant(0) },
  { weight: 40, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 3, arbitrary: fc.integer({ min: 60, max: 140 }) },
  // What servers cut their answers at.
  { weight: 2, arbitrary: fc.constantFrom(100, 200) },
);
const newBlocks = fc.array(rowsOfBlock, { minLength: 1, maxLength: 4 });

const mine = fc.record({ kind: fc.constant('mine' as const), rows: newBlocks });
const reorganise = fc.record({
  kind: fc.constant('reorganise' as const),
  depth: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 6, max: 100 })),
  rows: fc.array(rowsOfBlock, { minLength: 0, maxLength: 8 }),
});
/** Shorter at first, and then as long as before or longer. */
const sleep = fc.record({
  kind: fc.constant('sleep' as const),
  blocks: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 5, max: 300 }) },
    { weight: 1, arbitrary: fc.integer({ min: 300, max: 1500 }) },
  ),
  rows: fc.constantFrom(0, 0, 0, 1),
});
const stall = fc.record({ kind: fc.constant('stall' as const) });

const step: fc.Arbitrary<Step> = fc.record({
  change: fc.oneof<fc.WeightedArbitrary<Change>[]>(
    { weight: 6, arbitrary: mine },
    { weight: 3, arbitrary: reorganise },
    { weight: 1, arbitrary: sleep },
    { weight: 2, arbitrary: stall },
  ),
  race: fc.option(
    fc.record({
      after: fc.integer({ min: 0, max: 12 }),
      change: fc.oneof<fc.WeightedArbitrary<Change>[]>(
        { weight: 1, arbitrary: mine },
        { weight: 2, arbitrary: reorganise },
      ),
    }),
    { nil: undefined, freq: 3 },
  ),
});

/** One that answers: how many blocks it lacks, and of how many reorgs it does not know. */
interface Machine {
  readonly behind: number;
  readonly reorgs: number;
}

const CURRENT: Machine = { behind: 0, reorgs: 0 };

const machine: fc.Arbitrary<Machine> = fc.record({
  behind: fc.integer({ min: 0, max: 4 }),
  reorgs: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 }) },
  ),
});

/** Of three that answer one after the other, one has the chain as it is. */
const machines = fc
  .array(fc.tuple(machine, machine, fc.constant(CURRENT)), { maxLength: 4 })
  .map((all): readonly Machine[] => [CURRENT, ...all.flat()]);

interface Server {
  readonly mostBlocks: number | undefined;
  readonly headers: boolean;
  readonly oneCall: boolean;
  readonly refusesBeyond: boolean;
  /** Those that answer the requests, one by one, and those that tell heads. */
  readonly machines: readonly Machine[];
  readonly headMachines: readonly Machine[];
  readonly fails: readonly boolean[];
}

const server: fc.Arbitrary<Server> = fc.record({
  mostBlocks: fc.option(fc.constantFrom(10, 50, 100, 200), { nil: undefined, freq: 3 }),
  headers: fc.boolean(),
  oneCall: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  refusesBeyond: fc.boolean(),
  machines,
  headMachines: machines,
  fails: fc.array(
    fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    { minLength: 1, maxLength: 7 },
  ),
});

const order = fc.constantFrom('newestFirst' as const, 'oldestFirst' as const);

/** Begins with enough blocks that a reorg of every depth leaves some. */
const first = fc.array(
  fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 0, max: 1 }) }, { weight: 1, arbitrary: rowsOfBlock }),
  { minLength: 130, maxLength: 180 },
);
/** Some begin with blocks that no row stands for. */
const beginning = fc
  .tuple(first, fc.constantFrom(0, 0, 150))
  .map(([blocks, empty]) => [...blocks, ...Array.from({ length: empty }, () => 0)]);

/**
 * Follows a chain that grows, forks, becomes shorter and sleeps, on machines of which some are behind or have not seen
 * reorgs. Complete is said of blocks as they were on the chain at some time, at every step. When the chain is quiet
 * and all machines have it, the rows are its rows.
 */
const followedChains = fc.asyncProperty(
  beginning,
  fc.array(step, { minLength: 1, maxLength: 14 }),
  server,
  order,
  follow,
);

async function follow(
  blocks: readonly number[],
  steps: readonly Step[],
  { machines: answering, headMachines, fails, ...kind }: Server,
  readingOrder: 'newestFirst' | 'oldestFirst',
): Promise<void> {
  let isCalm = true;
  let requests = 0;
  let heads = 0;
  let depthLeft = MAX_DEPTH;
  let race: { left: number; readonly change: Change } | undefined;
  /** The states before the reorgs. */
  const abandoned: ChainState[] = [];

  const current = () => (isCalm ? CURRENT : (answering[requests % answering.length] ?? CURRENT));
  const stateOf = ({ reorgs }: Machine) => (reorgs === 0 ? undefined : abandoned.at(-reorgs));
  const chain = createGrowingChain({
    ...{ headers: kind.headers, oneCall: kind.oneCall, refusesBeyond: kind.refusesBeyond },
    ...(kind.mostBlocks === undefined ? {} : { mostBlocks: kind.mostBlocks }),
    onRequest() {
      requests++;
      if (race && race.left-- === 0) become(race.change);
    },
    failure: () =>
      isCalm || !fails[requests % fails.length] ? undefined : Response.json('Bad gateway', { status: 502 }),
    stateOf: () => stateOf(current()),
    behind: () => current().behind,
  });

  function become(change: Change): void {
    if (change.kind === 'mine') chain.mine(...change.rows);
    if (change.kind === 'reorganise' && change.depth <= depthLeft) {
      depthLeft -= change.depth;
      abandoned.push(chain.states.at(-1) ?? []);
      chain.reorganise(change.depth, ...change.rows);
    }
    if (change.kind === 'sleep') chain.mine(...Array.from({ length: change.blocks }, () => change.rows));
  }

  chain.mine(...blocks);
  const client = createChainClient({ url: 'http://chain', fetch: chain.fetch, clock: createTestClock() });
  const filter = parseLogFilter({ address: `0x${'a1'.padStart(40, '0')}`, fromBlock: 0 });
  const answer = await followQuery(client, filter, { order: readingOrder, patience: PATIENCE });
  isCalm = false;
  const knowsAll = answering.every(({ reorgs }) => reorgs === 0) && steps.every((one) => !one.race);
  for (const one of steps) {
    become(one.change);
    race = one.race && { left: one.race.after, change: one.race.change };
    const teller = headMachines[++heads % headMachines.length] ?? CURRENT;
    const told = (stateOf(teller)?.length ?? chain.head + 1) - 1 - teller.behind;
    const lost = await answer.advance(BigInt(Math.max(0, told))).catch(() => []);
    race = undefined;
    if (knowsAll && headMachines.every(({ reorgs }) => reorgs === 0))
      assertNoneLost(lost.map(getLogKey), chain.keys());
    assertHonest(answer, chain.states);
  }
  isCalm = true;
  for (let more = 0; more < CALM_LOOKS + QUIET_LOOKS; more++) {
    if (more < CALM_LOOKS) chain.mine(more % 9 === 0 ? 1 : 0);
    await answer.advance(BigInt(chain.head));
    assertHonest(answer, chain.states);
  }
  assert.deepEqual(answer.rows.map(getLogKey), chain.keys());
  const { state, reasons, toBlock, rows } = answer.follower.verdict;
  assert.deepEqual(
    [state, toBlock, rows],
    ['complete', BigInt(chain.head), answer.rows.length],
    describeReasons(reasons).map(formatMessage).join(),
  );
}

/** Rows of the chain are taken back only if a machine has another chain. */
function assertNoneLost(lost: readonly string[], chain: readonly string[]): void {
  const now = new Set(chain);
  assert.deepEqual(
    lost.filter((key) => now.has(key)),
    [],
    'taken back by mistake',
  );
}

function assertHonest(
  { follower, rows }: Pick<FollowedQuery, 'follower' | 'rows'>,
  states: readonly ChainState[],
): void {
  const { state, toBlock } = follower.verdict;
  if (state !== 'complete') return;
  const wasSo = states.findLast(
    (blocks) => blocks.length > Number(toBlock) && hasRowsOf(rows, blocks, toBlock),
  );
  assert.ok(wasSo, `complete to block ${toBlock}, which no chain had so`);
}

/** Whether `rows` are those of `blocks` through the last one. */
function hasRowsOf(rows: FollowedQuery['rows'], blocks: ChainState, last: bigint): boolean {
  let at = 0;
  for (let number = 0; number <= Number(last); number++) {
    const block = blocks[number];
    for (let index = 0; index < (block?.rows ?? 0); index++, at++)
      if (rows[at]?.blockHash !== block?.hash || rows[at]?.logIndex !== index) return false;
  }
  const next = rows[at];
  return next === undefined || next.blockNumber > last;
}

describe('followed query on any chain', () => {
  it('has the rows of the chain at the end, and says complete of no block that it lacks rows of', () =>
    fc.assert(followedChains, { numRuns: runs(60) }));
});
