import assert from 'node:assert/strict';
import { groupDigits } from '../../../src/core/index.ts';
import { formatNumber, setNumberLanguage } from '../../../src/host/numbers.ts';

describe('counts and block numbers', () => {
  afterEach(() => setNumberLanguage('en'));

  it('are in the language of the editor', () => {
    setNumberLanguage('de');
    assert.deepEqual([999, 21_345_678n].map(formatNumber), ['999', '21.345.678']);
  });

  it('are written as in code in English', () => {
    const numbers = [0, 7, 1000, 21_345_678n, 2n ** 64n];
    assert.deepEqual(numbers.map(formatNumber), numbers.map(groupDigits));
  });
});
