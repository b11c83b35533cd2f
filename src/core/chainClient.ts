import { createErc20Reader, type Erc20Balance } from './holdings/erc20.ts';
import type { HttpDeps } from './http/http.ts';
import { createOriginGates } from './http/originGate.ts';
import type { LogSource } from './logs/query/logQuery.ts';
import { lateLogQuery } from './logs/reading/lateLogQuery.ts';
import type { Dialect } from './logs/server/dialect.ts';
import { createDialectMemory } from './logs/server/dialectMemory.ts';
import { createNftContractReader, type NftContractOnChain } from './nfts/nftContractReader.ts';
import { createContractCaller } from './rpc/ethCall.ts';
import { chainIdOf, latestBlock, type NativeBalance, nativeBalance } from './rpc/methods.ts';
import { createRpcClient, type RpcCallOptions } from './rpc/rpcClient.ts';
import type { Address } from './values/address.ts';

/** What the product asks of one JSON-RPC endpoint. */
export interface ChainClient extends LogSource {
  readonly url: string;
  /** See {@link latestBlock}. */
  latestBlock(options?: RpcCallOptions): Promise<bigint>;
  /** See {@link nativeBalance}. */
  nativeBalance(address: Address, options?: RpcCallOptions): Promise<NativeBalance>;
  /** See {@link chainIdOf}. */
  chainId(options?: RpcCallOptions): Promise<number | undefined>;
  /** See {@link createErc20Reader}. */
  erc20Balance(contract: Address, holder: Address, options?: RpcCallOptions): Promise<Erc20Balance>;
  /** See {@link createNftContractReader}. */
  nftContract(contract: Address, options?: RpcCallOptions): Promise<NftContractOnChain>;
  /** What has been learnt about the server so far. */
  dialect(): Dialect;
}

/**
 * A client for the endpoint at `url`. What it learns about the server lives as long as the client.
 *
 * @example createChainClient({ url, fetch, clock: systemClock }).openLogQuery(parseLogFilter({ address }));
 */
export function createChainClient(
  options: HttpDeps & { readonly url: string; readonly timeoutMs?: number },
): ChainClient {
  const { url } = options;
  const http = { ...options, gates: options.gates ?? createOriginGates(options.clock) };
  const rpc = createRpcClient(http);
  const memory = createDialectMemory();
  const caller = createContractCaller(rpc);
  return {
    url,
    latestBlock: (callOptions) => latestBlock(rpc, callOptions),
    nativeBalance: (address, callOptions) => nativeBalance(rpc, address, callOptions),
    chainId: (callOptions) => chainIdOf(rpc, callOptions),
    erc20Balance: createErc20Reader(caller),
    nftContract: createNftContractReader(caller),
    openLogQuery: (filter, waits) => lateLogQuery({ http, url, memory, filter, waits }),
    dialect: () => memory.current(),
  };
}
