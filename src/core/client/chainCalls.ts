import { lazy } from '../base/concurrency.ts';
import type { Address } from '../eth/hex.ts';
import { MAX_BLOCK_TIMES } from '../eth/time.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { portalDialect } from '../logs/engine/dialect.ts';
import { createBatchKnowledge, type DialectMemory } from '../logs/engine/dialectMemory.ts';
import { parseDatasetUrl } from '../networks/portalDatasets.ts';
import { createBatchedCall, createCallBatching } from '../rpc/batching.ts';
import {
  type BlockAtRequest,
  type BlockAtTime,
  type BlockTimesOptions,
  createBlockTimesReader,
  MAX_HEADER_READS,
} from '../rpc/blockTimes.ts';
import { getBalance, getBlockHash, getBlockNumber, getChainId, type NativeBalance } from '../rpc/methods.ts';
import { type RpcCallOptions, SHORT_RESPONSE } from '../rpc/rpcClient.ts';
import type { TokenHolder } from './contractCalls.ts';
import { createEndpointClient } from './endpointClient.ts';

/** Of whom balances are asked. */
export interface BalancesRequest {
  readonly natives: readonly Address[];
  /** Of contracts that have been read as tokens before. */
  readonly tokens: readonly TokenHolder[];
}

/** The answers in the order of the questions, each as it comes. */
export interface BalancesResponse {
  readonly natives: readonly Promise<NativeBalance>[];
  /** In smallest units; undefined where the contract is no token any more. */
  readonly tokens: readonly Promise<bigint | undefined>[];
}

/** The calls of a `ChainClient`, which loads them with the first one. */
export function createChainCalls(
  options: HttpDeps & { readonly url: string; readonly timeoutMs?: number },
  memory: DialectMemory,
) {
  if (parseDatasetUrl(options.url) !== undefined) memory.learn(portalDialect);
  const rpc = createEndpointClient(options);
  const together = createCallBatching(rpc, createBatchKnowledge(memory));
  const gathered = createBatchedCall(together);
  const times = createBlockTimesReader({ call: gathered, http: options, url: options.url });
  const contracts = lazy(async () => (await import('./contractCalls.ts')).createContractCalls(gathered));
  return {
    getBlockNumber: (callOptions?: RpcCallOptions) => getBlockNumber(rpc, callOptions),
    getBalance: (address: Address, callOptions?: RpcCallOptions) => getBalance(rpc, address, callOptions),
    getBlockHash: (block: bigint, callOptions?: RpcCallOptions) => getBlockHash(rpc, block, callOptions),
    getChainId: (callOptions?: RpcCallOptions) => getChainId(rpc, callOptions),
    fetchBlockTimes: (blocks: readonly bigint[], timesOptions?: BlockTimesOptions) =>
      times.fetchBlockTimes(blocks, timesOptions),
    /** Explorers take five calls in one request since v6.3. */
    getBlockTimesLimit: async () =>
      Math.min(together.most(), times.isExplorer ? MAX_HEADER_READS : MAX_BLOCK_TIMES),
    async findBlockAt(
      { time, closest }: Pick<BlockAtRequest, 'time' | 'closest'>,
      callOptions?: RpcCallOptions,
    ): Promise<BlockAtTime> {
      const head = await getBlockNumber(rpc, callOptions);
      return times.findBlockAt({ time, closest, head }, callOptions);
    },
    contracts,
    async getBalances(asked: BalancesRequest, callOptions?: RpcCallOptions): Promise<BalancesResponse> {
      const tokenCalls = asked.tokens.length > 0 ? await contracts() : undefined;
      const options = { ...SHORT_RESPONSE, ...callOptions };
      const natives = asked.natives.map((address) => getBalance({ call: gathered }, address, options));
      const tokens = tokenCalls?.tokenAmounts(gathered, asked.tokens, options) ?? [];
      // Who asked hears of each failure where it waits for it, which may be later.
      for (const answer of [...natives, ...tokens]) answer.catch(() => undefined);
      return { natives, tokens };
    },
  };
}
