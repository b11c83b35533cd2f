import assert from 'node:assert/strict';
import { parseLayout } from '../../../../src/core/project/layout.ts';
import { readFacts } from '../../../../src/core/project/readers/readFacts.ts';

const layout = parseLayout({});
const abi = [
  { type: 'constructor', inputs: [], stateMutability: 'nonpayable' },
  { type: 'function', name: 'ping', inputs: [], outputs: [], stateMutability: 'view' },
  {
    type: 'event',
    name: 'Pinged',
    anonymous: false,
    inputs: [{ name: 'by', type: 'address', indexed: true, internalType: 'address' }],
  },
];
const items = ['function ping()', 'event Pinged(address indexed by)'];

const contractIn = (path: string, json: unknown) => {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const { contracts, ...others } = readFacts({ path, text }, layout);
  assert.equal(contracts.length, 1);
  return { ...contracts[0], ...others };
};

const forge = (more: object = {}) => ({
  abi,
  bytecode: { object: '0x60', sourceMap: '1:2:3;', linkReferences: {} },
  deployedBytecode: { object: '0x60', immutableReferences: { 12: [{ start: 1, length: 32 }] } },
  methodIdentifiers: { 'ping()': '5c36b186' },
  rawMetadata: '{"compiler":{"version":"0.8.30"},"x":"\\\\"}',
  metadata: {
    compiler: { version: '0.8.30' },
    output: { abi: [], devdoc: { title: 'compilationTarget' } },
    settings: { remappings: ['a=b'], compilationTarget: { 'src/Ping.sol': 'Ping' } },
    sources: {},
  },
  id: 3,
  ...more,
});

describe('artifact of Foundry', () => {
  it('has name and source from its metadata', () => {
    const { name, source, line, abi: found } = contractIn('out/Ping.sol/Ping.json', forge());
    assert.deepEqual([name, source, line, found], ['Ping', 'src/Ping.sol', undefined, items]);
  });

  it('is named by its file without metadata, whatever follows the name', () => {
    const plain = forge({
      metadata: undefined,
      rawMetadata: undefined,
      ast: { absolutePath: 'src/P.sol', nodes: [] },
    });
    const { name, source } = contractIn('out/Ping.sol/Ping.0.8.30.json', plain);
    assert.deepEqual([name, source], ['Ping', 'src/P.sol']);
  });

  it('is read up to its metadata', () => {
    const text = JSON.stringify(forge());
    const cut = `${text.slice(0, text.indexOf('"id"'))}"ast":{"nodes":[[[[`;
    assert.equal(contractIn('out/Ping.sol/Ping.json', cut).source, 'src/Ping.sol');
  });

  it('may have nothing in it', () => {
    assert.deepEqual(contractIn('out/Lib.sol/Lib.json', { abi: [], bytecode: {} }).abi, []);
  });

  it('is found in the folders of other profiles', () => {
    const ci = parseLayout({ foundryToml: '[profile.ci]\nout = "ci/out"' });
    const file = { path: 'ci/out/Ping.sol/Ping.json', text: JSON.stringify(forge()) };
    assert.equal(readFacts(file, ci).contracts.length, 1);
  });
});

describe('artifact of Hardhat', () => {
  const artifact = (format: string, more: object = {}) => ({
    _format: format,
    contractName: 'Ping',
    sourceName: 'contracts/Ping.sol',
    abi,
    bytecode: '0x60',
    deployedBytecode: '0x60',
    linkReferences: {},
    deployedLinkReferences: {},
    ...more,
  });

  it('has name and source from its own members', () => {
    for (const json of [
      artifact('hh-sol-artifact-1'),
      artifact('hh3-artifact-1', {
        inputSourceName: 'project/contracts/Ping.sol',
        buildInfoId: 'solc-0_8_30-1',
      }),
    ]) {
      const { name, source, abi: found } = contractIn('artifacts/contracts/Ping.sol/Ping.json', json);
      assert.deepEqual([name, source, found], ['Ping', 'contracts/Ping.sol', items]);
    }
  });

  it('is found in a folder that only the configuration names', () => {
    const path = 'packages/a/compiled/contracts/Ping.sol/Ping.json';
    assert.equal(contractIn(path, artifact('hh-sol-artifact-1')).name, 'Ping');
  });
});

describe('what is read of a broken artifact', () => {
  const path = 'out/Ping.sol/Ping.json';
  const fails = (text: string, message: RegExp) =>
    assert.throws(() => readFacts({ path, text }, layout), { kind: 'badInput', message });

  it('is one line that says what is wrong', () => {
    const text = JSON.stringify(forge({ metadata: undefined }));
    for (const length of [0, 1, 5, 40, 300, text.length - 1]) {
      fails(text.slice(0, length), /^It is not valid JSON, at character \d+\.$/);
    }
    for (const broken of [
      'nothing',
      '{"abi": [1,, 2]}',
      '{"abi" []}',
      '{"a":1 "b":2}',
      '{"a":}',
      '{,}',
      '{"abi":[{]}',
    ]) {
      fails(broken, /^It is not valid JSON, at character \d+\.$/);
    }
  });

  it('is nothing from lists and objects without end', () => {
    fails(`{"abi": ${'['.repeat(200_000)}`, /^It is nested more than 10,000 deep\.$/);
    fails(`{"abi": ${'['.repeat(100)}`, /^It is not valid JSON/);
    fails(`{"abi": ${'['.repeat(100)}${']'.repeat(100)}}`, /^It is nested more than 64 deep\.$/);
    const withTree = (levels: number) =>
      `{"ast": ${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}, "abi": []}`;
    assert.equal(contractIn(path, withTree(10_000)).name, 'Ping');
    fails(withTree(10_001), /^It is nested more than 10,000 deep\.$/);
  });

  it('does not reach a prototype', () => {
    const text =
      '{"__proto__": {"abi": [1]}, "constructor": {"abi": 3}, "abi": [{"__proto__": {"type": "event"}}, null]}';
    const { abi: found, deployments, labels } = contractIn(path, text);
    assert.deepEqual([found, deployments, labels], [[], [], []]);
    assert.equal(({} as { abi?: unknown }).abi, undefined);
  });

  it('is nothing from JSON of another kind', () => {
    for (const text of ['{}', '{"abi": 3}', '{"abi": {"a": 1}}', '{"id": "a", "output": {}}']) {
      assert.deepEqual(readFacts({ path, text }, layout), { contracts: [], deployments: [], labels: [] });
    }
  });

  it('has names that are safe to show, of bounded length', () => {
    const { name, source } = contractIn('artifacts/A.json', {
      contractName: `\u202e${'A'.repeat(500)}`,
      sourceName: `a\u0000${'b'.repeat(100)}`,
      abi: [],
    });
    assert.match(name ?? '', /^<U\+202E>A{120}…$/);
    assert.match(source ?? '', /^a<U\+0000>b{100}$/);
  });
});
