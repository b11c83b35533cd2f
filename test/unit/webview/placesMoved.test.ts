import assert from 'node:assert/strict';
import { createRowMapping, findNearestRow } from '../../../src/webview/logs/applySnapshot.ts';

describe('rows that move by themselves', () => {
  const onTop = { from: 4, removed: [], inserted: [[0, 2]] } as const;
  const gone = {
    from: 5,
    removed: [
      [0, 1],
      [3, 2],
    ],
    inserted: [[1, 1]],
  } as const;

  it('are found in their new places, through all that has happened', () => {
    const moved = createRowMapping([onTop, gone], 4, 6);
    assert.deepEqual(
      [0, 1, 2, 3].map((row) => moved?.(row)),
      [2, undefined, undefined, 3],
    );
  });

  it('are not known where something else came between', () => {
    assert.equal(createRowMapping([], 4, 5), undefined);
    assert.equal(createRowMapping([gone], 4, 6), undefined);
    assert.equal(createRowMapping([onTop], 4, 6), undefined);
  });

  it('give way to the next that stayed', () => {
    const moved = createRowMapping([{ from: 0, removed: [[2, 3]], inserted: [] }], 0, 1) ?? (() => 0);
    assert.deepEqual(
      [findNearestRow(moved, 2, 10), findNearestRow(moved, 5, 10), findNearestRow(moved, 4, 1)],
      [2, 2, 0],
    );
  });
});
