import assert from 'node:assert/strict';
import { classifyFile } from '../../../../../src/core/project/readers/fileKind.ts';
import { pick } from '../../../../support/pick.ts';
import {
  abi,
  address,
  hash,
  layout,
  readDeployments,
  readFactsOf,
  readLabels,
} from '../../../../support/projectFacts.ts';

describe('JSON maps of addresses', () => {
  const cases: readonly (readonly [what: string, json: unknown, expected: readonly string[]])[] = [
    [
      'by chain id, then name',
      { 1: { Token: address('A') }, 31337: { Token: address('b'), Pool: '0xzz', Count: 3 } },
      [`1 Token ${address('a')}`, `31337 Token ${address('b')}`],
    ],
    [
      'by name, then chain id',
      { Token: { 1: address('a'), 10: { address: address('b') } } },
      [`1 Token ${address('a')}`, `10 Token ${address('b')}`],
    ],
    [
      'below a chain id',
      { chainId: '0xa', contracts: { Token: address('a'), List: [address('b')] } },
      [`10 Token ${address('a')}`],
    ],
    [
      'by well-known networks only',
      {
        mainnet: { Token: address('a') },
        'base-sepolia': { Token: address('b') },
        mine: { Token: address('c') },
      },
      [`1 Token ${address('a')}`, `84532 Token ${address('b')}`],
    ],
    [
      'below a chain id in Python, or in what is beside the addresses',
      {
        old: { chain_id: 1, vault: address('a'), steps: { pool: address('b') } },
        new: { chainInfo: { chainId: 17000 }, addresses: { vault: address('c') } },
      },
      [`1 vault ${address('a')}`, `1 pool ${address('b')}`, `17000 vault ${address('c')}`],
    ],
    [
      'in a list of chains',
      [
        { chainId: 1, name: 'ethereum', addresses: { core: { vault: address('a') } } },
        { chainId: 10, name: 'optimism', addresses: { core: { vault: address('a') } } },
      ],
      [`1 vault ${address('a')}`, `10 vault ${address('a')}`],
    ],
    [
      'with the word proxy',
      {
        1: { Gateway: { proxyAddress: address('a'), implAddress: address('b') }, proxyAddress: address('c') },
      },
      [`1 Gateway ${address('a')}`, `1 Gateway_Implementation ${address('b')}`, `1 proxy ${address('c')}`],
    ],
    [
      'with a list below a name',
      { 1: { vaults: { 0: address('a'), 5: address('b') }, celo: address('c') } },
      [`1 vaults ${address('a')}`, `1 vaults ${address('b')}`, `1 celo ${address('c')}`],
    ],
    [
      'by chain id as hardhat-deploy exports them',
      {
        31337: [
          { name: 'localhost', chainId: '31337', contracts: { Token: { address: address('a'), abi } } },
        ],
      },
      [`31337 Token ${address('a')}`],
    ],
  ];
  for (const [what, json, expected] of cases) {
    it(`are read ${what}`, () => assert.deepEqual(readDeployments('config/addresses.json', json), expected));
  }

  it('may be of the chain that their path names', () => {
    const json = { Token: address('a') };
    for (const [path, chain] of [
      ['deployments/sepolia.json', 11155111],
      ['deployments/8453/all.json', 8453],
      ['deployments/base/usdc/roots.json', 8453],
      ['deployed-mainnet.json', 1],
      ['x_deployments/421614_current_deployment.json', 421614],
      ['metadata/1.json', undefined],
      ['src/base/tokens.json', undefined],
      ['deployments/1_10_all.json', undefined],
      ['mainnet.json', undefined],
    ] as const)
      assert.deepEqual(readDeployments(path, json), chain ? [`${chain} Token ${address('a')}`] : [], path);
  });

  it('may have comments', () => {
    const text = `{ // of the factory
      "chain_id": 10, /* "vault": "${address('b')}" */
      "contracts": { "vault": "${address('a')}", },
    }`;
    assert.deepEqual(readDeployments('deployments/factory.jsonc', text), [`10 vault ${address('a')}`]);
    assert.deepEqual(readDeployments('deployments/factory.jsonc', '{ broken'), []);
    assert.equal(classifyFile('wrangler.jsonc', layout), undefined);
    assert.equal(classifyFile('test/deployments/factory.jsonc', layout), undefined);
  });

  it('have names without the word, and an implementation that of what it is behind', () => {
    const json = {
      1: { poolAddress: address('a'), vault: { proxy: address('b'), implementation: address('c') } },
    };
    assert.deepEqual(readDeployments('config.json', json), [
      `1 pool ${address('a')}`,
      `1 vault ${address('b')}`,
      `1 vault_Implementation ${address('c')}`,
    ]);
  });

  it('give a name alone where no chain is told, or where it is that of an account', () => {
    assert.deepEqual(readLabels('addresses.json', { Treasury: address('a') }), [
      `undefined Treasury ${address('a')}`,
    ]);
    assert.deepEqual(readLabels('data.json', { Treasury: address('a') }), []);
    const roles = { 1: { deployer: address('a') } };
    assert.deepEqual(readLabels('config.json', roles), [`1 deployer ${address('a')}`]);
    assert.deepEqual(readDeployments('config.json', roles), []);
  });

  it('have block and transaction where they are told, and the ABI', () => {
    const token = { address: address('a'), abi, blockNumber: 12, transactionHash: hash('a') };
    const { contracts, deployments } = readFactsOf('x.json', { 5: { Token: token }, 1: { Token: token } });
    assert.deepEqual(pick(contracts, 'name', 'abi'), [['Token', ['event Pinged()']]]);
    assert.deepEqual(pick(deployments, 'block', 'transaction'), [
      [12n, hash('a')],
      [12n, hash('a')],
    ]);
  });

  it('are none in the data of tests, nor in JSON that is broken', () => {
    const text = JSON.stringify({ 1: { Token: address('a') } });
    for (const folder of ['test', 'packages/a/tests', 'x/testdata/y', 'web/__mocks__']) {
      assert.deepEqual(readDeployments(`${folder}/data.json`, text), [], folder);
    }
    assert.equal(readDeployments('contest/data.json', text).length, 1);
    assert.deepEqual(readDeployments('data.json', text.slice(0, -1)), []);
    assert.deepEqual(readDeployments('data.json', `// a comment\n${text}`), []);
  });

  it('end somewhere', () => {
    const deep = `${'{"a":'.repeat(50)}"${address('a')}"${'}'.repeat(50)}`;
    assert.deepEqual(readLabels('addresses.json', deep), []);
    const many = Object.fromEntries(
      Array.from({ length: 25_000 }, (_, at) => [`T${at}`, `0x${(at + 1).toString(16).padStart(40, '0')}`]),
    );
    assert.equal(readDeployments('config/addresses.json', { 1: many }).length, 10_000);
    const hostile = `{"__proto__": {"Token": "${address('a')}"}, "constructor": {"1": "${address('b')}"}}`;
    assert.deepEqual(readDeployments('addresses.json', hostile), [`1 constructor ${address('b')}`]);
    assert.equal(({} as { Token?: unknown }).Token, undefined);
  });
});
