import assert from 'node:assert/strict';
import { parseAbiItem } from '../../../../../src/core/abi/item.ts';
import { formatMessage } from '../../../../../src/core/base/text.ts';
import { createContractIndex } from '../../../../../src/core/project/index/contractIndex.ts';
import { getUnit } from '../../../../../src/core/tokens/amounts.ts';
import {
  contractFacts,
  deploymentFacts,
  fileFacts,
  readFactsOf,
  toAddress,
} from '../../../../support/projectFacts.ts';

const deposited = 'event Deposited(address indexed from, uint256 amount)';
const total = 'function total() view returns (uint256)';
const topic0 = (() => {
  const item = parseAbiItem(deposited);
  return item?.kind === 'event' ? item.topic0 : assert.fail();
})();
const labels = (units: Record<string, unknown>) =>
  readFactsOf('.chainside/labels.json', { labels: [], units });
const PBL = { kind: 'token', token: 'PBL' };

function vaultIndex(units: Record<string, unknown>) {
  const index = createContractIndex();
  const facts = contractFacts('Vault', { source: 'src/Vault.sol', abi: [deposited, total] });
  index.put('src/Vault.sol', fileFacts({ contracts: [facts] }));
  const deployed = deploymentFacts({ address: toAddress('a'), chainId: '1', contract: 'Vault' });
  index.put('broadcast/a.json', fileFacts({ deployments: [deployed] }));
  index.put('.chainside/labels.json', labels(units));
  return index;
}

const unitAt = (index: ReturnType<typeof createContractIndex>, digit?: string) => {
  const at = digit === undefined ? undefined : { address: toAddress(digit), chainId: 1 };
  const [found] = index.lookup.events(topic0, at);
  return found && getUnit(found.item, 1, toAddress('a'));
};

describe('Units in the labels of a team', () => {
  it('reach the events of their contract, and go with the label', () => {
    const index = vaultIndex({ 'Vault.Deposited.amount': 'PBL' });
    assert.deepEqual(unitAt(index, 'a'), PBL);
    assert.deepEqual(unitAt(index), PBL);
    const [ofAbi] = index.abiAt({ address: toAddress('a'), chainId: 1 })?.items ?? [];
    assert.equal(ofAbi?.enums?.places[0]?.[0]?.unit, 'PBL');
    index.put('.chainside/labels.json', labels({ 'Vault.Deposited.amount': 'ether' }));
    assert.deepEqual(unitAt(index, 'a'), { kind: 'fixed', symbol: 'ether', decimals: 18 });
    index.put('.chainside/labels.json', undefined);
    assert.equal(unitAt(index, 'a'), undefined);
    index.put('.chainside/labels.json', labels({ 'Vault.Deposited.amount': 'PBL' }));
    index.put('src/Vault.sol', undefined);
    index.put(
      'src/Vault.sol',
      fileFacts({ contracts: [contractFacts('Vault', { source: 'src/Vault.sol', abi: [deposited] })] }),
    );
    assert.deepEqual(unitAt(index, 'a'), PBL);
  });

  it('come before those of doc comments', () => {
    const index = vaultIndex({ 'Vault.Deposited.amount': 'PBL' });
    const enums = { [deposited]: [{ path: '1', name: '', unit: 'gwei' }] };
    const facts = contractFacts('Vault', { source: 'src/Vault.sol', abi: [deposited, total], enums });
    index.put('src/Vault.sol', fileFacts({ contracts: [facts] }));
    assert.deepEqual(unitAt(index, 'a'), PBL);
    index.put('.chainside/labels.json', undefined);
    assert.deepEqual(unitAt(index, 'a'), { kind: 'fixed', symbol: 'gwei', decimals: 9 });
  });

  it('are of no log whose contract may be another that declares the same event', () => {
    const index = vaultIndex({ 'Vault.Deposited.amount': 'PBL' });
    index.put(
      'src/Bank.sol',
      fileFacts({ contracts: [contractFacts('Bank', { source: 'src/Bank.sol', abi: [deposited] })] }),
    );
    assert.equal(unitAt(index, 'b'), undefined);
    assert.equal(unitAt(index), undefined);
    assert.deepEqual(unitAt(index, 'a'), PBL);
  });

  it('belong to the project of their file, and the nearest file counts', () => {
    const index = createContractIndex();
    const put = (project: string) =>
      index.put(
        `${project}/src/Vault.sol`,
        fileFacts({
          contracts: [contractFacts('Vault', { source: `${project}/src/Vault.sol`, abi: [deposited] })],
        }),
        { project, libs: [], resolveSource: (source) => source },
      );
    put('one');
    put('two');
    index.put('one/.chainside/labels.json', labels({ 'Vault.Deposited.amount': 'PBL' }));
    index.put('.chainside/labels.json', labels({ 'Vault.Deposited.amount': 'gwei' }));
    const unitsOf = index.contracts.map(({ project, enums }) => [project, enums?.[deposited]?.at(-1)?.unit]);
    assert.deepEqual(unitsOf, [
      ['one', 'PBL'],
      ['two', 'gwei'],
    ]);
  });

  it('that have no effect are problems that say what to do', () => {
    const index = vaultIndex({
      'Vault.total': 'ether',
      'Vault.Deposited.amount': 'percent of 3',
      'Vault.Deposited.from': 'PBL',
      'Vault.Deposited': 'PBL',
      'Vault.Deposted.amount': 'PBL',
      'Volt.Deposited.amount': 'PBL',
      Vault: 18,
    });
    assert.deepEqual(
      index.unitProblems.map(({ file, reason }) => `${file} ${formatMessage(reason)}`.slice(0, 90)),
      [
        '.chainside/labels.json Vault.Deposited.amount: "percent of 3" is not a unit. Enter the nam',
        '.chainside/labels.json Vault.Deposited.from: Vault has no such integer. Enter Contract.Eve',
        '.chainside/labels.json Vault.Deposited: Vault has no such integer. Enter Contract.Event.pa',
        '.chainside/labels.json Vault.Deposted.amount: Vault has no such integer. Enter Contract.Ev',
        '.chainside/labels.json Volt.Deposited.amount: no contract of the project is called Volt.',
        '.chainside/labels.json Vault: "18" is not a unit. Enter the name, symbol or address of a t',
      ],
    );
  });
});
