import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { mock } from 'node:test';
import { createActivity } from '../../../localnet/chain/activity.ts';
import type { DemoChain } from '../../../localnet/chain/demoChain.ts';
import { type Services, startServices } from '../../../localnet/services.ts';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { runCli } from '../../support/runCli.ts';

type Log = { blockNumber: string; logIndex: string; transactionHash: string; topics: string[] };

describe('localnet', () => {
  let localnet: Localnet;

  before(async () => {
    localnet = await startLocalnet();
  });
  after(() => localnet.stop());

  it('has a past of many blocks and logs, one block denser than a page', async () => {
    const logs = await logsOfNode({ fromBlock: '0x0', toBlock: 'latest' });
    const perBlock = new Map<string, number>();
    for (const { blockNumber } of logs) perBlock.set(blockNumber, (perBlock.get(blockNumber) ?? 0) + 1);
    assert.ok(logs.length >= 6000, `${logs.length} logs`);
    assert.ok(perBlock.size >= 300, `${perBlock.size} blocks with logs`);
    assert.ok(Math.max(...perBlock.values()) > 1000);
    assert.ok(perBlock.size < Number(await explorer('eth_blockNumber')), 'some blocks are empty');
  });

  it('knows balances as the node does: of accounts, of contracts, and none of untouched holders', async () => {
    const { accounts, contracts, holders } = localnet.chain;
    for (const address of [accounts.alice, accounts.deployer, contracts.usd.address]) {
      const onNode = await localnet.node.call('eth_getBalance', [address, 'latest']);
      assert.equal(await explorer('eth_getBalance', address, 'latest'), onNode);
    }
    await assert.rejects(explorer('eth_getBalance', holders[0], 'latest'), /Balance not found/);
  });

  it('mines at once what its work sends, and lets nothing else be sent meanwhile', async () => {
    const { alice, bob } = localnet.chain.accounts;
    const before = Number(await explorer('eth_blockNumber'));
    let others = Promise.resolve();
    await localnet.mineWhile(async () => {
      others = localnet.mine();
      const hash = await localnet.node.call('eth_sendTransaction', [{ from: alice, to: bob, value: '0x1' }]);
      // The node answers before it mines.
      while ((await localnet.node.call('eth_getTransactionReceipt', [hash])) === null);
    });
    await others;
    assert.equal(Number(await explorer('eth_blockNumber')), before + 2);
  });

  it('fails to start when the contracts are not deployed where they are said to be', async () => {
    await assert.rejects(startLocalnet({ deploy: async () => {} }), /Harbor Dollar is not at 0x/);
  });

  it('follows a reorganisation', async () => {
    await localnet.mine(2);
    await localnet.node.call('anvil_reorg', [2, []]);
    await localnet.catchUp();
    const head = Number(await explorer('eth_blockNumber'));
    const node = (await localnet.node.call('eth_getBlockByNumber', ['latest', false])) as { hash: string };
    assert.equal(localnet.index.blocksAt(head).find(({ consensus }) => consensus)?.hash, node.hash);
    assert.equal(localnet.index.highestOrphan()?.number, head);
  });

  describe('services around the local chain', () => {
    let other: Localnet;
    let services: Services;
    let blocks: number;

    const head = async () => Number(await other.node.call('eth_blockNumber', []));
    before(async () => {
      other = await startLocalnet({ blockSeconds: 3600 });
      const before = await head();
      services = await startServices(other);
      blocks = (await head()) - before;
    });
    after(async () => {
      await services?.stop();
      await other?.stop();
      for (const url of [other.anvilUrl, other.rpcUrl]) {
        assert.equal(await listens(Number(new URL(url).port)), false, `${url} is listening`);
      }
    });

    it('are around a chain that is the same on every start', async () => {
      assert.deepEqual(other.chain, localnet.chain);
      const past = { fromBlock: '0x0', toBlock: '0x18f' };
      const [mine, its] = await Promise.all(
        [localnet, other].map(async ({ node }) => (await node.call('eth_getLogs', [past])) as Log[]),
      );
      const essence = (logs: Log[] = []) =>
        logs.map(({ blockNumber, logIndex, topics }) => [blockNumber, logIndex, topics]);
      assert.deepEqual(essence(its), essence(mine));
    });

    it('come with a few blocks, the same on every start, of which the newest is not ahead of the clock', async () => {
      assert.equal(blocks, 11);
      const block = await other.node.call('eth_getBlockByNumber', ['latest', false]);
      const { timestamp } = block as { timestamp: string };
      assert.ok(Number(timestamp) <= Date.now() / 1000 + 1, `${timestamp} is ahead`);
    });

    it('tell of a contract that no project has, whoever is asked', async () => {
      const query = JSON.stringify({ address: services.verified.harbor });
      const args = ['logs', '--query', '-', '--rpc', other.rpcUrl, '--sourcify', services.sourcify.url];
      for (const source of ['explorer', 'sourcify']) {
        const { stdout } = await runCli([...args, '--sources', source], { input: query });
        assert.match(stdout.split('\n')[0] ?? '', /"name":"BerthPaid"/, source);
      }
    });

    it('have a gateway that takes its key', async () => {
      const rpc = services.gateway.rpcUrl(other.chain.chainId);
      const env = { LOCAL_KEY: services.gatewayKey };
      const key = ['--rpc-key-env', 'LOCAL_KEY', '--rpc-key-in', 'bearer'];
      const { stdout } = await runCli(['block', '--rpc', rpc, ...key], { env });
      assert.match(stdout, /^\{"block":"\d+"\}/);
      const { code } = await runCli(['block', '--rpc', rpc]);
      assert.equal(code, 3);
    });
  });

  async function explorer(method: string, ...params: unknown[]): Promise<unknown> {
    const response = await fetch(localnet.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const body = (await response.json()) as { result?: unknown; error?: unknown };
    if (body.error !== undefined) throw new Error(JSON.stringify(body.error));
    return body.result;
  }

  async function logsOfNode(filter: unknown): Promise<Log[]> {
    return (await localnet.node.call('eth_getLogs', [filter])) as Log[];
  }
});

describe('activity of the local chain', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  it('makes up for no block that a pause has left out', async () => {
    const address = '0x0000000000000000000000000000000000000001';
    const chain = {
      accounts: { deployer: address, alice: address },
      contracts: { usd: { address } },
    } as unknown as DemoChain;
    let mined = 0;
    const rpc = {
      async call(method: string) {
        if (method === 'evm_mine') mined++;
      },
      batch: async () => [],
    };
    const activity = createActivity(rpc, async () => '0x', chain);
    activity.mineEvery(5);
    await activity.pauseFor(async () => mock.timers.tick(600_000));
    await activity.stop();
    assert.equal(mined, 1);
  });
});

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
