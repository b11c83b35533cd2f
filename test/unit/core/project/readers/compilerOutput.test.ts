import assert from 'node:assert/strict';
import { createProjectIndexer, systemClock } from '../../../../../src/core/index.ts';
import { parseLayout } from '../../../../../src/core/project/layout.ts';
import { memoryProject } from '../../../../support/memory.ts';
import { pick } from '../../../../support/pick.ts';
import { readFacts } from '../../../../support/projectFacts.ts';
import { indexProject } from '../../../../support/upgradedContracts.ts';

const ABI = [
  {
    type: 'event',
    name: 'Paid',
    anonymous: false,
    inputs: [
      { name: 'who', type: 'address', indexed: true },
      { name: 'amount', type: 'uint256', indexed: false },
    ],
  },
  {
    type: 'function',
    name: 'pay',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'amount', type: 'uint256' }],
    outputs: [],
  },
];
const ITEMS = ['event Paid(address indexed who, uint256 amount)', 'function pay(uint256 amount)'];
const layout = parseLayout({});
const factsOf = (path: string, json: unknown, companion?: string) =>
  readFacts({ path, text: JSON.stringify(json, undefined, 1), companion }, layout);
const contractsOf = (path: string, json: unknown) =>
  factsOf(path, json).contracts.map(({ name, source, abi }) => [name, source, ...abi]);

describe('ABI of a library', () => {
  it('has structs by their names, by the code of the library in any file', () => {
    const internalType = 'struct L.N';
    const note = { name: 'n', type: 'tuple', internalType, components: [{ name: 'a', type: 'uint256' }] };
    const abi = [{ type: 'function', name: 'f', inputs: [note], outputs: [], stateMutability: 'pure' }];
    const library = `73${'0'.repeat(40)}301460806040`;
    const output = (code: string) => ({
      contracts: { 'L.sol': { L: { abi, evm: { deployedBytecode: { linkReferences: {}, object: code } } } } },
    });
    const artifacts = (code: string): readonly [path: string, json: unknown][] => [
      ['build/out.json', output(code)],
      ['build/combined.json', { contracts: { 'L.sol:L': { abi, 'bin-runtime': code } } }],
      ['out/L.sol/L.json', { abi, deployedBytecode: { object: `0x${code}` } }],
      [
        'artifacts/L.sol/L.json',
        {
          _format: 'hh-sol-artifact-1',
          contractName: 'L',
          sourceName: 'L.sol',
          abi,
          deployedBytecode: `0x${code}`,
        },
      ],
      ['build/contracts/L.json', { contractName: 'L', abi, evm: { deployedBytecode: `0x${code}` } }],
    ];
    for (const [path, json] of artifacts(library))
      assert.deepEqual(contractsOf(path, json)[0]?.[2], 'function f(struct L.N(uint256 a) n) view', path);
    for (const [path, json] of artifacts('6080604052'))
      assert.deepEqual(contractsOf(path, json)[0]?.[2], 'function f((uint256 a) n) view', path);
  });
});

describe('output of a compiler', () => {
  const pay = ['Pay', 'src/Pay.sol', ...ITEMS];
  const standard = {
    sources: {},
    contracts: { 'src/Pay.sol': { Pay: { abi: ABI, evm: { bytecode: {} } } } },
  };

  it('is standard JSON or combined JSON of solc, whose ABI may be a text', () => {
    const combined = (abi: unknown) => ({
      contracts: { 'src/Pay.sol:Pay': { abi, bin: '60' } },
      version: '0.7.6',
    });
    assert.deepEqual(contractsOf('build/combined.json', combined(JSON.stringify(ABI))), [pay]);
    assert.deepEqual(contractsOf('crytic-export/combined_solc.json', combined(ABI)), [pay]);
    assert.deepEqual(contractsOf('build/standard-output.json', standard), [pay]);
    assert.deepEqual(contractsOf('out/dapp.sol.json', standard), [pay], 'in the folder of artifacts');
  });

  it('is what other tools make of it', () => {
    const unit = { 'src/Pay.sol': { compiler: {}, ...standard } };
    assert.deepEqual(contractsOf('crytic-export/contracts.json', { compilation_units: unit }), [pay]);
    assert.deepEqual(contractsOf('build/1a2b.json', { id: '1a2b', input: {}, output: standard }), [pay]);
    const vyper = { 'contracts/Pay.vy': { abi: ABI, bytecode: '0x60' }, version: '0.3.10' };
    assert.deepEqual(contractsOf('build/vyper.json', vyper), [['Pay', 'contracts/Pay.vy', ...ITEMS]]);
    assert.deepEqual(contractsOf('build/Pay.abi', ABI), [['Pay', undefined, ...ITEMS]]);
    assert.deepEqual(contractsOf('abi/Pay.json', { abi: JSON.stringify(ABI) }), [
      ['Pay', undefined, ...ITEMS],
    ]);
  });

  it('is the metadata of one contract, as solc and Remix write it, or an artifact of 0x', () => {
    const metadata = {
      compiler: { version: '0.8.30' },
      output: { abi: ABI, devdoc: {} },
      settings: { compilationTarget: { 'src/Pay.sol': 'Pay' } },
    };
    assert.deepEqual(contractsOf('artifacts/Any_metadata.json', metadata), [pay]);
    assert.deepEqual(contractsOf('build/Any_meta.json', metadata), [pay]);
    const artifact = { contractName: 'Pay', compilerOutput: { abi: ABI }, networks: {} };
    assert.deepEqual(contractsOf('artifacts/any.json', artifact), [['Pay', undefined, ...ITEMS]]);
  });

  it('names no source of another machine or of no file', () => {
    const sources = ['/home/me/src/Pay.sol', 'C:/src/Pay.sol', '<stdin>'];
    for (const source of sources) {
      const json = { contracts: { [`${source}:Pay`]: { abi: ABI } } };
      assert.deepEqual(contractsOf('build/combined.json', json), [['Pay', undefined, ...ITEMS]]);
    }
  });

  it('is no map of addresses, which says where contracts are', () => {
    const address = `0x${'11'.repeat(20)}`;
    const exported = { name: 'mainnet', chainId: '1', contracts: { Pay: { address, abi: ABI } } };
    const { contracts, deployments } = factsOf('deployments.json', exported);
    assert.deepEqual([contracts.length, deployments.length], [1, 1]);
  });

  it('is nothing where it is broken, and an error where it is cut off', () => {
    for (const contracts of [[], null, { 'a.sol': 3 }, { 'a.sol': { A: null } }, { 'a:A': { abi: '[' } }]) {
      assert.deepEqual(contractsOf('build/combined.json', { contracts, abi: null }), []);
    }
    const text = JSON.stringify(standard).slice(0, -4);
    assert.throws(() => readFacts({ path: 'build/a.json', text }, layout), { kind: 'badInput' });
  });
});

