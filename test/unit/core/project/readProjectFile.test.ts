import assert from 'node:assert/strict';
import { hashContent } from '../../../../src/core/project/readProjectFile.ts';

describe('The hash of a content', () => {
  const content = Uint8Array.from({ length: 39 }, (_, at) => at * 7);

  it('is another for each bit that changes, and for each length', () => {
    const hashes = new Set([hashContent(content)]);
    for (let bit = 0; bit < content.length * 8; bit++) {
      const changed = content.slice();
      changed[bit >> 3] = (content[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      hashes.add(hashContent(changed));
    }
    for (let length = 0; length < 64; length++) hashes.add(hashContent(new Uint8Array(length)));
    assert.equal(hashes.size, 1 + content.length * 8 + 64);
    for (const hash of hashes) assert.ok(Number.isSafeInteger(hash) && hash >= 0);
  });

  it('is the same wherever the bytes lie', () => {
    const shifted = new Uint8Array(content.length + 3);
    shifted.set(content, 3);
    assert.equal(hashContent(shifted.subarray(3)), hashContent(content));
  });
});
