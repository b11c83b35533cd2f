import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { fromRoot } from '../../../../../scripts/support/paths.ts';
import type { AppError } from '../../../../../src/core/index.ts';
import { parseLayout } from '../../../../../src/core/project/layout.ts';
import { classifyFile, listCompanionPaths } from '../../../../../src/core/project/readers/fileKind.ts';
import { readFacts as readFactsInSteps } from '../../../../../src/core/project/readers/readFacts.ts';
import {
  address,
  hash,
  layout,
  readDeployments,
  readFacts,
  readFactsOf,
  readLabels,
} from '../../../../support/projectFacts.ts';

describe('by its path a file', () => {
  const kinds: readonly (readonly [path: string, kind: string | undefined])[] = [
    ['foundry.toml', 'foundryToml'],
    ['.chainside/labels.json', 'teamLabels'],
    ['.chainside/others.json', undefined],
    ['lib/oz/.chainside/labels.json', undefined],
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
    ['queries/cap.chainlog.json', undefined],
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
    it(`${path.slice(0, 60)} is ${kind ?? 'passed over'}`, () =>
      assert.equal(classifyFile(path, layout), kind));
  }

  it('that is passed over tells nothing', () => {
    assert.deepEqual(readFactsOf('package.json', '{broken'), { contracts: [], deployments: [], labels: [] });
  });
});

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
    const expected = { contract: 'Lock', block: 7n, transaction: hash('a'), commit: undefined };
    assert.deepEqual(
      readFactsOf(`${folder}/journal.jsonl`, journal(...messages('Mod#Lock', 'a'))).deployments,
      [{ chainId: '31337', address: address('a'), ...expected }],
    );
  });

  it('leaves out what failed, was wiped or is under way', () => {
    const lines = [
      ...messages('Mod#A', 'a', { type: 'REVERTED_TRANSACTION' }),
      ...messages('Mod#B', 'b'),
      { futureId: 'Mod#B', type: 'WIPE_APPLY' },
      ...messages('Mod#C', 'c').slice(0, 3),
    ];
    assert.deepEqual(readDeployments(`${folder}/journal.jsonl`, journal(...lines)), []);
  });

  it('has all deployments of journals that were put together, each on its chain', () => {
    const second = { chainId: 1, type: 'DEPLOYMENT_INITIALIZE' };
    const text = journal(...messages('Mod#Lock', 'a'), second, ...messages('Mod#Lock', 'b'));
    assert.deepEqual(readDeployments(`${folder}/journal.jsonl`, text), [
      `31337 Lock ${address('a')}`,
      `1 Lock ${address('b')}`,
    ]);
  });

  it('has contracts that were there before', () => {
    const line = {
      type: 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE',
      futureId: 'Mod#T',
      contractName: 'Token',
      contractAddress: address('b'),
    };
    assert.deepEqual(readDeployments(`${folder}/journal.jsonl`, journal(line)), [
      `31337 Token ${address('b')}`,
    ]);
  });

  it('passes over a last line that is cut off, but no other', () => {
    const whole = journal(...messages('Mod#Lock', 'a'));
    assert.equal(readDeployments(`${folder}/journal.jsonl`, `${whole}{"futureId":"Mo`).length, 1);
    assert.throws(() => readDeployments(`${folder}/journal.jsonl`, `{"futureId":"Mo\n${whole}`), {
      kind: 'badInput',
    });
  });

  it('lists addresses, whose chain is in the name of the folder or in the journal', () => {
    const list = { 'Mod#Lock': address('a'), 'Mod#Named': address('b'), 'Mod#Bad': '0x12' };
    const path = `${folder}/deployed_addresses.json`;
    assert.deepEqual(readDeployments(path, list), [
      `31337 Lock ${address('a')}`,
      `31337 Named ${address('b')}`,
    ]);
    const staging = 'ignition/deployments/staging/deployed_addresses.json';
    assert.deepEqual(readDeployments(staging, list), []);
    assert.deepEqual(listCompanionPaths(staging), ['ignition/deployments/staging/journal.jsonl']);
    const beside = journal(...messages('Mod#Named', 'b'));
    assert.deepEqual(readDeployments(staging, list, beside), [
      `31337 Lock ${address('a')}`,
      `31337 Lock ${address('b')}`,
    ]);
    assert.deepEqual(readDeployments(staging, list, '{broken\n{}'), []);
    // Journals are often not committed: the folder names the chain, or the names are of any chain.
    const parts = staging.split('staging');
    for (const [name, chainId] of [
      ['chain-10-v2', 10],
      ['sepolia', 11155111],
    ] as const)
      assert.deepEqual(readDeployments(parts.join(name), list), [
        `${chainId} Lock ${address('a')}`,
        `${chainId} Named ${address('b')}`,
      ]);
    assert.deepEqual(readLabels(staging, list), [
      `undefined Lock ${address('a')}`,
      `undefined Named ${address('b')}`,
    ]);
  });
});

