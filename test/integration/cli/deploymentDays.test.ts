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
    assert.equal(strict.code, 2);
    assert.match(parseLines(strict.stdout)[0].reasons[0], /^2 addresses are called \w+: 0x/);
    await write(
      'q.chainlog.json',
      JSON.stringify({ chainId: 31337, address: `${name}@${newest?.slice(0, 12)}` }),
    );
    assert.equal(parseLines((await check('--strict-names')).stdout)[0].state, 'ok');
  });

  it('takes a contract that a person chose for an address of its chain, which no code suggests', async () => {
    const node = createNodeRpc(anvil.url);
    const day = await startDay(node, 2, write, ['foundry']);
    await day.do('make');
    const [made, place] = [...day.truth].findLast((one) => one[1].name === 'Inner') ?? assert.fail();
    while (place.isKnown()) await day.do('edit the source');
    const [from] = (await node.call('eth_accounts', [])) as readonly string[];
    await node.call('eth_sendTransaction', [{ from, to: made, data: '0x5c36b186' }]);
    await node.call('evm_mine', []);
    const rpc = ['--rpc', anvil.url];
    const choose = (...labels: readonly object[]) =>
      write('.chainside/labels.json', JSON.stringify({ labels }));
    const list = async (...options: readonly string[]) => {
      const { stdout, stderr } = await runCli(['contracts', folder, ...options]);
      const deployments = parseLines(stdout).flatMap(({ deployment }) => deployment ?? []);
      const at = deployments.filter(({ address }) => address === made);
      return { stderr, at: at.map(({ contract, state, chainId }) => [contract, state, chainId]) };
    };
    const count = async () =>
      parseLines(
        (await runCli(['check', join(folder, 'q.chainlog.json'), ...rpc, '--format', 'json'])).stdout,
      )[0];
    const query = { chainId: 31337, address: `Inner@${made.slice(0, 12)}`, event: 'Pinged', fromBlock: 0 };
    await write('q.chainlog.json', JSON.stringify({ ...query, expect: { count: 1 } }));

    await choose({ address: made, contract: 'Inner', chainId: 1 });
    assert.deepEqual((await list(...rpc)).at, [['Inner', null, '1']]);
    assert.equal((await count()).state, 'invalid');
    await choose(
      { address: made, contract: 'Inner', chainId: 31337 },
      { address: made, contract: 'Vault', chainId: 31337 },
    );
    assert.deepEqual((await list()).at, [['Inner', null, '31337']]);
    assert.deepEqual((await list(...rpc)).at, [['Inner', 'unconfirmed', '31337']]);
    assert.equal((await count()).state, 'ok', JSON.stringify(await count()));
    const printed = await runCli(['read', made, 'count', ...rpc, '--dir', folder]);
    assert.equal(JSON.parse(printed.stdout).values?.[0].value, '1', printed.stderr);

    await choose(
      { address: made, contract: 'lib/Day.sol:Inner', chainId: 31337 },
      { address: '0x12', contract: 'Inner', chainId: 31337 },
    );
    const { stderr } = await list();
    assert.match(stderr, /labels\.json: The project has no contract lib\/Day\.sol:Inner\. Build it,/);
    await choose();
    assert.deepEqual((await list(...rpc)).at, []);
  });
});
