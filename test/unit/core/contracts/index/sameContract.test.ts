import assert from 'node:assert/strict';
import { createContractIndex } from '../../../../../src/core/project/index/contractIndex.ts';
import {
  contractFacts,
  deploymentFacts,
  factsOfContracts,
  factsOfDeployments,
  fileFacts,
} from '../../../../support/indexFacts.ts';

const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const unnamed = 'event Transfer(address indexed, address indexed, uint256)';
const paid = 'event Paid(uint256 amount)';
const refused = 'error Refused(address who)';
const pay = 'function pay(uint256 amount)';
const secret = 'event Secret(uint256 amount) anonymous';

describe('The contract of the project that is meant', () => {
  it('knows by what name an address book calls a contract of the project', () => {
    const index = createContractIndex();
    const source = (name: string, abi: readonly string[]) =>
      factsOfContracts(
        contractFacts(name, { source: `src/${name}.sol`, line: 1, abi, itemLines: abi.map(() => 2) }),
      );
    index.put('src/AccountingOracle.sol', source('AccountingOracle', [paid]));
    index.put('src/AMM.sol', source('AMM', [transfer]));
    index.put('src/VaultProxy.sol', source('VaultProxy', [pay]));
    index.put('src/Vault.sol', source('Vault', [paid]));
    index.put(
      'lib/dep/src/Rate.sol',
      factsOfContracts(contractFacts('Rate', { source: 'lib/dep/src/Rate.sol', abi: [paid] })),
      {
        project: '',
        libs: ['lib'],
      },
    );
    const of = (name: string) => {
      index.put('deployed.json', factsOfDeployments(deploymentFacts({ contract: name })));
      const [known] = index.deployments;
      return known && index.contractOf(known)?.name;
    };
    for (const [name, expected] of [
      ['accountingOracle', 'AccountingOracle'],
      ['accounting_oracle', 'AccountingOracle'],
      ['ACCOUNTING_ORACLE_ADDRESS', 'AccountingOracle'],
      ['accountingOracle_Implementation', 'AccountingOracle'],
      ['AccountingOracleProxy', 'AccountingOracle'],
      ['amm', 'AMM'],
      ['vaultProxy', 'VaultProxy'],
      ['vaultImpl', 'Vault'],
      ['oracle', undefined],
      ['proxy', undefined],
      ['rate', undefined],
    ] as const) {
      assert.equal(of(name), expected, name);
    }
    index.put('src/Amm.sol', source('Amm', [pay]));
    assert.equal(of('aMm'), undefined);
    index.put('src/Amm.sol', undefined);
    assert.equal(of('aMm'), 'AMM');
    index.put('src/AMM.sol', undefined);
    assert.equal(of('aMm'), undefined);
  });

  describe('of which files name no source', () => {
    const abiOf = (...abi: string[]) => factsOfContracts(contractFacts('Token', { abi }));
    const declared = factsOfContracts(
      contractFacts('Token', { source: 'src/Token.sol', line: 3, abi: [paid, transfer], itemLines: [5, 6] }),
    );
    const shown = (index: ReturnType<typeof createContractIndex>) =>
      index.contracts.map(({ source, artifact, abi, itemLines }) => ({ source, artifact, abi, itemLines }));

    it('takes them for the one that the project declares, also after it', () => {
      const index = createContractIndex();
      index.put('abis/Token.json', abiOf(transfer, paid, pay));
      assert.deepEqual(shown(index), [
        { source: undefined, artifact: 'abis/Token.json', abi: [transfer, paid, pay], itemLines: [] },
      ]);
      index.put('src/Token.sol', declared);
      assert.deepEqual(shown(index), [
        {
          ...{ source: 'src/Token.sol', artifact: 'abis/Token.json' },
          ...{ abi: [transfer, paid, pay], itemLines: [6, 5, undefined] },
        },
      ]);
      index.put('src/Token.sol', undefined);
      assert.equal(index.contracts[0]?.source, undefined);
    });

    it('leads from an older deployment to the declaration, and adds what only that has', () => {
      const index = createContractIndex();
      const there = deploymentFacts({ contract: 'Token' });
      const before = contractFacts('Token', { abi: [paid, transfer, unnamed] });
      index.put(
        'out/Token.json',
        factsOfContracts(contractFacts('Token', { source: 'src/Token.sol', abi: [paid, transfer] })),
      );
      index.put('src/Token.sol', declared);
      index.put('deployments/1.json', fileFacts({ contracts: [before], deployments: [there] }));
      const [known] = index.deployments;
      const found = known && index.contractOf(known);
      assert.deepEqual([found?.source, found?.artifact], ['src/Token.sol', 'out/Token.json']);
      assert.deepEqual(found?.abi, [paid, transfer, unnamed]);
      assert.equal(found, index.contracts[0]);
    });

    it('keeps apart what has other items, and what one of several may be', () => {
      const index = createContractIndex();
      index.put('src/Token.sol', declared);
      index.put('abis/Token.json', abiOf(paid, refused, secret));
      assert.equal(index.contracts.length, 2);
      index.put('abis/Token.json', abiOf(paid));
      assert.equal(index.contracts.length, 1);
      const mock = { source: 'test/Token.sol', line: 1, abi: [paid], itemLines: [2] };
      index.put('test/Token.sol', factsOfContracts(contractFacts('Token', mock)));
      assert.equal(index.contracts.length, 3);
    });

    it('knows the contract of a deployment by its file, where others of the name are not the same', () => {
      const index = createContractIndex();
      index.put('src/Token.sol', declared);
      index.put('abis/Token.json', abiOf(refused, secret));
      const there = deploymentFacts({ contract: 'Token' });
      const before = contractFacts('Token', { abi: [paid, transfer, unnamed] });
      index.put('deployments/1.json', fileFacts({ contracts: [before], deployments: [there] }));
      assert.equal(index.contracts.length, 2);
      const [known] = index.deployments;
      assert.equal(known && index.contractOf(known)?.source, 'src/Token.sol');
    });

    it('takes two deployments of a project for one contract, and not those of two projects', () => {
      const index = createContractIndex();
      for (const path of ['a/1/Token.json', 'a/10/Token.json', 'b/1/Token.json']) {
        index.put(path, abiOf(paid), { project: path.slice(0, 1), libs: [] });
      }
      assert.deepEqual(
        index.contracts.map(({ artifact }) => artifact),
        ['a/1/Token.json', 'b/1/Token.json'],
      );
    });
  });
});
