import { late } from './base/late.ts';
import type { HttpDeps } from './http/http.ts';
import { chainIdOf, latestBlock, nativeBalance } from './rpc/methods.ts';
import { createRpcClient, type RpcCallOptions } from './rpc/rpcClient.ts';
import type { Address } from './values/address.ts';

/** The calls of a `ChainClient`, which loads them with the first one. */
export function createChainCalls(options: HttpDeps & { readonly url: string; readonly timeoutMs?: number }) {
  const rpc = createRpcClient(options);
  return {
    latestBlock: (callOptions?: RpcCallOptions) => latestBlock(rpc, callOptions),
    nativeBalance: (address: Address, callOptions?: RpcCallOptions) =>
      nativeBalance(rpc, address, callOptions),
    chainId: (callOptions?: RpcCallOptions) => chainIdOf(rpc, callOptions),
    contracts: late(async () => (await import('./contractCalls.ts')).createContractCalls(rpc)),
  };
}
