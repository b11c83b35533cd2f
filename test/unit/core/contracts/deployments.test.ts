import assert from 'node:assert/strict';
import { readLayout } from '../../../../src/core/contracts/layout/projectLayout.ts';
import { besideOf, mayTell, readFacts } from '../../../../src/core/contracts/readers/readFacts.ts';

const layout = readLayout({});
const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
const abi = [{ type: 'event', name: 'Pinged', anonymous: false, inputs: [] }];

const factsOf = (path: string, json: unknown, beside?: string) =>
  readFacts({ path, text: typeof json === 'string' ? json : JSON.stringify(json), beside }, layout);

const deployed = (path: string, json: unknown, beside?: string) =>
  factsOf(path, json, beside).deployments.map(
    ({ chainId, address: at, contract }) => `${chainId} ${contract} ${at}`,
  );

const labelled = (path: string, json: unknown) =>
  factsOf(path, json).labels.map(({ chainId, address: at, name }) => `${chainId} ${name} ${at}`);

describe('Hardhat Ignition', () => {
  const folder = 'ignition/deployments/chain-31337';
  const initialize = { chainId: 31337, type: 'DEPLOYMENT_INITIALIZE' };
  const messages = (id: string, digit: string, more: object = {}) => [
    {
      artifactId: id,
      contractName: 'Lock',
      constructorArgs: [{ _kind: 'bigint', value: '1' }],
      futureId: id,
      futureType: 'NAMED_ARTIFACT_CONTRACT_DEPLOYMENT',
      type: 'DEPLOYMENT_EXECUTION_STATE_INITIALIZE',
    },
    { futureId: id, networkInteraction: { data: '0x6080', id: 1 }, type: 'NETWORK_INTERACTION_REQUEST' },
    { futureId: id, nonce: 0, transaction: { hash: hash(digit) }, type: 'TRANSACTION_SEND' },
    {
      futureId: id,
      hash: hash(digit),
      networkInteractionId: 1,
      receipt: { blockNumber: 7, contractAddress: address(digit), logs: [], status: 'SUCCESS' },
      type: 'TRANSACTION_CONFIRM',
    },
    {
      futureId: id,
      result: { address: address(digit), type: 'SUCCESS', ...more },
      type: 'DEPLOYMENT_EXECUTION_STATE_COMPLETE',
    },
  ];
  const journal = (...lines: readonly object[]) =>
    `\n${[initialize, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`;

  it('tells in its journal what was deployed, where and when', () => {
    assert.deepEqual(factsOf(`${folder}/journal.jsonl`, journal(...messages('Mod#Lock', 'a'))).deployments, [
      {
        chainId: '31337',
        address: address('a'),
        contract: 'Lock',
        block: 7n,
        transaction: hash('a'),
        commit: undefined,
      },
    ]);
  });

  it('leaves out what failed, was wiped or is under way', () => {
    const lines = [
      ...messages('Mod#A', 'a', { type: 'REVERTED_TRANSACTION' }),
      ...messages('Mod#B', 'b'),
      { futureId: 'Mod#B', type: 'WIPE_APPLY' },
      ...messages('Mod#C', 'c').slice(0, 3),
    ];
    assert.deepEqual(deployed(`${folder}/journal.jsonl`, journal(...lines)), []);
  });

  it('has contracts that were there before', () => {
    const line = {
      type: 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE',
      futureId: 'Mod#T',
      contractName: 'Token',
      contractAddress: address('b'),
    };
    assert.deepEqual(deployed(`${folder}/journal.jsonl`, journal(line)), [`31337 Token ${address('b')}`]);
  });

  it('passes over a last line that is cut off, but no other', () => {
    const whole = journal(...messages('Mod#Lock', 'a'));
    assert.equal(deployed(`${folder}/journal.jsonl`, `${whole}{"futureId":"Mo`).length, 1);
    assert.throws(() => deployed(`${folder}/journal.jsonl`, `{"futureId":"Mo\n${whole}`), {
      kind: 'badInput',
    });
  });

  it('lists addresses, whose chain is in the name of the folder or in the journal', () => {
    const list = { 'Mod#Lock': address('a'), 'Mod#Named': address('b'), 'Mod#Bad': '0x12' };
    const path = `${folder}/deployed_addresses.json`;
    assert.deepEqual(deployed(path, list), [`31337 Lock ${address('a')}`, `31337 Named ${address('b')}`]);
    const staging = 'ignition/deployments/staging/deployed_addresses.json';
    assert.deepEqual(deployed(staging, list), []);
    assert.equal(besideOf(staging), 'ignition/deployments/staging/journal.jsonl');
    const beside = journal(...messages('Mod#Named', 'b'));
    assert.deepEqual(deployed(staging, list, beside), [
      `31337 Lock ${address('a')}`,
      `31337 Lock ${address('b')}`,
    ]);
    assert.deepEqual(deployed(staging, list, '{broken\n{}'), []);
  });
});

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
    it(`are read ${what}`, () => assert.deepEqual(deployed('config/addresses.json', json), expected));
  }

  it('may be of the chain that their path names', () => {
    const json = { Token: address('a') };
    assert.deepEqual(deployed('deployments/sepolia.json', json), [`11155111 Token ${address('a')}`]);
    assert.deepEqual(deployed('deployments/8453/all.json', json), [`8453 Token ${address('a')}`]);
    assert.deepEqual(deployed('deployments/base/usdc/roots.json', json), [`8453 Token ${address('a')}`]);
    assert.deepEqual(deployed('deployed-mainnet.json', json), [`1 Token ${address('a')}`]);
    assert.deepEqual(deployed('x_deployments/421614_current_deployment.json', json), [
      `421614 Token ${address('a')}`,
    ]);
    for (const path of [
      'metadata/1.json',
      'src/base/tokens.json',
      'deployments/1_10_all.json',
      'mainnet.json',
    ]) {
      assert.deepEqual(deployed(path, json), [], path);
    }
  });

  it('may have comments', () => {
    const text = `{ // of the factory
      "chain_id": 10, /* "vault": "${address('b')}" */
      "contracts": { "vault": "${address('a')}", },
    }`;
    assert.deepEqual(deployed('deployments/factory.jsonc', text), [`10 vault ${address('a')}`]);
    assert.deepEqual(deployed('deployments/factory.jsonc', '{ broken'), []);
    assert.equal(mayTell('wrangler.jsonc', layout), undefined);
    assert.equal(mayTell('test/deployments/factory.jsonc', layout), undefined);
  });

  it('have names without the word, and an implementation that of what it is behind', () => {
    const json = {
      1: { poolAddress: address('a'), vault: { proxy: address('b'), implementation: address('c') } },
    };
    assert.deepEqual(deployed('config.json', json), [
      `1 pool ${address('a')}`,
      `1 vault ${address('b')}`,
      `1 vault_Implementation ${address('c')}`,
    ]);
  });

  it('give a name alone where no chain is told, or where it is that of an account', () => {
    assert.deepEqual(labelled('addresses.json', { Treasury: address('a') }), [
      `undefined Treasury ${address('a')}`,
    ]);
    assert.deepEqual(labelled('data.json', { Treasury: address('a') }), []);
    const roles = { 1: { deployer: address('a') } };
    assert.deepEqual(labelled('config.json', roles), [`1 deployer ${address('a')}`]);
    assert.deepEqual(deployed('config.json', roles), []);
  });

  it('have block and transaction where they are told, and the ABI', () => {
    const token = { address: address('a'), abi, blockNumber: 12, transactionHash: hash('a') };
    const { contracts, deployments } = factsOf('x.json', { 5: { Token: token }, 1: { Token: token } });
    assert.deepEqual(
      contracts.map((contract) => [contract.name, contract.abi]),
      [['Token', ['event Pinged()']]],
    );
    assert.deepEqual(
      deployments.map(({ block, transaction }) => [block, transaction]),
      [
        [12n, hash('a')],
        [12n, hash('a')],
      ],
    );
  });

  it('are none in the data of tests, nor in JSON that is broken', () => {
    const text = JSON.stringify({ 1: { Token: address('a') } });
    for (const folder of ['test', 'packages/a/tests', 'x/testdata/y', 'web/__mocks__']) {
      assert.deepEqual(deployed(`${folder}/data.json`, text), [], folder);
    }
    assert.equal(deployed('contest/data.json', text).length, 1);
    assert.deepEqual(deployed('data.json', text.slice(0, -1)), []);
    assert.deepEqual(deployed('data.json', `// a comment\n${text}`), []);
  });

  it('end somewhere', () => {
    const deep = `${'{"a":'.repeat(50)}"${address('a')}"${'}'.repeat(50)}`;
    assert.deepEqual(labelled('addresses.json', deep), []);
    const many = Object.fromEntries(
      Array.from({ length: 25_000 }, (_, at) => [`T${at}`, `0x${(at + 1).toString(16).padStart(40, '0')}`]),
    );
    assert.equal(deployed('config/addresses.json', { 1: many }).length, 20_000);
    const hostile = `{"__proto__": {"Token": "${address('a')}"}, "constructor": {"1": "${address('b')}"}}`;
    assert.deepEqual(deployed('addresses.json', hostile), [`1 constructor ${address('b')}`]);
    assert.equal(({} as { Token?: unknown }).Token, undefined);
  });
});

