import assert from 'node:assert/strict';
import { parseLabelsFile } from '../../../../src/host/names/labelsFile.ts';
import { address, readLabels as labelled } from '../../../support/fileFacts.ts';

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

  it('are those of the team’s own file, and of no other in its folder', () => {
    const labels = [
      { address: address('A'), name: 'Treasury (ops)' },
      { address: address('b'), name: 'Vault', chainId: 31337 },
      { address: address('c'), name: 'Nowhere', chainId: 'main' },
      { address: address('c'), name: 'Text', chainId: '1' },
      { address: address('c'), name: 'Zero', chainId: 0 },
      { address: '0x1', name: 'BAD' },
      { address: address('d'), name: '' },
      7,
    ];
    const told = labelled('.chainside/labels.json', { labels });
    assert.deepEqual(told, [`undefined Treasury (ops) ${address('a')}`, `31337 Vault ${address('b')}`]);
    // The one that names are shown and written by takes the same entries.
    const shown = parseLabelsFile(JSON.stringify({ labels }))?.labels ?? [];
    assert.deepEqual(
      shown.map(({ chainId, name, address: at }) => `${chainId} ${name} ${at}`),
      told,
    );
    assert.deepEqual(labelled('.chainside/labels.json', { labels: 7 }), []);
    assert.deepEqual(labelled('.chainside/others.json', { labels }), []);
    assert.deepEqual(labelled('src/.chainside/labels.json', { labels }), []);
  });
});
