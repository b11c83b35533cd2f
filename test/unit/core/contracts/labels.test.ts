import assert from 'node:assert/strict';
import { address, labelled } from '../../../support/fileFacts.ts';

describe('labels', () => {
  it('are those of a token list', () => {
    const tokens = [
      { chainId: 1, address: address('A'), symbol: 'HUSD', name: 'Harbour Dollar', decimals: 6 },
      { chainId: 1, address: '0x1', symbol: 'BAD' },
      { address: address('b'), symbol: 'NOCHAIN' },
      7,
    ];
    const expected = [`1 HUSD ${address('a')}`];
    assert.deepEqual(labelled('tokens.json', { name: 'List', tokens }), expected);
    assert.deepEqual(labelled('tokens.json', tokens), expected);
  });
});