describe('plain ABI files', () => {
  it('are named by the file', () => {
    for (const text of [JSON.stringify(abi), JSON.stringify({ abi })]) {
      const { contracts } = factsOf('subgraph/abis/Token.abi.json', text);
      assert.deepEqual(
        contracts.map((contract) => [contract.name, contract.abi]),
        [['Token', ['event Pinged()']]],
      );
    }
  });

  it('have a name without a version', () => {
    const names = ['abis/Game-1.2.0.json', 'abis/Game_v3.0.json', 'abis/Game.v2.json', 'abis/V2.json'].map(
      (path) => factsOf(path, abi).contracts[0]?.name,
    );
    assert.deepEqual(names, ['Game', 'Game', 'Game', 'V2']);
  });

  it('are no other lists', () => {
    for (const json of [[], [1, 2], [{ type: 'button', name: 'x' }], [[]], '"text"', 'null', '']) {
      assert.deepEqual(factsOf('data.json', json), { contracts: [], deployments: [], labels: [] });
    }
  });

  it('are an error where they look like one and are broken', () => {
    const text = '[{"type":"function","name":"f","inputs":[],"stateMutability":"view"}';
    assert.throws(() => factsOf('abis/F.json', text), { kind: 'badInput' });
  });
});

describe('assets of safe-deployments', () => {
  const path = 'src/assets/v1.3.0/safe.json';
  const asset = (more: object) => ({ contractName: 'Safe', version: '1.3.0', ...more, abi });

  it('have, by chain, the names of addresses', () => {
    const deployments = { canonical: { address: address('A') }, eip155: { address: address('b') } };
    const networkAddresses = {
      1: 'canonical',
      10: ['eip155', 'canonical', 'toString'],
      x: 'eip155',
      0: 'eip155',
    };
    assert.deepEqual(deployed(path, asset({ deployments, networkAddresses })), [
      `1 Safe ${address('a')}`,
      `10 Safe ${address('b')}`,
      `10 Safe ${address('a')}`,
    ]);
  });

  it('had the address itself', () => {
    const networkAddresses = { 4: address('a'), 5: '0x12', 6: null };
    const before = asset({ defaultAddress: address('a'), networkAddresses });
    assert.deepEqual(deployed(path, before), [`4 Safe ${address('a')}`]);
    assert.deepEqual(factsOf(path, before).contracts[0]?.name, 'Safe');
  });

  it('end somewhere', () => {
    const deployments = { canonical: { address: address('a') } };
    const networkAddresses = { 1: new Array(20_000).fill('canonical') };
    assert.equal(factsOf(path, asset({ deployments, networkAddresses })).deployments.length, 5_000);
  });
});

