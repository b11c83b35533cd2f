import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../scripts/support/script.ts';
import { runCli } from '../../support/runCli.ts';
import { startUpgradedVault, type UpgradedVault } from '../../support/upgradedVault.ts';

describe('a proxy that was upgraded, on the command line', () => {
  let vault: UpgradedVault;
  let folder: string;

  before(async () => {
    vault = await startUpgradedVault();
    folder = await mkdtemp(join(tmpdir(), 'chainside-vault-'));
    await vault.writeProject(folder);
  });
  after(async () => {
    await vault.stop();
    await removeFolder(folder);
  });

  async function run(...args: readonly string[]) {
    const { stdout } = await runCli([...args, '--rpc', vault.url, '--dir', folder]);
    return JSON.parse(stdout.trim());
  }
  const readIn = async (block: number, name: string) => {
    const { error, values } = await run('read', 'VaultProxy', name, '--block', String(block));
    return error ? error.message : values[0].value;
  };

  it('has the functions of the version in the block that is read', async () => {
    const { created, upgraded } = vault;
    assert.deepEqual([await readIn(created, 'fee'), await readIn(upgraded, 'fee')], ['50', '60']);
    assert.equal(await readIn(upgraded, 'paused'), true);
    assert.equal(await readIn(created, 'paused'), `Block ${created} runs Vault, which has no paused.`);
    assert.equal(await readIn(upgraded, 'legacy'), `Block ${upgraded} runs VaultV2, which has no legacy.`);
    const missing = /^There is no contract at 0x\w{40} in block 1\.$/;
    assert.match(await readIn(1, 'paused'), missing);
    assert.match(await readIn(1, 'fee'), missing);
  });

  it('tells agents the same', async () => {
    const input = { contract: 'VaultProxy', function: 'paused', block: String(vault.created) };
    const { error } = await run('ask', 'read_contract', JSON.stringify(input));
    assert.equal(error.message, `Block ${vault.created} runs Vault, which has no paused.`);
  });

  it('has calls and errors of the version in the block of a transaction', async () => {
    for (const name of ['Vault', 'VaultV2'] as const) {
      const { call, failure, summary } = await run('transaction', vault.failed[name]);
      const file = `src/${name}.sol`;
      assert.deepEqual([call.from, failure.meaning.from], [file, file]);
      const most = name === 'Vault' ? 5 : 9;
      assert.equal(summary, `Failed: TooMuch(10, ${most}) in VaultProxy.withdraw(10)`);
    }
  });
});
