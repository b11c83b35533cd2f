import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { compile, toFoundryFiles } from '../../support/codeProject.ts';
import { runCli } from '../../support/runCli.ts';
import { writeFiles } from '../../support/writeFiles.ts';

const LIBRARY =
  'pragma solidity ^0.8.0; library Math { function half(uint256 a) internal pure returns (uint256) { return a / 2; } }';
const SIMPLE = `pragma solidity ^0.8.0;
import "./Math.sol";
contract Simple { uint256 public total; function pay(uint256 a) external { if (a > 5) total += Math.half(a); } }
`;
const SOURCES = { 'src/Math.sol': LIBRARY, 'src/Simple.sol': SIMPLE };
/** Without a hash no other settings are proven, which takes long to try. */
const UNHASHED = { metadata: { bytecodeHash: 'none' } };
const ADDRESS = '0x00000000000000000000000000000000000d0001';
const OTHER = '0x00000000000000000000000000000000000d0002';

describe('a build that is older than its sources', () => {
  let anvil: Anvil;
  let folder: string;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    const node = createNodeRpc(anvil.url);
    const codeOf = (sources: typeof SOURCES, settings?: object) =>
      `0x${compile(sources, settings).contracts['src/Simple.sol']?.Simple?.evm.deployedBytecode.object}`;
    await node.call('anvil_setCode', [ADDRESS, codeOf(SOURCES)]);
    await node.call('anvil_setCode', [
      OTHER,
      codeOf({ ...SOURCES, 'src/Simple.sol': SIMPLE.replace('a > 5', 'a > 4') }, UNHASHED),
    ]);
  });
  after(() => anvil.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-outdated-'));
    const check = (address: string) =>
      JSON.stringify({ chainId: 31337, code: { contract: 'Simple', address } });
    await writeFiles(folder, {
      ...toFoundryFiles(SOURCES, compile(SOURCES)),
      'foundry.toml': '[profile.default]\n',
      'queries/same.chainlog.json': check(ADDRESS),
      'queries/other.chainlog.json': check(OTHER),
    });
  });
  afterEach(() => removeFolder(folder));

  async function compare(address: string, ...options: readonly string[]) {
    const args = ['code', address, ...options, '--dir', folder, '--rpc', anvil.url];
    const { code, stdout } = await runCli(args);
    return { exit: code, ...JSON.parse(stdout) };
  }
  async function check(name: string, ...options: readonly string[]) {
    const path = join(folder, `queries/${name}.chainlog.json`);
    const { code, stdout } = await runCli(['check', path, ...options, '--dir', folder, '--rpc', anvil.url]);
    return { exit: code, ...JSON.parse(stdout.split('\n')[0] ?? '') };
  }

  const CHANGES: readonly (readonly [what: string, change: () => Promise<unknown>, reason: RegExp])[] = [
    [
      'its own source',
      () => writeFiles(folder, { 'src/Simple.sol': SIMPLE.replace('a > 5', 'a > 4') }),
      /^src\/Simple\.sol has changed since the build\. Compile again\.$/,
    ],
    [
      'an imported source',
      () => writeFiles(folder, { 'src/Math.sol': LIBRARY.replace('/ 2', '/ 3') }),
      /^src\/Math\.sol has changed since the build\. Compile again\.$/,
    ],
    [
      'an imported source that was deleted',
      () => rm(join(folder, 'src/Math.sol')),
      /^src\/Math\.sol was deleted since the build\. Compile again\.$/,
    ],
    [
      'its own source that was deleted',
      () => rm(join(folder, 'src/Simple.sol')),
      /^src\/Simple\.sol was deleted since the build\. Compile again\.$/,
    ],
    [
      'all of its sources',
      () => rm(join(folder, 'src'), { recursive: true }),
      /^src\/Math\.sol and 1 more sources have changed since the build\. Compile again\.$/,
    ],
    [
      'the settings in foundry.toml',
      () => writeFiles(folder, { 'foundry.toml': '[profile.default]\noptimizer_runs = 999\n' }),
      /^optimizer\.\w+ has changed since the build, from \w+ to \w+\. Compile again\.$/,
    ],
  ];
  for (const [what, change, reason] of CHANGES) {
    it(`holds for no verdict after a change of ${what}`, async () => {
      assert.deepEqual(pickVerdict(await compare(ADDRESS, '--contract', 'Simple')), [0, 'exact', undefined]);
      assert.deepEqual([(await check('same')).state, (await check('other')).state], ['ok', 'differs']);
      await change();
      for (const options of [['--contract', 'Simple'], []]) {
        const compared = await compare(ADDRESS, ...options);
        assert.deepEqual(pickVerdict(compared).slice(0, 2), [1, 'unknown']);
        assert.match(compared.reasons[0], reason);
      }
      for (const name of ['same', 'other']) {
        const { exit, state, reasons } = await check(name);
        assert.deepEqual([exit, state], [1, 'incomplete']);
        assert.match(reasons[0], reason);
      }
    });
  }

  it('holds with a reason where its settings are those of another profile', async () => {
    const toml = '[profile.default]\noptimizer_runs = 999\n[profile.release]\noptimizer_runs = 200\n';
    await writeFiles(folder, { 'foundry.toml': toml });
    const compared = await compare(ADDRESS, '--contract', 'Simple');
    assert.deepEqual([compared.exit, compared.match], [0, 'exact']);
    assert.match(
      compared.reasons.at(-1),
      /^The build has the settings of the profile release, not of default\./,
    );
    const { state, reasons } = await check('same', '--strict');
    assert.deepEqual([state, reasons], ['incomplete', compared.reasons]);
  });

  it('holds where sources of another contract are new, and in lines that end as on Windows', async () => {
    await writeFiles(folder, {
      'src/New.sol': 'pragma solidity ^0.8.0; contract New { uint256 public x; }',
      'src/Simple.sol': SIMPLE.replaceAll('\n', '\r\n'),
    });
    assert.deepEqual(pickVerdict(await compare(ADDRESS, '--contract', 'Simple')), [0, 'exact', undefined]);
    const { exit, match, reasons } = await compare(ADDRESS, '--contract', 'New');
    assert.deepEqual([exit, match], [3, 'unknown']);
    assert.match(reasons[0], /no build of New\. Compile the project/);
  });
});

const pickVerdict = ({ exit, match, reasons }: Awaited<ReturnType<typeof JSON.parse>>) => [
  exit,
  match,
  reasons[0],
];
