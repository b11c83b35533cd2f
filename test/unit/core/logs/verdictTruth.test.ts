import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  describeReasons,
  formatMessage,
  type Log,
  type LogOrder,
  parseLogFilter,
  type Verdict,
} from '../../../../src/core/index.ts';
import { tallyEvents } from '../../../../src/core/logs/countEvents.ts';
import {
  anyTraits,
  type Chain,
  type ChainLog,
  matches,
  openNode,
  seldom,
  timeOf,
} from '../../../support/anyNode.ts';
import { type QueryJson, readAll, readPages } from '../../../support/logReading.ts';

const ADDRESSES = ['a1', 'b2', 'c3'].map((end) => `0x${end.padStart(40, '0')}`);
const TOPICS = ['11', '22', '33'].map((end) => `0x${end.padStart(64, '0')}`);

/** The logs of each block, block by block: few have any at first, nearly all have some at last. */
const logs = (head: number): fc.Arbitrary<readonly ChainLog[]> =>
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

const queries = (
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

const keyOf = (log: { address: string; topics: readonly string[]; data: string }, block: number) =>
  [block, log.address, ...log.topics, log.data].join();

const given = (rows: readonly Log[]) => rows.map((log) => keyOf(log, Number(log.blockNumber))).sort();

function wanted(
  { logs: all, head }: Chain,
  { json, from, to }: { json: QueryJson; from: number; to: number },
) {
  const inRange = all.filter(({ block }) => block >= from && block <= Math.min(to, head));
  return inRange
    .filter((log) => matches(json, log))
    .map((log) => keyOf(log, log.block))
    .sort();
}

/** The chain may change after the last logs were read: the rows are those of one chain, before or after. */
function assertOneOf(rows: readonly string[], truths: readonly (readonly string[])[], message: string): void {
  if (truths.some((truth) => JSON.stringify(truth) === JSON.stringify(rows))) return;
  assert.deepEqual(rows, truths[0], message);
}

const explain = ({ state, reasons }: Verdict) =>
  `${state}: ${describeReasons(reasons).map(formatMessage).join(' ')}`;

const isRefusal = (error: unknown) => (error as { kind?: string }).kind === 'rpc';
const isMistake = (error: unknown) => (error as { kind?: string }).kind === 'internal';

/** A chain, a node that has it in its own way, perhaps a reorg on the way, and a query. */
const cases = fc.integer({ min: 20, max: 400 }).chain((head) =>
  fc.record({
    chain: logs(head).map((all): Chain => ({ head, logs: all })),
    node: anyTraits(head),
    reorg: seldom(
      fc.record({
        atRequest: fc.integer({ min: 1, max: 12 }),
        depth: fc.integer({ min: 1, max: 20 }),
        others: logs(head),
      }),
    ),
    query: queries(head),
    order: fc.constantFrom<LogOrder>('oldestFirst', 'newestFirst'),
    read: fc.constantFrom(readPages, readAll),
  }),
);

/** Whether the node does anything that a client cannot make up for by further requests. */
function mayDoubt({ node, reorg }: Pick<Run, 'node' | 'reorg'>): boolean {
  const { pruned, lag, flaw, nullEvery, index, times } = node;
  return Boolean(reorg || pruned || lag || flaw || nullEvery || times || index === 'nothing');
}

type Run = typeof cases extends fc.Arbitrary<infer T> ? T : never;

describe('complete', () => {
  it('means that no log is missing, on any node, of any range, and is said where a node has limits only', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (run) => {
        const { chains, client } = openNode(run);
        const { query, order, read, node } = run;
        let result: Awaited<ReturnType<typeof read>>;
        try {
          result = await read(client.openLogQuery(parseLogFilter(query.json), { order }));
        } catch (error) {
          assert.ok(!isMistake(error), String((error as { cause?: unknown }).cause));
          // Never an error where the node has blocks of the range.
          assert.ok(!isRefusal(error) || query.to < (node.pruned?.below ?? 0), String(error));
          return;
        }
        const { logs: rows, verdict } = result;
        if (verdict.state === 'uncertain') {
          assert.ok(verdict.reasons.length > 0 && mayDoubt(run), explain(verdict));
          return;
        }
        const usesTimes = /T|2999/.test(`${query.json.fromBlock}${query.json.toBlock}`);
        assert.ok(!(usesTimes && node.times === 'fall' && rows.length > 0), 'times that fall are believed');
        assertOneOf(
          given(rows),
          chains.map((chain) => wanted(chain, query)),
          explain(verdict),
        );
        const isReached = query.to <= run.chain.head && query.from <= run.chain.head;
        assert.equal(verdict.state, isReached ? 'complete' : 'unreached');
      }),
    );
  });

  it('counts hold for what they count', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (run) => {
        const { chains, client } = openNode(run);
        const { from } = run.query;
        fc.pre(Number.isFinite(from));
        const request = {
          addresses: ADDRESSES as never,
          topics0: TOPICS as never,
          fromBlock: BigInt(from),
          most: 40,
        };
        const tallies = await tallyEvents(client, request).catch((error: unknown) => {
          assert.ok(!isMistake(error));
        });
        if (!tallies || tallies.reasons.length > 0) return;
        for (const { topic0, count, isWhole } of tallies.events) {
          const query = { json: { topics: [topic0] }, from, to: Number.POSITIVE_INFINITY };
          const all = chains.map((chain) => wanted(chain, query).length);
          assert.ok(
            all.some((most) => (isWhole ? count === most : count <= most)),
            `${topic0}: ${count} of ${all}`,
          );
        }
      }),
    );
  });
});
