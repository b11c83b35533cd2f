import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { deployUpgrades, type UpgradedContracts } from '../../../localnet/upgrades/upgradedContracts.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import type { DecodedJson, Log } from '../../../src/core/index.ts';
import { runCli } from '../../support/runHeadless.ts';
import { findEmitter, getExpectedValues, plainValue } from '../../support/upgradedLogs.ts';
import { upgradedProject } from '../../support/upgradedProject.ts';

type Row = Pick<Log, 'topics' | 'data'> & {
  readonly blockNumber: `0x${string}`;
  readonly logIndex: `0x${string}`;
  readonly decoded: DecodedJson;
};

describe('headless logs of upgraded contracts', () => {
  let localnet: Localnet;
  let contracts: UpgradedContracts;
  const folders: string[] = [];

  before(async () => {
    localnet = await startLocalnet();
    contracts = await deployUpgrades(localnet.node);
    await localnet.catchUp();
  });
  after(async () => {
    await localnet.stop();
    for (const folder of folders) await removeFolder(folder);
  });

  async function rowsBy(files: Readonly<Record<string, string>>): Promise<readonly Row[]> {
    const folder = await mkdtemp(join(tmpdir(), 'chainside-upgrades-'));
    folders.push(folder);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const address = [...new Set(contracts.truth.map((one) => one.address))];
    const input = JSON.stringify({ address });
    const args = ['logs', '--query', '-', '--all', '--rpc', localnet.rpcUrl, '--decode', folder];
    const { code, stdout, stderr } = await runCli(args, { input });
    assert.equal(code, 0, stderr);
    const lines = stdout.trim().split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  /** The contracts whose logs stay raw; fails where one is wrong. */
  function judge(rows: readonly Row[]): readonly string[] {
    return rows.flatMap((row) => {
      const log = { ...row, blockNumber: BigInt(row.blockNumber), logIndex: Number(row.logIndex) } as Log &
        Row;
      const { contract } = findEmitter(contracts, log);
      if ('reason' in row.decoded) return [contract];
      const said = row.decoded.args.map(({ name, value }) => [name, plainValue(value)]);
      assert.deepEqual(Object.fromEntries(said), getExpectedValues(log, contract, contracts), contract);
      return [];
    });
  }

  it('are decoded by the version in force, which each row names', async () => {
    const rows = await rowsBy(upgradedProject(contracts));
    assert.equal(rows.length, contracts.truth.length);
    assert.deepEqual(judge(rows), ['LedgerV1', 'WalletV1', 'LedgerV1', 'WalletV1', 'RollingV2']);
    const vault = rows.findLast(({ decoded }) => 'name' in decoded && decoded.name === 'Deposited');
    const decoded = vault?.decoded ?? assert.fail('no row');
    const deployed = contracts.deployed.find(({ name }) => name === 'VaultV3');
    assert.ok('implementation' in decoded);
    assert.equal(decoded.implementation?.contract, 'VaultV3');
    assert.equal(decoded.implementation?.address, deployed?.address);
    assert.match(decoded.implementation?.since?.block ?? '', /^\d+$/);
  });

  it('are never wrong where the folder has what was built and not what was deployed', async () => {
    const deployments = contracts.deployed.map(({ name }) => name);
    const rows = await rowsBy(upgradedProject(contracts, { deployments }));
    const raw = judge(rows);
    assert.ok(raw.includes('VaultV1') && raw.includes('TradeFacetV2'));
    const reasons = rows.flatMap(({ decoded }) => ('reason' in decoded ? [decoded.reason] : []));
    assert.ok(reasons.every((reason) => / version /.test(reason)));
  });
});