describe('labels', () => {
  it('are those of a token list', () => {
    const tokens = [
      { chainId: 1, address: address('A'), symbol: 'HUSD', name: 'Harbour Dollar', decimals: 6 },
      { chainId: 1, address: '0x1', symbol: 'BAD' },
      { address: address('b'), symbol: 'NOCHAIN' },
      7,
    ];
    const expected = [`1 HUSD ${address('a')}`];
    assert.deepEqual(labelled('tokens.json', { name: 'List', tokens }), expected);
    assert.deepEqual(labelled('tokens.json', tokens), expected);
  });

  it('are those that a team shares', () => {
    const labels = [
      { address: address('a'), name: 'Treasury' },
      { address: address('b'), name: 'Pool', chainId: 10 },
      { address: address('c'), name: 'Of a chain that is none', chainId: 'main' },
      { address: 'here', name: 'Nowhere' },
      { address: address('d') },
      null,
    ];
    assert.deepEqual(labelled('.chainside/labels.json', { labels }), [
      `undefined Treasury ${address('a')}`,
      `10 Pool ${address('b')}`,
    ]);
    assert.throws(() => labelled('.chainside/labels.json', '{"labels": ['), { kind: 'badInput' });
  });
});

describe('by its path a file', () => {
  const kinds: readonly (readonly [path: string, kind: string | undefined])[] = [
    ['foundry.toml', 'foundryToml'],
    ['.chainside/labels.json', 'labels'],
    ['out/Token.sol/Token.json', 'artifact'],
    ['out/build-info/a.json', undefined],
    ['artifacts/contracts/Token.sol/Token.json', 'artifact'],
    ['artifacts/contracts/Token.sol/Token.dbg.json', undefined],
    ['artifacts/contracts/Token.sol/artifacts.d.ts', undefined],
    ['build/contracts/Token.json', 'artifact'],
    ['cache/solidity-files-cache.json', undefined],
    ['broadcast/D.s.sol/1/run-latest.json', 'broadcast'],
    ['ignition/deployments/chain-1/journal.jsonl', 'ignitionJournal'],
    ['ignition/deployments/chain-1/deployed_addresses.json', 'ignitionAddresses'],
    ['ignition/deployments/chain-1/artifacts/M#T.json', 'artifact'],
    ['ignition/deployments/chain-1/build-info/a.json', undefined],
    ['ignition/parameters.json', 'json'],
    ['other/journal.jsonl', undefined],
    ['deployments/sepolia/Token.json', 'json'],
    ['deployments/sepolia/.migrations.json', undefined],
    ['deployments/sepolia/solcInputs/abc.json', undefined],
    ['lib/oz/abi/Token.json', undefined],
    ['.openzeppelin/mainnet.json', undefined],
    ['package.json', undefined],
    ['tsconfig.build.json', undefined],
    ['web/node_modules/x/abi.json', undefined],
    ['web/contracts/deployedContracts.ts', 'module'],
    ['src/generated.ts', 'module'],
    ['src/components/Button.tsx', undefined],
    ['src/abi/token.d.ts', undefined],
    ['packages/a/test/contracts.ts', undefined],
    ['typechain-types/Token.ts', undefined],
    ['src/Token.sol', undefined],
    ['README.md', undefined],
    [`${'a/'.repeat(5_000)}x.json`, undefined],
  ];
  for (const [path, kind] of kinds) {
    it(`${path.slice(0, 60)} is ${kind ?? 'passed over'}`, () => assert.equal(mayTell(path, layout), kind));
  }

  it('that is passed over tells nothing', () => {
    assert.deepEqual(factsOf('package.json', '{broken'), { contracts: [], deployments: [], labels: [] });
  });
});
