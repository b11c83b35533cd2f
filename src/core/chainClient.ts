import type { HttpDeps } from './http.ts';
import { createDialectMemory, type Dialect } from './logs/dialect.ts';
import type { LogFilter } from './logs/logFilter.ts';
import type { LogQuery } from './logs/logQuery.ts';
import { openLogQuery } from './logs/openLogQuery.ts';
import { chainIdOf, latestBlock, type NativeBalance, nativeBalance } from './rpc/methods.ts';
import { createRpcClient, type RpcCallOptions } from './rpc/rpcClient.ts';
import type { Address } from './values/address.ts';

/** What the product asks of one JSON-RPC endpoint. */
export interface ChainClient {
  readonly url: string;
  /** See {@link latestBlock}. */
  latestBlock(options?: RpcCallOptions): Promise<bigint>;
  /** See {@link nativeBalance}. */
  nativeBalance(address: Address, options?: RpcCallOptions): Promise<NativeBalance>;
  /** See {@link chainIdOf}. */
  chainId(options?: RpcCallOptions): Promise<number | undefined>;
  /** Begins a query; nothing is asked before its first page is. */
  openLogQuery(filter: LogFilter): LogQuery;
  /** What has been learnt about the server so far. */
  dialect(): Dialect;
}

/** A client for the endpoint at `url`. What it learns about the server lives as long as the client. */
export function createChainClient(
  options: HttpDeps & { readonly url: string; readonly timeoutMs?: number },
): ChainClient {
  const rpc = createRpcClient(options);
  const memory = createDialectMemory();
  return {
    url: options.url,
    latestBlock: (callOptions) => latestBlock(rpc, callOptions),
    nativeBalance: (address, callOptions) => nativeBalance(rpc, address, callOptions),
    chainId: (callOptions) => chainIdOf(rpc, callOptions),
    openLogQuery: (filter) => openLogQuery({ http: options, url: options.url, memory, filter }),
    dialect: () => memory.current(),
  };
}
