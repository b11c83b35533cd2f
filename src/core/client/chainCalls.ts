import { createBackoffControl } from '../base/clock.ts';
import { lazy } from '../base/concurrency.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { MAX_BLOCK_TIMES } from '../eth/time.ts';
import { parseEtherscanChain } from '../etherscan/etherscanRpc.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { etherscanDialect, portalDialect } from '../logs/engine/dialect.ts';
import { createBatchKnowledge, createDialectMemory } from '../logs/engine/dialectMemory.ts';
import { UNSETTLED_BLOCKS } from '../logs/log.ts';
import type { LogProof } from '../logs/proof/logProof.ts';
import type { ProofOptions, ProofTarget } from '../logs/proof/proveLogs.ts';
import { explorerApiUrl } from '../networks/network.ts';
import { parseDatasetUrl } from '../networks/portalDatasets.ts';
import { createBatchedCall, createCallBatching } from '../rpc/batching.ts';
import {
  type BlockAtRequest,
  type BlockAtTime,
  type BlockTimesOptions,
  createBlockTimesReader,
  MAX_HEADER_READS,
} from '../rpc/blockTimes.ts';
import { createHeadReader, createLatestBlockReader, createReportedHeads } from '../rpc/latestBlock.ts';
import { getBalance, getBlockHash, getChainId, getTaggedBlock, type NativeBalance } from '../rpc/methods.ts';
import { type RpcCallOptions, SHORT_RESPONSE } from '../rpc/rpcClient.ts';
import type { FailedTransactions } from '../transactions/failedTransactions.ts';
import type { TokenHolder } from './contractCalls.ts';
import { createEndpointClient } from './endpointClient.ts';

