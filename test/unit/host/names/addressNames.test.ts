import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import {
  type Address,
  type AddressCheck,
  createContractIndex,
  type IndexedDeployment,
} from '../../../../src/core/index.ts';
import { AddressBook } from '../../../../src/features/addresses/addressBook.ts';
import { isMissingDeployment, type ProvidedName } from '../../../../src/host/names/addressName.ts';
import {
  createAddressNames,
  standardNames,
  toConstantNames,
  toDeploymentNames,
  toDevelopmentNames,
  toFoundryNames,
  toTeamNames,
  toTeamNamesInSlices,
  toUserNames,
} from '../../../../src/host/names/addressNames.ts';
import { memoryMemento } from '../../../support/host/memoryFiles.ts';
import { memoryBookFiles } from '../../../support/memory.ts';
import { contractFacts, factsOfContracts, factsOfDeployments } from '../../../support/projectFacts.ts';
import { anyNetwork } from '../../../support/stubs.ts';

const one: Address = `0x${'1'.repeat(40)}`;
const two: Address = `0x${'2'.repeat(40)}`;
const three: Address = `0x${'3'.repeat(40)}`;

function deployment(fields: Partial<IndexedDeployment>): IndexedDeployment {
  return {
    ...{ chainId: '1', address: one, contract: 'Vault', block: 5n, transaction: undefined },
    ...{ commit: undefined, file: 'broadcast/run-latest.json', ...fields },
  };
}

function namesFrom(given: readonly ProvidedName[], deployments: readonly IndexedDeployment[] = []) {
  const index = createContractIndex();
  index.put('broadcast/run-latest.json', factsOfDeployments(...deployments));
  const listeners = new Set<(event: unknown) => unknown>();
  let names = given;
  const service = createAddressNames({
    providers: [
      {
        names: () => names,
        onDidChange(listener) {
          listeners.add(listener);
          return { dispose: () => void listeners.delete(listener) };
        },
      },
    ],
    index: () => index,
  });
  return {
    ...{ service, listeners },
    change(to: readonly ProvidedName[]) {
      names = to;
      for (const listener of listeners) listener(undefined);
    },
  };
}

const declared = (name: string, abi: readonly string[]) =>
  contractFacts(name, { source: 'src/V.sol', line: 1, abi });

const team = toTeamNames(
  [{ address: one, name: 'Team', chainId: undefined, line: 4 }],
  '.chainside/labels.json',
);
const foundry = toFoundryNames([{ address: one, name: 'Foundry', chainId: undefined, file: 'foundry.toml' }]);
const constant: ProvidedName = { address: one, name: 'CONSTANT', chainId: undefined, provider: 'constant' };

