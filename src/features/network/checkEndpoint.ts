import { createChainClient, type HttpDeps, type Network } from '../../core/index.ts';

/** What an endpoint says of itself when it is asked before it is saved. */
type EndpointCheck =
  | { readonly state: 'fits'; readonly block: bigint }
  | { readonly state: 'otherChain'; readonly chainId: number };

const TIMEOUT_MS = 10_000;

/**
 * Asks the endpoint of `network` for its latest block, and for its chain id where it offers that.
 *
 * @throws AppError as the endpoint fails.
 */
export async function checkEndpoint(
  http: HttpDeps,
  network: Network,
  { signal }: { readonly signal: AbortSignal },
): Promise<EndpointCheck> {
  const client = createChainClient({ ...http, url: network.rpcUrl, timeoutMs: TIMEOUT_MS });
  const block = await client.latestBlock({ signal, retries: 0 });
  const chainId = await client.chainId({ signal, retries: 0 });
  if (chainId !== undefined && chainId !== network.chainId) return { state: 'otherChain', chainId };
  return { state: 'fits', block };
}
