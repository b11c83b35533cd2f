import { createErc20Reader } from './holdings/erc20.ts';
import type { HttpDeps } from './http/http.ts';
import { createNftContractReader } from './nfts/nftContractReader.ts';
import { createContractCaller } from './rpc/ethCall.ts';
import { chainIdOf, latestBlock, nativeBalance } from './rpc/methods.ts';
import { createRpcClient, type RpcCallOptions } from './rpc/rpcClient.ts';
import type { Address } from './values/address.ts';

/** The calls of a {@link ChainClient}, which loads them with the first one. */
export function createChainCalls(options: HttpDeps & { readonly url: string; readonly timeoutMs?: number }) {
  const rpc = createRpcClient(options);
  const caller = createContractCaller(rpc);
  return {
    latestBlock: (callOptions?: RpcCallOptions) => latestBlock(rpc, callOptions),
    nativeBalance: (address: Address, callOptions?: RpcCallOptions) =>
      nativeBalance(rpc, address, callOptions),
    chainId: (callOptions?: RpcCallOptions) => chainIdOf(rpc, callOptions),
    erc20Balance: createErc20Reader(caller),
    nftContract: createNftContractReader(caller),
  };
}
