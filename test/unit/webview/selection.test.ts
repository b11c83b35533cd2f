import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  countRows,
  extendToRow,
  getSelectedRanges,
  isRowSelected,
  type RowSelection,
  selectAllRows,
  toggleRow,
} from '../../../src/webview/kit/grid/gridState.ts';

function rowsOf(selection: RowSelection | undefined, active = 0): readonly number[] {
  return getSelectedRanges(selection, active).flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, index) => start + index),
  );
}

describe('selection of rows', () => {
  it('is the active row until several are chosen', () => {
    assert.deepEqual(rowsOf(undefined, 7), [7]);
    assert.deepEqual(rowsOf(undefined, -1), []);
  });

  it('extends from where it began, to either side', () => {
    const down = extendToRow(undefined, 4, 6);
    assert.deepEqual(rowsOf(down), [4, 5, 6]);
    assert.deepEqual(rowsOf(extendToRow(down, 6, 2)), [2, 3, 4]);
  });

  it('extends from the row that was picked last', () => {
    const picked = toggleRow(undefined, 1, 5);
    assert.deepEqual(rowsOf(picked), [1, 5]);
    assert.deepEqual(rowsOf(extendToRow(picked, 5, 7)), [5, 6, 7]);
  });

  it('takes a row out of a stretch', () => {
    const selection = toggleRow(extendToRow(undefined, 1, 4), 4, 2);
    assert.deepEqual(selection.ranges, [
      { start: 1, end: 2 },
      { start: 3, end: 5 },
    ]);
    assert.deepEqual(rowsOf(toggleRow(undefined, 3, 3)), []);
  });

  it('has all rows in one stretch, however many', () => {
    assert.deepEqual(selectAllRows(1_000_000, 3).ranges, [{ start: 0, end: 1_000_000 }]);
    assert.equal(countRows(selectAllRows(0, -1).ranges), 0);
  });

  it('is the set of what was picked an odd number of times, in stretches that do not touch', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(12), { maxLength: 40 }), (picks) => {
        let selection: RowSelection | undefined = { anchor: 0, ranges: [] };
        const expected = new Set<number>();
        for (const row of picks) {
          selection = toggleRow(selection, 0, row);
          if (!expected.delete(row)) expected.add(row);
        }
        assert.deepEqual(
          rowsOf(selection),
          [...expected].toSorted((a, b) => a - b),
        );
        for (let row = 0; row < 14; row++) {
          assert.equal(isRowSelected(selection.ranges, row), expected.has(row));
        }
        for (const [index, { start }] of selection.ranges.entries()) {
          const before = selection.ranges[index - 1];
          assert.ok(before === undefined || before.end < start);
        }
      }),
    );
  });
});