const textOf = (project: string, path: string) =>
  readFileSync(fromRoot(`test/fixtures/projects/${project}/${path}`), 'utf8');

const truffle = parseLayout({ truffle: true });

describe('files of hardhat-deploy without the file beside them', () => {
  const factsAt = (path: string) =>
    readFacts({ path, text: textOf('hardhat2', path) }, parseLayout({ hardhat: true }));

  it('know the chain of a well-known network', () => {
    const [deployment] = factsAt('deployments/sepolia/Harbour.json').deployments;
    assert.equal(deployment?.chainId, '11155111');
  });

  it('give a name alone where the chain is not known', () => {
    const { contracts, deployments, labels } = factsAt('deployments/staging/Harbour.json');
    assert.equal(contracts[0]?.source, 'contracts/Port.sol');
    assert.deepEqual(deployments, []);
    assert.deepEqual(labels, [
      { address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', name: 'Harbour', chainId: undefined },
    ]);
  });
});

describe('files of hardhat-deploy whose deployment has a name of its own', () => {
  const abiOf = (...names: readonly string[]) =>
    names.map((name) => ({ type: 'event', name, anonymous: false, inputs: [] }));
  const factsAt = (name: string, target: string, more: object = {}) => {
    const [source = '', contract = ''] = target.split(':');
    const metadata = JSON.stringify({ settings: { compilationTarget: { [source]: contract } } });
    const json = { address: A, abi: abiOf('Put'), transactionHash: HASH, metadata, ...more };
    const text = JSON.stringify(json);
    const facts = readFacts({ path: `deployments/local/${name}.json`, text, companion: '31337' }, layout);
    return [
      ...facts.contracts.map((one) => `${one.source}:${one.name}`),
      ...facts.deployments.map((one) => `${one.contract} of ${one.contractType}`),
    ];
  };

  it('are of the contract that was compiled', () => {
    assert.deepEqual(factsAt('Spare', 'contracts/Box.sol:Box'), ['contracts/Box.sol:Box', 'Spare of Box']);
    assert.deepEqual(factsAt('Box', 'contracts/Box.sol:Box'), ['contracts/Box.sol:Box', 'Box of undefined']);
  });

  it('have the ABI of what a proxy runs, but the metadata of the proxy', () => {
    const proxy = 'solc_0.8/proxy/EIP173Proxy.sol:EIP173Proxy';
    const merged = { abi: abiOf('Put', 'Upgraded', 'OwnershipTransferred'), implementation: A };
    assert.deepEqual(factsAt('Box', proxy, merged), ['undefined:Box', 'Box of undefined']);
    assert.deepEqual(factsAt('Box', proxy, { ...merged, implementation: undefined, facets: [] }), [
      ...['undefined:Box', 'Box of undefined'],
    ]);
    assert.deepEqual(factsAt('Box_Proxy', proxy), [proxy, 'Box_Proxy of EIP173Proxy']);
  });
});

describe('files of Truffle', () => {
  const path = 'build/contracts/Ferry.json';

  it("are of Ganache's chain if they have its network ID, which is fixed or the time of its start", () => {
    const chainsOf = (...networks: readonly string[]) => {
      const entries = networks.map((id) => [id, { address: A, transactionHash: HASH }]);
      const json = { contractName: 'Ferry', abi, networks: Object.fromEntries(entries) };
      const { deployments } = readFacts({ path, text: JSON.stringify(json) }, truffle);
      return deployments.map(({ chainId }) => chainId);
    };
    assert.deepEqual(chainsOf('31337', '5777', '1796024709377'), ['5777', '1337', '31337', '1337']);
    assert.deepEqual(chainsOf('1666600000', '11297108109', '0', 'a'), ['1666600000', '11297108109']);
  });

  it('have a source from the root of the project, wherever they were compiled', () => {
    const text = textOf('truffle', path);
    const sourceWithout = (...names: readonly string[]) => {
      const json = JSON.parse(text, (name, value) => (names.includes(name) ? undefined : value));
      return readFacts({ path, text: JSON.stringify(json) }, truffle).contracts[0]?.source;
    };
    for (const names of [[], ['metadata'], ['metadata', 'ast']])
      assert.equal(sourceWithout(...names), 'contracts/Ferry.sol');
    assert.equal(sourceWithout('metadata', 'ast', 'sourcePath'), undefined);
  });
});

const A = `0x${'a'.repeat(40)}`;
const HASH = `0x${'1'.repeat(64)}`;
const abi = [
  {
    type: 'event',
    name: 'E',
    inputs: [{ name: 'a', type: 'tuple[]', components: [{ name: 'b', type: 'uint8' }] }],
  },
];

/** A whole file of each kind. */
const files: readonly (readonly [path: string, text: string])[] = [
  ['foundry.toml', `[profile.default]\nsrc = "a"\nlibs = ["b"]\n[labels]\n${A} = "Name"\n`],
  [
    'out/A.sol/A.json',
    JSON.stringify({ abi, metadata: { settings: { compilationTarget: { 'src/A.sol': 'A' } } }, ast: {} }),
  ],
  [
    'build/contracts/A.json',
    JSON.stringify({ contractName: 'A', abi, networks: { 1: { address: A, transactionHash: HASH } } }),
  ],
  [
    'broadcast/D.s.sol/1/run-latest.json',
    JSON.stringify({
      transactions: [{ hash: HASH, transactionType: 'CREATE', contractName: 'A', contractAddress: A }],
      receipts: [{ transactionHash: HASH, status: '0x1', blockNumber: '0x1', contractAddress: A }],
      libraries: [`src/L.sol:L:${A}`],
      chain: 1,
    }),
  ],
  ['ignition/deployments/chain-1/deployed_addresses.json', JSON.stringify({ 'M#A': A })],
  [
    'ignition/deployments/chain-1/journal.jsonl',
    [
      { type: 'DEPLOYMENT_INITIALIZE', chainId: 1 },
      { type: 'DEPLOYMENT_EXECUTION_STATE_INITIALIZE', futureId: 'M#A', contractName: 'A' },
      { type: 'TRANSACTION_CONFIRM', futureId: 'M#A', hash: HASH, receipt: { blockNumber: 1 } },
      {
        type: 'DEPLOYMENT_EXECUTION_STATE_COMPLETE',
        futureId: 'M#A',
        result: { type: 'SUCCESS', address: A },
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  ],
  ['addresses.json', JSON.stringify({ 1: { Token: A, Pool: { address: A, abi, blockNumber: 1 } } })],
  ['tokens.json', JSON.stringify({ tokens: [{ chainId: 1, address: A, symbol: 'A' }] })],
  [
    '.chainside/labels.json',
    JSON.stringify({
      labels: [
        { address: A, name: 'Name', chainId: 1 },
        { address: A, contract: 'src/A.sol:A', chainId: 1 },
      ],
      units: { 'A.E.a': 'ether' },
    }),
  ],
  ['abis/A.json', JSON.stringify(abi)],
  [
    'src/contracts.ts',
    `export const aAbi = [{ type: 'event', name: "E", inputs: [] }] as const // ${A}\nconst x = { 1: { a: '${A}', [b.id]: \`c\` } }\n`,
  ],
];

const defaultLayout = parseLayout({});

/** Pieces that matter to one of the forms. */
const pieces = [
  '',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '`',
  ',',
  ':',
  '\\',
  '//',
  '/*',
  '\n',
  'null',
  '-',
  '...',
  '\ud800',
  '\0',
];

describe('a file that is broken', () => {
  for (const [path, text] of files) {
    it(`${path} gives what it has, or says in one line what is wrong`, () => {
      assert.notEqual(classifyFile(path, defaultLayout), undefined);
      const whole = readFacts({ path, text }, defaultLayout);
      assert.ok(whole.contracts.length + whole.deployments.length + whole.labels.length > 0);
      const change = fc.record({
        at: fc.nat({ max: text.length }),
        length: fc.nat({ max: 8 }),
        piece: fc.constantFrom(...pieces),
        cut: fc.boolean(),
      });
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
          const broken = changes.reduce(
            (now, { at, length, piece, cut }) =>
              now.slice(0, at) + piece + (cut ? '' : now.slice(at + length)),
            text,
          );
          try {
            const { contracts, deployments, labels } = readFacts({ path, text: broken }, defaultLayout);
            for (const { address } of [...deployments, ...labels]) assert.match(address, /^0x[0-9a-f]{40}$/);
            for (const { chainId } of deployments) assert.match(chainId, /^[1-9]\d*$/);
            for (const { name } of [...contracts, ...labels]) assert.ok(name.length > 0);
          } catch (error) {
            const { kind, message, cause } = error as AppError;
            assert.deepEqual([kind, cause], ['badInput', undefined], String(error));
            assert.match(message, /^[^\n]{1,300}$/);
          }
        }),
      );
    });
  }

  it('may have a byte order mark, but not any length', () => {
    const [path, text] = ['abis/A.json', JSON.stringify(abi)];
    assert.equal(readFacts({ path, text: `\ufeff${text}` }, defaultLayout).contracts.length, 1);
    const long = `${text}${' '.repeat(32 * 1_024 * 1_024)}`;
    assert.throws(() => readFacts({ path, text: long }, defaultLayout), {
      kind: 'badInput',
      message: /32 MiB/,
    });
  });

  it('takes a mistake of its own for no fault of the file', () => {
    const file = {
      path: 'out/Token.sol/Token.json',
      text: '{"abi": []}',
      get companion(): string {
        throw new TypeError('x is not a function');
      },
    };
    assert.throws(() => readFacts(file, defaultLayout), {
      kind: 'internal',
      message: 'An internal error in Chainside.',
    });
  });
});

