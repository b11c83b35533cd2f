import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createChainClient,
  describeReasons,
  formatMessage,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import {
  ADDRESSES,
  anyLogs,
  assertOneOf,
  isMistake,
  isPrunedWithin,
  listKeys,
  TOPICS,
  wanted,
} from '../../../support/anyLogQuery.ts';
import { type Chain, createAnyNode } from '../../../support/anyNode.ts';
import { anyHead, anyTraits, busyEveryOf, seldom } from '../../../support/anyTraits.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import { followQuery } from '../../../support/logReading.ts';

const PATIENCE = { times: 4, ms: 0 };
const MAX_GROWTH = 300;

/** The chain gets new blocks, and loses some of its last ones before. */
const anyStep = fc.record({
  depth: seldom(fc.integer({ min: 1, max: 15 })),
  growth: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.integer({ min: 6, max: MAX_GROWTH }) },
  ),
  /** Those of the new blocks, which are counted from 0 on. */
  logs: anyLogs(20),
});

const anyFollowed = anyHead
  .chain((head) =>
    fc.record({
      chain: fc
        .record({ logs: anyLogs(head), busyEvery: busyEveryOf(head) })
        .map((chain): Chain => ({ head, ...chain })),
      // Without heads beside responses, three that are alike count, and may be those of lagging replicas.
      node: anyTraits(head).map((node) =>
        node.batches && !node.maxBatch ? node : { ...node, lag: undefined },
      ),
      steps: fc.array(anyStep, { minLength: 1, maxLength: 6 }),
      address: fc.subarray(ADDRESSES, { minLength: 1 }),
      topics: fc.option(fc.subarray(TOPICS, { minLength: 1 }), { nil: null }),
      order: fc.constantFrom('newestFirst' as const, 'oldestFirst' as const),
    }),
  )
  .filter(
    (run) =>
      !isPrunedWithin(
        run.steps.reduce((sum, { depth = 0 }) => sum + depth, 0),
        run,
      ),
  );

type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

function grow(chain: Chain, { depth = 0, growth, logs }: Step, name: number): Chain {
  const from = Math.max(1, chain.head - depth + 1);
  const head = chain.head + growth;
  return {
    ...chain,
    head,
    logs: [
      ...chain.logs.filter(({ block }) => block < from),
      ...logs.map((log) => ({ ...log, block: from + log.block })).filter(({ block }) => block <= head),
    ],
    ...(depth > 0 && { forks: [...(chain.forks ?? []), { from, name }] }),
  };
}

describe('a followed query on any node', () => {
  it('says complete of blocks only as they were on the chain at some time', async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(anyFollowed, async ({ chain, node, steps, address, topics, order }) => {
        const chains = [chain];
        const fetch = createAnyNode(() => chains.at(-1) ?? chain, node);
        const client = createChainClient({ url: 'http://node.test/', fetch, clock: createTestClock() });
        const json = { address, topics: [topics], fromBlock: 0 };
        try {
          const query = await followQuery(client, parseLogFilter(json), { order, patience: PATIENCE });
          for (const [index, step] of steps.entries()) {
            const next = grow(chains.at(-1) ?? chain, step, index + 1);
            chains.push(next);
            for (let look = 0; look < 2; look++) {
              await query.advance(BigInt(next.head)).catch((error: unknown) => {
                assert.ok(!isMistake(error), String((error as Error).cause));
              });
              const { state, toBlock, reasons } = query.follower.verdict;
              if (state !== 'complete') continue;
              complete++;
              const to = Number(toBlock);
              assertOneOf(
                listKeys(query.rows.filter(({ blockNumber }) => blockNumber <= toBlock)),
                chains.filter(({ head }) => head >= to).map((each) => wanted(each, { json, from: 0, to })),
                `${to} ${describeReasons(reasons).map(formatMessage).join(' ')}`,
              );
            }
          }
        } catch (error) {
          if ((error as { readonly name?: string }).name === 'AssertionError') throw error;
          assert.ok(!isMistake(error), String((error as Error).cause));
        }
      }),
    );
    assert.ok(complete > 0 || !isFullRun);
  });
});
