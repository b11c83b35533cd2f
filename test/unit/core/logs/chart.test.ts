import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ChartUnit,
  type Clock,
  countBars,
  createChartScale,
  createLogStore,
  createTimeSlices,
  findBarStarts,
  getBarSpan,
  type LogOrder,
  type LogStore,
  systemClock,
} from '../../../../src/core/index.ts';
import { createLog } from '../../../support/anyLogs.ts';

/** Logs of these blocks up the chain, two seconds a block. */
function storeOf(blocks: readonly number[], order: LogOrder = 'oldestFirst', isTimed = true): LogStore {
  const logs = blocks.map((block, logIndex) =>
    createLog(block, { logIndex, ...(isTimed && { time: 1_800_000_000_000 + block * 2000 }) }),
  );
  const store = createLogStore();
  store.append(order === 'oldestFirst' ? logs : logs.toReversed());
  return store;
}

const anyBlocks = fc
  .array(fc.nat(5000), { minLength: 1, maxLength: 300 })
  .map((blocks) => blocks.sort((a, b) => a - b));
const anyOrder = fc.constantFrom<LogOrder>('oldestFirst', 'newestFirst');
const anyUnit = fc.constantFrom<ChartUnit>('block', 'time');

function spanOf(blocks: readonly number[], unit: ChartUnit) {
  const [first = 0, last = 0] = [blocks[0], blocks.at(-1)];
  return unit === 'block'
    ? { first, last }
    : { first: 1_800_000_000_000 + first * 2000, last: 1_800_000_000_000 + last * 2000 };
}

describe('bars of logs', () => {
  it('are of one round width, lie side by side, and are no more than asked for', () => {
    const any = fc.tuple(fc.nat(2 ** 40), fc.nat(2 ** 40), fc.integer({ min: 2, max: 300 }), anyUnit);
    fc.assert(
      fc.property(any, ([first, length, most, unit]) => {
        const span = { first, last: first + length };
        const scale = createChartScale(span, { most, unit });
        assert.ok(scale.bars >= 1 && scale.bars <= most);
        let next = span.first;
        for (let bar = 0; bar < scale.bars; bar++) {
          const { first: start, last: end } = getBarSpan(scale, bar);
          assert.equal(start, next);
          assert.ok(end >= start && end - start < scale.width);
          next = end + 1;
        }
        assert.equal(next, span.last + 1);
      }),
    );
    assert.deepEqual(
      [1, 9, 99, 1_000_000].map(
        (last) => createChartScale({ first: 0, last }, { most: 50, unit: 'block' }).width,
      ),
      [1, 1, 2, 50_000],
    );
    const day = { first: 0, last: 86_400_000 };
    assert.equal(createChartScale(day, { most: 30, unit: 'time' }).width, 3_600_000);
  });

  it('hold every row once, whatever order the store has', () => {
    fc.assert(
      fc.property(
        anyBlocks,
        anyOrder,
        anyUnit,
        fc.integer({ min: 2, max: 60 }),
        (blocks, order, unit, most) => {
          const store = storeOf(blocks, order);
          const scale = createChartScale(spanOf(blocks, unit), { most, unit });
          const starts = findBarStarts({ store, unit }, scale);
          assert.deepEqual([starts[0], starts[scale.bars]], [0, blocks.length]);
          for (let bar = 0; bar < scale.bars; bar++) {
            const { first, last } = getBarSpan(scale, bar);
            const isIn = (block: number) => {
              const value = spanOf([block], unit).first;
              return value >= first && value <= last;
            };
            assert.equal((starts[bar + 1] ?? 0) - (starts[bar] ?? 0), blocks.filter(isIn).length);
          }
        },
      ),
    );
  });

  it('count rows that are in no order as they count those that are', async () => {
    const anyPart = fc.tuple(anyBlocks, anyOrder, fc.infiniteStream(fc.boolean()));
    await fc.assert(
      fc.asyncProperty(anyPart, anyUnit, async ([blocks, order, picks], unit) => {
        const store = storeOf(blocks, order);
        const rows = Uint32Array.from(blocks.keys()).filter(() => picks.next().value === true);
        const scale = createChartScale(spanOf(blocks, unit), { most: 20, unit });
        const starts = findBarStarts({ store, unit, rows }, scale);
        const slices = createTimeSlices(systemClock);
        const counts = await countBars({ store, unit, rows: rows.toReversed() }, scale, { slices });
        assert.deepEqual(
          [...counts],
          Array.from(counts, (_, bar) => (starts[bar + 1] ?? 0) - (starts[bar] ?? 0)),
        );
        assert.equal(
          counts.reduce((sum, count) => sum + count, 0),
          rows.length,
        );
      }),
    );
  });

  it('count in slices, and stop where nobody waits', async () => {
    const store = storeOf(Array.from({ length: 5000 }, (_, block) => block));
    const scale = createChartScale({ first: 0, last: 4999 }, { most: 10, unit: 'block' });
    let rests = 0;
    const clock: Clock = { ...systemClock, sleep: async () => void rests++ };
    const slices = { ...createTimeSlices(clock), isOver: () => true };
    await countBars({ store, unit: 'block' }, scale, { slices });
    assert.equal(rests, 5);
    const signal = AbortSignal.abort();
    const aborting = createTimeSlices(systemClock);
    await assert.rejects(
      countBars({ store, unit: 'block' }, scale, { slices: { ...aborting, isOver: () => true }, signal }),
    );
  });

  it('stand over time only where every log came with one', () => {
    assert.equal(storeOf([1, 2]).isTimed, true);
    assert.equal(storeOf([1, 2]).timeAt(1), 1_800_000_004_000);
    const store = storeOf([1, 2], 'oldestFirst', false);
    assert.deepEqual([store.isTimed, store.timeAt(0)], [false, undefined]);
  });
});
