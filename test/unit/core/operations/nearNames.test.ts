import assert from 'node:assert/strict';
import { knownAddresses } from '../../../../src/core/index.ts';
import { createNameBook } from '../../../../src/core/operations/resolveEvents.ts';

describe('names that may be meant', () => {
  const own = ['Treasury', 'Token', 'Vault'].map((name, index) => ({
    name,
    address: `0x${String(index + 1).repeat(40)}` as const,
  }));
  const book = createNameBook({ index: undefined, names: [...knownAddresses, ...own] }, 31337);

  it('are one’s own, and never precompiles', () => {
    assert.deepEqual(book.findNear('Nobody'), ['Token', 'Treasury', 'Vault']);
    assert.deepEqual(book.findNear('Tresury')[0], 'Treasury');
    const precompiles = new Set(knownAddresses.map(({ name }) => name));
    assert.ok(!book.findNear('BLS12').some((name) => precompiles.has(name)));
  });
});
