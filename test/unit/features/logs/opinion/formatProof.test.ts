import assert from 'node:assert/strict';
import { decimal } from '../../../../../src/core/base/ownText.ts';
import { createMessage } from '../../../../../src/core/base/text.ts';
import type { LogProof } from '../../../../../src/core/index.ts';
import { addProof } from '../../../../../src/features/logs/opinion/formatProof.ts';
import { english } from '../../../../support/stubs.ts';

const proof: LogProof = {
  ...{ level: 'proven', reasons: [], trustedHash: `0x${'1'.repeat(64)}`, trustedBy: 'endpoint' },
  ...{ blocks: 90, receipts: 7, requests: 9 },
};
const result = {
  ...{ status: 'Complete · 5 logs', rest: 'to block 9', tone: 'complete' as const, age: undefined },
  ...{ reasons: [], notes: [], facts: [{ name: 'Blocks', value: '9' }] },
};

describe('proof in the status of a result', () => {
  it('stands after the result, with its first reason', () => {
    const proven = addProof(result, proof, english);
    assert.deepEqual([proven.rest, proven.tone, proven.reasons], ['to block 9 · proven', 'complete', []]);
    assert.match(proven.notes.join(), /^Proven if 0x1+ is the hash/);
    const reasons = [createMessage('Block {0} is odd.', decimal(7))];
    const impossible = addProof(result, { ...proof, level: 'impossible', reasons }, english);
    assert.deepEqual(
      [impossible.rest, impossible.tone, impossible.notes],
      ['to block 9 · not provable', 'complete', ['The result cannot be proven. Block 7 is odd.']],
    );
    const other = addProof({ ...result, rest: '' }, { ...proof, level: 'contradicted', reasons }, english);
    assert.equal(other.rest, '· contradicted by the block hashes');
    assert.deepEqual(other.notes, ['The block hashes contradict the result. Block 7 is odd.']);
  });

  it('is not there without a proof or a result', () => {
    assert.equal(addProof(result, undefined, english), result);
    const none = { ...result, facts: [] };
    assert.equal(addProof(none, proof, english), none);
  });
});
