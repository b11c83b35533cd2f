import assert from 'node:assert/strict';
import { isAppError, parseTokenId, requireTokenId } from '../../../../src/core/index.ts';

const LARGEST = 2n ** 256n - 1n;

describe('token id', () => {
  it('is a whole number up to the largest uint256, decimal or hex', () => {
    const read: [string, bigint][] = [
      ['0', 0n],
      [' 17 ', 17n],
      ['0x1F', 31n],
      [`00${LARGEST}`, LARGEST],
      [`0x${LARGEST.toString(16)}`, LARGEST],
    ];
    for (const [text, tokenId] of read) assert.equal(parseTokenId(text), tokenId, text);
  });

  it('is nothing else', () => {
    const texts = ['', '-1', '1.5', '1e3', '0x', 'six', `${LARGEST + 1n}`, `0x1${'0'.repeat(64)}`, 7, null];
    for (const text of texts) {
      assert.equal(parseTokenId(text), undefined, String(text));
      assert.throws(
        () => requireTokenId(text),
        (error) => isAppError(error, 'badInput') && error.details.field === 'tokenId',
      );
    }
  });
});
