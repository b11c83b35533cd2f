import assert from 'node:assert/strict';
import { fromRoot } from '../../../../../scripts/support/paths.ts';
import { createDiskFiles } from '../../../../../src/cli/projectFolder.ts';
import { createProjectIndexer, type ProjectIndexer, systemClock } from '../../../../../src/core/index.ts';
import { pick } from '../../../../support/pick.ts';

describe('the index of projects of Hardhat 2, hardhat-deploy, Truffle and Vyper in one workspace', () => {
  let indexer: ProjectIndexer;
  before(async () => {
    const files = createDiskFiles(fromRoot('test', 'fixtures', 'projects'));
    indexer = createProjectIndexer({ files, roots: ['hardhat2', 'truffle', 'vyper'], clock: systemClock });
    await indexer.update('all');
  });

  it('has their contracts, each in its project', () => {
    const events = (abi: readonly string[]) => abi.filter((text) => text.startsWith('event '));
    const contracts = indexer.index.contracts.map(({ name, project, artifact, source, abi }) => [
      ...[name, project, artifact ?? source, ...events(abi)],
    ]);
    const deployed = 'event Docked(address indexed ship)';
    const lit = 'event Lit(address indexed keeper, (uint64 at, bytes32 code) flash, string note)';
    assert.deepEqual(contracts, [
      [
        ...['Beacon', 'hardhat2', 'hardhat2/artifacts/contracts/Beacon.sol/Beacon.json'],
        'event Lit(address indexed keeper, (uint64 at, bytes32 code) flash)',
      ],
      ['Ferry', 'truffle', 'truffle/build/contracts/Ferry.json', 'event Crossed(uint256 passengers)'],
      ['Lighthouse', 'vyper', 'vyper/abis/Lighthouse.json', lit],
      // A script called its deployment Harbour.
      ['Port', 'hardhat2', 'hardhat2/deployments/sepolia/Harbour.json', deployed],
    ]);
  });

  it('has one contract of an ABI and the source that declares it, and of what is deployed twice', () => {
    const [lighthouse] = indexer.index.contractNamed('Lighthouse');
    assert.equal(lighthouse?.source, 'vyper/contracts/Lighthouse.vy');
    assert.ok((lighthouse?.line ?? 0) > 0);
    const harbours = indexer.index.deployments.filter(({ contract }) => contract === 'Harbour');
    const [one, other] = harbours.map((each) => indexer.index.contractOf(each));
    assert.ok(one && one === other);
    assert.deepEqual([one.name, indexer.index.contractNamed('Harbour')], ['Port', [one]]);
  });

  it('has their deployments', () => {
    assert.deepEqual(pick(indexer.index.deployments, 'chainId', 'contract', 'block', 'file'), [
      ['1', 'Ferry', undefined, 'truffle/build/contracts/Ferry.json'],
      // The network ID is Ganache's.
      ['1337', 'Ferry', undefined, 'truffle/build/contracts/Ferry.json'],
      ['5777', 'Ferry', undefined, 'truffle/build/contracts/Ferry.json'],
      ['8453', 'Harbour', 6_733_243n, 'hardhat2/deployments/staging/Harbour.json'],
      ['11155111', 'Harbour', 6_733_243n, 'hardhat2/deployments/sepolia/Harbour.json'],
    ]);
  });

  it('has the transactions of their deployments', () => {
    const ferry = '0x1e96239f222cb37343e403f10d1fba3c1e6da307d536d81c798c776a7eedf29a';
    const harbour = '0x6605cdd585130e67edc9d572e35413567b0c0c380eca5d3b364733221f83d94b';
    assert.deepEqual(pick(indexer.index.deployments, 'transaction'), [
      ...[ferry, undefined, undefined, harbour, harbour],
    ]);
  });

  it('has nothing left out', () => assert.deepEqual(indexer.skipped, []));
});
