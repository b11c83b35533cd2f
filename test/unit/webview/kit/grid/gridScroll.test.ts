import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyScroll,
  findRevealingPosition,
  getRowsInView,
  getRowTop,
  getScrollHeight,
  MAX_SCROLL_HEIGHT_PX,
  type RowsGeometry,
  scrollToPosition,
} from '../../../../../src/webview/kit/grid/gridScroll.ts';

const short: RowsGeometry = { rowCount: 1000, rowHeight: 22, viewport: 440 };
const high: RowsGeometry = { rowCount: 3_000_000, rowHeight: 22, viewport: 440 };
const start = { scrollTop: 0, position: 0 };

const geometries = fc.record({
  rowCount: fc.integer({ min: 1, max: 5_000_000 }),
  rowHeight: fc.constant(22),
  viewport: fc.integer({ min: 22, max: 2000 }),
});

describe('virtual rows', () => {
  it('scrolls what fits into a browser as the browser does', () => {
    assert.equal(getScrollHeight(short), 22_000);
    assert.deepEqual(applyScroll(short, start, 5000), { scrollTop: 5000, position: 5000 });
    assert.deepEqual(scrollToPosition(short, 5000), { scrollTop: 5000, position: 5000 });
    assert.equal(getRowTop(22, { scrollTop: 5000, position: 5000 }, 3), 66);
  });

  it('moves content that is too high by the pixels of a wheel', () => {
    assert.equal(getScrollHeight(high), MAX_SCROLL_HEIGHT_PX);
    const middle = scrollToPosition(high, 30_000_000);
    assert.equal(applyScroll(high, middle, middle.scrollTop + 100).position, 30_000_100);
  });

  it('reaches both ends of content that is too high', () => {
    const bottom = applyScroll(high, start, MAX_SCROLL_HEIGHT_PX - high.viewport);
    assert.equal(bottom.position, 3_000_000 * 22 - 440);
    assert.deepEqual(getRowsInView(high, bottom.position, 0), { start: 2_999_980, end: 3_000_000 });
    assert.equal(applyScroll(high, bottom, 0).position, 0);
  });

  it('reaches the end by a short way from just before it', () => {
    const end = MAX_SCROLL_HEIGHT_PX - high.viewport;
    const near = { scrollTop: end - 10, position: 1000 };
    assert.equal(applyScroll(high, near, end).position, 3_000_000 * 22 - 440);
  });

  it('turns a wheel from near an end to that end without skipping a row', () => {
    const end = high.rowCount * high.rowHeight - high.viewport;
    for (const [from, way, ends] of [
      [4400, -100, [0, 0]],
      [end - 4400, 100, [MAX_SCROLL_HEIGHT_PX - high.viewport, end]],
    ] as const) {
      let state = scrollToPosition(high, from);
      for (let notch = 1; notch <= 44; notch++) {
        state = applyScroll(high, state, state.scrollTop + way);
        assert.equal(state.position, from + notch * way);
      }
      assert.deepEqual([state.scrollTop, state.position], ends);
    }
  });

  it('has the scroll bar where dragging it leads to what is seen', () => {
    fc.assert(
      fc.property(geometries, fc.double({ min: 0, max: 1, noNaN: true }), (geometry, share) => {
        const most = Math.max(0, geometry.rowCount * geometry.rowHeight - geometry.viewport);
        const { scrollTop, position } = scrollToPosition(geometry, share * most);
        const far = scrollTop > MAX_SCROLL_HEIGHT_PX / 2 ? 0 : MAX_SCROLL_HEIGHT_PX;
        const dragged = applyScroll(geometry, { scrollTop: far, position: 0 }, scrollTop);
        const contentOfAPixel = Math.max(1, (geometry.rowCount * geometry.rowHeight) / MAX_SCROLL_HEIGHT_PX);
        assert.ok(Math.abs(dragged.position - position) <= contentOfAPixel);
      }),
    );
  });

  it('reveals a row by as little as it takes', () => {
    assert.equal(findRevealingPosition(short, 0, 5), 0);
    assert.equal(findRevealingPosition(short, 0, 20), 22);
    assert.equal(findRevealingPosition(short, 2200, 50), 1100);
  });

  it('draws every row in view, whatever the geometry', () => {
    fc.assert(
      fc.property(geometries, fc.double({ min: 0, max: 1, noNaN: true }), (geometry, share) => {
        const { position } = scrollToPosition(geometry, share * geometry.rowCount * geometry.rowHeight);
        const { start: first, end } = getRowsInView(geometry, position, 10);
        const seenFirst = Math.floor(position / 22);
        const seenEnd = Math.min(geometry.rowCount, Math.ceil((position + geometry.viewport) / 22));
        assert.ok(first <= seenFirst && end >= seenEnd && end <= geometry.rowCount && first >= 0);
        assert.ok(end - first <= Math.ceil(geometry.viewport / 22) + 32);
      }),
    );
  });

  it('keeps rows and scroll bar together through any scrolling', () => {
    fc.assert(
      fc.property(geometries, fc.array(fc.integer({ min: -500, max: 5_000_000 })), (geometry, ways) => {
        let state = start;
        const most = Math.max(0, getScrollHeight(geometry) - geometry.viewport);
        for (const way of ways) {
          const target = Math.min(most, Math.max(0, state.scrollTop + way));
          state = applyScroll(geometry, state, target);
          assert.ok(state.position >= 0);
          assert.ok(state.position <= Math.max(0, geometry.rowCount * 22 - geometry.viewport));
        }
      }),
    );
  });
});
