import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { createLogStore, type Log, systemClock } from '../../../../src/core/index.ts';
import { createTopRows, RowView, TOP_ROWS } from '../../../../src/features/logs/results/rowView.ts';

function logAt(block: number): Log {
  return {
    address: `0x${'11'.repeat(20)}`,
    blockHash: `0x${'22'.repeat(32)}`,
    blockNumber: BigInt(block),
    data: '0x',
    logIndex: 0,
    topics: [],
    transactionHash: `0x${'33'.repeat(32)}`,
    transactionIndex: 0,
  };
}

describe('rows on top', () => {
  it('are given once for an answer, those in view, as soon as there are any', () => {
    const store = createLogStore();
    const rows = new RowView(store, { clock: systemClock, onDidChange: () => undefined });
    const take = createTopRows();
    assert.equal(take('a', rows), undefined);
    store.append(Array.from({ length: 250 }, (_, block) => logAt(block)));
    assert.deepEqual(
      take('a', rows)?.map(({ log }) => String(log.blockNumber)),
      Array.from({ length: TOP_ROWS }, (_, block) => String(block)),
    );
    assert.equal(take('a', rows), undefined);
    assert.equal(take('b', rows)?.length, TOP_ROWS);
  });

  it('are given again when they have come in another order', async () => {
    const store = createLogStore();
    store.append([logAt(1), logAt(2)]);
    const rows = new RowView(store, { clock: systemClock, onDidChange: () => undefined });
    const take = createTopRows();
    take('a', rows);
    rows.arrange({ filter: '', sort: { column: 'block', descending: true } });
    assert.equal(take('a', rows), undefined);
    while (rows.working) await wait(1);
    assert.deepEqual(
      take('a', rows)?.map(({ log }) => String(log.blockNumber)),
      ['2', '1'],
    );
  });
});
