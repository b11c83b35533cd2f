import assert from 'node:assert/strict';
import {
  type Address,
  type ContractIndex,
  createContractIndex,
  runToEnd,
} from '../../../../src/core/index.ts';
import { arrangeContracts, listQueryableEvents } from '../../../../src/features/contracts/contractNodes.ts';
import {
  toAddress as address,
  contractFacts,
  deploymentFacts,
  factsOfContracts,
  factsOfDeployments,
} from '../../../support/projectFacts.ts';

const contract = (name: string, source: string, abi: readonly string[] = ['function go()']) =>
  contractFacts(name, { source, line: 3, abi });
const deployment = (name: string | undefined, at: Address, chainId: string, block?: bigint) =>
  deploymentFacts({ chainId, address: at, contract: name, block });

function indexOf(
  contracts: readonly ReturnType<typeof contractFacts>[],
  deployments: readonly ReturnType<typeof deploymentFacts>[],
): ContractIndex {
  const index = createContractIndex();
  for (const [at, each] of contracts.entries()) {
    index.put(`out/${at}.json`, factsOfContracts(each), { project: '', libs: ['lib'] });
  }
  index.put('broadcast/run-latest.json', factsOfDeployments(...deployments));
  return index;
}

const names = (list: readonly { readonly name: string | undefined }[]) => list.map(({ name }) => name);

describe('contracts of a workspace', () => {
  it('are first those with deployments, then the project’s own; what is seldom looked for is folded away', () => {
    const index = indexOf(
      [
        contract('Zebra', 'src/Zebra.sol'),
        contract('Alpha', 'src/Alpha.sol'),
        contract('beta', 'src/beta.sol'),
        contract('Vault', 'src/Vault.sol'),
        contract('IVault', 'src/interfaces/IVault.sol'),
        contract('Inbox', 'src/Inbox.sol'),
        contract('VaultTest', 'test/Vault.t.sol'),
        contract('Deploy', 'script/Deploy.s.sol'),
        contract('VaultHarness', 'certora/harness/VaultHarness.sol'),
        contract('Prover', 'audits/tob/contracts/Prover.sol'),
        contract('ERC20', 'lib/openzeppelin/ERC20.sol'),
        contract('Math', 'src/Math.sol', []),
      ],
      [deployment('Vault', address('1'), '1'), deployment('Gone', address('2'), '1')],
    );
    const { contracts, more } = runToEnd(arrangeContracts(index, 1));
    assert.deepEqual(names(contracts), ['Gone', 'Vault', 'Alpha', 'beta', 'Inbox', 'Zebra']);
    assert.deepEqual(names(more), [
      'Deploy',
      'ERC20',
      'IVault',
      'Math',
      'Prover',
      'VaultHarness',
      'VaultTest',
    ]);
    assert.equal(contracts[0]?.contract, undefined);
    assert.equal(contracts[1]?.contract?.source, 'src/Vault.sol');
  });

  it('have their deployments by chain, the active one first, the newest of a chain first', () => {
    const index = indexOf(
      [contract('Vault', 'src/Vault.sol')],
      [
        deployment('Vault', address('1'), '10', 5n),
        deployment('Vault', address('2'), '1'),
        deployment('Vault', address('3'), '137', 9n),
        deployment('Vault', address('4'), '10', 50n),
        deployment('Vault', address('5'), '10'),
      ],
    );
    const [vault] = runToEnd(arrangeContracts(index, 137)).contracts;
    assert.deepEqual(
      vault?.deployments.map(({ address: at }) => at),
      ['3', '2', '4', '1', '5'].map(address),
    );
  });

  it('of the same name stay apart, and what has no name comes last', () => {
    const index = indexOf(
      [contract('Vault', 'src/a/Vault.sol'), contract('Vault', 'src/b/Vault.sol', ['function other()'])],
      [deployment(undefined, address('1'), '1'), deployment('Vault', address('2'), '1')],
    );
    const { contracts } = runToEnd(arrangeContracts(index, 1));
    // Which of the two is deployed nobody knows.
    assert.deepEqual(
      contracts.map(({ name, contract: found, deployments }) => [name, found?.source, deployments.length]),
      [
        ['Vault', undefined, 1],
        [undefined, undefined, 1],
        ['Vault', 'src/a/Vault.sol', 0],
        ['Vault', 'src/b/Vault.sol', 0],
      ],
    );
    assert.equal(new Set(contracts.map(({ key }) => key)).size, contracts.length);
  });

  it('have events that can be asked for, by name', () => {
    const index = indexOf(
      [
        contract('Vault', 'src/Vault.sol', [
          'function go()',
          'event Paid(address indexed by, uint256 amount)',
          'event Hidden(uint256 a) anonymous',
          'event Opened()',
          'error Paid()',
        ]),
      ],
      [],
    );
    assert.deepEqual(listQueryableEvents(index.contracts[0]), [
      { name: 'Opened', declaration: 'event Opened()' },
      { name: 'Paid', declaration: 'event Paid(address indexed by, uint256 amount)' },
    ]);
    assert.deepEqual(listQueryableEvents(undefined), []);
  });
});
