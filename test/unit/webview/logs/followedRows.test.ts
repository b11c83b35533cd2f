import assert from 'node:assert/strict';
import { createLogStore, createRowSequence, type Log, systemClock } from '../../../../src/core/index.ts';
import { RowView } from '../../../../src/features/logs/results/rowView.ts';
import { createRowMapping } from '../../../../src/webview/logs/applySnapshot.ts';

/** A log in a block of its own. */
function logAt(block: number, data: number): Log {
  return {
    address: `0x${'11'.repeat(20)}`,
    blockHash: `0x${block.toString(16).padStart(64, '0')}`,
    blockNumber: BigInt(block),
    data: `0x${data.toString(16).padStart(2, '0')}`,
    logIndex: 0,
    topics: [],
    transactionHash: `0x${block.toString(16).padStart(64, '0')}`,
    transactionIndex: 0,
  };
}

/** Blocks 5 to 9 newest first, whose data are 5 to 1. */
function followedRows() {
  const store = createLogStore();
  store.append([9, 8, 7, 6, 5].map((block) => logAt(block, 10 - block)));
  const sequence = createRowSequence(store, 'newestFirst');
  const rows = new RowView(createLogStore(), { clock: systemClock, onDidChange: () => undefined });
  const shown = () => rows.slice(0, 99).map(({ log }) => Number(log.blockNumber));
  const numbers = () => rows.slice(0, 99).map(({ number }) => number);
  /** Takes in what has changed; says where the rows of before are now, as a view finds out. */
  async function follow(change: () => void = () => undefined) {
    const before = { order: rows.order, numbers: numbers() };
    rows.takeMoves();
    change();
    rows.sync(store, sequence);
    await rows.ready();
    const moves = rows.takeMoves();
    const moved = createRowMapping(moves, before.order, rows.order);
    const after = numbers();
    if (moved) {
      for (const [row, number] of before.numbers.entries()) {
        const place = moved(row);
        assert.equal(
          place === undefined ? undefined : after[place],
          after.includes(number) ? number : undefined,
        );
      }
    }
    return moved !== undefined;
  }
  return { rows, store, sequence, shown, follow };
}

describe('arranged rows of a followed answer', () => {
  it('have new ones on top, and say how the others moved', async () => {
    const { rows, sequence, shown, follow } = followedRows();
    await follow();
    assert.equal(await follow(() => sequence.add([logAt(10, 3), logAt(11, 8)])), true);
    assert.deepEqual(shown(), [11, 10, 9, 8, 7, 6, 5]);
    assert.equal(rows.findRow(0), 2);
    const replace = () => {
      sequence.takeBack(9n);
      sequence.add([logAt(9, 9)]);
    };
    assert.equal(await follow(replace), true);
    assert.deepEqual(shown(), [9, 11, 10, 9, 8, 7, 6, 5]);
    assert.equal(await follow(sequence.sweep), true);
    assert.deepEqual(shown(), [9, 8, 7, 6, 5]);
    assert.deepEqual(
      rows.asShown.slice(0, 9).map(({ blockNumber }) => Number(blockNumber)),
      [9, 8, 7, 6, 5],
    );
  });

  it('keep a filter, with new ones that pass it on top', async () => {
    const { rows, sequence, shown, follow } = followedRows();
    await follow();
    rows.arrange({ filter: '0x00' });
    await rows.ready();
    assert.equal(await follow(() => sequence.add([logAt(10, 3), logAt(11, 8)])), true);
    assert.deepEqual(shown(), [11, 10, 9, 8, 7, 6, 5]);
    sequence.takeBack(8n);
    assert.equal(await follow(sequence.sweep), true);
    assert.deepEqual(shown(), [7, 6, 5]);
  });

  it('keep a sort, with new ones in their places', async () => {
    const { rows, sequence, shown, follow } = followedRows();
    await follow();
    rows.arrange({ filter: '', sort: { column: 'data', descending: false } });
    await rows.ready();
    assert.deepEqual(shown(), [9, 8, 7, 6, 5]);
    assert.equal(await follow(() => sequence.add([logAt(10, 3), logAt(11, 0)])), true);
    assert.deepEqual(shown(), [11, 9, 8, 7, 10, 6, 5]);
    sequence.takeBack(9n);
    assert.equal(await follow(sequence.sweep), true);
    assert.deepEqual(shown(), [8, 7, 6, 5]);
  });

  it('stand by block in either order, whenever they came', async () => {
    const { rows, sequence, shown, follow } = followedRows();
    await follow();
    for (const descending of [true, false]) {
      rows.arrange({ filter: '', sort: { column: 'block', descending } });
      await rows.ready();
      const next = Number(rows.slice(descending ? 0 : rows.length - 1, 1)[0]?.log.blockNumber ?? 0n) + 1;
      sequence.add([logAt(next, 1), logAt(next + 1, 1)]);
      await follow();
      assert.deepEqual(
        shown(),
        shown().toSorted((a, b) => (descending ? b - a : a - b)),
      );
    }
  });

  it('are looked at anew where nobody knows how they moved', async () => {
    const { sequence, follow, shown } = followedRows();
    await follow();
    for (let block = 10; block < 90; block++) sequence.add([logAt(block, 1)]);
    assert.equal(await follow(), false);
    assert.deepEqual(shown().slice(0, 3), [89, 88, 87]);
  });
});
