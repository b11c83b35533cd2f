import assert from 'node:assert/strict';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import type { Log } from '../../../../src/core/index.ts';
import { createDialectMemory } from '../../../../src/core/logs/engine/dialectMemory.ts';
import { createRangeNarrowing } from '../../../../src/core/logs/engine/rangeWidth.ts';
import { getDirection } from '../../../../src/core/logs/log.ts';
import { addresses, dataSets } from '../../../support/logDataSets.ts';
import { openInjectQuery, readAll } from '../../../support/logReading.ts';

/** `count` rows, `perBlock` in each block from `first` on. */
const rows = (count: number, first: bigint, perBlock = 1) =>
  Array.from({ length: count }, (_, index) => ({
    blockNumber: first + BigInt(Math.floor(index / perBlock)),
  })) as unknown as readonly Log[];

describe('a range that is asked for again, smaller', () => {
  const smaller = () =>
    createRangeNarrowing({ memory: createDialectMemory(), direction: getDirection('oldestFirst') }, 0n);

  it('has as many rows as an answer may have to be whole, where a page shows most of them', () => {
    assert.equal(smaller().afterFullPage(rows(810, 100n), 250, 5_000n), 100n + 225n - 1n);
    assert.equal(smaller().afterFullPage(rows(260, 100n, 10), 250, 5_000n), 100n + 22n - 1n);
  });

  it('is in turn what the rows of a cut page say as the first, before them all, and half of the blocks', () => {
    const range = smaller();
    const newest = rows(1000, 9_000n);
    assert.deepEqual(
      Array.from({ length: 4 }, () => range.afterFullPage(newest, 250, 10_000n)),
      [9_224n, 8_999n, 5_000n, 9_224n],
    );
  });

  it('is half of the blocks where the rows of a cut page are among the first', () => {
    const range = smaller();
    const oldest = rows(1000, 0n);
    assert.deepEqual(
      Array.from({ length: 2 }, () => range.afterFullPage(oldest, 250, 10_000n)),
      [224n, 5_000n],
    );
  });

  it('is half of the blocks in the end, whatever number of rows a server cuts its answers at', () => {
    for (const [count, wholeBelow] of [
      [500, Number.POSITIVE_INFINITY],
      [333, 250],
    ] as const) {
      const range = smaller();
      let end = 1_000_000n;
      let asked = 0;
      for (; end > 1000n; asked++)
        end = range.afterFullPage(rows(count, end - BigInt(count) + 1n), wholeBelow, end);
      assert.ok(asked < 40, `${asked} times`);
    }
  });

  it('has at least a block, and always fewer than before', () => {
    assert.equal(smaller().afterFullPage(rows(1000, 0n, 1000), 250, 7n), 0n);
    assert.equal(smaller().afterFullPage(rows(300, 6n, 10), 250, 7n), 6n);
  });

  describe('on an explorer that finds the newest rows first', () => {
    let server: ExplorerServer;
    before(async () => {
      const { index } = dataSets['near 2^31']();
      server = await startExplorer({ index, dialect: 'v10.2', plannerOrder: () => 'descending' });
    });
    after(() => server.stop());

    it('finds a few crowded blocks at the end of two thousand million in a few requests', async () => {
      const { verdict } = await readAll(openInjectQuery(server, { address: addresses[0] ?? '' }));
      assert.equal(verdict.state, 'complete');
      assert.ok(verdict.requests < 25, `${verdict.requests} requests`);
    });
  });
});
