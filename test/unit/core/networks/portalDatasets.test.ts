import assert from 'node:assert/strict';
import { getDatasetChain, getPublicPortal, isHttpUrl, publicExplorers } from '../../../../src/core/index.ts';

describe('Datasets of the public portal', () => {
  it('are known by their names there, and nowhere else', () => {
    assert.equal(getDatasetChain('https://portal.sqd.dev/datasets/ethereum-mainnet'), 1);
    assert.equal(getDatasetChain('https://portal.sqd.dev/datasets/ethereum-mainnet/stream'), 1);
    for (const url of [
      'https://portal.sqd.dev/datasets/nothing-known',
      'https://portal.sqd.dev/datasets/constructor',
      'https://portal.example/datasets/ethereum-mainnet',
      'https://portal.sqd.dev/',
    ])
      assert.equal(getDatasetChain(url), undefined, url);
  });

  it('are networks of their chains', () => {
    const networks = publicExplorers.flatMap(({ chainId }) => getPublicPortal(chainId) ?? []);
    assert.ok(networks.length > 0);
    for (const network of networks) {
      const { chainId } = network;
      assert.ok(isHttpUrl(network.rpcUrl));
      assert.equal(getDatasetChain(network.rpcUrl), chainId);
      assert.match(network.name, /\(SQD Portal\)$/);
    }
    assert.equal(getPublicPortal(1)?.rpcUrl, 'https://portal.sqd.dev/datasets/ethereum-mainnet');
    assert.equal(getPublicPortal(11297108109), undefined);
  });
});
