import assert from 'node:assert/strict';
import {
  type Address,
  createContractIndex,
  createIndexKnowledge,
  formatMessage,
  parseQueryDefinition,
  resolveQuery,
  toChecksumAddress,
} from '../../../../src/core/index.ts';
import { findAddressesByName, type NameEntry } from '../../../../src/core/queries/namedAddresses.ts';
import {
  contractFacts,
  deploymentFacts,
  factsOfContracts,
  factsOfDeployments,
} from '../../../support/projectFacts.ts';

const at = (digits: string): Address => `0x${digits.padEnd(40, '0')}`;
const deployed = (
  address: Address,
  time: number | undefined,
  more: Partial<NameEntry['deployment']> = {},
): NameEntry => ({
  ...{ name: 'Token', address },
  deployment: { block: 7n, file: `broadcast/D.s.sol/1/run-${time}.json`, ...(time && { time }), ...more },
});

describe('the address that a name means', () => {
  const [old, young, other] = [at('aa11'), at('aa22'), at('bb33')];
  const entries = [
    deployed(old, 1_795_948_161_687, { block: 3n }),
    deployed(young, 1_795_948_999_000, { block: 2n, file: 'broadcast/D.s.sol/1/run-latest.json' }),
    { name: 'Treasury', address: other },
  ];
  const find = (text: string, of: readonly NameEntry[] = entries) => findAddressesByName(text, of);

  it('is that of the newest run, whatever its block', () => {
    assert.deepEqual([find('Token'), find('token')], [[young], [young]]);
    assert.deepEqual(find('Treasury'), [other]);
    assert.deepEqual(findAddressesByName('Token', entries, { isStrict: true }), [old, young]);
  });

  it('is another that is picked by its run, its block or its address', () => {
    for (const text of [
      'Token@run-1795948161687',
      'Token@run-1795948161687.json',
      'token @ 0xAA11',
      'Token@3',
    ])
      assert.deepEqual(find(text), [old], text);
    for (const text of ['Token@run-latest', 'Token@latest', 'Token@run-1795948999', 'Token@0xaa22'])
      assert.deepEqual(find(text), [young], text);
    // The record has the other name of the file of the newest run.
    const renamed = [entries[0] ?? assert.fail(), deployed(young, 1_795_948_999_000)];
    for (const text of ['Token@run-latest', 'Token@run-latest.json', 'token@latest'])
      assert.deepEqual(find(text, renamed), [young], text);
    assert.deepEqual(find('Token@0xaa'), [old, young]);
    for (const text of ['Token@0xcc', 'Token@9', 'Token@', '@3', 'Treasury@3', 'Nobody@3'])
      assert.deepEqual(find(text), [], text);
    assert.deepEqual(find('Treasury@0xbb'), [other]);
  });

  it('is several in one run, without times, and where a label has the name too', () => {
    assert.deepEqual(find('Token', [...entries, deployed(other, 1_795_948_999_000)]), [young, other]);
    assert.deepEqual(find('Token', [deployed(old, undefined), deployed(young, undefined)]), [old, young]);
    assert.deepEqual(find('Token', [...entries, { name: 'Token', address: other }]), [old, young, other]);
  });

  it('is the newest by blocks that the chain confirms where a tool writes no time', () => {
    const foundry = deployed(old, 1_795_948_161_687, { transaction: '0x01' });
    const hardhat = deployed(young, undefined, {
      file: 'deployments/localhost/Token.json',
      transaction: '0x02',
    });
    const inBlock = (entry: NameEntry, confirmedBlock: bigint): NameEntry => ({
      ...entry,
      ...(entry.deployment && { deployment: { ...entry.deployment, confirmedBlock } }),
    });
    assert.deepEqual(find('Token', [inBlock(foundry, 3n), inBlock(hardhat, 4n)]), [young]);
    assert.deepEqual(find('Token', [inBlock(foundry, 9n), inBlock(hardhat, 4n)]), [old]);
    for (const entry of [hardhat, inBlock(hardhat, 4n)])
      assert.deepEqual(find('Token', [foundry, entry]), [old, young]);
    const ofSameRun = { ...inBlock(foundry, 8n), address: other };
    assert.deepEqual(find('Token', [inBlock(foundry, 9n), ofSameRun, inBlock(hardhat, 4n)]), [old, other]);
    const listed = deployed(young, undefined, { file: 'addresses.json' });
    assert.deepEqual(find('Token', [listed, inBlock(foundry, 3n)]), [old]);
  });

  it('may have an @ itself', () => {
    assert.deepEqual(find('a@3', [{ name: 'a@3', address: other }]), [other]);
  });
});

describe('the names of a project', () => {
  const [implementation, first, second] = [at('1'), at('2'), at('3')];
  const vault = { name: 'Vault', path: 'src/Vault.sol' };

  function knowledge(proxies: readonly Address[]) {
    const index = createContractIndex();
    for (const name of ['Vault', 'VaultProxy'])
      index.put(`src/${name}.sol`, factsOfContracts(contractFacts(name, { source: `src/${name}.sol` })));
    index.put(
      'run.json',
      factsOfDeployments(
        deploymentFacts({ contract: 'Vault', address: implementation }),
        ...proxies.map((address) => deploymentFacts({ contract: 'VaultProxy', address })),
      ),
    );
    const record = { contract: 'VaultProxy', transaction: undefined };
    const runs = [{ implementation, contract: vault }];
    index.settleDeployments(
      1,
      new Map(proxies.map((address) => [address, { state: 'current', record, runs } as const])),
    );
    return createIndexKnowledge(index, 1);
  }

  it('of a contract behind a proxy mean the proxy, and of several proxies none', () => {
    const one = knowledge([first]);
    assert.deepEqual(one.findAddressesByName('Vault'), [first]);
    assert.deepEqual([one.nameOf?.(first), one.nameOf?.(implementation)], ['VaultProxy', undefined]);
    assert.deepEqual(knowledge([first, second]).findAddressesByName('Vault'), [first, second]);
    assert.deepEqual(knowledge([]).findAddressesByName('Vault'), [implementation]);
  });

  it('that the chain contradicts, or that are of other chains, say so in place of being unknown', () => {
    const index = createContractIndex();
    index.put(
      'run.json',
      factsOfDeployments(
        deploymentFacts({ contract: 'Vault', address: first }),
        deploymentFacts({ contract: 'Token', address: second }),
        deploymentFacts({ contract: 'Bridge', address: second, chainId: '10' }),
      ),
    );
    const explain = (name: string) => {
      const message = createIndexKnowledge(index, 1).explainMissingName?.(name);
      return message && formatMessage(message);
    };
    assert.equal(explain('Vault'), undefined);
    index.settleDeployments(
      1,
      new Map([
        [first, { state: 'missing' }],
        [second, { state: 'replaced' }],
      ]),
    );
    const missing = `is not on this node: there is no code at ${toChecksumAddress(first)}. Deploy it again.`;
    assert.deepEqual(['Vault', 'vault@3'].map(explain), [`Vault ${missing}`, `vault ${missing}`]);
    assert.equal(
      explain('Token'),
      `Token is not on this node: another contract is at ${toChecksumAddress(second)}.`,
    );
    assert.equal(explain('Bridge'), 'Bridge is deployed on other chains (10), not on this one (1).');
    assert.equal(explain('Nobody'), undefined);
    const { errors } = resolveQuery(
      parseQueryDefinition({ address: 'Vault' }),
      createIndexKnowledge(index, 1),
    );
    assert.deepEqual(
      errors?.map(({ message }) => message),
      [`Vault ${missing}`],
    );
  });
});
