import { createErc20Reader, tokenAmounts } from './holdings/erc20.ts';
import { createNftContractReader } from './nfts/nftContractReader.ts';
import { createContractCaller } from './rpc/ethCall.ts';
import type { RpcClient } from './rpc/rpcClient.ts';

/** What a `ChainClient` asks of contracts: apart, as it takes an ABI decoder, which the head and balances do not. */
export function createContractCalls(call: RpcClient['call']) {
  const caller = createContractCaller(call);
  const { balanceOf, unitsOf } = createErc20Reader(caller);
  return {
    erc20Balance: balanceOf,
    tokenUnits: unitsOf,
    nftContract: createNftContractReader(caller),
    tokenAmounts,
  };
}
