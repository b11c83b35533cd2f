import assert from 'node:assert/strict';
import { formatMessage, systemClock } from '../../../../../src/core/index.ts';
import { createProofReader } from '../../../../../src/core/logs/proof/proofReader.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;

describe('What a proof needs of a block that a lagging replica has not seen', () => {
  it('is requested again', async () => {
    const asked = new Map<string, number>();
    const reader = createProofReader(
      async (method) => {
        asked.set(method, (asked.get(method) ?? 0) + 1);
        if ((asked.get(method) ?? 0) < 2) return null;
        return method === 'eth_getBlockReceipts' ? [] : { number: '0x7' };
      },
      { clock: { ...systemClock, sleep: async () => undefined }, signal: undefined },
    );
    const { missing } = await reader.fetchHeader(7n);
    assert.doesNotMatch(missing ? formatMessage(missing) : '', /does not return block/);
    assert.deepEqual(await reader.fetchReceipts({ number: 7n, hash: HASH }), []);
    assert.deepEqual([...asked.values()], [2, 2]);
  });

  it('is requested a few times only where the node has pruned it', async () => {
    let asked = 0;
    const reader = createProofReader(
      async () => {
        asked++;
        return null;
      },
      { clock: { ...systemClock, sleep: async () => undefined }, signal: undefined },
    );
    assert.ok((await reader.fetchHeader(7n)).missing);
    assert.ok((await reader.fetchHeader(8n)).missing);
    assert.equal(asked, 6);
  });
});
