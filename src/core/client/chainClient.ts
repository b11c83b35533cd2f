import { lazy, lazyMethods } from '../base/concurrency.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { BlockTime } from '../eth/time.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { createOriginGates } from '../http/retry.ts';
import type { Dialect } from '../logs/engine/dialect.ts';
import type { DialectMemory } from '../logs/engine/dialectMemory.ts';
import type { LogQueryOptions } from '../logs/engine/queryConnection.ts';
import type { FollowOptions, LogFollower } from '../logs/follow/logFollower.ts';
import type { LogProof } from '../logs/proof/logProof.ts';
import type { ProofOptions, ProofTarget } from '../logs/proof/proveLogs.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { LogClient, LogQuery } from '../logs/query/logQuery.ts';
import type { NftContractResult } from '../nfts/nftContractReader.ts';
import type { BlockAtRequest, BlockAtTime, BlockTimesOptions } from '../rpc/blockTimes.ts';
import type { BlockCall } from '../rpc/callAtBlock.ts';
import type { LatestBlockReading } from '../rpc/latestBlock.ts';
import type { CreationReceipt, NativeBalance } from '../rpc/methods.ts';
import type { RpcCallOptions } from '../rpc/rpcClient.ts';
import type { TokenUnits } from '../tokens/amounts.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';
import type { TraceReader } from '../traces/fetchTrace.ts';
import type { Block, BlockHeader } from '../transactions/block.ts';
import type { FailedTransactions } from '../transactions/failedTransactions.ts';
import type { BalancesRequest, BalancesResponse } from './chainCalls.ts';
import type { Erc20Balance, ImplementationOptions, ProxyReading } from './contractCalls.ts';

