import assert from 'node:assert/strict';
import { normalizePath, parseLayout, parseRemapping } from '../../../../src/core/project/layout.ts';
import { pick } from '../../../support/pick.ts';
import { readFacts } from '../../../support/projectFacts.ts';

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
const items = ['function ping() view', 'event Pinged(address indexed by)'];

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

const FACTORY = '0x1F98431c8aD98523631AE4a59f267346ea31F984';

describe('layout of a project', () => {
  it('takes the folders of all profiles', () => {
    const layout = parseLayout({
      foundryToml: `
        [profile.default]
        src = "./contracts/"
        libs = ["lib", "node_modules"]
        remappings = ["@oz/=lib/oz/contracts/", "lib/a:forge-std/=lib/forge-std/src/"]
        block_gas_limit = 18446744073709551615
        [profile.ci]
        out = 'out-ci'
        src = "contracts"
        [profile.lite]
        out = "lite/out"
        broadcast = "runs"
        [fmt]
        line_length = 100`,
    });
    assert.equal(layout.error, undefined);
    assert.deepEqual(layout.src, ['contracts']);
    assert.deepEqual(layout.out, ['out-ci', 'lite/out', 'out']);
    assert.deepEqual(layout.broadcast, ['runs', 'broadcast']);
    assert.deepEqual(layout.libs, ['lib', 'node_modules']);
    assert.deepEqual(layout.cache, ['cache']);
    assert.deepEqual(layout.remappings, [
      { context: undefined, prefix: '@oz/', target: 'lib/oz/contracts' },
      { context: 'lib/a', prefix: 'forge-std/', target: 'lib/forge-std/src' },
    ]);
  });

  it('leaves the folder of Foundry out where the default profile names another', () => {
    assert.deepEqual(parseLayout({ foundryToml: '[profile.default]\nout = "build"' }).out, ['build']);
    assert.deepEqual(parseLayout({ foundryToml: '[default]\nout = "build"' }).out, ['build']);
  });

  it('knows the folders of each tool, and takes those of all where there is none', () => {
    assert.deepEqual(parseLayout({ foundryToml: '' }).out, ['out']);
    assert.deepEqual(parseLayout({ hardhat: true }).out, ['artifacts']);
    assert.deepEqual(parseLayout({ truffle: true }).out, ['build/contracts']);
    assert.deepEqual(parseLayout({}).out, ['out', 'artifacts', 'build/contracts']);
    assert.deepEqual(parseLayout({ foundryToml: '', hardhat: true }).src, ['src', 'contracts']);
  });

  it('puts remappings.txt before what foundry.toml has', () => {
    const { remappings } = parseLayout({
      foundryToml: '[profile.default]\nremappings = ["a/=lib/b/"]',
      remappingsTxt: 'a/=lib/a/src/\r\n\nnothing\n ds-test/ = lib/ds-test/src \n',
    });
    assert.deepEqual(pick(remappings, 'prefix', 'target'), [
      ['a/', 'lib/a/src'],
      ['ds-test/', 'lib/ds-test/src'],
      ['a/', 'lib/b'],
    ]);
  });

  it('says in one line what is wrong, and goes on without the file', () => {
    const layout = parseLayout({ foundryToml: '[profile.default]\nsrc = "a\nout = 3' });
    assert.match(layout.error ?? '', /^Line 2: [^\n]+$/);
    assert.deepEqual(layout.out, ['out']);
    assert.match(parseLayout({ foundryToml: 'x'.repeat(300_000) }).error ?? '', /256 KiB/);
    assert.match(parseLayout({ foundryToml: `a = ${'['.repeat(5_000)}` }).error ?? '', /^Line 1/);
  });

  it('takes values of other types, and keys of the prototype, for none', () => {
    const layout = parseLayout({
      foundryToml: 'profile = 3\nlabels = 7\n[__proto__]\nout = "x"\n[tracing]\nlabels = ["a"]',
    });
    assert.equal(layout.error, undefined);
    assert.deepEqual(layout.out, ['out']);
    assert.deepEqual(layout.labels, []);
    assert.deepEqual(parseLayout({ foundryToml: '[profile.default]\nout = ["", "$OUT", 3]' }).out, []);
  });

  it('reads labels of the top and of profiles, by address', () => {
    const foundryToml = `
      [labels]
      ${FACTORY} = "Uniswap V3: Factory"
      0x12 = "too short"
      0x0000000000000000000000000000000000000002 = 3
      [profile.default.labels]
      0x0000000000000000000000000000000000000001 = "Ali\\u202Ece"
      [profile.ci.tracing.labels]
      0x0000000000000000000000000000000000000003 = "Carol"
      [tracing.labels]
      ${FACTORY} = "Uniswap V3: Factory"`;
    const { labels } = readFacts({ path: 'foundry.toml', text: foundryToml }, parseLayout({}));
    assert.deepEqual(labels, parseLayout({ foundryToml }).labels);
    assert.deepEqual(pick(labels, 'address', 'name', 'chainId'), [
      [FACTORY.toLowerCase(), 'Uniswap V3: Factory', undefined],
      ['0x0000000000000000000000000000000000000001', 'Ali<U+202E>ce', undefined],
      ['0x0000000000000000000000000000000000000003', 'Carol', undefined],
    ]);
  });
});

describe('paths of a configuration', () => {
  it('get one form', () => {
    assert.equal(normalizePath('./out//contracts/'), 'out/contracts');
    assert.equal(normalizePath('a\\b\\..\\c'), 'a/c');
    assert.equal(normalizePath('../../node_modules/'), '../../node_modules');
    assert.equal(normalizePath('.'), '');
    assert.equal(normalizePath('/opt/out'), '/opt/out');
    assert.equal(normalizePath(''), undefined);
    assert.equal(normalizePath('$HOME/out'), undefined);
    assert.equal(normalizePath('a'.repeat(2_000)), undefined);
  });

  it('are no remapping without prefix and target', () => {
    for (const text of ['', '=', '=lib', 'a', 'lib/a:=x', 'a/='])
      assert.equal(parseRemapping(text), undefined);
  });
});
