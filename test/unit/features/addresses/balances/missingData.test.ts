import assert from 'node:assert/strict';
import { formatNoTokenData } from '../../../../../src/features/addresses/balances/missingData.ts';

describe('where nobody tells of tokens', () => {
  it('the row says no less than what is behind it: who could have', () => {
    const { short, whole } = formatNoTokenData({ t: (message) => message });
    for (const words of [short, whole]) assert.match(words, /either a data API nor an explorer/);
  });
});
