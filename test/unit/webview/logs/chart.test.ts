import assert from 'node:assert/strict';
import type { WireBar, WireChart } from '../../../../src/features/logs/protocol/grid.ts';
import { createLogsStrings } from '../../../../src/features/logs/protocol/strings.ts';
import {
  type BarRange,
  drawsFilteredAlone,
  findBarsOfBlocks,
  findBlocksOfBars,
  findCursorAfterKey,
  getCursorRange,
  moveCursor,
} from '../../../../src/webview/logs/chartBars.ts';
import { formatReadout, reconcileChart } from '../../../../src/webview/logs/chartModel.ts';

function bar(first: number, last: number, loaded: number, shown = loaded): WireBar {
  return { first, last, start: String(first), end: String(last), loaded, shown };
}
const bars = [bar(0, 9, 4), bar(10, 9, 0), bar(10, 19, 7, 2), bar(20, 25, 1)];
const chart: WireChart = {
  ...{
    resultId: 'a',
    unit: 'block',
    blockField: 'block',
    title: '',
    bars,
    isFiltered: false,
    from: '0',
    to: '25',
  },
  ...{ before: undefined, after: undefined, summary: '' },
};

describe('chart', () => {
  it('is moved in by keys, and selected in with Shift', () => {
    const after = (key: string, at: number, shiftKey = false, anchor?: number) =>
      findCursorAfterKey({ key, shiftKey }, { bar: at, anchor }, 40);
    assert.deepEqual(after('ArrowRight', 3), { bar: 4 });
    assert.deepEqual(after('ArrowRight', 39), { bar: 39 });
    assert.deepEqual(after('PageDown', 15), { bar: 5 });
    assert.deepEqual([after('Home', 7), after('End', 7)], [{ bar: 0 }, { bar: 39 }]);
    assert.deepEqual(after('ArrowLeft', 3, true), { bar: 2, anchor: 3 });
    assert.deepEqual(after('ArrowLeft', 2, true, 3), { bar: 1, anchor: 3 });
    assert.deepEqual(after('ArrowLeft', 1, false, 3), { bar: 0 });
    assert.equal(after('a', 3), undefined);
    assert.deepEqual(getCursorRange({ bar: 1, anchor: 3 }), [1, 3]);
    assert.deepEqual(getCursorRange({ bar: 1 }), [1, 1]);
  });

  it('keeps the keyboard at the same blocks when rows are added', () => {
    const coarser = [bar(0, 14, 9), bar(15, 24, 2), bar(25, 40, 30)];
    const moved = (at: number) => moveCursor({ bar: at, anchor: 0 }, bars, coarser);
    assert.deepEqual([moved(0), moved(2), moved(3)], [{ bar: 0 }, { bar: 1 }, { bar: 2 }]);
    assert.deepEqual([moved(1), moveCursor({ bar: 3 }, bars, [bar(90, 99, 1)])], [{ bar: 1 }, { bar: 0 }]);
    assert.deepEqual(moveCursor({ bar: 2, anchor: 0 }, bars, [...bars]), { bar: 2, anchor: 0 });
  });

  it('turns bars into blocks and back, and none without a log into a place', () => {
    assert.deepEqual(findBlocksOfBars(bars, [0, 2]), { first: 0, last: 19 });
    assert.deepEqual(findBlocksOfBars(bars, [1, 2]), { first: 10, last: 19 });
    assert.equal(findBlocksOfBars(bars, [1, 1]), undefined);
    assert.deepEqual(findBarsOfBlocks(bars, { first: 12, last: 20 }), [2, 3]);
    assert.equal(findBarsOfBlocks(bars, { first: 26, last: 40 }), undefined);
  });

  it('shows no unread blocks once the status says that all are read, and nothing of another result', () => {
    const unread = { kind: 'unread', label: 'Blocks 26 to 40: not read yet' } as const;
    const none = { kind: 'none', label: '' } as const;
    const data = { ...chart, before: none, after: unread };
    const shown = (hasUnread: boolean, resultId = 'a') =>
      reconcileChart(data, { resultId, offer: { hasUnread, hasTimes: false, readThrough: '25' } });
    assert.equal(shown(true), data);
    assert.deepEqual(shown(false), { ...data, after: undefined });
    assert.equal(shown(true, 'b'), undefined);
  });

  it('says what stands where', () => {
    const strings = createLogsStrings({ t: (text) => text });
    const said = (range: BarRange, isFiltered = false) =>
      formatReadout({ strings, locale: 'en' }, { ...chart, isFiltered }, range);
    assert.equal(said([0, 2]), 'Blocks 0 to 19: 11 logs');
    assert.equal(said([3, 3]), 'Blocks 20 to 25: 1 log');
    assert.equal(said([2, 2], true), 'Blocks 10 to 19: 2 of 7 match');
  });

  it('draws few that pass alone', () => {
    assert.equal(drawsFilteredAlone({ ...chart, isFiltered: true }), false);
    const few = { ...chart, bars: [bar(0, 1, 1000, 1)] };
    assert.deepEqual(
      [drawsFilteredAlone({ ...few, isFiltered: true }), drawsFilteredAlone(few)],
      [true, false],
    );
  });
});
