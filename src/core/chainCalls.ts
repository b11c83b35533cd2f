import { late } from './base/late.ts';
import type { TokenHolder } from './holdings/erc20.ts';
import type { HttpDeps } from './http/http.ts';
import { somePortal } from './logs/server/dialect.ts';
import { batchKnowledge, type DialectMemory } from './logs/server/dialectMemory.ts';
import { createEndpointClient } from './portal/endpointClient.ts';
import { datasetUrl } from './portal/portalUrl.ts';
import { createCallsTogether } from './rpc/callsTogether.ts';
import { gatherCalls } from './rpc/gatheredCalls.ts';
import { blockHash, chainIdOf, latestBlock, type NativeBalance, nativeBalance } from './rpc/methods.ts';
import { type RpcCallOptions, SHORT_ANSWER } from './rpc/rpcClient.ts';
import type { BlockAtTime } from './times/blockAt.ts';
import { MOST_BLOCK_TIMES } from './times/knownTime.ts';
import {
  type BlockAtQuestion,
  type BlockTimesOptions,
  createTimesReader,
  FEW_BLOCKS,
} from './times/timesReader.ts';
import type { Address } from './values/address.ts';

/** Of whom balances are asked. */
export interface BalancesAsked {
  readonly natives: readonly Address[];
  /** Of contracts that have been read as tokens before. */
  readonly tokens: readonly TokenHolder[];
}

/** The answers in the order of the questions, each as it comes. */
export interface BalancesRead {
  readonly natives: readonly Promise<NativeBalance>[];
  /** In smallest units; undefined where the contract is no token any more. */
  readonly tokens: readonly Promise<bigint | undefined>[];
}

/** The calls of a `ChainClient`, which loads them with the first one. */
export function createChainCalls(
  options: HttpDeps & { readonly url: string; readonly timeoutMs?: number },
  memory: DialectMemory,
) {
  if (datasetUrl(options.url) !== undefined) memory.learn(somePortal);
  const rpc = createEndpointClient(options);
  const together = createCallsTogether(rpc, batchKnowledge(memory));
  const gathered = gatherCalls(together);
  const times = createTimesReader({ call: gathered, http: options, url: options.url });
  const contracts = late(async () => (await import('./contractCalls.ts')).createContractCalls(gathered));
  return {
    latestBlock: (callOptions?: RpcCallOptions) => latestBlock(rpc, callOptions),
    nativeBalance: (address: Address, callOptions?: RpcCallOptions) =>
      nativeBalance(rpc, address, callOptions),
    blockHash: (block: bigint, callOptions?: RpcCallOptions) => blockHash(rpc, block, callOptions),
    chainId: (callOptions?: RpcCallOptions) => chainIdOf(rpc, callOptions),
    blockTimes: (blocks: readonly bigint[], timesOptions?: BlockTimesOptions) =>
      times.blockTimes(blocks, timesOptions),
    /** Explorers take five calls in one request since v6.3. */
    blocksAtOnce: () => Math.min(together.most(), times.isExplorer ? FEW_BLOCKS : MOST_BLOCK_TIMES),
    async blockAt(
      { time, closest }: Pick<BlockAtQuestion, 'time' | 'closest'>,
      callOptions?: RpcCallOptions,
    ): Promise<BlockAtTime> {
      const head = await latestBlock(rpc, callOptions);
      return times.blockAt({ time, closest, head }, callOptions);
    },
    contracts,
    async balances(asked: BalancesAsked, callOptions?: RpcCallOptions): Promise<BalancesRead> {
      const tokenCalls = asked.tokens.length > 0 ? await contracts() : undefined;
      const options = { ...SHORT_ANSWER, ...callOptions };
      const natives = asked.natives.map((address) => nativeBalance({ call: gathered }, address, options));
      const tokens = tokenCalls?.tokenAmounts(gathered, asked.tokens, options) ?? [];
      // Who asked hears of each failure where it waits for it, which may be later.
      for (const answer of [...natives, ...tokens]) answer.catch(() => undefined);
      return { natives, tokens };
    },
  };
}
