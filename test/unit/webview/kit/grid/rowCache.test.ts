import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { RowWindow } from '../../../../../src/messaging/panel.ts';
import { RowCache } from '../../../../../src/webview/kit/grid/rowCache.ts';

interface Row {
  readonly block: string;
}

const rowAt = (row: number): Row => ({ block: String(row) });

/** A host with `rowCount` rows, and the windows that it was asked for. */
function createHost(rowCount: () => number) {
  const asked: { readonly window: RowWindow; readonly signal: AbortSignal }[] = [];
  const cache = new RowCache(async (window, { signal }) => {
    asked.push({ window, signal });
    await turn();
    const end = Math.min(window.start + window.count, rowCount());
    return Array.from({ length: end - window.start }, (_, index) => rowAt(window.start + index));
  });
  return {
    ...{ cache, asked, starts: () => asked.map(({ window }) => window.start) },
    /** Shows a result in an order, with the rows on top that came along. */
    show: (rows: number, order = 0, top?: readonly Row[], resultId = 'a') =>
      cache.update({ resultId, order, textVersion: undefined }, rows, top),
  };
}

async function settled(): Promise<void> {
  await turn();
  await turn();
}

describe('row cache', () => {
  it('shows at once what came along, and fetches the rest of the page when it is wanted', async () => {
    const { cache, show, starts } = createHost(() => 1000);
    show(
      1000,
      0,
      Array.from({ length: 60 }, (_, row) => rowAt(row)),
    );
    assert.deepEqual([cache.get(59)?.block, cache.get(60)], ['59', undefined]);
    cache.prefetch({ start: 0, end: 40 }, 0);
    assert.equal(cache.get(0)?.block, '0');
    await settled();
    assert.equal(cache.get(99)?.block, '99');
    assert.deepEqual(starts(), [0, 100]);
  });

  it('fetches what is wanted once, by pages, and then the page to either side', async () => {
    const { cache, show, starts } = createHost(() => 1000);
    show(1000);
    cache.prefetch({ start: 90, end: 120 }, 0);
    cache.prefetch({ start: 95, end: 125 }, 0);
    await settled();
    assert.equal(cache.get(110)?.block, '110');
    cache.prefetch({ start: 90, end: 120 }, 0);
    assert.deepEqual(starts(), [0, 100, 200]);
    cache.prefetch({ start: 900, end: 940 }, 0);
    await settled();
    assert.deepEqual(starts(), [0, 100, 200, 900, 800]);
  });

  it('fetches the last page again when the resultId has grown', async () => {
    let rows = 150;
    const { cache, show } = createHost(() => rows);
    show(rows);
    cache.prefetch({ start: 100, end: 150 }, 0);
    await settled();
    assert.equal(cache.get(160), undefined);
    rows = 300;
    show(rows);
    cache.prefetch({ start: 140, end: 170 }, 0);
    await settled();
    assert.equal(cache.get(160)?.block, '160');
  });

  it('does not fetch the rows on top that came along, unless there are more of them', async () => {
    const { cache, asked, show } = createHost(() => 1000);
    const top = Array.from({ length: 100 }, (_, row) => rowAt(row));
    const starts = (order: number) =>
      asked.flatMap(({ window }) => (window.order === order ? [window.start] : []));
    show(1000, 0, top);
    cache.prefetch({ start: 0, end: 30 }, 0);
    assert.equal(cache.get(29)?.block, '29');
    assert.deepEqual(starts(0), [100]);
    show(3, 1, top.slice(3, 6));
    cache.prefetch({ start: 0, end: 3 }, 0);
    assert.deepEqual(starts(1), []);
    assert.equal(cache.get(0)?.block, '3');
    show(4, 1);
    cache.prefetch({ start: 0, end: 4 }, 0);
    await settled();
    assert.equal(cache.get(3)?.block, '3');
    assert.deepEqual(starts(1), [0]);
  });

  it('stops fetching what has been scrolled past', async () => {
    const { cache, asked, show } = createHost(() => 100_000);
    show(100_000);
    cache.prefetch({ start: 0, end: 40 }, 0);
    cache.prefetch({ start: 50_000, end: 50_040 }, 0);
    assert.deepEqual(
      asked.map(({ signal }) => signal.aborted),
      [true, false],
    );
    await settled();
    assert.equal(cache.get(0), undefined);
    assert.equal(cache.get(50_000)?.block, '50000');
  });

  it('drops the rows of an older resultId, those on their way too', async () => {
    const { cache, show } = createHost(() => 1000);
    show(1000);
    cache.prefetch({ start: 0, end: 40 }, 0);
    show(1000, 0, undefined, 'b');
    await settled();
    assert.equal(cache.get(0), undefined);
  });

  it('keeps rows in view, and no others, until they have come in another order', async () => {
    const { cache, asked, show } = createHost(() => 1000);
    show(1000);
    const askedForTop = () => asked.filter(({ window }) => window.start === 0).length;
    for (const start of [500, 0]) {
      cache.prefetch({ start, end: start + 40 }, 0);
      await settled();
    }
    show(1000, 1);
    assert.deepEqual([cache.get(0)?.block, cache.get(500)], ['0', undefined]);
    cache.prefetch({ start: 0, end: 40 }, 0);
    assert.deepEqual(asked.at(-1)?.window, { resultId: 'a', order: 1, start: 0, count: 100 });
    await settled();
    cache.prefetch({ start: 0, end: 40 }, 0);
    assert.equal(askedForTop(), 2);
  });

  it('fetches rows anew that say other things by now, and shows the old ones until then', async () => {
    const { cache, asked } = createHost(() => 50);
    cache.update({ resultId: 'a', order: 0, textVersion: 0 }, 50);
    cache.prefetch({ start: 0, end: 40 }, 0);
    await settled();
    cache.update({ resultId: 'a', order: 0, textVersion: 1 }, 50);
    assert.equal(cache.get(0)?.block, '0');
    cache.prefetch({ start: 0, end: 40 }, 0);
    await settled();
    cache.update({ resultId: 'a', order: 0, textVersion: 1 }, 50);
    cache.prefetch({ start: 0, end: 40 }, 0);
    assert.deepEqual(
      asked.map(({ window }) => window),
      [0, 0].map((start) => ({ resultId: 'a', order: 0, start, count: 100 })),
    );
  });

  it('keeps a bounded number of rows', async () => {
    const { cache, show } = createHost(() => 1_000_000);
    show(1_000_000);
    for (let start = 0; start < 20_000; start += 100) {
      cache.prefetch({ start, end: start + 40 }, 0);
      await settled();
    }
    const kept = Array.from({ length: 20_000 }, (_, row) => cache.get(row)).filter(Boolean);
    assert.ok(kept.length <= 5000, `${kept.length} rows kept`);
    assert.equal(cache.get(19_900)?.block, '19900');
  });

  it('keeps the rows in view when it drops the oldest ones', async () => {
    const { cache, show } = createHost(() => 1_000_000);
    show(1_000_000);
    for (let page = 0; cache.get(0) || page === 0; page += 5) {
      cache.prefetch({ start: page * 100, end: page * 100 + 40 }, -1);
      await settled();
    }
    const oldest = Array.from({ length: 10_000 }, (_, page) => page).find((page) => cache.get(page * 100));
    const start = (oldest ?? assert.fail()) * 100;
    cache.prefetch({ start, end: start + 40 }, -1);
    await settled();
    assert.equal(cache.get(start)?.block, String(start));
  });

  it('keeps the active row wherever it is', async () => {
    const { cache, show } = createHost(() => 1_000_000);
    show(1_000_000);
    for (let start = 0; start < 20_000; start += 100) {
      cache.prefetch({ start, end: start + 40 }, 30);
      await settled();
    }
    assert.deepEqual([cache.get(30)?.block, cache.get(130)], ['30', undefined]);
  });
});
