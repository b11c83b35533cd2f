import assert from 'node:assert/strict';
import { createProjectIndexer, parseFoundryEndpoints, systemClock } from '../../../../src/core/index.ts';
import { readFoundryConfig } from '../../../../src/core/project/foundryExtends.ts';
import { parseLayout } from '../../../../src/core/project/layout.ts';
import { memoryProject } from '../../../support/memory.ts';
import { pick } from '../../../support/pick.ts';

const BASE = `
[profile.default]
src = "sources"
libs = ["dependencies"]
remappings = ["@dep/=dependencies/dep-1.0.0/src/"]
[labels]
"0x1111111111111111111111111111111111111111" = "Treasury"
[rpc_endpoints]
local = "http://127.0.0.1:8545"
`;
const extending = (value: string) => `[profile.default]\nextends = ${value}\nlibs = ["lib"]\nsrc = "own"\n`;

function readConfig(files: Readonly<Record<string, string>>, path = 'packages/pay/foundry.toml') {
  const asked: string[] = [];
  const read = async (other: string) => {
    asked.push(other);
    return files[other];
  };
  return { asked, config: readFoundryConfig(path, files[path] ?? '', read) };
}

describe('foundry.toml that extends another file', () => {
  it('has the settings, labels and endpoints of both, and its own first', async () => {
    const files = {
      'packages/pay/foundry.toml': extending('"../../base.toml"'),
      'base.toml': BASE,
    };
    const { toml, error } = await readConfig(files).config;
    const layout = parseLayout({ foundryToml: toml });
    assert.equal(error, undefined);
    assert.deepEqual([layout.src, layout.libs], [['own'], ['dependencies', 'lib']]);
    assert.deepEqual(pick(layout.remappings, 'prefix', 'target'), [['@dep/', 'dependencies/dep-1.0.0/src']]);
    assert.deepEqual(pick(layout.labels, 'name'), ['Treasury']);
    assert.deepEqual(parseFoundryEndpoints(toml), [{ alias: 'local', template: 'http://127.0.0.1:8545' }]);
  });

  it('joins lists unless the strategy is another', async () => {
    const libsWith = async (value: string) => {
      const files = { 'foundry.toml': extending(value), 'base.toml': BASE };
      const { toml } = await readConfig(files, 'foundry.toml').config;
      return parseLayout({ foundryToml: toml }).libs;
    };
    const table = (strategy: string) => `{ path = "./base.toml", strategy = "${strategy}" }`;
    assert.deepEqual(await libsWith('{ path = "base.toml" }'), ['dependencies', 'lib']);
    assert.deepEqual(await libsWith(table('extend-arrays')), ['dependencies', 'lib']);
    assert.deepEqual(await libsWith(table('replace-arrays')), ['lib']);
    assert.deepEqual(await libsWith(table('no-collision')), ['lib']);
  });

  it('says in one line which file it does not read, and why', async () => {
    const cases = [
      ['"../../../other.toml"', 'is outside of the workspace and not read'],
      ['"/etc/base.toml"', 'is outside of the workspace and not read'],
      ['"$HOME/base.toml"', 'is not a path'],
      ['"missing.toml"', 'does not exist'],
      ['"foundry.toml"', 'extends it in turn, or is extended twice'],
      ['"bad.toml"', 'is invalid: Line 1: Invalid TOML document'],
    ] as const;
    for (const [value, reason] of cases) {
      const files = {
        'packages/pay/foundry.toml': extending(value),
        'packages/pay/bad.toml': '= 1',
      };
      const { asked, config } = readConfig(files);
      const { toml, error = '' } = await config;
      assert.ok(error.includes(`which ${reason}`), error);
      assert.ok(!error.includes('\n'));
      assert.deepEqual(parseLayout({ foundryToml: toml }).src, ['own']);
      assert.ok(asked.every((path) => path.startsWith('packages/pay/')));
    }
  });

  it('ends where files extend each other in a circle or in a long chain', async () => {
    const circle = {
      'packages/pay/foundry.toml': '[profile.default]\nextends = "../../a.toml"',
      'a.toml': '[profile.default]\nextends = "packages/pay/foundry.toml"\nout = "artefacts"',
    };
    const { toml, error } = await readConfig(circle).config;
    assert.match(error ?? '', /extends it in turn/);
    assert.deepEqual(parseLayout({ foundryToml: toml }).out, ['artefacts']);
    const chain = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`${index}.toml`, extending(`"${index + 1}.toml"`)]),
    );
    const { asked, config } = readConfig(chain, '0.toml');
    assert.match((await config).error ?? '', /is one file too many/);
    assert.ok(asked.length < 10);
  });

  it('counts for the index, which follows changes of the extended file', async () => {
    const files = memoryProject({
      'packages/pay/foundry.toml': '[profile.default]\nextends = "../../foundry.base.toml"\n',
      'packages/pay/dependencies/dep-1.0.0/src/Kind.sol': 'type Kind is uint128;\ncontract DepOnly {}',
      'packages/pay/sources/Pay.sol':
        'import {Kind} from "@dep/Kind.sol";\ncontract Pay { event Paid(Kind kind); }',
      'foundry.base.toml': BASE,
    });
    const indexer = createProjectIndexer({ files, roots: [''], clock: systemClock });
    await indexer.update('all');
    const contracts = () => indexer.index.contracts.map(({ name, abi }) => [name, ...abi]);
    const labels = () => indexer.index.labels.map(({ name }) => name);
    assert.deepEqual([contracts(), labels()], [[['Pay', 'event Paid(uint128 kind)']], ['Treasury']]);
    files.write('foundry.base.toml', BASE.replace('Treasury', 'Safe'));
    await indexer.update(['foundry.base.toml']);
    assert.deepEqual(labels(), ['Safe']);
    files.write('foundry.base.toml', undefined);
    await indexer.update(['foundry.base.toml']);
    assert.deepEqual(indexer.skipped[0], {
      path: 'packages/pay/foundry.toml',
      reason: 'It extends ../../foundry.base.toml, which does not exist.',
    });
  });
});
