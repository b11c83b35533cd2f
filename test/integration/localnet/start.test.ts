import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { mock } from 'node:test';
import { createActivity } from '../../../localnet/chain/activity.ts';
import type { DemoChain } from '../../../localnet/chain/demoChain.ts';
import { type Services, startServices } from '../../../localnet/services.ts';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { runCli } from '../../support/runCli.ts';

type Log = { blockNumber: string; logIndex: string; transactionHash: string; topics: string[] };

const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const zeroTopic = `0x${'0'.repeat(64)}`;

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

  it('has batch transfers, mints and burns', async () => {
    const { items, badge } = localnet.chain.contracts;
    const all = { fromBlock: '0x0', toBlock: 'latest' };
    assert.notEqual((await logsOfNode({ ...all, address: items.address, topics: [batchTopic] })).length, 0);
    const transfers = await logsOfNode({ ...all, address: badge.address, topics: [transferTopic] });
    assert.ok(transfers.some(({ topics }) => topics[1] === zeroTopic));
    assert.ok(transfers.some(({ topics }) => topics[2] === zeroTopic));
  });

  it('is the same on every start, and leaves nothing listening when it stops', async () => {
    const other = await startLocalnet({ blockSeconds: 3600 });
    try {
      assert.deepEqual(other.chain, localnet.chain);
      const essence = (logs: Log[]) =>
        logs.map(({ blockNumber, logIndex, topics }) => [blockNumber, logIndex, topics]);
      const all = { fromBlock: '0x0', toBlock: '0x18f' };
      const [mine, its] = [await logsOfNode(all), (await other.node.call('eth_getLogs', [all])) as Log[]];
      assert.deepEqual(essence(its), essence(mine));
    } finally {
      await other.stop();
    }
    for (const url of [other.anvilUrl, other.rpcUrl]) {
      assert.equal(await listens(Number(new URL(url).port)), false, url);
    }
  });

  it('shows through the explorer, page by page, exactly what the node has', async () => {
    const filter = { address: localnet.chain.contracts.usd.address, fromBlock: '0x0', toBlock: 'latest' };
    const key = ({ blockNumber, logIndex, transactionHash }: Log) =>
      `${blockNumber} ${logIndex} ${transactionHash}`;
    const paged: Log[] = [];
    for (;;) {
      const last = paged.at(-1);
      const cursor = last && {
        ...{ blockNumber: last.blockNumber.slice(2), logIndex: last.logIndex.slice(2) },
        transactionIndex: 0,
      };
      const page = (await explorer('eth_getLogs', {
        ...filter,
        ...(cursor && { paging_options: cursor }),
      })) as Log[];
      paged.push(...page);
      if (page.length < 1000) break;
    }
    assert.deepEqual(paged.map(key), (await logsOfNode(filter)).map(key));
  });

  it('knows balances as the node does: of accounts, of contracts, and none of untouched holders', async () => {
    const { accounts, contracts, holders } = localnet.chain;
    for (const address of [accounts.alice, accounts.deployer, contracts.usd.address]) {
      const onNode = await localnet.node.call('eth_getBalance', [address, 'latest']);
      assert.equal(await explorer('eth_getBalance', address, 'latest'), onNode);
    }
    await assert.rejects(explorer('eth_getBalance', holders[0], 'latest'), /Balance not found/);
  });

  it('follows new blocks', async () => {
    const before = Number(await explorer('eth_blockNumber'));
    await localnet.mine(3);
    assert.equal(Number(await explorer('eth_blockNumber')), before + 3);
    const fromBlock = `0x${(before + 1).toString(16)}`;
    const filter = { address: localnet.chain.contracts.usd.address, fromBlock, toBlock: 'latest' };
    assert.equal(((await explorer('eth_getLogs', filter)) as Log[]).length, 3);
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

  it('changes its dialect while it runs', async () => {
    localnet.setDialect('v12');
    await assert.rejects(explorer('eth_mining'), /-32601/);
    localnet.setDialect('v11.2');
    await assert.rejects(explorer('eth_mining'), /Action not found/);
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

describe('services around the local chain', () => {
  let localnet: Localnet;
  let services: Services;
  let blocks: number;

  const head = async () => Number(await localnet.node.call('eth_blockNumber', []));
  before(async () => {
    localnet = await startLocalnet({ blockSeconds: 3600 });
    const before = await head();
    services = await startServices(localnet);
    blocks = (await head()) - before;
  });
  after(async () => {
    await services?.stop();
    await localnet?.stop();
  });

  it('come with a few blocks, the same on every start, of which the newest is not ahead of the clock', async () => {
    assert.equal(blocks, 11);
    const block = await localnet.node.call('eth_getBlockByNumber', ['latest', false]);
    const { timestamp } = block as { timestamp: string };
    assert.ok(Number(timestamp) <= Date.now() / 1000 + 1, `${timestamp} is ahead`);
  });

  it('tell of a contract that no project has, whoever is asked', async () => {
    const query = JSON.stringify({ address: services.verified.harbor });
    const args = ['logs', '--query', '-', '--rpc', localnet.rpcUrl, '--sourcify', services.sourcify.url];
    for (const source of ['explorer', 'sourcify']) {
      const { stdout } = await runCli([...args, '--sources', source], { input: query });
      assert.match(stdout.split('\n')[0] ?? '', /"name":"BerthPaid"/, source);
    }
  });

  it('have a gateway that takes its key', async () => {
    const rpc = services.gateway.rpcUrl(localnet.chain.chainId);
    const env = { LOCAL_KEY: services.gatewayKey };
    const key = ['--rpc-key-env', 'LOCAL_KEY', '--rpc-key-in', 'bearer'];
    const { stdout } = await runCli(['block', '--rpc', rpc, ...key], { env });
    assert.match(stdout, /^\{"block":"\d+"\}/);
    const { code } = await runCli(['block', '--rpc', rpc]);
    assert.equal(code, 1);
  });
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
