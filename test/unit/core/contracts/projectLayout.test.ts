import assert from 'node:assert/strict';
import { normalizePath, parseLayout, parseRemapping } from '../../../../src/core/project/layout.ts';
import { readFacts } from '../../../../src/core/project/readers/readFacts.ts';

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
    assert.equal(layout.problem, undefined);
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
    assert.deepEqual(
      remappings.map(({ prefix, target }) => [prefix, target]),
      [
        ['a/', 'lib/a/src'],
        ['ds-test/', 'lib/ds-test/src'],
        ['a/', 'lib/b'],
      ],
    );
  });

  it('says in one line what is wrong, and goes on without the file', () => {
    const layout = parseLayout({ foundryToml: '[profile.default]\nsrc = "a\nout = 3' });
    assert.match(layout.problem ?? '', /^Line 2: [^\n]+$/);
    assert.deepEqual(layout.out, ['out']);
    assert.match(parseLayout({ foundryToml: 'x'.repeat(300_000) }).problem ?? '', /256 KiB/);
    assert.match(parseLayout({ foundryToml: `a = ${'['.repeat(5_000)}` }).problem ?? '', /^Line 1/);
  });

  it('takes values of other types, and keys of the prototype, for none', () => {
    const layout = parseLayout({
      foundryToml: 'profile = 3\nlabels = 7\n[__proto__]\nout = "x"\n[tracing]\nlabels = ["a"]',
    });
    assert.equal(layout.problem, undefined);
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
    assert.deepEqual(
      labels.map(({ address, name, chainId }) => [address, name, chainId]),
      [
        [FACTORY.toLowerCase(), 'Uniswap V3: Factory', undefined],
        ['0x0000000000000000000000000000000000000001', 'Ali<U+202E>ce', undefined],
        ['0x0000000000000000000000000000000000000003', 'Carol', undefined],
      ],
    );
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