/** One JSON-RPC endpoint. Errors and shapes are documented where each call is implemented. */
export interface ChainClient extends LogClient, TraceReader {
  readonly url: string;
  /** See `rpc/methods.ts`, as for the other `get…` methods. */
  getBlockNumber(options?: RpcCallOptions): Promise<bigint>;
  /** See `rpc/latestBlock.ts`. */
  fetchLatestBlock(options?: RpcCallOptions): Promise<LatestBlockReading>;
  getBalance(address: Address, options?: RpcCallOptions): Promise<NativeBalance>;
  /**
   * Many balances at the latest block, in one request if the server supports batches, else a few at a time. Each fails
   * as {@link getBalance} does.
   */
  getBalances(request: BalancesRequest, options?: RpcCallOptions): Promise<BalancesResponse>;
  getBlockHash(block: bigint, options?: RpcCallOptions): Promise<Hex | undefined>;
  /** Whether a block is so far below the newest reported one that no reorg replaces it. */
  isSettled(block: bigint): boolean;
  /** The newest reported block if a lagging replica must have reported `head`. */
  getNewerHead(head: bigint): bigint | undefined;
  getChainId(options?: RpcCallOptions): Promise<number | undefined>;
  /** See `transactions/block.ts`. */
  fetchBlock(at: bigint | Hex, options?: RpcCallOptions): Promise<Block | undefined>;
  fetchBlockHeader(block: bigint, options?: RpcCallOptions): Promise<BlockHeader | undefined>;
  /** See `transactions/failedTransactions.ts`. It fetches the newest block first. */
  openFailedTransactions(
    bounds: { readonly fromBlock: string; readonly toBlock: string },
    options?: Pick<RpcCallOptions, 'signal'>,
  ): Promise<FailedTransactions>;
  /** See `BlockTimesReader`. */
  fetchBlockTimes(
    blocks: readonly bigint[],
    options?: BlockTimesOptions,
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  /** Blocks whose times one request returns, as far as is known; never overestimated. */
  getBlockTimesLimit(): Promise<number>;
  /** See `BlockTimesReader`. It fetches the newest block first. */
  findBlockAt(
    moment: Pick<BlockAtRequest, 'time' | 'closest'>,
    options?: RpcCallOptions,
  ): Promise<BlockAtTime>;
  fetchErc20Balance(contract: Address, holder: Address, options?: RpcCallOptions): Promise<Erc20Balance>;
  fetchTokenUnits(contract: Address, options?: RpcCallOptions): Promise<TokenUnits | undefined>;
  fetchNftContract(contract: Address, options?: RpcCallOptions): Promise<NftContractResult>;
  /** What the value of the contract's `Transfer` is; undefined if the contract does not tell. */
  fetchTransferStandard(
    contract: Address,
    value: bigint,
    options?: RpcCallOptions,
  ): Promise<TransferStandard | undefined>;
  /** The contract to which an account delegates at the latest block (EIP-7702); undefined if it does not. */
  fetchDelegate(address: Address, options?: RpcCallOptions): Promise<Address | undefined>;
  /** See `callAtBlock`. */
  callAtBlock(call: BlockCall, options?: RpcCallOptions): Promise<Hex>;
  /** See `requireCode` beside `callAtBlock`. */
  requireCode(place: Pick<BlockCall, 'block' | 'to'>, options?: RpcCallOptions): Promise<void>;
  /** The code of `to` after `block`; see `getCode` beside `callAtBlock`. */
  getCode(place: Pick<BlockCall, 'block' | 'to'>, options?: RpcCallOptions): Promise<Hex>;
  /** See `rpc/methods.ts`. */
  getCreationReceipt(transaction: Hex, options?: RpcCallOptions): Promise<CreationReceipt | undefined>;
  /** The contracts whose code a proxy runs in the state after a block; empty if it is not a proxy. */
  fetchImplementations(
    address: Address,
    block: bigint,
    options?: ImplementationOptions,
  ): Promise<readonly Address[]>;
  /** The proxy that a contract is in the state after a block, with its admin. */
  fetchProxy(address: Address, block: bigint, options?: RpcCallOptions): Promise<ProxyReading>;
  /** The block of `finalized` or `safe`; undefined if the endpoint does not offer the tag. */
  getTaggedBlock(tag: 'finalized' | 'safe', options?: RpcCallOptions): Promise<bigint | undefined>;
  /** Continues a query that has ended. It sends nothing until it is advanced. */
  followLogs(filter: LogFilter, options: FollowOptions): Promise<LogFollower>;
  /** See `logs/proof`. */
  proveLogs(target: ProofTarget, options?: ProofOptions): Promise<LogProof>;
  /** What has been learned about the server; undefined before the first request. */
  dialect(): Dialect | undefined;
}

/**
 * What the client learns about the server lives as long as the client. Its code is loaded with the first call.
 *
 * @example createChainClient({ url, fetch, clock: systemClock }).openLogQuery(parseLogFilter({ address }));
 */
export function createChainClient(
  options: HttpDeps & { readonly url: string; readonly timeoutMs?: number },
): ChainClient {
  const { url } = options;
  const http = { ...options, gates: options.gates ?? createOriginGates(options.clock) };
  let memory: DialectMemory | undefined;
  let isSettled: ChainClient['isSettled'] = () => false;
  let getNewerHead: ChainClient['getNewerHead'] = () => undefined;
  const calls = lazy(async () => {
    const opened = (await import('./chainCalls.ts')).createChainCalls(http);
    ({ memory, isSettled, getNewerHead } = opened);
    return opened;
  });
  const connect = async (filter: LogFilter) => ({ http, url, filter, memory: (await calls()).memory });
  const contracts = async () => (await calls()).contracts();
  return {
    url,
    ...lazyMethods(
      [
        'getBlockNumber',
        'fetchLatestBlock',
        'getBalance',
        'getBalances',
        'getBlockHash',
        'getTaggedBlock',
        'getChainId',
        'fetchBlockTimes',
        'getBlockTimesLimit',
        'findBlockAt',
        'openFailedTransactions',
        'proveLogs',
      ],
      calls,
    ),
    ...lazyMethods(
      [
        'fetchErc20Balance',
        'fetchTokenUnits',
        'fetchNftContract',
        'fetchTransferStandard',
        'fetchDelegate',
        'callAtBlock',
        'requireCode',
        'getCode',
        'getCreationReceipt',
        'fetchImplementations',
        'fetchProxy',
      ],
      contracts,
    ),
    ...lazyMethods(['fetchBlock', 'fetchBlockHeader'], async () => (await calls()).blocks()),
    ...lazyMethods(['fetchTrace', 'fetchSteps', 'fetchCodes'], async () => (await calls()).traces()),
    openLogQuery: (filter, queryOptions) =>
      createLazyLogQuery(async () => {
        const { heads } = await calls();
        return { ...(await connect(filter)), heads, ...queryOptions };
      }),
    async followLogs(filter, followOptions) {
      const { openLogFollower } = await import('../logs/follow/logFollower.ts');
      return openLogFollower(await connect(filter), followOptions);
    },
    isSettled: (block) => isSettled(block),
    getNewerHead: (head) => getNewerHead(head),
    dialect: () => memory?.current(),
  };
}

/** {@link openLogQuery}, with the engine loaded on first use: few sessions need it. */
function createLazyLogQuery(connect: () => Promise<LogQueryOptions>): LogQuery {
  let query: LogQuery | undefined;

  /** A failed load is not cached; concurrent loads share one query. */
  async function loadQuery(): Promise<LogQuery> {
    const { openLogQuery } = await import('../logs/engine/openLogQuery.ts');
    const options = await connect();
    query ??= openLogQuery(options);
    return query;
  }

  return {
    get verdict() {
      return query?.verdict;
    },
    nextPage: async (pageOptions) => (await loadQuery()).nextPage(pageOptions),
    async *rest(pageOptions) {
      yield* (await loadQuery()).rest(pageOptions);
    },
  };
}