describe('a file with much in it', () => {
  const address = (nth: number) => `0x${(nth + 1).toString(16).padStart(40, '0')}`;
  const count = 2_000;
  const many = (line: (nth: number) => string) => Array.from({ length: count }, (_, nth) => line(nth)).join();
  const files = {
    'lists/tokens.json': `{"tokens":[${many((nth) => `{"chainId":1,"address":"${address(nth)}","symbol":"T${nth}"}`)}]}`,
    'addresses.json': `{"1":{${many((nth) => `"n${nth}":"${address(nth)}"`)}}}`,
  };
  for (const [path, text] of Object.entries(files)) {
    it(`is read in as many steps: ${path}`, () => {
      const steps = readFactsInSteps({ path, text }, layout);
      let taken = 0;
      let result = steps.next();
      for (; !result.done; result = steps.next()) taken++;
      assert.equal(result.value.labels.length + result.value.deployments.length, count);
      assert.ok(taken >= count, `${taken} steps`);
    });
  }

  it('may have any number of escaped quotes in a text', () => {
    for (const note of [
      '\\',
      '"',
      '"\\',
      '\\"',
      `${'"'.repeat(99)}\\`,
      `${'x'.repeat(99)}"\\"\\\\`,
      `${'y'.repeat(50)}\\`,
    ]) {
      const json = { note, abi: [{ type: 'event', name: 'Paid', inputs: [] }] };
      assert.deepEqual(readFactsOf('out/A.sol/A.json', json).contracts[0]?.abi, ['event Paid()'], note);
    }
  });
});
