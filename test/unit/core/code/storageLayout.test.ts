import assert from 'node:assert/strict';
import { parseStorageLayout } from '../../../../src/core/code/storageLayout.ts';

describe('storage layout', () => {
  it('is cut behind 1,000 variables', () => {
    const types = { t_uint256: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' } };
    const layoutOf = (count: number) =>
      parseStorageLayout({
        types,
        storage: Array.from({ length: count }, (_, slot) => ({
          ...{ label: `v${slot}`, slot: `${slot}`, offset: 0, type: 't_uint256' },
        })),
      });
    for (const [count, isCut] of [
      [1_000, false],
      [1_001, true],
    ] as const) {
      const layout = layoutOf(count);
      assert.deepEqual([layout?.variables.length, layout?.isCut], [1_000, isCut]);
    }
  });
});