/** The calls of a `ChainClient`, which loads this module with the first one. */
export function createChainCalls(options: HttpDeps & { readonly url: string; readonly timeoutMs?: number }) {
  const memory = createDialectMemory();
  const isPortal = parseDatasetUrl(options.url) !== undefined;
  const isEtherscan = parseEtherscanChain(options.url) !== undefined;
  if (isPortal) memory.learn(portalDialect);
  if (isEtherscan) memory.learn(etherscanDialect);
  const rpc = createEndpointClient(options);
  const beginBatch = createCallBatching(rpc, createBatchKnowledge(memory));
  const batchedCall = createBatchedCall(beginBatch);
  const times = createBlockTimesReader({ call: batchedCall, http: options, url: options.url });
  const readLatestBlock = createLatestBlockReader(rpc);
  const heads = createReportedHeads(options.clock);
  const { wait } = createBackoffControl(options.clock);
  const readHead = createHeadReader(rpc, heads, { hasReplicas: !isPortal && !isEtherscan });
  const contracts = lazy(async () => {
    const [{ createContractCalls }, { createPastStateCall }] = await Promise.all([
      import('./contractCalls.ts'),
      import('./pastState.ts'),
    ]);
    return createContractCalls(createPastStateCall(batchedCall, { heads, memory, clock: options.clock }));
  });
  const blocks = lazy(async () => {
    const { fetchBlock, fetchBlockHeader } = await import('../transactions/block.ts');
    return {
      fetchBlock: (at: bigint | Hex, callOptions?: RpcCallOptions) =>
        fetchBlock(batchedCall, at, callOptions),
      fetchBlockHeader: (block: bigint, callOptions?: RpcCallOptions) =>
        fetchBlockHeader(batchedCall, block, callOptions),
    };
  });
  const traces = lazy(async () => {
    const [{ createTraceReader }, { createExplorerRest }] = await Promise.all([
      import('../traces/fetchTrace.ts'),
      import('../providers/blockscout/rest.ts'),
    ]);
    const { clock, url } = options;
    if (!explorerApiUrl(url, '/api')) return createTraceReader(batchedCall, { clock });
    const explorer = createExplorerRest({ ...options, revoked: new AbortController().signal });
    return createTraceReader(batchedCall, { clock, explorer });
  });
  return {
    memory,
    heads,
    async fetchLatestBlock(callOptions?: RpcCallOptions) {
      const latest = await readLatestBlock(callOptions);
      if (latest.isOnNewChain) heads.restart(latest.block);
      else heads.note(latest.block);
      return latest;
    },
    getBlockNumber: readHead,
    getBalance: (address: Address, callOptions?: RpcCallOptions) => getBalance(rpc, address, callOptions),
    /** A replica that is behind has no hash of a reported block. A new block is waited for. */
    async getBlockHash(block: bigint, callOptions?: RpcCallOptions) {
      const newest = heads.newest() ?? -1n;
      const isOld = block + UNSETTLED_BLOCKS <= newest;
      for (let attempt = 0; ; attempt++) {
        const hash = await getBlockHash(rpc, block, callOptions);
        if (hash !== null) return hash;
        if (block > newest || (isOld && attempt === MAX_HASH_RETRIES)) return undefined;
        const { waitForReplica } = await import('../logs/engine/fetchLogs.ts');
        if (!isOld && !(await waitForReplica(wait, attempt, { signal: callOptions?.signal })))
          return undefined;
      }
    },
    isSettled: (block: bigint) => block + UNSETTLED_BLOCKS <= (heads.newest() ?? 0n),
    getNewerHead: heads.getAhead,
    getTaggedBlock: (tag: 'finalized' | 'safe', callOptions?: RpcCallOptions) =>
      getTaggedBlock(rpc, tag, callOptions),
    getChainId: (callOptions?: RpcCallOptions) => getChainId(rpc, callOptions),
    fetchBlockTimes: (blocks: readonly bigint[], timesOptions?: BlockTimesOptions) =>
      times.fetchBlockTimes(blocks, timesOptions),
    /** Explorers take five calls in one request, since v6.3. */
    getBlockTimesLimit: async () =>
      Math.min(beginBatch.maxCalls(), times.isExplorer ? MAX_HEADER_READS : MAX_BLOCK_TIMES),
    async findBlockAt(
      { time, closest }: Pick<BlockAtRequest, 'time' | 'closest'>,
      callOptions?: RpcCallOptions,
    ): Promise<BlockAtTime> {
      const head = await readHead(callOptions);
      return times.findBlockAt({ time, closest, head }, callOptions);
    },
    /** Sends through a client of its own, whose requests it counts. */
    async proveLogs(target: ProofTarget, proofOptions?: ProofOptions): Promise<LogProof> {
      const { proveLogs } = await import('../logs/proof/proveLogs.ts');
      let requests = 0;
      const fetch: HttpDeps['fetch'] = (...request) => {
        requests++;
        return options.fetch(...request);
      };
      const counted = createEndpointClient({ ...options, fetch });
      const call = createBatchedCall(createCallBatching(counted, createBatchKnowledge(memory)));
      const deps = { call, clock: options.clock, countRequests: () => requests };
      return proveLogs(target, deps, proofOptions);
    },
    async openFailedTransactions(
      bounds: { readonly fromBlock: string; readonly toBlock: string },
      callOptions?: Pick<RpcCallOptions, 'signal'>,
    ): Promise<FailedTransactions> {
      const { openFailedTransactions } = await import('../transactions/failedTransactions.ts');
      const head = await readHead(callOptions);
      const blockAt = (request: BlockAtRequest) => times.findBlockAt(request, callOptions);
      const deps = { call: batchedCall, clock: options.clock, head, blockAt };
      return openFailedTransactions(bounds, deps, callOptions);
    },
    blocks,
    contracts,
    traces,
    async getBalances(request: BalancesRequest, callOptions?: RpcCallOptions): Promise<BalancesResponse> {
      const tokenCalls = request.tokens.length > 0 ? await contracts() : undefined;
      const options = { ...SHORT_RESPONSE, ...callOptions };
      const natives = request.natives.map((address) => getBalance({ call: batchedCall }, address, options));
      const tokens = tokenCalls?.tokenAmounts(batchedCall, request.tokens, options) ?? [];
      // The caller may await each later; until then a failure must not count as unhandled.
      for (const balance of [...natives, ...tokens]) balance.catch(() => undefined);
      return { natives, tokens };
    },
  };
}

const MAX_HASH_RETRIES = 3;

export interface BalancesRequest {
  readonly natives: readonly Address[];
  /** Of contracts that are known to be tokens. */
  readonly tokens: readonly TokenHolder[];
}

/** In the order of the request; each settles on its own. */
export interface BalancesResponse {
  readonly natives: readonly Promise<NativeBalance>[];
  /** In smallest units; undefined if the contract is no longer a token. */
  readonly tokens: readonly Promise<bigint | undefined>[];
}
