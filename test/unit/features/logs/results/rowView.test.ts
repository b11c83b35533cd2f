import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Address,
  createLogStore,
  type Log,
  type LogStore,
  type RowKnowledge,
  systemClock,
} from '../../../../../src/core/index.ts';
import {
  createTopRows,
  loadedArrangement,
  RowView,
  TOP_ROWS,
} from '../../../../../src/features/logs/results/rowView.ts';
import { bareLog } from '../../../../support/stubs.ts';

const byData = { filter: '', sort: { column: 'data', descending: false } } as const;

/** Logs whose data are the bytes given, each in a block of its own. */
function logsOf(...bytes: readonly number[]): readonly Log[] {
  return bytes.map((byte, index) =>
    bareLog({ blockNumber: BigInt(1000 + index), data: `0x${byte.toString(16).padStart(2, '0')}` }),
  );
}

function createRows(store: LogStore = createLogStore()) {
  const changes: string[] = [];
  const rows = new RowView(store, { clock: systemClock, onDidChange: (what) => changes.push(what) });
  const shown = () => rows.slice(0, 99).map(({ number, log }) => `${number}:${Number(log.data)}`);
  async function ready(): Promise<void> {
    while (rows.isWorking) await wait(1);
  }
  return { rows, store, shown, ready, changes };
}

describe('arranged rows', () => {
  it('are the loaded ones as they are, while nothing else is asked for', () => {
    const { rows, store, shown, changes } = createRows();
    store.append(logsOf(7, 5));
    rows.sync(store);
    assert.deepEqual([rows.length, rows.order, rows.isWorking, changes], [2, 0, false, []]);
    assert.deepEqual(shown(), ['0:7', '1:5']);
    assert.deepEqual([rows.findRow(1), rows.findRow(2)], [1, undefined]);
  });

  it('show the old arrangement until the new one is ready', async () => {
    const { rows, store, shown, ready } = createRows();
    store.append(logsOf(7, 5, 6));
    rows.arrange(byData);
    assert.deepEqual([rows.isWorking, rows.shown, rows.order], [true, loadedArrangement, 0]);
    assert.deepEqual(shown(), ['0:7', '1:5', '2:6']);
    await ready();
    assert.deepEqual([rows.shown, rows.order], [byData, 1]);
    assert.deepEqual(shown(), ['1:5', '2:6', '0:7']);
    assert.equal(rows.findRow(0), 2);
  });

  it('put rows that come later in their places, and say that row numbers have changed', async () => {
    const { rows, store, shown, ready } = createRows();
    store.append(logsOf(7, 5));
    rows.arrange(byData);
    await ready();
    store.append(logsOf(6, 1));
    assert.equal(rows.length, 2);
    rows.sync(store);
    await ready();
    assert.deepEqual(shown(), ['3:1', '1:5', '2:6', '0:7']);
    assert.equal(rows.order, 2);
  });

  it('add filtered rows at the end, so that row numbers hold', async () => {
    const { rows, store, shown, ready } = createRows();
    store.append(logsOf(0x7a, 5));
    rows.arrange({ filter: '0x7' });
    await ready();
    assert.deepEqual([shown(), rows.order], [['0:122'], 1]);
    store.append(logsOf(6, 0x7b));
    rows.sync(store);
    await ready();
    assert.deepEqual([shown(), rows.order], [['0:122', '3:123'], 1]);
    assert.deepEqual([rows.findRow(3), rows.findRow(1)], [1, undefined]);
  });

  it('go back to the order of the chain at once', async () => {
    const { rows, store, shown, ready } = createRows();
    store.append(logsOf(7, 5));
    rows.arrange(byData);
    await ready();
    rows.arrange({ filter: ' ' });
    assert.deepEqual([rows.isWorking, rows.order, shown()], [false, 2, ['0:7', '1:5']]);
  });

  it('give up what is not wanted any more', async () => {
    const { rows, store, shown, ready } = createRows();
    store.append(logsOf(7, 5, 6));
    rows.arrange(byData);
    rows.arrange({ filter: '0x06' });
    rows.arrange({ filter: '0x05' });
    await ready();
    await wait(5);
    assert.deepEqual(shown(), ['1:5']);
    assert.equal(rows.order, 1);
    rows.arrange(byData);
    rows.dispose();
    await wait(5);
    assert.deepEqual(shown(), ['1:5']);
  });

  it('keep the arrangement for the next answer', async () => {
    const { rows, store, shown, ready } = createRows();
    store.append(logsOf(7, 5));
    rows.arrange(byData);
    await ready();
    const next = createLogStore();
    rows.sync(next);
    assert.deepEqual([rows.length, shown()], [0, []]);
    next.append(logsOf(3, 2));
    rows.sync(next);
    await ready();
    assert.deepEqual(shown(), ['1:2', '0:3']);
  });

  it('are chosen anew when more is known of them, where that can change what passes, and told anew always', async () => {
    const named = new Set<Address>();
    const knowledge = (): RowKnowledge => ({
      argumentAt: () => undefined,
      findArgumentsByName: () => [],
      listArgumentNames: () => [],
      unitsOf: () => undefined,
      findEventsByName: () => [],
      findAddressesByName: () => [...named],
      listDecimals: () => [],
    });
    const store = createLogStore();
    store.append(logsOf(7, 5));
    const rows = new RowView(store, { clock: systemClock, onDidChange: () => undefined, knowledge });
    const ready = async () => {
      while (rows.isWorking) await wait(1);
    };
    rows.arrange({ filter: 'Treasury' });
    await ready();
    assert.equal(rows.length, 0);
    named.add(`0x${'11'.repeat(20)}`);
    const { order } = rows;
    rows.refresh('units');
    assert.deepEqual([rows.isWorking, rows.order], [false, order + 1]);
    rows.refresh('names');
    await ready();
    assert.equal(rows.length, 2);
    rows.arrange(byData);
    await ready();
    rows.refresh('events');
    assert.equal(rows.isWorking, false);
  });
});

const logInBlock = (block: number) => bareLog({ blockNumber: BigInt(block) });

describe('rows on top', () => {
  it('are given once for an answer, those in view, as soon as there are any', () => {
    const store = createLogStore();
    const rows = new RowView(store, { clock: systemClock, onDidChange: () => undefined });
    const take = createTopRows();
    assert.equal(take('a', rows), undefined);
    store.append(Array.from({ length: 250 }, (_, block) => logInBlock(block)));
    assert.deepEqual(
      take('a', rows)?.map(({ log }) => String(log.blockNumber)),
      Array.from({ length: TOP_ROWS }, (_, block) => String(block)),
    );
    assert.equal(take('a', rows), undefined);
    assert.equal(take('b', rows)?.length, TOP_ROWS);
  });

  it('are given again when they have come in another order', async () => {
    const store = createLogStore();
    store.append([logInBlock(1), logInBlock(2)]);
    const rows = new RowView(store, { clock: systemClock, onDidChange: () => undefined });
    const take = createTopRows();
    take('a', rows);
    rows.arrange({ filter: '', sort: { column: 'block', descending: true } });
    assert.equal(take('a', rows), undefined);
    while (rows.isWorking) await wait(1);
    assert.deepEqual(
      take('a', rows)?.map(({ log }) => String(log.blockNumber)),
      ['2', '1'],
    );
  });
});