describe('projects of Ape and Brownie', () => {
  const manifest = {
    manifest: 'ethpm/3',
    contractTypes: { Pay: { contractName: 'Pay', sourceId: 'contracts/Pay.vy', abi: ABI } },
    sources: {},
  };

  it('have the contracts of the manifest in `.build`, also without a configuration', async () => {
    for (const other of ['ape-config.yaml', 'contracts/Pay.vy']) {
      const { contracts } = await indexProject({
        ...{ '.build/__local__.json': JSON.stringify(manifest), [other]: '' },
      });
      assert.deepEqual(pick(contracts, 'name', 'abi'), [['Pay', ITEMS]]);
    }
    assert.deepEqual(contractsOf('.build/__local__.json', manifest), [['Pay', 'contracts/Pay.vy', ...ITEMS]]);
    const older = { abi: ABI, contractName: 'Pay', sourceId: 'contracts/Pay.vy' };
    assert.deepEqual(contractsOf('.build/Pay.json', older), [['Pay', 'contracts/Pay.vy', ...ITEMS]]);
  });

  it('leave the `.build` of other tools alone', async () => {
    const files = { '.build/__local__.json': JSON.stringify(manifest), 'Package.swift': '' };
    assert.deepEqual((await indexProject(files)).contracts, []);
  });

  it('have the newest deployment of each contract', () => {
    const [newest, older] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];
    const map = { '1': { Pay: [newest, older] }, dev: { Pay: [older] } };
    const { deployments } = factsOf('build/deployments/map.json', map);
    assert.deepEqual(pick(deployments, 'chainId', 'address', 'contract'), [['1', newest, 'Pay']]);
    const artifact = {
      ...{ abi: ABI, contractName: 'Pay', sourcePath: 'contracts/Pay.vy' },
      deployment: { address: newest, chainid: 1, blockHeight: 77 },
    };
    const facts = factsOf(`build/deployments/1/${newest}.json`, artifact);
    assert.deepEqual(pick(facts.deployments, 'chainId', 'address', 'contract', 'block'), [
      ['1', newest, 'Pay', 77n],
    ]);
  });
});

describe('deployments of hardhat-deploy 2', () => {
  const hash = `0x${'cd'.repeat(32)}`;
  const address = `0x${'11'.repeat(20)}`;
  const deployment = {
    ...{ address, abi: ABI, transaction: { hash, nonce: '0x0', origin: address } },
    ...{ receipt: { blockNumber: '0x10', transactionIndex: '0x0' }, argsData: '0x', metadata: '{}' },
  };
  const expected = [
    { chainId: '424242', address, contract: 'Pay', block: 16n, transaction: hash, commit: undefined },
  ];

  it('are on the chain that `.chain` names, or `.chainId` of the first version', () => {
    const path = 'deployments/staging/Pay.json';
    for (const chain of ['{"chainId":"424242","genesisHash":"0xab"}', '{"chainId":424242}', '424242\n']) {
      assert.deepEqual(factsOf(path, deployment, chain).deployments, expected);
    }
    for (const chain of ['{"chainId":', '{}', 'local', undefined]) {
      assert.deepEqual(factsOf(path, deployment, chain).deployments, []);
    }
  });

  it('follow a change of either file', async () => {
    const files = memoryProject({ 'deployments/staging/Pay.json': JSON.stringify(deployment) });
    const indexer = createProjectIndexer({ files, roots: [''], clock: systemClock });
    const chains = () => indexer.index.deployments.map(({ chainId }) => chainId);
    await indexer.update('all');
    assert.deepEqual(chains(), []);
    files.write('deployments/staging/.chainId', '5');
    await indexer.update(['deployments/staging/.chainId']);
    assert.deepEqual(chains(), ['5']);
    files.write('deployments/staging/.chain', '{"chainId":"424242"}');
    await indexer.update(['deployments/staging/.chain']);
    assert.deepEqual(chains(), ['424242']);
  });
});
