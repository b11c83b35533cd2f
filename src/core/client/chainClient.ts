import { lazy, lazyMethods } from '../base/concurrency.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { BlockTime } from '../eth/time.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { createOriginGates } from '../http/retry.ts';
import type { Dialect } from '../logs/engine/dialect.ts';
import { createDialectMemory } from '../logs/engine/dialectMemory.ts';
import type { LogQueryOptions } from '../logs/engine/queryConnection.ts';
import type { FollowOptions, LogFollower } from '../logs/follow/logFollower.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { LogClient, LogQuery } from '../logs/query/logQuery.ts';
import type { NftContractResult } from '../nfts/nftContractReader.ts';
import type { BlockAtRequest, BlockAtTime, BlockTimesOptions } from '../rpc/blockTimes.ts';
import type { NativeBalance } from '../rpc/methods.ts';
import type { RpcCallOptions } from '../rpc/rpcClient.ts';
import type { TokenUnits } from '../tokens/amounts.ts';
import type { BalancesRequest, BalancesResponse } from './chainCalls.ts';
import type { Erc20Balance } from './contractCalls.ts';

/** What the product asks of one JSON-RPC endpoint; errors and shapes stand where each call is made. */
export interface ChainClient extends LogClient {
  readonly url: string;
  /** As `getBlockNumber` of `rpc/methods.ts`. */
  getBlockNumber(options?: RpcCallOptions): Promise<bigint>;
  /** As `getBalance` of `rpc/methods.ts`. */
  getBalance(address: Address, options?: RpcCallOptions): Promise<NativeBalance>;
  /**
   * Many balances at the latest block, in one request where the server takes batches, else a few at a time. Each
   * fails as `getBalance` of `rpc/methods.ts`.
   */
  getBalances(asked: BalancesRequest, options?: RpcCallOptions): Promise<BalancesResponse>;
  /** As `getBlockHash` of `rpc/methods.ts`. */
  getBlockHash(block: bigint, options?: RpcCallOptions): Promise<Hex | undefined>;
  /** As `getChainId` of `rpc/methods.ts`. */
  getChainId(options?: RpcCallOptions): Promise<number | undefined>;
  /** As of a `BlockTimesReader`. */
  fetchBlockTimes(
    blocks: readonly bigint[],
    options?: BlockTimesOptions,
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  /** Blocks whose times one request tells, as far as is known; fewer than that if in doubt. */
  getBlockTimesLimit(): Promise<number>;
  /** As of a `BlockTimesReader`, with the newest block asked for first. */
  findBlockAt(
    moment: Pick<BlockAtRequest, 'time' | 'closest'>,
    options?: RpcCallOptions,
  ): Promise<BlockAtTime>;
  /** As of an `Erc20Reader`. */
  fetchErc20Balance(contract: Address, holder: Address, options?: RpcCallOptions): Promise<Erc20Balance>;
  /** As of an `Erc20Reader`. */
  fetchTokenUnits(contract: Address, options?: RpcCallOptions): Promise<TokenUnits | undefined>;
  /** As of `createNftContractReader`. */
  fetchNftContract(contract: Address, options?: RpcCallOptions): Promise<NftContractResult>;
  /** Keeps the answer to a query true, from where it has ended. Nothing is asked before it is advanced. */
  followLogs(filter: LogFilter, options: FollowOptions): Promise<LogFollower>;
  /** What has been learnt about the server so far. */
  dialect(): Dialect;
}

/**
 * A client for the endpoint at `url`. What it learns about the server lives as long as the client; what it asks with is
 * loaded when it is first asked something.
 *
 * @example createChainClient({ url, fetch, clock: systemClock }).openLogQuery(parseLogFilter({ address }));
 */
export function createChainClient(
  options: HttpDeps & { readonly url: string; readonly timeoutMs?: number },
): ChainClient {
  const { url } = options;
  const http = { ...options, gates: options.gates ?? createOriginGates(options.clock) };
  const memory = createDialectMemory();
  const calls = lazy(async () => (await import('./chainCalls.ts')).createChainCalls(http, memory));
  const contracts = async () => (await calls()).contracts();
  return {
    url,
    ...lazyMethods(
      [
        'getBlockNumber',
        'getBalance',
        'getBalances',
        'getBlockHash',
        'getChainId',
        'fetchBlockTimes',
        'getBlockTimesLimit',
        'findBlockAt',
      ],
      calls,
    ),
    ...lazyMethods(['fetchErc20Balance', 'fetchTokenUnits', 'fetchNftContract'], contracts),
    openLogQuery: (filter, opened) => createLazyLogQuery({ http, url, memory, filter, ...opened }),
    async followLogs(filter, followed) {
      const { openLogFollower } = await import('../logs/follow/logFollower.ts');
      return openLogFollower({ http, url, memory, filter }, followed);
    },
    dialect: () => memory.current(),
  };
}

/** {@link openLogQuery}, with the engine loaded when the query is first asked something: few who start an editor do. */
function createLazyLogQuery(options: LogQueryOptions): LogQuery {
  let opened: LogQuery | undefined;

  /** Nothing is kept of a load that failed, as the next may not; two at once open one query. */
  async function query(): Promise<LogQuery> {
    const { openLogQuery } = await import('../logs/engine/openLogQuery.ts');
    opened ??= openLogQuery(options);
    return opened;
  }

  return {
    get verdict() {
      return opened?.verdict;
    },
    nextPage: async (asked) => (await query()).nextPage(asked),
    async *rest(asked) {
      yield* (await query()).rest(asked);
    },
  };
}
