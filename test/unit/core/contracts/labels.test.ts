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

  it('are those that a team shares', () => {
    const labels = [
      { address: address('a'), name: 'Treasury' },
      { address: address('b'), name: 'Pool', chainId: 10 },
      { address: address('c'), name: 'Of a chain that is none', chainId: 'main' },
      { address: 'here', name: 'Nowhere' },
      { address: address('d') },
      null,
    ];
    assert.deepEqual(labelled('.chainside/labels.json', { labels }), [
      `undefined Treasury ${address('a')}`,
      `10 Pool ${address('b')}`,
    ]);
    assert.throws(() => labelled('.chainside/labels.json', '{"labels": ['), { kind: 'badInput' });
  });
});
