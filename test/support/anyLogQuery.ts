import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Log, LogOrder } from '../../src/core/index.ts';
import { type Chain, type ChainLog, matches, type NodeTraits, timeOf } from './anyNode.ts';
import { anyHead, anyReorg, anyTraits, busyEveryOf } from './anyTraits.ts';
import type { QueryJson } from './logReading.ts';

export const ADDRESSES = ['a1', 'b2', 'c3'].map((end) => `0x${end.padStart(40, '0')}`);
export const TOPICS = ['11', '22', '33'].map((end) => `0x${end.padStart(64, '0')}`);

/** The logs of each block, block by block: few have any at first, nearly all have some at last. */
export const anyLogs = (head: number): fc.Arbitrary<readonly ChainLog[]> =>
  fc
    .array(
      fc.record({
        block: fc.oneof(
          fc.integer({ min: 0, max: head }),
          fc.integer({ min: Math.max(0, head - 8), max: head }),
        ),
        address: fc.constantFrom(...ADDRESSES),
        topics: fc.array(fc.constantFrom(...TOPICS), { minLength: 0, maxLength: 2 }),
        data: fc.constantFrom('0x', `0x${'01'.padStart(64, '0')}`),
      }),
      { minLength: 0, maxLength: 60 },
    )
    .map((found) => {
      const sorted = found.sort((a, b) => a.block - b.block);
      return sorted.map((log, at) => ({
        ...log,
        place: at - sorted.findIndex(({ block }) => block === log.block),
      }));
    });

interface Bound {
  /** As it is written. */
  readonly text: string | number;
  /** The first or last block, whatever the head; infinite above every block. */
  readonly block: number;
}

const bound = (head: number, end: 'fromBlock' | 'toBlock'): fc.Arbitrary<Bound> =>
  fc.oneof(
    fc.constant(end === 'fromBlock' ? { text: 'earliest', block: 0 } : { text: 'latest', block: head }),
    fc.integer({ min: 0, max: head + 20 }).map((block) => ({ text: block, block })),
    fc
      .integer({ min: 0, max: 20 })
      .map((below) => ({ text: `latest-${below}`, block: Math.max(0, head - below) })),
    fc.integer({ min: 0, max: head - 1 }).map((block) => {
      const seconds = timeOf(block) + (end === 'fromBlock' ? -5 : 5);
      return { text: new Date(seconds * 1000).toISOString().replace('.000', ''), block };
    }),
    fc.constant({ text: '2999-01-01', block: Number.POSITIVE_INFINITY }),
  );

const anyQuery = (
  head: number,
): fc.Arbitrary<{ readonly json: QueryJson; readonly from: number; readonly to: number }> =>
  fc
    .tuple(
      bound(head, 'fromBlock'),
      bound(head, 'toBlock'),
      fc.subarray(ADDRESSES, { minLength: 1 }),
      fc.option(fc.subarray(TOPICS, { minLength: 1 }), { nil: null }),
    )
    .map(([from, to, address, topics]) => ({
      json: { address, topics: [topics], fromBlock: from.text, toBlock: to.text },
      from: from.block,
      to: to.block,
    }));

export const keyOf = (log: { address: string; topics: readonly string[]; data: string }, block: number) =>
  [block, log.address, ...log.topics, log.data].join();

export const listKeys = (rows: readonly Log[]) =>
  rows.map((log) => keyOf(log, Number(log.blockNumber))).sort();

export function wanted(
  { logs: all, head }: Chain,
  { json, from, to }: { json: QueryJson; from: number; to: number },
) {
  const inRange = all.filter(({ block }) => block >= from && block <= Math.min(to, head));
  return inRange
    .filter((log) => matches(json, log))
    .map((log) => keyOf(log, log.block))
    .sort();
}

/** A chain, a node that has it in its own way, perhaps a reorg on the way, and a query. */
export const anyRun = anyHead.chain((head) =>
  fc
    .record({
      chain: fc
        .record({ logs: anyLogs(head), busyEvery: busyEveryOf(head) })
        .map((chain): Chain => ({ head, ...chain })),
      node: anyTraits(head),
      reorg: anyReorg(anyLogs(head)),
      query: anyQuery(head),
      order: fc.constantFrom<LogOrder>('oldestFirst', 'newestFirst'),
    })
    .map((run) => (run.reorg && isPrunedWithin(run.reorg.depth, run) ? { ...run, reorg: undefined } : run)),
);

/** Whether a node has pruned some of its last blocks: no node does that where a reorg may still replace them. */
export function isPrunedWithin(
  depth: number,
  { chain, node }: { readonly chain: Chain; readonly node: NodeTraits },
): boolean {
  return (node.pruned?.below ?? 0) > chain.head - depth;
}

export type Run = typeof anyRun extends fc.Arbitrary<infer T> ? T : never;

/** The chain may change after the last logs were read: the rows are those of one chain, before or after. */
export function assertOneOf(
  rows: readonly string[],
  truths: readonly (readonly string[])[],
  message: string,
): void {
  if (truths.some((truth) => JSON.stringify(truth) === JSON.stringify(rows))) return;
  assert.deepEqual(rows, truths[0], message);
}

export const isMistake = (error: unknown) => (error as { kind?: string }).kind === 'internal';
