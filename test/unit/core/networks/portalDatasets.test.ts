import assert from 'node:assert/strict';
import { chainOfDataset, isHttpUrl, publicExplorers, publicPortal } from '../../../../src/core/index.ts';

describe('Datasets of the public portal', () => {
  it('are known by their names there, and nowhere else', () => {
    assert.equal(chainOfDataset('https://portal.sqd.dev/datasets/ethereum-mainnet'), 1);
    assert.equal(chainOfDataset('https://portal.sqd.dev/datasets/ethereum-mainnet/stream'), 1);
    for (const url of [
      'https://portal.sqd.dev/datasets/nothing-known',
      'https://portal.sqd.dev/datasets/constructor',
      'https://portal.example/datasets/ethereum-mainnet',
      'https://portal.sqd.dev/',
    ])
      assert.equal(chainOfDataset(url), undefined, url);
  });

  it('are networks of their chains', () => {
    const networks = publicExplorers.flatMap(({ chainId }) => publicPortal(chainId) ?? []);
    assert.ok(networks.length > 0);
    for (const network of networks) {
      const { chainId } = network;
      assert.ok(isHttpUrl(network.rpcUrl));
      assert.equal(chainOfDataset(network.rpcUrl), chainId);
      assert.match(network.name, /\(SQD Portal\)$/);
    }
    assert.equal(publicPortal(1)?.rpcUrl, 'https://portal.sqd.dev/datasets/ethereum-mainnet');
    assert.equal(publicPortal(11297108109), undefined);
  });
});
