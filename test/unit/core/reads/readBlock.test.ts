import assert from 'node:assert/strict';
import { fetchReadBlock, resolveReadBlock } from '../../../../src/core/reads/readBlock.ts';

/** Reports these heads one after the other, and the last one again and again. */
function openClient(heads: readonly bigint[]) {
  let at = 0;
  return {
    getBlockNumber: async () => heads[Math.min(at++, heads.length - 1)] ?? 0n,
    getTaggedBlock: async () => undefined,
    findBlockAt: async () => assert.fail('No time is given.'),
  };
}

describe('a block above the reported head', () => {
  it('is on the chain if another replica has it', async () => {
    const found = await resolveReadBlock('1000', openClient([997n, 998n, 1000n]), 0);
    assert.deepEqual(found, { block: 1000n, reasons: [] });
  });

  it('is not wrong input, as all replicas may lag', async () => {
    const expected = { kind: 'blockNotSeen', message: 'The latest block is 998. Enter 998 or lower.' };
    await assert.rejects(resolveReadBlock('1000', openClient([998n, 997n]), 0), expected);
    const inField = { ...expected, kind: 'badInput', details: /block/ };
    await assert.rejects(fetchReadBlock('1000', openClient([998n, 997n]), 0), ({ kind, details }) => {
      assert.deepEqual([kind, details.field], [inField.kind, 'block']);
      return true;
    });
  });

  it('is wrong input if it can only be a time', async () => {
    await assert.rejects(resolveReadBlock('1700000000', openClient([998n]), 0), { kind: 'badInput' });
  });
});
