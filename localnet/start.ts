import { type Activity, createActivity } from './chain/activity.ts';
import { type Anvil, startAnvil } from './chain/anvil.ts';
import { assertDeployed, type DemoChain, deployDemoChain, describeDemoChain } from './chain/demoChain.ts';
import { historySeconds, makeHistory } from './chain/history.ts';
import { createNodeRpc, type NodeRpc, NodeRpcError } from './chain/nodeRpc.ts';
import { createSend } from './chain/transactions.ts';
import { type DataApiServer, startDataApi } from './dataApi/server.ts';
import type { ForwardedAnswer } from './explorer/dialect.ts';
import { type DialectName, defaultDialect } from './explorer/dialects.ts';
import type { RateLimit } from './explorer/rateLimiter.ts';
import { type ExplorerServer, startExplorer } from './explorer/server.ts';
import { type ChainFollower, followChain } from './index/chainFollower.ts';
import { type PortalServer, startPortal } from './portal/server.ts';
import { createVerifiedRegistry, type VerifiedRegistry } from './verified/registry.ts';

export type LocalnetOptions = {
  /** Release whose dialect the explorer speaks. */
  readonly dialect?: DialectName;
  /** A new block each so many seconds; 0, the default, mines only when told. */
  readonly blockSeconds?: number;
  /** Ports to listen on; 0 or absent takes a free one. */
  readonly ports?: {
    readonly anvil?: number;
    readonly explorer?: number;
    readonly dataApi?: number;
    readonly portal?: number;
  };
  /** Limit of the explorer. Default none. */
  readonly rateLimit?: RateLimit;
  /**
   * Deploys the contracts to the node at `url` in the place of localnet's own code: the same in the same order from
   * the same account, or the start fails. What comes after them is its own affair.
   */
  readonly deploy?: (url: string) => Promise<void>;
};

export type Localnet = {
  /** The node itself, in a node's own dialect. */
  readonly anvilUrl: string;
  /** The explorer's JSON-RPC. */
  readonly rpcUrl: string;
  readonly explorer: ExplorerServer;
  readonly dataApi: DataApiServer;
  /** The same chain, streamed. */
  readonly portal: PortalServer;
  readonly chain: DemoChain;
  /** What the explorer has indexed of the chain, for servers beside it. */
  readonly index: ChainFollower['index'];
  /** Calls the node, for servers beside the explorer and for tests. */
  readonly node: NodeRpc;
  /** What the explorer has verified: nothing at first. */
  readonly verified: VerifiedRegistry;
  /** Mines blocks with a transfer or two in each; resolves when the explorer knows them. */
  mine(blocks?: number): Promise<void>;
  /** Mines what `work` sends, and waits for, the moment it is sent; resolves when the explorer knows it. */
  mineWhile(work: (url: string) => Promise<void>): Promise<void>;
  /** Does `work`, which mines what it sends, while nothing is mined from here; resolves when the explorer knows it. */
  pauseFor(work: () => Promise<void>): Promise<void>;
  /** Resolves when the explorer knows everything that the node has by now. */
  catchUp(): Promise<void>;
  setDialect(name: DialectName): void;
  /** Ends the node and every server. Safe to call twice. */
  stop(): Promise<void>;
};

/** Starts a node with contracts and a past, an explorer that follows it, and a data API beside that. */
export async function startLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const started: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(part: T): T => {
    started.push(part);
    return part;
  };
  const stop = async (): Promise<void> => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    return { ...(await startParts(options, keep)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  { dialect = defaultDialect, blockSeconds = 0, ports = {}, rateLimit, deploy }: LocalnetOptions,
  keep: <T extends { stop(): Promise<void> }>(part: T) => T,
): Promise<Omit<Localnet, 'stop'>> {
  const genesisTime = Math.floor(Date.now() / 1000) - historySeconds;
  const anvil: Anvil = keep(await startAnvil({ port: ports.anvil ?? 0, genesisTime }));
  const node = createNodeRpc(anvil.url);
  const send = createSend(node);
  const chain = await describeDemoChain(node);
  if (deploy === undefined) {
    await deployDemoChain(send, chain.accounts.deployer);
  } else {
    await mineAtOnce(node, () => deploy(anvil.url));
    await assertDeployed(node, chain);
  }
  await makeHistory(node, chain);

  const verified = createVerifiedRegistry();
  const follower = keep(await followChain(node));
  const explorer = keep(
    await startExplorer({
      ...{ index: follower.index, dialect, port: ports.explorer ?? 0 },
      ...(rateLimit && { rateLimit }),
      verified: { registry: verified, chainId: chain.chainId },
      forward: (method, params) => forwardTo(node, method, params),
    }),
  );
  const dataApi = keep(await startDataApi({ index: follower.index, node, port: ports.dataApi ?? 0 }));
  const portal = keep(
    await startPortal({
      ...{ index: follower.index, chainId: chain.chainId, port: ports.portal ?? 0 },
      timestampOf: (number) => timestampOf(node, number),
    }),
  );
  const activity: Activity = keep(createActivity(node, send, chain));
  if (blockSeconds > 0) activity.mineEvery(blockSeconds);
  const pauseFor: Localnet['pauseFor'] = async (work) => {
    await activity.pauseFor(work);
    await follower.catchUp();
  };

  return {
    ...{
      anvilUrl: anvil.url,
      rpcUrl: explorer.rpcUrl,
      explorer,
      dataApi,
      portal,
      chain,
      index: follower.index,
      node,
      verified,
    },
    async mine(blocks) {
      await activity.mine(blocks);
      await follower.catchUp();
    },
    mineWhile: (work) => pauseFor(() => mineAtOnce(node, () => work(anvil.url))),
    pauseFor,
    catchUp: () => follower.catchUp(),
    setDialect: (name) => explorer.setDialect(name),
  };
}

async function timestampOf(node: NodeRpc, number: number): Promise<number> {
  const block = await node.call('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
  return Number((block as { timestamp: string }).timestamp);
}

async function mineAtOnce(node: NodeRpc, work: () => Promise<void>): Promise<void> {
  await node.call('evm_setAutomine', [true]);
  try {
    await work();
  } finally {
    await node.call('evm_setAutomine', [false]);
  }
}

async function forwardTo(
  node: NodeRpc,
  method: string,
  params: readonly unknown[],
): Promise<ForwardedAnswer> {
  try {
    return { result: await node.call(method, params) };
  } catch (error) {
    return error instanceof NodeRpcError ? { error: error.error } : { failed: 'econnrefused' };
  }
}
