import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createVerdict,
  type Hex,
  type LogFilter,
  type LogPage,
  tallyEvents,
} from '../../../../src/core/index.ts';
import { createLogTest } from '../../../../src/core/logs/query/filter.ts';
import type { LogClient } from '../../../../src/core/logs/query/logQuery.ts';
import { createLog } from '../../../support/anyLogs.ts';

const A: Hex = `0x${'aa'.repeat(32)}`;
const B: Hex = `0x${'bb'.repeat(32)}`;
const C: Hex = `0x${'cc'.repeat(32)}`;
const HEAD = 99n;
const vault = `0x${'11'.repeat(20)}` as const;

/** A chain with these events up its blocks; gives its rows newest first, so many a page, also in the middle of a block. */
function chainOf(events: readonly (readonly [block: number, topic0: Hex])[], page: number) {
  const logs = events
    .map(([block, topic0], logIndex) => createLog(block, { address: vault, logIndex, topics: [topic0] }))
    .reverse();
  const asked: LogFilter[] = [];
  const source: LogClient = {
    openLogQuery(filter) {
      asked.push(filter);
      const fromBlock = typeof filter.fromBlock === 'bigint' ? filter.fromBlock : 0n;
      const toBlock = typeof filter.toBlock === 'bigint' ? filter.toBlock : HEAD;
      const rows = logs.filter(
        (log) => createLogTest(filter)(log) && log.blockNumber >= fromBlock && log.blockNumber <= toBlock,
      );
      async function* rest(): AsyncGenerator<LogPage> {
        for (let start = 0; start === 0 || start < rows.length; start += page) {
          const next = rows[start + page];
          const isLast = next === undefined;
          const verdict = createVerdict({
            ...{ isRead: isLast, reasons: [], fromBlock, toBlock, head: HEAD },
            ...{ order: 'newestFirst', rows: start, requests: 1 },
            readThrough: isLast ? fromBlock : next.blockNumber + 1n,
          });
          yield { logs: rows.slice(start, start + page), verdict };
        }
      }
      return { verdict: undefined, rest, nextPage: () => assert.fail('Pages are not asked for.') };
    },
  };
  return { source, asked };
}

const question = { addresses: [vault], topics0: [A, B, C], fromBlock: 0n };

describe('tally of events', () => {
  it('takes one query where events are few, and tells of none that has not fired', async () => {
    const { source, asked } = chainOf(
      [
        [3, A],
        [5, A],
        [7, B],
      ],
      2,
    );
    const { events, fromBlock, toBlock } = await tallyEvents(source, { ...question, most: 100 });
    assert.deepEqual(
      events.map(({ count, isWhole, last }) => [count, isWhole, last?.blockNumber]),
      [
        [2, true, 5n],
        [1, true, 7n],
        [0, true, undefined],
      ],
    );
    assert.deepEqual([asked.length, fromBlock, toBlock], [1, 0n, HEAD]);
  });

  it('leaves what is frequent behind, and counts what is rare to the end', async () => {
    const often = Array.from({ length: 500 }, (_, index) => [10 + Math.floor(index / 6), A] as const);
    const { source, asked } = chainOf([[1, B], [2, C], [3, B], ...often], 50);
    const { events } = await tallyEvents(source, { ...question, most: 120 });
    const [a, b, c] = events;
    assert.equal(a?.isWhole, false);
    assert.ok(a && a.count >= 100 && a.count <= 150 && a.from > 10n);
    assert.deepEqual([b?.count, b?.isWhole, b?.last?.blockNumber], [2, true, 3n]);
    assert.deepEqual([c?.count, c?.isWhole], [1, true]);
    assert.deepEqual(
      asked.map(({ topics }) => topics[0]?.length),
      [3, 2],
    );
  });

  it('is right of any chain: exact where it is whole, and no more than there is elsewhere', async () => {
    const anyEvents = fc
      .array(fc.tuple(fc.nat(99), fc.constantFrom(A, A, A, B, C)), { maxLength: 200 })
      .map((events) => events.sort(([a], [b]) => a - b));
    await fc.assert(
      fc.asyncProperty(
        anyEvents,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 60 }),
        async (all, page, most) => {
          const { source } = chainOf(all, page);
          for (const { topic0, count, isWhole, from, last } of (
            await tallyEvents(source, { ...question, most })
          ).events) {
            const its = all.filter(([, topic]) => topic === topic0);
            const looked = its.filter(([block]) => BigInt(block) >= from);
            assert.equal(count, isWhole ? its.length : looked.length);
            if (isWhole) assert.equal(from, 0n);
            if (count > 0) assert.equal(last?.blockNumber, BigInt(its.at(-1)?.[0] ?? -1));
          }
        },
      ),
    );
  });

  it('tells why it may lack some', async () => {
    const { source } = chainOf([[3, A]], 10);
    const doubtful: LogClient = {
      openLogQuery(filter, options) {
        const query = source.openLogQuery(filter, options);
        async function* rest() {
          for await (const { logs, verdict } of query.rest()) {
            const reasons = [{ code: 'shortPages', block: 3n }] as const;
            yield { logs, verdict: { ...verdict, state: 'uncertain' as const, reasons } };
          }
        }
        return { ...query, rest };
      },
    };
    const { reasons: doubts, events } = await tallyEvents(doubtful, { ...question, most: 10 });
    assert.deepEqual([doubts, events[0]?.count], [[{ code: 'shortPages', block: 3n }], 1]);
  });
});
