import assert from 'node:assert/strict';
import {
  builtInNetworks,
  findWellKnownChain,
  isHttpUrl,
  publicExplorers,
} from '../../../../src/core/index.ts';

describe('Well-known chains', () => {
  it('have the names of the built-in networks and of the public explorers', () => {
    for (const { chainId, name, symbol } of [...builtInNetworks, ...publicExplorers]) {
      assert.deepEqual(
        [findWellKnownChain(chainId)?.name, findWellKnownChain(chainId)?.symbol],
        [name, symbol],
      );
    }
  });

  it('have others by their own symbol, and an explorer that is an address', () => {
    assert.equal(findWellKnownChain(56)?.symbol, 'BNB');
    assert.equal(findWellKnownChain(43114)?.name, 'Avalanche C-Chain');
    assert.ok(isHttpUrl(findWellKnownChain(43114)?.explorerUrl ?? ''));
    assert.equal(findWellKnownChain(1337)?.explorerUrl, undefined);
    assert.equal(findWellKnownChain(987654321), undefined);
  });
});
