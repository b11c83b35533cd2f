import assert from 'node:assert/strict';
import { findDistinctFile } from '../../../../src/host/contracts/deploymentFiles.ts';

const list = [
  { chainId: 1, name: 'Comet', file: 'deployments/mainnet/usdc/roots.json' },
  { chainId: 1, name: 'Comet', file: 'deployments/mainnet/weth/roots.json' },
  { chainId: 10, name: 'Comet', file: 'deployments/optimism/usdc/roots.json' },
  { chainId: 1, name: 'Bulker', file: 'deployments/mainnet/usdc/roots.json' },
  { chainId: 5, name: 'Vault', file: 'broadcast/Deploy.s.sol/5/run-latest.json' },
  { chainId: 5, name: 'Vault', file: 'broadcast/Deploy.s.sol/5/run-latest.json' },
  { chainId: 7, name: 'Box', file: 'a/one.json' },
  { chainId: 7, name: 'Box', file: 'a/two.json' },
  { chainId: 7, name: 'Box', file: undefined },
];

describe('findDistinctFile', () => {
  it('is the end of the path from where it differs, among those of one name on one chain', () => {
    assert.deepEqual(
      list.map((deployment) => findDistinctFile(deployment, list, (one) => one)),
      [
        ...['usdc/roots.json', 'weth/roots.json', undefined, undefined, undefined, undefined],
        ...['one.json', 'two.json', undefined],
      ],
    );
  });
});
