import assert from 'node:assert/strict';
import { type Address, createContractIndex, toChecksumAddress } from '../../../src/core/index.ts';
import type { DeploymentFacts } from '../../../src/core/project/readers/facts.ts';
import {
  createAddressNames,
  standardNames,
  toDeploymentNames,
} from '../../../src/host/names/addressNames.ts';
import {
  createAddressSuggestions,
  createMemberSuggestions,
  type FoundAddress,
  listRowAddresses,
} from '../../../src/host/suggestions.ts';
import { deploymentFacts, factsOfDeployments } from '../../support/projectFacts.ts';
import { l10n } from '../../support/stubs.ts';

const at = (digit: string): Address => `0x${digit.repeat(40)}`;
const deploymentOf = (contract: string, address: Address, more: Partial<DeploymentFacts> = {}) =>
  deploymentFacts({ chainId: '5', address, contract, block: 5n, ...more });
const index = createContractIndex();
index.put(
  'run-latest.json',
  factsOfDeployments(
    deploymentOf('Vault', at('1')),
    deploymentOf('Vault', at('2')),
    deploymentOf('Vault', at('3'), { chainId: '6' }),
    deploymentOf('Shop', at('4')),
    deploymentOf('Token', at('5'), { time: 1000, block: 31n }),
    deploymentOf('Token', at('6'), { time: 3000, block: 8n }),
    deploymentOf('Token', at('7'), { time: 2000, block: 12n }),
  ),
);
const found: readonly FoundAddress[] = [
  { address: at('1'), place: undefined },
  { address: at('a'), place: undefined },
  { address: at('a'), place: 'src/A.sol:3' },
  { address: at('b'), place: 'src/B.sol:7' },
];
const names = createAddressNames({
  providers: [
    {
      names: () => [
        ...standardNames,
        ...toDeploymentNames(index.deployments),
        { name: 'alice@home', address: at('c'), provider: 'mine', chainId: 5 },
      ],
      onDidChange: () => ({ dispose: () => undefined }),
    },
  ],
  index: () => index,
});
const suggest = (typed: string, takesSeveral = true) =>
  createAddressSuggestions(typed, {
    ...{ names, chainId: 5, found: () => found, l10n },
    ...{ named: names.entries(5), takesSeveral },
    formatDetail: ({ provider }) => provider,
  });

describe('suggested addresses', () => {
  it('are all deployments of a contract on the chain together, then each', () => {
    const [all, ...others] = suggest('vau');
    assert.deepEqual(all, {
      value: `${toChecksumAddress(at('1'))}, ${toChecksumAddress(at('2'))}`,
      label: 'Vault: all 2 deployments',
      detail: 'all deployments on this chain',
    });
    assert.deepEqual(
      others.map(({ label }) => label),
      ['Vault@0x111111', 'Vault@0x222222'],
    );
    assert.deepEqual(
      suggest('sho').map(({ label }) => label),
      ['Shop'],
    );
  });

  it('begin with the newest deployment of a name, and offer the others to pick', () => {
    const labels = (typed: string, takesSeveral?: boolean) =>
      suggest(typed, takesSeveral).map(({ label }) => label);
    const [old, middle] = ['Token@0x555555', 'Token@0x777777'];
    assert.deepEqual(labels('tok'), ['Token', 'Token: all 3 deployments', middle, old]);
    assert.equal(suggest('tok')[0]?.value, toChecksumAddress(at('6')));
    assert.deepEqual(labels('tok', false), ['Token', middle, old]);
    assert.deepEqual(labels('Token@'), ['Token', middle, old]);
    for (const typed of ['Token@0x55', 'token @ 31', 'Token@3'])
      assert.deepEqual(labels(typed), [old], typed);
    assert.deepEqual(labels('Token@0x9'), []);
    assert.deepEqual(labels('alice@h'), ['alice@home']);
  });

  it('are by their first digits those with names, in the rows and in files', () => {
    const [a, b] = [toChecksumAddress(at('a')), toChecksumAddress(at('b'))];
    assert.deepEqual(suggest('0xA'), [{ value: a, label: a, detail: 'in the rows' }]);
    assert.deepEqual(suggest('0xb'), [{ value: b, label: b, detail: 'src/B.sol:7' }]);
    assert.deepEqual(
      suggest('0x1').map(({ label }) => label),
      ['Vault@0x111111'],
    );
    assert.deepEqual(
      suggest('0x').map(({ label }) => label),
      [
        ...['Shop', 'Token', 'Token@0x777777', 'Token@0x555555'],
        ...['Vault@0x111111', 'Vault@0x222222', 'alice@home', a, b, 'Zero address'],
      ],
    );
  });

  it('are names first where nothing is typed, and no found ones where a name is', () => {
    const labels = suggest('').map(({ label }) => label);
    const [vaults, tokens] = ['Vault: all 2 deployments', 'Token: all 3 deployments'];
    assert.deepEqual(labels.slice(0, 3), [vaults, tokens, 'Shop']);
    assert.ok(labels.includes(toChecksumAddress(at('a'))));
    assert.ok(!labels.includes(toChecksumAddress(at('1'))), 'it has a name');
    assert.deepEqual(
      suggest('a').filter(({ detail }) => detail === 'in the rows'),
      [],
    );
  });
});

describe('addresses in rows', () => {
  it('are contracts and indexed arguments, and no numbers', () => {
    const word = (hex: string): `0x${string}` => `0x${hex.padStart(64, '0')}`;
    const log = {
      ...{ address: at('1'), data: '0x' as const, blockNumber: 1n, blockHash: word('1'), logIndex: 0 },
      ...{ transactionHash: word('2'), transactionIndex: 0 },
      topics: [word('c'.repeat(40)), word('d'.repeat(40)), word('7'), word('e'.repeat(64))],
    };
    const rows = { length: 1, get: () => log };
    assert.deepEqual(
      [...listRowAddresses(rows)].map(({ address }) => address),
      [at('1'), at('d')],
    );
  });
});

describe('suggested members of an enum', () => {
  const members = ['ADMIN', 'MINTER', 'BURNER'];
  const listDetails = (isFlag?: true) =>
    createMemberSuggestions({ name: 'Role', members, ...(isFlag && { isFlag }) }).map(({ detail }) => detail);

  it('have their numbers; those of a flag its bits', () => {
    assert.deepEqual(listDetails(), ['0', '1', '2']);
    assert.deepEqual(listDetails(true), ['1', '2', '4']);
  });
});
