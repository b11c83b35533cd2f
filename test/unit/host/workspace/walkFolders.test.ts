import assert from 'node:assert/strict';
import { isOfInterest } from '../../../../src/host/workspace/fileInterest.ts';
import { isContractFileChange } from '../../../../src/host/workspace/walkFolders.ts';

describe('Changes that concern the contracts of the workspace', () => {
  const concern = (path: string, kind: 'created' | 'changed' | 'deleted') =>
    isOfInterest(path.split('/'), kind, isContractFileChange);

  it('are those of what compilers and scripts write, of sources and of settings', () => {
    for (const path of [
      ...['out/A.sol/A.json', 'artifacts/A.json', 'build/contracts/A.json', 'lib/x/src/A.sol', 'src/a.vy'],
      ...['foundry.toml', 'remappings.txt', 'hardhat.config.ts', 'ape-config.yaml'],
      ...['deployments/sepolia/.chainId', 'ignition/deployments/chain-1/journal.jsonl'],
      '.chainside/labels.json',
    ]) {
      assert.ok(concern(path, 'changed'), path);
    }
  });

  it('are not those of packages, of hidden folders, and of files that tell nothing', () => {
    for (const path of ['node_modules/p/A.json', '.git/index', '.git/A.json', 'README.md', 'src/logo.png']) {
      assert.ok(!concern(path, 'changed'), path);
    }
    for (const path of ['node_modules', '.git', 'src/.cache']) assert.ok(!concern(path, 'deleted'), path);
  });

  it('are those of folders that come and go', () => {
    for (const path of ['out', 'out/A.sol', 'packages/one']) {
      assert.ok(
        concern(path, 'created') && concern(path, 'deleted') && !concern(path.replace('.sol', ''), 'changed'),
        path,
      );
    }
  });
});
