import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { startDay } from '../../support/deploymentDay.ts';
import { parseLines, runCli } from '../../support/runCli.ts';

describe('headless on a chain that was started anew', () => {
  let anvil: Anvil;
  let folder: string;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    folder = await mkdtemp(join(tmpdir(), 'chainside-day-'));
  });
  after(async () => {
    await anvil.stop();
    await removeFolder(folder);
  });

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };

  it('names what is there, and takes the newest deployment of a name', async () => {
    const day = await startDay(createNodeRpc(anvil.url), 1, write, ['foundry']);
    await day.do('run', 'upgrade', 'restart, edit the script and run', 'run', 'call');
    const rpc = ['--rpc', anvil.url];
    const listed = parseLines((await runCli(['contracts', folder, ...rpc])).stdout);
    const deployments = listed.flatMap(({ deployment }) => deployment ?? []);
    const found = deployments.filter(({ state }) => state === 'current');
    assert.deepEqual(
      found.map(({ address, contract }) => [address, contract]),
      [...day.truth].map(([address, { name }]) => [address, name]).sort(),
    );
    assert.ok(deployments.some(({ state }) => state === 'missing' || state === 'replaced'));
    const unchecked = parseLines((await runCli(['contracts', folder])).stdout);
    assert.ok(unchecked.some(({ deployment }) => deployment?.state === 'older'));

    // The script ran twice on this chain: each name has two addresses.
    const names = [...new Set([...day.truth.values()].map(({ name }) => name))].filter((name) => {
      return [...day.truth.values()].filter((one) => one.name === name).length === 2 && !/^Vault/.test(name);
    });
    const [name] = names;
    assert.ok(name, 'no name of two deployments');
    const newest = [...day.truth].findLast((place) => place[1].name === name)?.[0];
    await write(
      'q.chainlog.json',
      JSON.stringify({ chainId: 31337, address: name, fromBlock: 0, toBlock: 1 }),
    );
    const check = (...options: readonly string[]) =>
      runCli(['check', join(folder, 'q.chainlog.json'), ...rpc, '--format', 'json', ...options]);
    const [taken] = parseLines((await check()).stdout);
    assert.equal(taken.state, 'ok', JSON.stringify(taken));
    assert.deepEqual(taken.names, [{ name, address: newest, deployments: 2 }]);
    const strict = await check('--strict-names');
    assert.equal(strict.code, 1);
    assert.match(parseLines(strict.stdout)[0].reasons[0], /^2 addresses are called \w+: 0x/);
    await write(
      'q.chainlog.json',
      JSON.stringify({ chainId: 31337, address: `${name}@${newest?.slice(0, 12)}` }),
    );
    assert.equal(parseLines((await check('--strict-names')).stdout)[0].state, 'ok');
  });
});
