import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describeReasons, formatMessage, parseLogFilter, type Verdict } from '../../../../src/core/index.ts';
import { tallyEvents } from '../../../../src/core/logs/countEvents.ts';
import {
  ADDRESSES,
  anyRun,
  assertOneOf,
  isMistake,
  listKeys,
  type Run,
  TOPICS,
  wanted,
} from '../../../support/anyLogQuery.ts';
import { openNode } from '../../../support/anyNode.ts';
import { readAll, readPages } from '../../../support/logReading.ts';

const explain = ({ state, reasons }: Verdict) =>
  `${state}: ${describeReasons(reasons).map(formatMessage).join(' ')}`;

const isRefusal = (error: unknown) => (error as { kind?: string }).kind === 'rpc';

/** Whether the node does anything that a client cannot make up for by further requests. */
function mayDoubt({ node, reorg }: Pick<Run, 'node' | 'reorg'>): boolean {
  const { pruned, lag, flaw, nullEvery, index, times, headers, needsAddress } = node;
  const isHidden = headers || needsAddress;
  return Boolean(reorg || pruned || lag || flaw || nullEvery || times || index === 'nothing' || isHidden);
}

/**
 * The last block that no replica lacks unseen: where calls go alone, one that is far behind shows only if it reports its
 * head, as the manual of limits says.
 */
function getLastSure({ chain, node: { batches, maxBatch, lag } }: Run): number {
  const isAlone = !batches || maxBatch?.calls === 1;
  const isUnseen = isAlone && lag && !lag.refuses && lag.blocks > UNSETTLED_BLOCKS;
  return isUnseen ? chain.head - lag.blocks : Number.POSITIVE_INFINITY;
}

const UNSETTLED_BLOCKS = 128;

describe('complete', () => {
  it('means that no log is missing, on any node, of any range, and is said where a node has limits only', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, fc.constantFrom(readPages, readAll), async (run, read) => {
        const { chains, client } = openNode(run);
        const { query, order, node } = run;
        let result: Awaited<ReturnType<typeof read>>;
        try {
          result = await read(client.openLogQuery(parseLogFilter(query.json), { order }));
        } catch (error) {
          assert.ok(!isMistake(error), String((error as { cause?: unknown }).cause));
          // Never an error where the node has blocks of the range, unless all tries of a request may fail.
          const mayFail = node.failEvery !== undefined || query.to < (node.pruned?.below ?? 0);
          assert.ok(!isRefusal(error) || mayFail, String(error));
          return;
        }
        const { logs: rows, verdict } = result;
        if (verdict.state === 'uncertain') {
          assert.ok(verdict.reasons.length > 0 && mayDoubt(run), explain(verdict));
          return;
        }
        const usesTimes = /T|2999/.test(`${query.json.fromBlock}${query.json.toBlock}`);
        assert.ok(!(usesTimes && node.times === 'fall' && rows.length > 0), 'times that fall are believed');
        const isSure = (key: string) => Number.parseInt(key, 10) <= getLastSure(run);
        assertOneOf(
          listKeys(rows).filter(isSure),
          chains.map((chain) => wanted(chain, query).filter(isSure)),
          explain(verdict),
        );
        const isReached = query.to <= run.chain.head && query.from <= run.chain.head;
        assert.equal(verdict.state, isReached ? 'complete' : 'unreached');
      }),
    );
  });

  it('counts hold for what they count', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (run) => {
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