describe('names of addresses', () => {
  it('are for the zero address and precompiles those that everybody knows, below all that somebody gives', () => {
    const zero: Address = `0x${'0'.repeat(40)}`;
    const { service, change } = namesFrom([...standardNames, ...team]);
    assert.equal(service.nameOf(zero, 5)?.name, 'Zero address');
    assert.equal(service.find('p256', 5)[0]?.name, 'P256VERIFY');
    assert.equal(service.all(5)[0]?.name, 'Team');
    change([
      ...standardNames,
      ...toConstantNames([], () => ''),
      { ...constant, address: zero, name: 'NATIVE' },
    ]);
    assert.deepEqual(
      service.namesOf(zero, 5).map(({ name }) => name),
      ['NATIVE', 'Zero address'],
    );
  });

  it('are for accounts of development nodes theirs on such a chain, below all that somebody gives', () => {
    const account: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
    const namesOf = (chainId: number, given: readonly ProvidedName[] = []) =>
      namesFrom([...toDevelopmentNames(31337), ...given])
        .service.namesOf(account, chainId)
        .map(({ name }) => name);
    assert.deepEqual(namesOf(31337), ['anvil #0']);
    assert.deepEqual(namesOf(1), []);
    const deployed = toDeploymentNames([deployment({ chainId: '31337', address: account })]);
    assert.deepEqual(namesOf(31337, deployed), ['Vault', 'anvil #0']);
    assert.deepEqual(namesOf(31337, toUserNames([[account, 'Me']], 31337)), ['Me', 'anvil #0']);
    const { service } = namesFrom([...toDevelopmentNames(31337), { ...constant, name: 'zeta' }]);
    const sorted = service.all(31337).map(({ name }) => name);
    assert.deepEqual([sorted[0], sorted[1], sorted.at(-1)], ['zeta', 'anvil #0', 'Hardhat #19']);
  });

  it('are one’s own label, else the deployment, the team’s label, foundry.toml’s, a constant', () => {
    const all = [
      constant,
      ...foundry,
      ...team,
      ...toDeploymentNames([deployment({})]),
      ...toUserNames([[one, 'Mine']], 1),
    ];
    const expected = ['Mine', 'Vault', 'Team', 'Foundry', 'CONSTANT'];
    const { service } = namesFrom(all);
    assert.deepEqual(
      service.namesOf(one, 1).map(({ name }) => name),
      expected,
    );
    for (let left = expected.length; left > 0; left--) {
      const fewer = namesFrom(all.slice(0, left));
      assert.equal(fewer.service.nameOf(one, 1)?.name, expected[expected.length - left]);
    }
  });

  it('are any that somebody gave before that of a proxy, and each is found', () => {
    const { service } = namesFrom([
      ...toDeploymentNames([deployment({ contract: 'ERC1967Proxy' }), deployment({ address: two })]),
      ...foundry,
      ...toUserNames([[two, 'Savings']], 1),
    ]);
    assert.equal(service.nameOf(one, 1)?.name, 'Foundry');
    const found = (text: string) => service.find(text, 1).map(({ address, name }) => [address, name]);
    assert.deepEqual(found('1967'), [[one, 'ERC1967Proxy']]);
    assert.deepEqual(found('vault'), [[two, 'Vault']]);
    assert.deepEqual(found('savings'), [[two, 'Savings']]);
  });

  it('hold on their chain alone', () => {
    const { service } = namesFrom([
      ...toDeploymentNames([deployment({}), deployment({ chainId: '5', contract: 'Other' })]),
      ...toTeamNames([{ address: two, name: 'Everywhere', chainId: undefined, line: 1 }], 'labels.json'),
    ]);
    assert.deepEqual(
      [1, 5, 7].map((chainId) => [service.nameOf(one, chainId)?.name, service.nameOf(two, chainId)?.name]),
      [
        ['Vault', 'Everywhere'],
        ['Other', 'Everywhere'],
        [undefined, 'Everywhere'],
      ],
    );
  });

  it('say where they come from', () => {
    const { service } = namesFrom([...team, ...toDeploymentNames([deployment({ address: two })])]);
    assert.deepEqual(service.nameOf(one, 1), {
      ...{ name: 'Team', provider: 'label', file: '.chainside/labels.json', line: 4 },
    });
    assert.deepEqual(service.nameOf(two, 1), {
      ...{ name: 'Vault', provider: 'deployment', file: 'broadcast/run-latest.json', block: 5n },
    });
  });

  it('of several deployments have the newest first', () => {
    const { service } = namesFrom(
      toDeploymentNames([
        deployment({ block: 1n, time: 10 }),
        deployment({ address: two, block: 9n, time: 30 }),
        deployment({ address: three, block: 5n, time: 20 }),
      ]),
    );
    const blocks = (names: readonly { readonly block?: bigint | undefined }[]) =>
      names.map(({ block }) => block);
    assert.deepEqual(blocks(service.all(1)), [9n, 5n, 1n]);
    assert.deepEqual(blocks(service.find('vau', 1)), [9n, 5n, 1n]);
  });

  it('are none where the file says no name or no chain', () => {
    assert.deepEqual(
      toDeploymentNames([deployment({ contract: undefined }), deployment({ chainId: 'one' })]),
      [],
    );
  });

  it('are the same in slices, of a hundred at most', async () => {
    const labels = Array.from({ length: 1050 }, (_, at) => ({
      ...{ address: `0x${at.toString(16).padStart(40, '0')}` as const, chainId: undefined, line: at + 1 },
      name: at % 3 === 0 ? '0x2222…2222' : `Label ${at}`,
    }));
    let rests = 0;
    const slices = { isOver: () => true, rest: async () => void rests++ };
    const names = await toTeamNamesInSlices(labels, 'labels.json', slices);
    assert.deepEqual(names, toTeamNames(labels, 'labels.json'));
    assert.deepEqual([names.length, rests], [700, 11]);
  });

  it('are plain and short, whatever a file says', () => {
    const [hidden, long, ...none] = toTeamNames(
      ['a\u202eb', 'x'.repeat(10_000), ' ', ''].map((name, line) => ({
        address: one,
        name,
        chainId: undefined,
        line,
      })),
      'labels.json',
    );
    assert.equal(hidden?.name, 'a<U+202E>b');
    assert.equal(long?.name.length, 65);
    assert.deepEqual(none, []);
  });

  it('are plain as labels of the user, stored by whomever', async () => {
    const storage = memoryMemento();
    await storage.update('addresses:5', { labels: { [one]: 'a\u202eb' } });
    const session = { network: anyNetwork(5), isChosen: true, onDidChange: new EventEmitter<void>().event };
    const book = new AddressBook({ files: memoryBookFiles(), storage, session } as never);
    await book.ready;
    assert.equal(book.label(one), 'a<U+202E>b');
    await book.setLabel(one, 'c\u202ed');
    assert.equal(book.label(one), 'c<U+202E>d');
    book.dispose();
  });

  it('of constants have the line where they are declared', () => {
    const uri = undefined as never;
    const names = toConstantNames(
      [
        { address: one, uri, line: 6, constant: 'TREASURY' },
        { address: two, uri, line: 7 },
      ],
      () => 'src/A.sol',
    );
    assert.deepEqual(names, [
      {
        address: one,
        name: 'TREASURY',
        provider: 'constant',
        chainId: undefined,
        file: 'src/A.sol',
        line: 7,
      },
    ]);
  });

  it('are found by letters of them, the start of words first', () => {
    const labels = ['TreasuryOld', 'Extra', 'My Treasury', 'Try'].map((name, at) => ({
      ...{ address: `0x${String(at).repeat(40)}` as Address, name, chainId: undefined, line: 1 },
    }));
    const { service } = namesFrom(toTeamNames(labels, 'labels.json'));
    const found = (text: string) => service.find(text, 1).map(({ name }) => name);
    assert.deepEqual(found('treas'), ['TreasuryOld', 'My Treasury']);
    assert.deepEqual(found('to'), ['TreasuryOld']);
    assert.deepEqual(found('zz'), []);
    assert.equal(found('').length, 4);
  });

  it('change with those who give them, and no longer once disposed', () => {
    const { service, listeners, change } = namesFrom(team);
    let told = 0;
    service.onDidChange(() => told++);
    assert.equal(service.nameOf(one, 1)?.name, 'Team');
    change(foundry);
    assert.deepEqual([service.nameOf(one, 1)?.name, told], ['Foundry', 1]);
    service.dispose();
    assert.equal(listeners.size, 0);
  });

  it('tell deployments of one contract apart: the name alone is the newest', () => {
    const deployments = [
      deployment({ time: 1000 }),
      deployment({ address: two, time: 2000 }),
      deployment({ address: three, chainId: '5' }),
    ];
    const { service, change } = namesFrom(toDeploymentNames(deployments), deployments);
    assert.deepEqual(
      [one, two].map((address) => service.nameOf(address, 1)?.name),
      ['Vault@0x111111', 'Vault'],
    );
    assert.equal(service.nameOf(three, 5)?.name, 'Vault');
    assert.deepEqual(service.find('vault', 1).length, 2);
    // The name of one that is labelled still means it, too.
    change([...toDeploymentNames(deployments), ...toUserNames([[two, 'Savings']], 1)]);
    assert.deepEqual(
      [one, two].map((address) => service.nameOf(address, 1)?.name),
      ['Vault@0x111111', 'Savings'],
    );
  });

  it('tell those apart of which none is known to be newer, and labels with the same text', () => {
    const deployments = [one, two].map((address) => deployment({ address }));
    const vaults = namesFrom(toDeploymentNames(deployments), deployments).service;
    const names = (service: typeof vaults) => [one, two].map((address) => service.nameOf(address, 1)?.name);
    assert.deepEqual(names(vaults), ['Vault@0x111111', 'Vault@0x222222']);
    const labelled = namesFrom(
      toUserNames(
        [one, two].map((address) => [address, 'Safe']),
        1,
      ),
    ).service;
    assert.deepEqual(names(labelled), ['Safe@0x111111', 'Safe@0x222222']);
    assert.deepEqual(
      labelled.namesOf(one, 1).map(({ name }) => name),
      ['Safe'],
    );
  });

  it('tell implementations apart whose name means their proxies', () => {
    const proxies = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const;
    const index = createContractIndex();
    const abi = ['function initialize()'];
    index.put('src/V.sol', factsOfContracts(...['Vault', 'Proxy'].map((name) => declared(name, abi))));
    const deployments = [one, two].map((address) => deployment({ address }));
    const shells = proxies.map((address, at) => deployment({ address, contract: 'Proxy', time: at + 1 }));
    index.put('broadcast/run-latest.json', factsOfDeployments(...deployments, ...shells));
    const contract = { name: 'Vault', path: 'src/V.sol' };
    const runs = ([one, two] as const).map((implementation) => [{ implementation, contract }]);
    const check = (name: string): AddressCheck => {
      return { state: 'current', record: { contract: name, transaction: undefined } };
    };
    index.settleDeployments(
      1,
      new Map([
        ...[one, two].map((address) => [address, check('Vault')] as const),
        ...proxies.map((address, at) => [address, { ...check('Proxy'), runs: runs[at] ?? [] }] as const),
      ]),
    );
    const provider = {
      names: () => toDeploymentNames(index.deployments),
      onDidChange: () => ({ dispose: () => undefined }),
    };
    const service = createAddressNames({ providers: [provider], index: () => index });
    assert.deepEqual(
      [...proxies, one, two].map((address) => service.nameOf(address, 1)?.name),
      ['Proxy@0xaaaaaa', 'Proxy', 'Vault@0x111111', 'Vault@0x222222'],
    );
  });

  it('tell of deployments on other chains where there is none on this one', () => {
    const deployments = [
      deployment({ chainId: '5', block: 1n }),
      deployment({ chainId: '7', block: 2n }),
      deployment({ address: two }),
    ];
    const { service } = namesFrom([], deployments);
    assert.deepEqual(
      service.elsewhere(one, 1).map(({ chainId }) => chainId),
      ['5', '7'],
    );
    assert.deepEqual(service.elsewhere(one, 5), []);
    assert.deepEqual(service.elsewhere(two, 1), []);
  });
});

describe('a deployment that the endpoint does not have', () => {
  it('is one of the project where the endpoint has no code, and nothing else is', () => {
    const deployed = [{ provider: 'mine' }, { provider: 'deployment' }] as const;
    assert.equal(isMissingDeployment({ kind: 'account' }, deployed), true);
    assert.equal(isMissingDeployment({ kind: 'account' }, [{ provider: 'mine' }]), false);
    for (const kind of ['contract', 'delegated', 'unknown'] as const) {
      assert.equal(isMissingDeployment({ kind }, deployed), false, kind);
    }
    assert.equal(isMissingDeployment(undefined, deployed), false);
  });
});
