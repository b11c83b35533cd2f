import assert from 'node:assert/strict';
import { findCellAfterKey } from '../../../src/webview/kit/grid/gridState.ts';

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
