import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  countRows,
  extendToRow,
  findCellAfterKey,
  getSelectedRanges,
  isRowSelected,
  type RowSelection,
  selectAllRows,
  toggleRow,
} from '../../../../../src/webview/kit/grid/gridState.ts';

const size = { rows: 100, columns: 6, pageRows: 20 };

function after(key: string, row: number, column: number, ctrlKey = false) {
  const cell = findCellAfterKey({ key, ctrlKey }, { row, column }, size);
  return cell && [cell.row, cell.column];
}

describe('grid keys', () => {
  it('moves by arrows and stops at the edges', () => {
    assert.deepEqual(after('ArrowDown', 5, 2), [6, 2]);
    assert.deepEqual(after('ArrowDown', 99, 2), [99, 2]);
    assert.deepEqual(after('ArrowRight', 5, 5), [5, 5]);
    assert.deepEqual(after('ArrowLeft', 5, 0), [5, 0]);
  });

  it('reaches the header from the first row, but not by pages', () => {
    assert.deepEqual(after('ArrowUp', 0, 3), [-1, 3]);
    assert.deepEqual(after('ArrowUp', -1, 3), [-1, 3]);
    assert.deepEqual(after('PageUp', 10, 3), [0, 3]);
    assert.deepEqual(after('PageUp', -1, 3), [-1, 3]);
  });

  it('moves by pages, and to the ends of row and grid', () => {
    assert.deepEqual(after('PageDown', 90, 1), [99, 1]);
    assert.deepEqual(after('Home', 5, 3), [5, 0]);
    assert.deepEqual(after('End', 5, 3), [5, 5]);
    assert.deepEqual(after('Home', 5, 3, true), [0, 0]);
    assert.deepEqual(after('End', 5, 3, true), [99, 5]);
  });

  it('stays on the header of an empty grid', () => {
    const empty = { rows: 0, columns: 6, pageRows: 20 };
    for (const key of ['ArrowDown', 'PageDown', 'End', 'Home']) {
      assert.equal(findCellAfterKey({ key, ctrlKey: true }, { row: -1, column: 0 }, empty)?.row, -1);
    }
  });

  it('leaves other keys alone', () => {
    assert.equal(after('a', 5, 3), undefined);
  });
});

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
