import assert from 'node:assert/strict';
import { classifyFile } from '../../../../src/core/project/readers/readFacts.ts';
import { layout, readFactsOf } from '../../../support/fileFacts.ts';

describe('by its path a file', () => {
  const kinds: readonly (readonly [path: string, kind: string | undefined])[] = [
    ['foundry.toml', 'foundryToml'],
    ['.chainside/labels.json', 'teamLabels'],
    ['.chainside/others.json', undefined],
    ['lib/oz/.chainside/labels.json', undefined],
    ['out/Token.sol/Token.json', 'artifact'],
    ['out/build-info/a.json', undefined],
    ['artifacts/contracts/Token.sol/Token.json', 'artifact'],
    ['artifacts/contracts/Token.sol/Token.dbg.json', undefined],
    ['artifacts/contracts/Token.sol/artifacts.d.ts', undefined],
    ['build/contracts/Token.json', 'artifact'],
    ['cache/solidity-files-cache.json', undefined],
    ['broadcast/D.s.sol/1/run-latest.json', 'broadcast'],
    ['ignition/deployments/chain-1/journal.jsonl', 'ignitionJournal'],
    ['ignition/deployments/chain-1/deployed_addresses.json', 'ignitionAddresses'],
    ['ignition/deployments/chain-1/artifacts/M#T.json', 'artifact'],
    ['ignition/deployments/chain-1/build-info/a.json', undefined],
    ['ignition/parameters.json', 'json'],
    ['other/journal.jsonl', undefined],
    ['deployments/sepolia/Token.json', 'json'],
    ['deployments/sepolia/.migrations.json', undefined],
    ['deployments/sepolia/solcInputs/abc.json', undefined],
    ['lib/oz/abi/Token.json', undefined],
    ['.openzeppelin/mainnet.json', undefined],
    ['package.json', undefined],
    ['tsconfig.build.json', undefined],
    ['web/node_modules/x/abi.json', undefined],
    ['web/contracts/deployedContracts.ts', 'module'],
    ['src/generated.ts', 'module'],
    ['src/components/Button.tsx', undefined],
    ['src/abi/token.d.ts', undefined],
    ['packages/a/test/contracts.ts', undefined],
    ['typechain-types/Token.ts', undefined],
    ['src/Token.sol', undefined],
    ['README.md', undefined],
    [`${'a/'.repeat(5_000)}x.json`, undefined],
  ];
  for (const [path, kind] of kinds) {
    it(`${path.slice(0, 60)} is ${kind ?? 'passed over'}`, () =>
      assert.equal(classifyFile(path, layout), kind));
  }

  it('that is passed over tells nothing', () => {
    assert.deepEqual(readFactsOf('package.json', '{broken'), { contracts: [], deployments: [], labels: [] });
  });
});
