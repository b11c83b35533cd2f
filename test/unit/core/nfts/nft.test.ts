import assert from 'node:assert/strict';
import { isAppError, parseTokenId, requireTokenId } from '../../../../src/core/index.ts';

const MAX_TOKEN_ID = 2n ** 256n - 1n;

describe('token id', () => {
  it('is a whole number up to the largest uint256, decimal or hex', () => {
    const read: [string, bigint][] = [
      ['0', 0n],
      [' 17 ', 17n],
      ['0x1F', 31n],
      [`00${MAX_TOKEN_ID}`, MAX_TOKEN_ID],
      [`0x${MAX_TOKEN_ID.toString(16)}`, MAX_TOKEN_ID],
    ];
    for (const [text, tokenId] of read) assert.equal(parseTokenId(text), tokenId, text);
  });

  it('is nothing else', () => {
    for (const text of ['', '-1', '1.5', '0x', 'six', `${MAX_TOKEN_ID + 1n}`, 7, null]) {
      assert.equal(parseTokenId(text), undefined, String(text));
      assert.throws(
        () => requireTokenId(text),
        (error) => isAppError(error, 'badInput') && error.details.field === 'tokenId',
      );
    }
  });
});
