import assert from 'node:assert/strict';
import { noTokenData } from '../../../../src/features/addresses/balances/noTokenData.ts';

describe('where nobody tells of tokens', () => {
  it('the row says no less than what is behind it: who could have', () => {
    const { short, whole } = noTokenData({ t: (message) => message });
    for (const words of [short, whole]) assert.match(words, /neither a data API nor an explorer/);
  });
});
