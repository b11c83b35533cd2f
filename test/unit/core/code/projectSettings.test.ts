import assert from 'node:assert/strict';
import { formatMessage } from '../../../../src/core/base/text.ts';
import { compareWithConfig } from '../../../../src/core/code/projectSettings.ts';
import { memoryProject } from '../../../support/memory.ts';
import { codeComparison } from '../../../support/projectFacts.ts';

const { contract } = codeComparison({});
const NOT_KNOWN = 'Whether compiler settings have changed since the build is not known.';

/** Metadata as forge 1.7 and Hardhat write it. */
const metadata = (settings: object = {}, version = '0.8.28') =>
  JSON.stringify({
    compiler: { version: `${version}+commit.7893614a` },
    settings: {
      ...{
        evmVersion: 'prague',
        optimizer: { enabled: false, runs: 200 },
        remappings: ['dep/=lib/dep/src/'],
      },
      ...settings,
    },
    sources: {},
  });
const optimized = (runs = 200) => ({ optimizer: { enabled: true, runs } });

async function compare(
  texts: Readonly<Record<string, string>>,
  built: string | undefined,
  tool: 'foundry' | 'hardhat',
) {
  const changes = await compareWithConfig({ contract, tool, metadata: built }, memoryProject(texts));
  return Object.values(changes).map(formatMessage).join(' ');
}
const foundry = (toml: string, built = metadata(), more: Readonly<Record<string, string>> = {}) =>
  compare({ 'foundry.toml': `[profile.default]\n${toml}`, ...more }, built, 'foundry');
const hardhat = (solidity: string, built = metadata()) =>
  compare({ 'hardhat.config.ts': `export default { solidity: ${solidity} }` }, built, 'hardhat');
const changed = (name: string, from: unknown, to: unknown) =>
  `${name} has changed since the build, from ${from} to ${to}. Compile again.`;

describe('settings of a build', () => {
  it('are those of foundry.toml', async () => {
    const same: readonly (readonly [toml: string, built?: string])[] = [
      [''],
      ['', metadata(optimized())],
      ['solc = "0.8"'],
      ['solc = "0.8.28"'],
      ['optimizer = true', metadata(optimized())],
      ['optimizer_runs = 999', metadata(optimized(999))],
      ['optimizer-runs = 999\nvia-ir = true', metadata({ ...optimized(999), viaIR: true })],
      ['optimizer = true', metadata({ optimizer: { runs: 200, details: { yul: false } } })],
      ['optimizer = false\noptimizer_runs = 999'],
      ['evm_version = "Prague"'],
      ['evm_version = "prague"', metadata({ evmVersion: 'paris' }, '0.8.19')],
      ['evm_version = "later"'],
      ['remappings = ["dep=./lib/dep/src"]'],
      [
        'additional_compiler_profiles = [{ name = "a", via_ir = true }]',
        metadata({ ...optimized(), viaIR: true }),
      ],
      ['[profile.ci]\noptimizer_runs = 10_000'],
    ];
    for (const [toml, built] of same) assert.equal(await foundry(toml, built), '', `${toml} ${built}`);
  });

  it('are older than foundry.toml where it names others', async () => {
    const others: readonly (readonly [toml: string, reason: string, built?: string])[] = [
      ['solc = "0.8.30"', changed('compiler', '0.8.28', '0.8.30')],
      ['optimizer = true', changed('optimizer.enabled', false, true)],
      ['optimizer_runs = 999', changed('optimizer.enabled', false, true)],
      ['optimizer_runs = 999', changed('optimizer.runs', 200, 999), metadata(optimized())],
      ['', changed('optimizer.runs', 999, 200), metadata(optimized(999))],
      ['evm_version = "cancun"', changed('evmVersion', 'prague', 'cancun')],
      ['via_ir = true', changed('viaIR', false, true)],
      ['', changed('viaIR', true, false), metadata({ viaIR: true })],
      ['remappings = ["dep/=lib/dep2/src/"]', changed('dep/', 'lib/dep/src', 'lib/dep2/src')],
    ];
    for (const [toml, reason, built] of others) assert.equal(await foundry(toml, built), reason, toml);
    const remappings = { 'remappings.txt': 'dep/=lib/new/\n' };
    assert.equal(await foundry('', metadata(), remappings), changed('dep/', 'lib/dep/src', 'lib/new'));
  });

  it('may be those of another profile', async () => {
    const toml = '[profile.release]\noptimizer_runs = 10_000\n';
    assert.equal(
      await foundry(toml, metadata(optimized(10_000))),
      'The build has the settings of the profile release, not of default. Which profile counts is not known.',
    );
    assert.equal(await foundry(toml, metadata(optimized(5))), changed('optimizer.runs', 5, 200));
  });

  it('are those of hardhat.config, as far as it is written there', async () => {
    const settings = '{ optimizer: { enabled: true, runs: 999 }, evmVersion: "prague", viaIR: false }';
    const built = metadata(optimized(999));
    const compilers = `{ compilers: [{ version: "0.6.12" }, { version: "0.8.28", settings: ${settings} }] }`;
    const profiles = `{ profiles: { default: { version: "0.8.28" }, production: { version: "0.8.28", settings: ${settings} } } }`;
    for (const solidity of ['"0.8.28"', `{ version: "0.8.28", settings: ${settings} }`, compilers, profiles])
      assert.equal(await hardhat(solidity, built), '', solidity);
    assert.equal(await hardhat('"0.8.30"', built), changed('compiler', '0.8.28', '0.8.30'));
    for (const solidity of [`{ version: "0.8.28", settings: ${settings} }`, compilers])
      assert.equal(await hardhat(solidity, metadata(optimized(5))), changed('optimizer.runs', 5, 999));
    const overrides = `{ compilers: [{ version: "0.8.20" }], overrides: { "contracts/A.sol": { version: "0.8.28" } } }`;
    assert.equal(await hardhat(overrides, built), '');
    assert.equal(await compare({ 'hardhat.config.js': 'module.exports = {};' }, built, 'hardhat'), '');
  });

  it('are not known where a program or a broken file decides', async () => {
    for (const solidity of [
      'load()',
      '{ version: VERSION }',
      '{ compilers: [...others] }',
      '{ version: "0.8.28", settings: makeSettings() }',
    ])
      assert.equal(await hardhat(solidity), NOT_KNOWN, solidity);
    assert.equal(await foundry('optimizer ='), NOT_KNOWN);
    assert.equal(await foundry('extends = "missing.toml"'), NOT_KNOWN);
  });

  it('are not compared without a configuration or metadata', async () => {
    assert.equal(await compare({}, metadata(), 'foundry'), '');
    assert.equal(await compare({}, metadata(), 'hardhat'), '');
    assert.equal(await foundry('solc = "0.8.30"', ''), '');
  });
});
