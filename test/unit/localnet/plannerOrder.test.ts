import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../../localnet/explorer/plannerOrder.ts';
import { address, blockHash, buildIndex } from '../../fixtures/explorerDataSets.ts';

// 1500 logs, three to a block: a page and a half.
const blocks = Array.from({ length: 500 }, (_, number) => ({ number, logs: [{}, {}, {}] }));

describe('pages of releases whose limit names no order', () => {
  it('hold the newest rows, sorted only afterwards', async () => {
    for (const dialect of ['v6.8', 'v6.10', 'v9.1', 'v10.2'] as const) {
      const heights = await pageHeights(dialect, 'descending');
      assert.equal(heights.length, 1000, dialect);
      assert.equal(heights.at(-1), 499, dialect);
      assert.deepEqual(
        heights,
        heights.toSorted((a, b) => a - b),
        dialect,
      );
    }
  });

  it('hold any rows, the same on every call', async () => {
    const heights = await pageHeights('v9.1', 'scattered');
    assert.equal(heights.length, 1000);
    assert.ok(Math.min(...heights) < 10 && Math.max(...heights) > 490);
    assert.deepEqual(await pageHeights('v9.1', 'scattered'), heights);
  });

  it('are short up to v9.4 where orphans were counted, and full since v10', async () => {
    const orphans = [499, 498, 497].map(blockHash);
    assert.equal((await pageHeights('v9.1', 'descending', orphans)).length, 991);
    assert.equal((await pageHeights('v10.2', 'descending', orphans)).length, 1000);
  });

  it('are in order again since v11', async () => {
    assert.equal((await pageHeights('v11.2', 'descending')).at(-1), 333);
  });
});

async function pageHeights(
  dialect: DialectName,
  order: RowOrder,
  orphans: readonly `0x${string}`[] = [],
): Promise<number[]> {
  const index = buildIndex({ blocks });
  for (const hash of orphans) index.orphan(hash);
  const filter = { address, fromBlock: '0x0', toBlock: '0x1f3' };
  const context = {
    ...{ index, plannerOrder: () => order },
    forward: async () => ({ failed: 'not asked' }),
  };
  const entries = await dialects[dialect].methods.eth_getLogs?.run([filter], context);
  return (entries as { blockNumber: string }[]).map(({ blockNumber }) => Number(blockNumber));
}
