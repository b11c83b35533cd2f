import assert from 'node:assert/strict';
import { listAbiEnums, parseAbi } from '../../../../src/core/abi/parseAbi.ts';

/** 100 items with 1,000 parameters each, and how often one was read. */
function createLargeAbi() {
  let reads = 0;
  const input = {
    name: 'a',
    internalType: 'enum Kind',
    get type() {
      reads++;
      return 'uint8';
    },
  };
  const inputs = Array.from({ length: 1000 }, () => input);
  const entries = Array.from({ length: 100 }, (_, index) => ({ type: 'error', name: `E${index}`, inputs }));
  return { entries: [...entries, { type: 'error', name: 'Plain', inputs: [] }], reads: () => reads };
}

describe('an ABI of many parameters', () => {
  it('is read up to 50,000 of them: what has more counts as skipped', () => {
    const { entries, reads } = createLargeAbi();
    const { items, skipped } = parseAbi(entries, { isLibrary: false });
    assert.deepEqual([items.length, skipped], [51, 50]);
    assert.equal(items.at(-1), 'error Plain()');
    assert.ok(reads() <= 4 * 50_000, `${reads()}`);
  });

  it('is searched for enums as far', () => {
    const { entries } = createLargeAbi();
    const enums = listAbiEnums(entries, { isLibrary: false });
    assert.equal(Object.values(enums).flat().length, 50_000);
  });
});
