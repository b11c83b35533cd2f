import type { HttpDeps } from '../http/http.ts';
import { createRpcClient, type RpcClient } from '../rpc/rpcClient.ts';
import { createPortalClient } from './portalClient.ts';
import { createPortalRpc } from './portalRpc.ts';
import { datasetUrl } from './portalUrl.ts';

/** JSON-RPC to the endpoint of a network; where that is the dataset of a portal, the few methods that it knows. */
export function createEndpointClient(
  options: HttpDeps & { readonly url: string; readonly timeoutMs?: number },
): RpcClient {
  const dataset = datasetUrl(options.url);
  if (dataset === undefined) return createRpcClient(options);
  return createPortalRpc(createPortalClient({ ...options, url: dataset }), dataset);
}
