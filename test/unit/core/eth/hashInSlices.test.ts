import assert from 'node:assert/strict';
import { hashInSlices, hashText } from '../../../../src/core/eth/keccak.ts';

it('a hash in slices is the same, and rests after each 64 KiB at the latest', async () => {
  for (const length of [0, 1, 64 * 1024, 64 * 1024 + 1, 200_000]) {
    const text = 'ü'.repeat(length / 2) + (length % 2 === 1 ? 'a' : '');
    let rests = 0;
    const slices = {
      isOver: () => true,
      async rest() {
        rests++;
      },
    };
    assert.equal(await hashInSlices(text, { slices }), hashText(text));
    assert.equal(await hashInSlices(new TextEncoder().encode(text), { slices }), hashText(text));
    assert.equal(rests, 2 * Math.ceil(length / (64 * 1024)));
  }
});
