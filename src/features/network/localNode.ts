import {
  type EndpointFacts,
  type HttpDeps,
  isLoopbackUrl,
  type Network,
  probeEndpoint,
} from '../../core/index.ts';

/** An answer from this machine takes less; a port that swallows what is sent must not hold up a list. */
const TIMEOUT_MS = 1500;
const USUAL_URL = 'http://127.0.0.1:8545';

/** Where a node of this machine is looked for: where the network `local` is, if that is on this machine. */
export function localNodeUrl(networks: readonly Network[]): string {
  const local = networks.find(({ id }) => id === 'local');
  return local && isLoopbackUrl(local.rpcUrl) ? local.rpcUrl : USUAL_URL;
}

/** What answers there; undefined where nothing does, or without a chain id. */
export async function findLocalNode(
  http: HttpDeps,
  url: string,
  signal: AbortSignal,
): Promise<(EndpointFacts & { readonly chainId: number }) | undefined> {
  const facts = await probeEndpoint(http, url, { signal, timeoutMs: TIMEOUT_MS }).catch(() => undefined);
  return facts?.chainId === undefined ? undefined : { ...facts, chainId: facts.chainId };
}
