import assert from 'node:assert/strict';
import { builtInNetworks, isHttpUrl, publicExplorers, wellKnownChain } from '../../../../src/core/index.ts';

describe('Well-known chains', () => {
  it('have the names of the built-in networks and of the public explorers', () => {
    for (const { chainId, name, symbol } of [...builtInNetworks, ...publicExplorers]) {
      assert.deepEqual([wellKnownChain(chainId)?.name, wellKnownChain(chainId)?.symbol], [name, symbol]);
    }
  });

  it('have others by their own symbol, and an explorer that is an address', () => {
    assert.equal(wellKnownChain(56)?.symbol, 'BNB');
    assert.equal(wellKnownChain(43114)?.name, 'Avalanche C-Chain');
    assert.ok(isHttpUrl(wellKnownChain(43114)?.explorerUrl ?? ''));
    assert.equal(wellKnownChain(1337)?.explorerUrl, undefined);
    assert.equal(wellKnownChain(987654321), undefined);
  });
});
