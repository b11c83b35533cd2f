import type { TokenUnits } from './abi/tokenAmounts.ts';
import { late } from './base/late.ts';
import type { BalancesAsked, BalancesRead } from './chainCalls.ts';
import type { Erc20Balance } from './holdings/erc20.ts';
import type { HttpDeps } from './http/http.ts';
import { createOriginGates } from './http/originGate.ts';
import type { FollowOptions, LogFollower } from './logs/follow/followedLogs.ts';
import type { LogFilter } from './logs/query/logFilter.ts';
import type { LogSource } from './logs/query/logQuery.ts';
import { lateLogQuery } from './logs/reading/lateLogQuery.ts';
import type { Dialect } from './logs/server/dialect.ts';
import { createDialectMemory } from './logs/server/dialectMemory.ts';
import type { NftContractOnChain } from './nfts/nftContractReader.ts';
import type { NativeBalance } from './rpc/methods.ts';
import type { RpcCallOptions } from './rpc/rpcClient.ts';
import type { BlockAtTime } from './times/blockAt.ts';
import type { KnownTime } from './times/knownTime.ts';
import type { BlockAtQuestion, BlockTimesOptions } from './times/timesReader.ts';
import type { Address } from './values/address.ts';
import type { Hex } from './values/hex.ts';

/** What the product asks of one JSON-RPC endpoint; errors and shapes stand where each call is made. */
export interface ChainClient extends LogSource {
  readonly url: string;
  /** As `latestBlock` of `rpc/methods.ts`. */
  latestBlock(options?: RpcCallOptions): Promise<bigint>;
  /** As `nativeBalance` of `rpc/methods.ts`. */
  nativeBalance(address: Address, options?: RpcCallOptions): Promise<NativeBalance>;
  /**
   * Many balances at the latest block, in one request where the server takes batches, else a few at a time. Each
   * fails as `nativeBalance` of `rpc/methods.ts`.
   */
  balances(asked: BalancesAsked, options?: RpcCallOptions): Promise<BalancesRead>;
  /** As `blockHash` of `rpc/methods.ts`. */
  blockHash(block: bigint, options?: RpcCallOptions): Promise<Hex | undefined>;
  /** As `chainIdOf` of `rpc/methods.ts`. */
  chainId(options?: RpcCallOptions): Promise<number | undefined>;
  /** As of a `TimesReader` of `times/timesReader.ts`. */
  blockTimes(
    blocks: readonly bigint[],
    options?: BlockTimesOptions,
  ): Promise<ReadonlyMap<bigint, KnownTime> | undefined>;
  /** Blocks whose times one request tells, as far as is known; fewer than that if in doubt. */
  blocksAtOnce(): Promise<number>;
  /** As of a `TimesReader`, with the newest block asked for first. */
  blockAt(moment: Pick<BlockAtQuestion, 'time' | 'closest'>, options?: RpcCallOptions): Promise<BlockAtTime>;
  /** As a reader of `holdings/erc20.ts`. */
  erc20Balance(contract: Address, holder: Address, options?: RpcCallOptions): Promise<Erc20Balance>;
  /** As a reader of `holdings/erc20.ts`. */
  tokenUnits(contract: Address, options?: RpcCallOptions): Promise<TokenUnits | undefined>;
  /** As a reader of `nfts/nftContractReader.ts`. */
  nftContract(contract: Address, options?: RpcCallOptions): Promise<NftContractOnChain>;
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
  const calls = late(async () => (await import('./chainCalls.ts')).createChainCalls(http, memory));
  const contracts = async () => (await calls()).contracts();
  return {
    url,
    latestBlock: async (...asked) => (await calls()).latestBlock(...asked),
    nativeBalance: async (...asked) => (await calls()).nativeBalance(...asked),
    balances: async (...asked) => (await calls()).balances(...asked),
    blockHash: async (...asked) => (await calls()).blockHash(...asked),
    chainId: async (...asked) => (await calls()).chainId(...asked),
    blockTimes: async (...asked) => (await calls()).blockTimes(...asked),
    blocksAtOnce: async () => (await calls()).blocksAtOnce(),
    blockAt: async (...asked) => (await calls()).blockAt(...asked),
    erc20Balance: async (...asked) => (await contracts()).erc20Balance(...asked),
    tokenUnits: async (...asked) => (await contracts()).tokenUnits(...asked),
    nftContract: async (...asked) => (await contracts()).nftContract(...asked),
    openLogQuery: (filter, opened) => lateLogQuery({ http, url, memory, filter, ...opened }),
    async followLogs(filter, followed) {
      const { openLogFollower } = await import('./logs/follow/logFollower.ts');
      return openLogFollower({ http, url, memory, filter }, followed);
    },
    dialect: () => memory.current(),
  };
}
