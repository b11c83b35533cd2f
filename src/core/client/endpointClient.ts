import { safeUrl } from '../base/errors.ts';
import type { ProviderLabel } from '../base/provenance.ts';
import { createEtherscanRpc, parseEtherscanChain } from '../etherscan/etherscanRpc.ts';
import type { HttpDeps } from '../http/exchange.ts';
import { createBatchKnowledge, createDialectMemory } from '../logs/engine/dialectMemory.ts';
import { parseDatasetUrl } from '../networks/portalDatasets.ts';
import { createPortalClient, createPortalRpc } from '../portal/portalClient.ts';
import type { ProviderOptions } from '../providers/provider.ts';
import { createBatchedCall, createCallBatching } from '../rpc/batching.ts';
import { createRpcClient, type RpcClient } from '../rpc/rpcClient.ts';

/** JSON-RPC to the endpoint of a network. For the dataset of a portal and for Etherscan, the methods that it can serve. */
export function createEndpointClient(
  options: HttpDeps & { readonly url: string; readonly timeoutMs?: number },
): RpcClient {
  const dataset = parseDatasetUrl(options.url);
  if (dataset !== undefined)
    return createPortalRpc(createPortalClient({ ...options, url: dataset }), dataset);
  const chainId = parseEtherscanChain(options.url);
  return chainId === undefined ? createRpcClient(options) : createEtherscanRpc({ ...options, chainId });
}

export type RpcProviderOptions = Omit<ProviderOptions, 'key' | 'throttle'>;

export function getRpcLabel(url: string): ProviderLabel {
  return { name: 'calls', origin: safeUrl(url), takesKey: false };
}

/** Sends concurrent calls as one batch. `batches` records what is learned about the server. */
export function createBatchedEndpoint(options: RpcProviderOptions) {
  const batches = createBatchKnowledge(createDialectMemory());
  return { batches, call: createBatchedCall(createCallBatching(createEndpointClient(options), batches)) };
}
