import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createLogStore,
  createRowSequence,
  type LogOrder,
  type RowKnowledge,
  systemClock,
  toAbiWord,
} from '../../../../../src/core/index.ts';
import type { ChartRequest } from '../../../../../src/features/logs/protocol/grid.ts';
import { createChart, createChartOffer } from '../../../../../src/features/logs/results/chart.ts';
import { RowView } from '../../../../../src/features/logs/results/rowView.ts';
import { bareLog, english, verdictOf } from '../../../../support/stubs.ts';

interface Case {
  /** Up the chain. */
  readonly blocks: readonly number[];
  readonly order?: LogOrder;
  readonly range?: readonly [from: number, to: number];
  readonly readThrough?: number;
  readonly filter?: string;
  readonly sort?: 'data';
  readonly isTimed?: boolean;
  readonly unit?: ChartRequest['unit'];
}

const nothingKnown: RowKnowledge = {
  argumentAt: () => undefined,
  findArgumentsByName: () => [],
  listArgumentNames: () => [],
  unitsOf: () => undefined,
  findEventsByName: () => [],
  findAddressesByName: () => [],
  listDecimals: () => [],
};

async function chart(asked: Case) {
  const { blocks, order = 'oldestFirst', isTimed = false, filter = '', sort, unit = 'block' } = asked;
  const [from, to] = asked.range ?? [blocks[0] ?? 0, blocks.at(-1) ?? 0];
  const logs = blocks.map((block, index) =>
    bareLog({
      ...{ blockHash: toAbiWord(BigInt(block)), blockNumber: BigInt(block) },
      data: `0x0${index % 7}`,
      ...(isTimed && { time: block * 1000 }),
    }),
  );
  const rows = createLogStore();
  rows.append(order === 'oldestFirst' ? logs : logs.toReversed());
  const verdict = verdictOf({
    ...{ isRead: false, order, fromBlock: BigInt(from), toBlock: BigInt(to) },
    readThrough: BigInt(asked.readThrough ?? (order === 'oldestFirst' ? to : from)),
  });
  const results = { resultId: 'one', rows, sequence: createRowSequence(rows, order), verdict };
  const arranged = new RowView(rows, {
    ...{ clock: systemClock, onDidChange: () => undefined, knowledge: () => nothingKnown },
  });
  arranged.arrange({ filter, ...(sort && { sort: { column: sort, descending: false } }) });
  while (arranged.isWorking) await wait(1);
  const source = {
    results,
    rows: arranged,
    clock: systemClock,
    signal: new AbortController().signal,
    blockField: 'block',
  } as const;
  const time = (at: number) => `${at / 1000} s`;
  const told = await createChart({ unit, most: 10 }, { ...source, ...english, time });
  return { told, offer: createChartOffer(results) };
}

const upTo = (last: number, first = 0) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('chart of an resultId', () => {
  it('is none of no log, of one, and of one block', async () => {
    for (const blocks of [[], [7], [7, 7, 7]]) {
      assert.deepEqual(await chart({ blocks }), { told: undefined, offer: undefined });
    }
  });

  it('counts what is loaded, and says what is not read yet, in both orders of reading', async () => {
    const upward = await chart({ blocks: upTo(49), range: [0, 199], readThrough: 49 });
    assert.deepEqual(
      upward.told?.bars.map(({ loaded }) => loaded),
      Array(10).fill(5),
    );
    assert.deepEqual(
      [upward.told?.before, upward.told?.after?.label],
      [undefined, 'Blocks 50 to 199: not read yet'],
    );
    const downward = await chart({
      ...({ blocks: upTo(199, 150), order: 'newestFirst', range: [0, 199], readThrough: 150 } as const),
    });
    assert.deepEqual(
      downward.told?.bars.map(({ first }) => first),
      [150, 155, 160, 165, 170, 175, 180, 185, 190, 195],
    );
    assert.deepEqual([downward.told?.before?.kind, downward.told?.after], ['unread', undefined]);
    const whole = await chart({ blocks: upTo(199, 150), range: [0, 199] });
    assert.deepEqual(
      [upward, downward, whole].map(({ offer }) => offer?.hasUnread),
      [true, true, false],
    );
    assert.equal(downward.told?.before?.label, 'Blocks 0 to 149: not read yet');
  });

  it('shows what is read without logs as empty, and leaves it out where it is most of all', async () => {
    const little = await chart({ blocks: upTo(79, 20), range: [0, 99] });
    assert.deepEqual(
      little.told?.bars.map(({ loaded }) => loaded),
      [0, 0, 10, 10, 10, 10, 10, 10, 0, 0],
    );
    const much = await chart({ blocks: upTo(999_979, 999_900), range: [0, 1_000_000] });
    assert.equal(much.told?.bars[0]?.first, 999_896);
    assert.deepEqual(much.told?.before, { kind: 'none', label: 'Blocks 0 to 999,895: no logs' });
  });

  it('tells of each bar how many pass the filter, sorted or not', async () => {
    const blocks = upTo(99);
    const filtered = await chart({ blocks, filter: 'block>=25 block<=44' });
    assert.deepEqual(
      filtered.told?.bars.map(({ shown }) => shown),
      [0, 0, 5, 10, 5, 0, 0, 0, 0, 0],
    );
    assert.equal(filtered.told?.isFiltered, true);
    const sorted = await chart({ blocks, filter: 'block>=25 block<=44', sort: 'data' });
    assert.deepEqual(sorted.told?.bars, filtered.told?.bars);
    const own = await chart({ blocks, filter: '$block>=25 $block<=44' });
    assert.deepEqual(own.told?.bars, filtered.told?.bars);
    const unfiltered = await chart({ blocks, sort: 'data' });
    assert.deepEqual([unfiltered.told?.isFiltered, unfiltered.told?.bars[3]?.shown], [false, 10]);
  });

  it('stands over time where all logs have one, each bar with the blocks of its logs', async () => {
    const blocks = [10, 11, 12, 40, 41];
    const { told, offer } = await chart({ blocks, isTimed: true, unit: 'time' });
    assert.deepEqual([told?.unit, told?.title, offer?.hasTimes], ['time', 'Logs over time', true]);
    assert.deepEqual(
      told?.bars.map(({ first, last, loaded, start }) => [start, loaded, first, last]),
      [
        ...[['10 s', 3, 10, 12]],
        ...['15 s', '20 s', '25 s', '30 s', '35 s'].map((start) => [start, 0, 40, 39]),
        ['40 s', 2, 40, 41],
      ],
    );
    const untimed = await chart({ blocks, unit: 'time' });
    assert.deepEqual([untimed.told?.unit, untimed.offer?.hasTimes], ['block', false]);
  });
});
