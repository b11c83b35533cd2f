import assert from 'node:assert/strict';
import { compareAbis } from '../../../../src/core/code/abiChanges.ts';
import { compareBuilds, readBuildFacts } from '../../../../src/core/code/buildChanges.ts';
import {
  compareSettings,
  hasSameSources,
  parseCompilerMetadata,
} from '../../../../src/core/code/compilerSettings.ts';
import { pick } from '../../../support/pick.ts';

const metadata = (settings: object, sources: object = {}, version = '0.8.30+commit.73712a01') =>
  JSON.stringify({
    compiler: { version },
    language: 'Solidity',
    output: { abi: [{ type: 'function', name: 'get', inputs: [], outputs: [], stateMutability: 'view' }] },
    settings: { compilationTarget: { 'a.sol': 'A' }, ...settings },
    sources,
  });
const parse = (text: string) => parseCompilerMetadata(text) ?? assert.fail('no metadata');

describe('what changes between two builds', () => {
  it('lists items that were added, removed or changed', () => {
    const before = [
      'function get(uint256 id) view returns (uint256 amount)',
      'function set(uint256 id)',
      'event Paid(address indexed by, uint256 amount)',
      'error Low(uint256 have)',
    ];
    const after = [
      'function get(uint256 other) view returns (uint128 amount)',
      'function set(uint128 id)',
      'event Paid(address by, uint256 amount)',
      'error Low(uint256 had)',
    ];
    assert.deepEqual(pick(compareAbis(before, after), 'kind', 'before', 'after'), [
      ['removed', before[1], undefined],
      ['changed', before[2], after[2]],
      ['changed', before[0], after[0]],
      ['added', undefined, after[1]],
    ]);
    assert.deepEqual(compareAbis(before, before), []);
  });

  it('puts settings side by side', () => {
    const one = parse(metadata({ optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' }));
    const other = parse(
      metadata({ optimizer: { enabled: true, runs: 999 }, evmVersion: 'cancun', viaIR: true }, {}, '0.8.30'),
    );
    const compared = compareSettings(one.settings, other.settings);
    assert.deepEqual(
      compared.filter(({ isSame }) => !isSame).map((each) => [each.name, each.local, each.deployed]),
      [
        ['optimizer.runs', '200', '999'],
        ['viaIR', 'false', 'true'],
      ],
    );
    const compiler = compared.find(({ name }) => name === 'compiler');
    assert.deepEqual([compiler?.isSame, compiler?.isDefault], [true, false]);
    const hash = compared.find(({ name }) => name === 'metadata.bytecodeHash');
    assert.deepEqual([hash?.local, hash?.isDefault], ['ipfs', true]);
  });

  it('takes the order of remappings as no difference', () => {
    const one = parse(metadata({ remappings: ['a=b', 'c=d'] }));
    const other = parse(metadata({ remappings: ['c=d', 'a=b'] }));
    assert.equal(
      compareSettings(one.settings, other.settings).every(({ isSame }) => isSame),
      true,
    );
  });

  it('proves the same sources by their hashes, whatever their paths are', () => {
    const [a, b] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`];
    const sources = (...pairs: readonly (readonly [string, string])[]) =>
      parse(metadata({}, Object.fromEntries(pairs.map(([path, keccak256]) => [path, { keccak256 }]))));
    const local = sources(['src/A.sol', a], ['src/B.sol', b]);
    assert.equal(hasSameSources(local, sources(['project/src/B.sol', b], ['project/src/A.sol', a])), true);
    assert.equal(hasSameSources(local, sources(['src/A.sol', a])), false);
    assert.equal(hasSameSources(local, sources(['src/A.sol', a], ['src/B.sol', a])), false);
    assert.equal(hasSameSources(sources(), sources()), false);
  });

  it('says what is missing', () => {
    const layout = { storage: [], types: {} };
    const local = readBuildFacts({ metadata: metadata({}), layout });
    assert.deepEqual(local.abi, ['function get() view']);
    const known = compareBuilds(local, local);
    assert.deepEqual([known.missing, known.storage, known.abi], [[], [], []]);
    const unknown = compareBuilds(readBuildFacts({ metadata: undefined, layout: undefined }), undefined);
    assert.deepEqual([unknown.settings, unknown.abi, unknown.storage], [undefined, undefined, undefined]);
    assert.equal(unknown.missing.length, 3);
  });

  it('takes broken metadata as missing and bounds what it reads', () => {
    for (const broken of ['', 'null', '[]', '{}', '{"compiler":5}', undefined, 7, 'x'.repeat(100)]) {
      assert.equal(parseCompilerMetadata(broken), undefined);
    }
    const settings = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, '\u202Ex']));
    const parsed = parse(metadata(settings));
    assert.equal(parsed.settings.size, 100);
    assert.equal(
      [...parsed.settings.values()].some((value) => value.includes('\u202E')),
      false,
    );
  });
});
