import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import {
  type Address,
  createChainClient,
  findAddressesByName,
  type Hex,
  listNameEntries,
  type Network,
  systemClock,
} from '../../../../src/core/index.ts';
import { createDeploymentChecks } from '../../../../src/host/contracts/deploymentChecks.ts';
import { checkDeployments } from '../../../../src/host/contracts/queryDeployment.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { memoryContracts } from '../../../support/host/memoryFiles.ts';
import { contractFacts, deploymentFacts, toAddress } from '../../../support/projectFacts.ts';
import { anyNetwork } from '../../../support/stubs.ts';

const CHAIN = 31337;
/** Code that returns 42. */
const CREATION = '0x600a600c600039600a6000f3602a60005260206000f3';
const GONE: Address = `0x${'dead'.repeat(10)}`;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('deployments on a chain of another machine', () => {
  useDialogs();
  let anvil: Anvil;
  let older: Address;
  let newer: Address;
  const hashes: Hex[] = [];
  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    [older, newer] = [await create(), await create()];
  });
  after(() => anvil.stop());

  async function create(): Promise<Address> {
    const node = createNodeRpc(anvil.url);
    const [from] = (await node.call('eth_accounts', [])) as readonly Address[];
    const hash = (await node.call('eth_sendTransaction', [{ from, data: CREATION }])) as Hex;
    await node.call('evm_mine', []);
    hashes.push(hash);
    return ((await node.call('eth_getTransactionReceipt', [hash])) as { contractAddress: Address })
      .contractAddress;
  }

  function open({ isChosen = true, fails = '' } = {}) {
    const network: Network = { ...anyNetwork(CHAIN), rpcUrl: 'https://node.example/' };
    let sent = 0;
    const count: typeof fetch = (...args) => {
      sent++;
      const body = String(args[1]?.body);
      const error = { code: -32000, message: 'Not now' };
      const { id = 1 } = body.startsWith('{') ? JSON.parse(body) : {};
      return fails !== '' && body.includes(fails)
        ? Promise.resolve(Response.json({ jsonrpc: '2.0', id, error }))
        : fetch(...args);
    };
    const client = createChainClient({ url: anvil.url, fetch: count, clock: systemClock });
    const connection = { client, network, signal: new AbortController().signal };
    const moved = new EventEmitter<{ network: Network }>();
    const session = { isChosen, network, connection, onDidChange: moved.event };
    const contracts = {
      ...memoryContracts(),
      dispose: () => undefined,
      files: { list: async () => [], read: async () => undefined, stat: async () => undefined },
    };
    const deployment = (address: Address, transaction: Hex | undefined, time?: number) =>
      deploymentFacts({
        ...{ chainId: String(CHAIN), contract: 'Token', address, transaction },
        ...(time !== undefined && { time }),
      });
    contracts.put('broadcast/run-latest.json', {
      deployments: [deployment(older, hashes[0], 1000), deployment(GONE, `0x${'1'.repeat(64)}`, 2000)],
    });
    // Hardhat's records have no times.
    contracts.put('deployments/node/Token.json', { deployments: [deployment(newer, hashes[1])] });
    const head = { state: {}, onDidChange: new EventEmitter<void>().event, read: async () => undefined };
    const checks = createDeploymentChecks({
      ...{ contracts, head, clock: systemClock, log: { debug: () => undefined } },
      session: session as never,
    });
    return {
      ...{ checks, contracts, moved, network },
      deps: { session, contracts, checkDeployments: checks.checkChosen } as never,
      find: () => findAddressesByName('Token', listNameEntries(contracts.known ?? assert.fail(), CHAIN)),
      get sent() {
        return sent;
      },
    };
  }

  it('are checked with what a user asks of them, and not before', async () => {
    const opened = open();
    const { checks, contracts, find } = opened;
    try {
      contracts.put('a.json', {});
      assert.deepEqual([find().length > 1, opened.sent], [true, 0]);
      await checks.checkChosen([]);
      await checks.checkChosen([`0x${'77'.repeat(20)}`]);
      assert.equal(opened.sent, 0);
      await checks.checkChosen([older]);
      assert.deepEqual(find(), [newer]);
      const states = contracts.known?.deploymentRecords.map(({ address, state }) => [address, state]);
      assert.deepEqual(
        new Map(states as never),
        new Map([
          [older, 'current'],
          [newer, 'current'],
          [GONE, 'missing'],
        ]),
      );
      const { sent } = opened;
      await checks.checkChosen([newer]);
      assert.equal(opened.sent, sent);
      // A build leaves what was found, and another record asks for another check.
      contracts.put('out/Token.json', {
        contracts: [contractFacts('Token', { abi: ['function total() view'] })],
      });
      await settled();
      assert.deepEqual(find(), [newer]);
      contracts.put('broadcast/other.json', {
        deployments: [deploymentFacts({ chainId: String(CHAIN), address: toAddress('8') })],
      });
      await settled();
      assert.ok(find().length > 1);
      await checks.checkChosen([newer]);
      assert.deepEqual(find(), [newer]);
      const other = { ...opened.network, rpcUrl: 'https://other.example/', chainId: 5 };
      opened.moved.fire({ network: other });
      assert.ok(find().length > 1);
    } finally {
      checks.dispose();
    }
  });

  it('are offered without those that the chain lacks, the newest first', async () => {
    const opened = open();
    const choose = [older, GONE, newer].map((address) => {
      return { address, chainId: CHAIN, contractName: 'Token', block: undefined };
    });
    const found = await checkDeployments(choose, opened.deps);
    assert.deepEqual(
      found.map(({ address, block }) => [address, block]),
      [
        [newer, 2n],
        [older, 1n],
      ],
    );
    opened.checks.dispose();
  });

  it('are taken as files have them where the server does not answer, which is not asked again at once', async () => {
    const opened = open({ fails: 'eth_getCode' });
    await opened.checks.checkChosen([older]);
    const { sent } = opened;
    assert.ok(sent > 0 && opened.find().length > 1);
    await opened.checks.checkChosen([older]);
    assert.equal(opened.sent, sent);
    opened.checks.dispose();
  });

  it('get no request where no network is chosen', async () => {
    const opened = open({ isChosen: false });
    await opened.checks.checkChosen([older]);
    assert.equal(opened.sent, 0);
    opened.checks.dispose();
  });
});
