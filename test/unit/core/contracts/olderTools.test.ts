import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fromRoot } from '../../../../scripts/support/paths.ts';
import { parseLayout } from '../../../../src/core/project/layout.ts';
import { getCompanionPath, readFacts } from '../../../../src/core/project/readers/readFacts.ts';

const textOf = (project: string, path: string) =>
  readFileSync(fromRoot(`test/fixtures/projects/${project}/${path}`), 'utf8');

const hardhat = parseLayout({ hardhat: true });
const truffle = parseLayout({ truffle: true });

/** As the index reads it: with the file beside it, where it has one. */
function hardhatFacts(path: string, withBeside = true) {
  const other = withBeside ? getCompanionPath(path) : undefined;
  const beside = other === undefined ? undefined : textOf('hardhat2', other);
  return readFacts({ path, text: textOf('hardhat2', path), beside }, hardhat);
}

describe('files of Hardhat 2', () => {
  it('are artifacts', () => {
    assert.deepEqual(hardhatFacts('artifacts/contracts/Beacon.sol/Beacon.json').contracts, [
      {
        name: 'Beacon',
        source: 'contracts/Beacon.sol',
        line: undefined,
        abi: [
          'error NotKeeper(address caller)',
          'event Lit(address indexed keeper, (uint64 at, bytes32 code) flash)',
          'function light()',
        ],
        itemLines: undefined,
      },
    ]);
  });

  it('have what only debuggers need in files that tell nothing', () => {
    assert.deepEqual(hardhatFacts('artifacts/contracts/Beacon.sol/Beacon.dbg.json').contracts, []);
  });
});

describe('files of hardhat-deploy', () => {
  it('tell a deployment by the name of the file, with the chain beside it', () => {
    const { contracts, deployments } = hardhatFacts('deployments/staging/Harbour.json');
    assert.deepEqual(deployments, [
      {
        chainId: '8453',
        address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
        contract: 'Harbour',
        block: 6_733_243n,
        transaction: '0x6605cdd585130e67edc9d572e35413567b0c0c380eca5d3b364733221f83d94b',
        commit: undefined,
      },
    ]);
    assert.deepEqual(
      contracts.map(({ name, source, abi }) => [name, source, ...abi]),
      [['Harbour', 'contracts/Port.sol', 'event Docked(address indexed ship)']],
    );
  });

  it('know the chain of a well-known network without it', () => {
    const [deployment] = hardhatFacts('deployments/sepolia/Harbour.json', false).deployments;
    assert.equal(deployment?.chainId, '11155111');
  });

  it('give a name alone where the chain is not known', () => {
    const { contracts, deployments, labels } = hardhatFacts('deployments/staging/Harbour.json', false);
    assert.equal(contracts.length, 1);
    assert.deepEqual(deployments, []);
    assert.deepEqual(labels, [
      { address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', name: 'Harbour', chainId: undefined },
    ]);
  });
});

describe('files of Truffle', () => {
  const path = 'build/contracts/Ferry.json';

  it('are artifacts with the networks on which they were deployed', () => {
    const { contracts, deployments } = readFacts({ path, text: textOf('truffle', path) }, truffle);
    assert.deepEqual(
      contracts.map(({ name, source, abi }) => [name, source, ...abi]),
      [['Ferry', 'contracts/Ferry.sol', 'event Crossed(uint256 passengers)', 'function cross()']],
    );
    assert.deepEqual(
      deployments.map(({ chainId, address, contract, transaction }) => [
        chainId,
        address,
        contract,
        transaction,
      ]),
      [
        [
          '1',
          '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
          'Ferry',
          '0x1e96239f222cb37343e403f10d1fba3c1e6da307d536d81c798c776a7eedf29a',
        ],
        ['5777', '0x52908400098527886e0f7030069857d2e4169ee7', 'Ferry', undefined],
      ],
    );
  });

  it('have a source from the root of the project, wherever they were compiled', () => {
    const text = textOf('truffle', path);
    const sourceWithout = (...names: readonly string[]) => {
      const json = JSON.parse(text, (name, value) => (names.includes(name) ? undefined : value));
      return readFacts({ path, text: JSON.stringify(json) }, truffle).contracts[0]?.source;
    };
    assert.equal(sourceWithout('metadata'), 'contracts/Ferry.sol');
    assert.equal(sourceWithout('metadata', 'ast'), 'contracts/Ferry.sol');
    assert.equal(sourceWithout('metadata', 'ast', 'sourcePath'), undefined);
  });
});
