import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { WireRow } from '../../../src/features/logs/protocol.ts';
import type { RowWindow } from '../../../src/messaging/panel.ts';
import { RowCache } from '../../../src/webview/kit/grid/rowCache.ts';

function rowAt(row: number): WireRow {
  return {
    log: row,
    block: String(row),
    index: 0,
    transaction: '',
    address: '',
    topics: [],
    data: '0x',
    dataBytes: 0,
  };
}

/** A host with `rowCount` rows, and the windows that it was asked for. */
function createHost(rowCount: () => number) {
  const asked: { readonly window: RowWindow; readonly signal: AbortSignal }[] = [];
  const cache = new RowCache(async (window, signal) => {
    asked.push({ window, signal });
    await turn();
    const end = Math.min(window.start + window.count, rowCount());
    return Array.from({ length: end - window.start }, (_, index) => rowAt(window.start + index));
  });
  return { cache, asked };
}

describe('row cache', () => {
  it('fetches what is wanted once, by pages', async () => {
    const { cache, asked } = createHost(() => 1000);
    cache.follow({ answer: 'a', order: 0 }, 1000);
    cache.want({ start: 90, end: 120 });
    cache.want({ start: 95, end: 125 });
    await turn();
    await turn();
    assert.equal(cache.get(110)?.block, '110');
    cache.want({ start: 90, end: 120 });
    assert.deepEqual(
      asked.map(({ window }) => window.start),
      [0, 100],
    );
  });

  it('fetches the last page again when the answer has grown', async () => {
    let rows = 150;
    const { cache } = createHost(() => rows);
    cache.follow({ answer: 'a', order: 0 }, rows);
    cache.want({ start: 100, end: 150 });
    await turn();
    await turn();
    assert.equal(cache.get(160), undefined);
    rows = 300;
    cache.follow({ answer: 'a', order: 0 }, rows);
    cache.want({ start: 140, end: 170 });
    await turn();
    await turn();
    assert.equal(cache.get(160)?.block, '160');
  });

  it('does not fetch the rows on top that came along, unless there are more of them', async () => {
    const { cache, asked } = createHost(() => 1000);
    const top = Array.from({ length: 100 }, (_, row) => rowAt(row));
    cache.follow({ answer: 'a', order: 0 }, 1000, top);
    cache.want({ start: 0, end: 30 });
    assert.deepEqual([cache.get(29)?.block, cache.get(100), asked.length], ['29', undefined, 0]);
    cache.follow({ answer: 'a', order: 1 }, 3, top.slice(3, 6));
    assert.equal(cache.get(0)?.block, '3');
    cache.follow({ answer: 'a', order: 1 }, 4);
    cache.want({ start: 0, end: 4 });
    await turn();
    await turn();
    assert.deepEqual([cache.get(3)?.block, asked.map(({ window }) => window.order)], ['3', [1]]);
  });

  it('stops fetching what has been scrolled past', async () => {
    const { cache, asked } = createHost(() => 100_000);
    cache.follow({ answer: 'a', order: 0 }, 100_000);
    cache.want({ start: 0, end: 40 });
    cache.want({ start: 50_000, end: 50_040 });
    assert.deepEqual(
      asked.map(({ signal }) => signal.aborted),
      [true, false],
    );
    await turn();
    await turn();
    assert.equal(cache.get(0), undefined);
    assert.equal(cache.get(50_000)?.block, '50000');
  });

  it('drops the rows of an older answer, those on their way too', async () => {
    const { cache } = createHost(() => 1000);
    cache.follow({ answer: 'a', order: 0 }, 1000);
    cache.want({ start: 0, end: 40 });
    cache.follow({ answer: 'b', order: 0 }, 1000);
    await turn();
    await turn();
    assert.equal(cache.get(0), undefined);
  });

  it('keeps rows in view, and no others, until they have come in another order', async () => {
    const { cache, asked } = createHost(() => 1000);
    cache.follow({ answer: 'a', order: 0 }, 1000);
    for (const start of [500, 0]) {
      cache.want({ start, end: start + 40 });
      await turn();
      await turn();
    }
    cache.follow({ answer: 'a', order: 1 }, 1000);
    assert.deepEqual([cache.get(0)?.block, cache.get(500)], ['0', undefined]);
    cache.want({ start: 0, end: 40 });
    assert.deepEqual(asked.at(-1)?.window, { answer: 'a', order: 1, start: 0, count: 100 });
    await turn();
    await turn();
    cache.want({ start: 0, end: 40 });
    assert.equal(asked.length, 3);
  });

  it('keeps a bounded number of rows', async () => {
    const { cache } = createHost(() => 1_000_000);
    cache.follow({ answer: 'a', order: 0 }, 1_000_000);
    for (let start = 0; start < 20_000; start += 100) {
      cache.want({ start, end: start + 40 });
      await turn();
      await turn();
    }
    const kept = Array.from({ length: 20_000 }, (_, row) => cache.get(row)).filter(Boolean);
    assert.ok(kept.length <= 5000, `${kept.length} rows kept`);
    assert.equal(cache.get(19_900)?.block, '19900');
  });
});
