import assert from 'node:assert/strict';
import {
  type CheckedRecord,
  decideDeployment,
  type RecordOrigin,
} from '../../../../src/core/code/decideDeployment.ts';
import type { CodeFit } from '../../../../src/core/code/findContractByCode.ts';
import {
  type AddressCheck,
  createContractIndex,
  type IndexedContract,
  listAddressesToCheck,
} from '../../../../src/core/index.ts';
import {
  contractFacts,
  deploymentFacts,
  factsOfContracts,
  factsOfDeployments,
  toAddress,
} from '../../../support/projectFacts.ts';

const contract = (name: string): IndexedContract => ({
  ...{ name, project: '', source: `src/${name}.sol`, line: 1, artifact: `out/${name}.json` },
  ...{ abi: [], itemLines: [], isOwn: true },
});

/** `Token different onChain 7`; `Vault_Proxy` is of the transaction of `Vault`. */
function record(text: string): CheckedRecord {
  const [name = '', match = 'unknown', origin = 'unknown', block] = text.split(' ');
  const transaction = `0x${name.replace('_Proxy', '')}` as const;
  return {
    record: { ...deploymentFacts({ contract: name, transaction }), file: 'run.json' },
    ...{ contract: contract(name), match: match as CodeFit, origin: origin as RecordOrigin },
    block: block === undefined ? undefined : BigInt(block),
  };
}

function format(check: AddressCheck | undefined): string {
  if (!check) return 'nothing';
  const { state, record: held, block, code, name } = check;
  return [state, held?.contract, block && `in ${block}`, code && `by ${code.name}`, name && `as ${name}`]
    .filter((part) => part !== undefined)
    .join(' ');
}

describe('a contract that a person chose', () => {
  const chosen = (text: string): CheckedRecord => {
    const checked = record(text);
    return { ...checked, record: { ...checked.record, chosen: 'Token', transaction: undefined } };
  };
  const decide = (records: readonly CheckedRecord[], code?: typeof found) =>
    format(decideDeployment(records, code));

  it('is at the address unless code decides, and is not confirmed by that', () => {
    const [own, other] = [chosen('Token different'), record('Vault different onChain 7')];
    assert.equal(decide([own]), 'unconfirmed Token by Token as Token');
    // The transaction created what is there, whatever its record calls it.
    assert.equal(decide([own, other]), 'unconfirmed Vault in 7 by Token as Token');
    assert.equal(decide([chosen('Token exact'), other]), 'current Token by Token');
    assert.equal(decide([own, record('Vault exact onChain 7')]), 'current Vault in 7 by Vault');
    assert.equal(decide([own], found), 'current by Vault as Vault');
  });

  it('is confirmed by a transaction of this contract, and does not count if the project has no such', () => {
    const own = chosen('Token different');
    const tool = { ...record('Token different onChain 7'), contract: own.contract };
    assert.equal(decide([own, tool]), 'current Token in 7');
    const unknown = { ...chosen('Token unknown'), contract: undefined };
    assert.equal(decide([unknown, record('Vault different onChain 7')]), 'current Vault in 7');
    assert.equal(decide([unknown, record('Vault different unknown')]), 'undecided as Token / Vault');
  });
});

const found = { name: 'Vault', path: 'src/Vault.sol' };

/** Records, the newest first; the contract that was found by code; what is decided. */
const cases: readonly (readonly [string[], typeof found | undefined, string])[] = [
  [['Vault exact onChain', 'Token different absent'], undefined, 'current Vault by Vault'],
  // The newest record is not the one that the chain has.
  [['Vault different absent', 'Token exact absent'], undefined, 'current Token by Token'],
  [['Vault code unknown', 'Token exact unknown'], undefined, 'current Token by Token'],
  [['Vault code absent', 'Vaults code onChain'], undefined, 'current Vaults by Vaults'],
  // The source was edited since: the transaction says what it is.
  [['Token different onChain 3', 'Vault different absent'], undefined, 'current Token in 3'],
  [['Token unknown onChain 3', 'Vault unknown onChain 8'], undefined, 'current Vault in 8'],
  // No record is of this code, but a build is.
  [['Token different absent'], found, 'current by Vault as Vault'],
  [['Token different onChain 3'], found, 'current Token in 3 by Vault as Vault'],
  [['Token different absent'], undefined, 'replaced'],
  [['Token unknown absent', 'Vault different absent'], undefined, 'replaced'],
  // An address book may name a proxy as its contract.
  [['Token different unknown'], undefined, 'unconfirmed Token'],
  [['Vault different absent', 'Token unknown unknown'], undefined, 'unconfirmed Token'],
  [['Token unknown unknown', 'Vault unknown unknown'], undefined, 'undecided as Token / Vault'],
  // hardhat-deploy writes a proxy under two names, of which the first is the script's.
  [
    ['Vault different onChain 4', 'Vault_Proxy exact onChain 4'],
    undefined,
    'current Vault in 4 by Vault_Proxy',
  ],
  [['Vault unknown unknown', 'Vault_Proxy unknown unknown'], undefined, 'unconfirmed Vault'],
  [[], found, 'current by Vault as Vault'],
  [[], undefined, 'nothing'],
];

describe('the record of an address that holds', () => {
  for (const [records, byCode, expected] of cases) {
    it(`is ${expected}, of ${records.join(' and ') || 'none'}${byCode ? ' with the code of Vault' : ''}`, () => {
      assert.equal(format(decideDeployment(records.map(record), byCode)), expected);
    });
  }
});

describe('the addresses that a check may decide', () => {
  it('are of proxies and of what is made for them, and of names and addresses in several records', () => {
    const index = createContractIndex();
    const deployed: (readonly [name: string, item: string, digit: string])[] = [
      ['Token', 'event Paid(uint256 amount)', '1'],
      ['Proxy', 'event Upgraded(address indexed implementation)', '2'],
      ['Diamond', 'event DiamondCut((address,uint8,bytes4[])[] cuts, address init, bytes data)', '3'],
      ['Vault', 'function initialize(address owner)', '4'],
      ['Pair', 'event Paid(uint256 amount)', '5'],
      ['Pair', 'event Paid(uint256 amount)', '6'],
    ];
    for (const [name, item] of deployed)
      index.put(`src/${name}.sol`, factsOfContracts(contractFacts(name, { abi: [item] })));
    const records = deployed.map(([contract, , digit]) =>
      deploymentFacts({ contract, address: toAddress(digit) }),
    );
    index.put('run.json', factsOfDeployments(...records));
    const listed = (isDoubtful: boolean) =>
      listAddressesToCheck(index, 1, { isDoubtful, most: 10 }).map((address) => address.at(-1));
    assert.deepEqual(listed(true), ['2', '3', '4', '5', '6']);
    assert.deepEqual(listed(false), ['1', '2', '3', '4', '5', '6']);
  });
});
