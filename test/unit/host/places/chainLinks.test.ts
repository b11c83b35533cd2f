import assert from 'node:assert/strict';
import { findChainLinks } from '../../../../src/host/places/chainLinks.ts';

const WORD = `0x${'7a'.repeat(32)}`;

describe('what can be opened on a line', () => {
  it('has a hash that the line calls one, and others by choice', () => {
    const kinds = (line: string, hashes: 'named' | 'likely') =>
      findChainLinks(line, { hashes }).map(({ kind }) => kind);
    assert.deepEqual(kinds(`transactionHash: ${WORD}`, 'named'), ['transaction']);
    assert.deepEqual(kinds(`${WORD}: no known event has this topic0.`, 'named'), []);
    assert.deepEqual(kinds(WORD, 'likely'), ['transaction']);
    assert.deepEqual(kinds(`privateKey ${WORD}`, 'likely'), []);
  });
});
