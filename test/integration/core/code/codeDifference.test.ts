import assert from 'node:assert/strict';
import { createTimeSlices } from '../../../../src/core/base/timeSlices.ts';
import { explainDifference } from '../../../../src/core/code/codeDifference.ts';
import { type Hex, systemClock } from '../../../../src/core/index.ts';
import { createBuildReader } from '../../../../src/core/traces/readBuilds.ts';
import { createEditedContract } from '../../../support/codeEdits.ts';
import {
  type CompiledContract,
  compile,
  listContracts,
  toFoundryFiles,
} from '../../../support/codeProject.ts';
import { runs } from '../../../support/fullRun.ts';
import { memoryProject } from '../../../support/memory.ts';

/** Compiled at once: a start of the compiler takes longer than a contract. */
const BATCH = 10;
/** Here a modifier and a function that uses it are edited where they meet. */
const MODIFIER_SEEDS = [269, 412, 499, 738, 958];
/** The optimizer may write what a change leaves as it is in another way. */
const MIN_RIGHT_OPTIMIZED = 0.98;
const UNHASHED = { metadata: { bytecodeHash: 'none' } };

describe('functions whose code differs', () => {
  async function explain(
    sources: { readonly local: string; readonly deployed: string },
    settings: object,
    name = 'Vault',
  ) {
    const texts = { 'src/Local.sol': sources.local, 'src/Deployed.sol': sources.deployed };
    return explainCompiled(texts, compile(texts, { ...UNHASHED, ...settings }), { at: '', name });
  }

  async function explainCompiled(
    texts: Readonly<Record<string, string>>,
    compiled: ReturnType<typeof compile>,
    { at, name }: { readonly at: string | number; readonly name: string },
  ) {
    const source = `src/Local${at}.sol`;
    const contract = listContracts(compiled).find((one) => one.source === source && one.name === name);
    const builds = createBuildReader(memoryProject(toFoundryFiles(texts, compiled)));
    const build = contract && (await builds.read(contract));
    const deployed = compiled.contracts[`src/Deployed${at}.sol`]?.[name];
    if (!build || !deployed) throw new Error(`There is no ${name}.`);
    return explainDifference(
      build,
      { code: fill(deployed), offset: 0 },
      { slices: createTimeSlices(systemClock) },
    );
  }

  /** With values of immutable variables. */
  function fill({ evm }: CompiledContract): Hex {
    let { object: code } = evm.deployedBytecode;
    for (const [index, places] of Object.values(evm.deployedBytecode.immutableReferences).entries()) {
      const value = String(index + 3)
        .repeat(40)
        .slice(0, 40)
        .padStart(64, '0');
      for (const { start } of places) code = code.slice(0, 2 * start) + value + code.slice(2 * start + 64);
    }
    return `0x${code}`;
  }

  for (const enabled of [false, true]) {
    it(`are those that were edited, or at least these: ${enabled ? 'optimized' : 'not optimized'}`, async function () {
      this.timeout(3_600_000);
      const count = runs(200);
      const all = [...Array(count).keys(), ...(enabled ? [] : MODIFIER_SEEDS)];
      const wrong: string[] = [];
      let complete = 0;
      for (let first = 0; first < all.length; first += BATCH) {
        const seeds = all.slice(first, first + BATCH);
        const contracts = seeds.map((seed) => createEditedContract(seed, { hasSharedEdits: !enabled }));
        const texts = Object.fromEntries(
          contracts.flatMap(({ local, deployed }, at) => [
            [`src/Local${at}.sol`, local],
            [`src/Deployed${at}.sol`, deployed],
          ]),
        );
        const compiled = compile(texts, { ...UNHASHED, optimizer: { enabled, runs: 200 } });
        for (const [at, seed] of seeds.entries()) {
          const { functions, isPartial } = await explainCompiled(texts, compiled, { at, name: 'Vault' });
          const edited = contracts[at]?.edited ?? [];
          const names = functions.map(({ name }) => name);
          const isRight = isPartial
            ? names.every((name) => edited.includes(name))
            : String([...names].sort()) === String(edited);
          if (!isRight) wrong.push(`seed ${seed}: edited ${edited.join()}, found ${names.join()}`);
          if (!isPartial && seed < count) complete++;
        }
      }
      const maxWrong = enabled ? Math.ceil(count * (1 - MIN_RIGHT_OPTIMIZED)) : 0;
      assert.ok(wrong.length <= maxWrong, wrong.join('\n'));
      assert.ok(complete >= count * (enabled ? 0.3 : 0.8), `${complete} of ${count}`);
    });
  }

  const vault = (quote: string, variable = '') => `pragma solidity ^0.8.0; contract Vault {
  uint256 public total; ${variable} uint256 public fee; mapping(address => uint256) balances;
  function pay(uint256 a) external { balances[msg.sender] += a; total += a; }
  function setFee(uint256 a) external { require(a < 900, "Too high"); fee = a; }
  function quote(uint256 a) public view returns (uint256) { ${quote} }
  function twice(uint256 a) external view returns (uint256) { return quote(a) * 2; }
}`;

  it('are all that use variables which moved, and no others', async () => {
    const sources = {
      local: vault('return a * fee / 10000;', 'address guardian;'),
      deployed: vault('return a * fee / 10000;'),
    };
    const { functions, isPartial } = await explain(sources, { optimizer: { enabled: false } });
    assert.deepEqual(functions.map(({ name }) => name).sort(), [
      'Vault.pay',
      'Vault.quote',
      'Vault.setFee',
      'fee',
    ]);
    assert.equal(isPartial, false);
  });

  const factory = ({
    first = 'total = first + amount;',
    second = 'total = second + amount;',
    names = ['add', 'remove'],
    child = 'x = 5;',
    created = 'Child',
    more = '',
  }) => `pragma solidity ^0.8.0; contract Child { uint256 x; function set() external { ${child} } }
contract Other { uint256 x; function set() external { x = 8; } }
contract Vault { uint256 public total; address child; uint256 immutable first; uint256 immutable second;
  constructor(uint256 one, uint256 other) { first = one; second = other; }
  function ${names[0]}(uint256 amount) external { ${first} }
  function ${names[1]}(uint256 amount) external { ${second} }
  function both() external view returns (uint256) { return first * second; }
  function make() external { child = address(new ${created}()); }
  function makeOther() external { total = 9; child = address(new Other()); child = address(new Child()); }
  ${more}
}`;

  for (const [change, deployed] of Object.entries({
    'a created contract': factory({ child: 'x = 6;' }),
    'which contract is created': factory({ created: 'Other' }),
    'an immutable variable': factory({ second: 'total = first + amount;' }),
    'the names of functions': factory({ names: ['remove', 'add'] }),
    'a new function without a name': factory({ more: 'fallback() external { total = 7; }' }),
  })) {
    for (const enabled of [false, true]) {
      it(`are at least these if the change is ${change}: ${enabled ? 'optimized' : 'not optimized'}`, async () => {
        const sources = { local: factory({}), deployed };
        const { isPartial } = await explain(sources, { optimizer: { enabled, runs: 200 } });
        assert.equal(isPartial, true);
      });
    }
  }

  it('are none if the functions are in another order', async () => {
    const last = 'function last() external { total *= 3; }';
    const sources = {
      local: factory({ more: last }),
      deployed: factory({ more: '' }).replace('function add', `${last} function add`),
    };
    const { functions, isPartial } = await explain(sources, { optimizer: { enabled: false } });
    assert.deepEqual([functions, isPartial], [[], false]);
  });

  it('are at least these with code by Yul, and without a source map', async () => {
    const sources = {
      local: vault('return a * fee / 10001;'),
      deployed: vault('require(a > 4); return a * fee / 10000;'),
    };
    const { functions, isPartial } = await explain(sources, { viaIR: true });
    assert.deepEqual([functions.map(({ name }) => name), isPartial], [['Vault.quote'], true]);
    const texts = { 'src/Local.sol': sources.local, 'src/Deployed.sol': sources.deployed };
    const compiled = compile(texts, UNHASHED);
    const files = toFoundryFiles(texts, compiled);
    const path = 'out/Local.sol/Vault.json';
    const artifact = JSON.parse(files[path] ?? '{}');
    artifact.deployedBytecode.sourceMap = '';
    const [contract] = listContracts(compiled).filter(({ source }) => source === 'src/Local.sol');
    const builds = createBuildReader(memoryProject({ ...files, [path]: JSON.stringify(artifact) }));
    const build = contract && (await builds.read(contract));
    const deployed = compiled.contracts['src/Deployed.sol']?.Vault;
    assert.ok(build && deployed);
    const slices = createTimeSlices(systemClock);
    const found = await explainDifference(build, { code: fill(deployed), offset: 0 }, { slices });
    assert.deepEqual([found.functions, found.isPartial], [[], true]);
  });
});
