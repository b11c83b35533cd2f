import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Address } from 'ox';
import type { Localnet } from '../../../localnet/start.ts';
import { run } from '../../../scripts/support/childProcess.ts';
import { startWithSample } from '../../../scripts/support/demo/sampleWorkspace.ts';
import { hasForge, ownEnvironment } from '../../../scripts/support/foundry/forge.ts';
import { runCli } from '../../support/runCli.ts';

interface Broadcast {
  readonly transactions: readonly {
    readonly hash: string;
    readonly contractName: string;
    readonly contractAddress: string;
  }[];
}

/** EIP-1967: `Upgraded(address)`. */
const upgradedTopic = '0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b';

describe('the sample workspace', () => {
  let folder: string;
  let localnet: Localnet;
  const text = (...path: readonly string[]) => readFile(join(folder, ...path), 'utf8');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-sample-'));
    localnet = await startWithSample(folder);
  });
  after(async () => {
    await localnet.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('names addresses of the local chain alone, with their checksum', async () => {
    const { accounts, contracts, holders } = localnet.chain;
    const known = new Set<string>([
      ...Object.values(accounts),
      ...holders,
      ...Object.values(contracts).map(({ address }) => address),
    ]);
    const files = [...globSync('{src,script}/*.{sol,ts}', { cwd: folder }), ...['foundry.toml', 'README.md']];
    // The address of forge's cheat codes, which is on no chain.
    const cheats = '0x7109709ECfa91a80626fF3989D68f67F5b1DD12D';
    const found = new Set<string>();
    for (const file of files) {
      for (const [address] of (await text(file)).matchAll(/0x[0-9a-fA-F]{40}\b/g)) {
        assert.ok(Address.validate(address), `${address} in ${file}`);
        if (address !== cheats) found.add(address);
      }
    }
    assert.ok(found.size >= 8);
    for (const address of found) {
      if (known.has(address) || !hasForge()) continue;
      assert.notEqual(await localnet.node.call('eth_getCode', [address, 'latest']), '0x', address);
    }
  });

  it('has a README whose links lead to files', async () => {
    const targets = [...(await text('README.md')).matchAll(/\]\(([^)]+)\)/g)].map(
      ([, target = '']) => target,
    );
    assert.ok(targets.includes('src/Rewards.sol'));
    for (const target of targets) assert.notEqual(await text(target), '', target);
  });

  // Where npm has no forge the project is without its output, and the network has deployed itself.
  if (hasForge()) {
    it('knows the contracts of the chain by their deployments', async () => {
      const { transactions }: Broadcast = JSON.parse(
        await text('broadcast', 'Deploy.s.sol', '31337', 'run-latest.json'),
      );
      for (const { address } of Object.values(localnet.chain.contracts)) {
        const deployed = transactions.find(
          ({ contractAddress }) => contractAddress === address.toLowerCase(),
        );
        const receipt = await localnet.node.call('eth_getTransactionReceipt', [deployed?.hash]);
        assert.equal((receipt as { contractAddress: string }).contractAddress, address.toLowerCase());
      }
    });

    it('has queries whose answers are complete and as their files expect, by each server of the network', async () => {
      const files = globSync('queries/*', { cwd: folder }).map((file) => join(folder, file));
      assert.ok(files.length > 0);
      for (const url of [localnet.rpcUrl, localnet.anvilUrl, localnet.portal.rpcUrl]) {
        const { code, stdout, stderr } = await runCli([
          ...['check', ...files, '--rpc', url, '--chain-id', '31337'],
        ]);
        assert.equal(code, 0, stderr);
        assert.equal(stdout.trim().split('\n').length, files.length);
        assert.match(stdout, /"state":"ok"/);
      }
    });

    it('has a past on the chain that the explorer shows, with an upgrade in it', async () => {
      const logs = localnet.node.call('eth_getLogs', [
        { fromBlock: '0x0', toBlock: 'latest', topics: [upgradedTopic] },
      ]);
      assert.equal(((await logs) as unknown[]).length, 2);
      const { stdout } = await runCli(['block', '--rpc', localnet.rpcUrl]);
      assert.equal(Number(JSON.parse(stdout).block), Number(await localnet.node.call('eth_blockNumber', [])));
    });

    it('is a git repository with nothing left to commit', async () => {
      const git = (...args: string[]) => run('git', args, { cwd: folder, env: ownEnvironment() });
      assert.equal(await git('status', '--porcelain'), '');
      assert.equal((await git('rev-list', '--count', 'HEAD')).trim(), '2');
    });
  }
});
