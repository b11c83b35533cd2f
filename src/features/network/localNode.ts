import {
  type EndpointFacts,
  type HttpDeps,
  isLoopbackUrl,
  type Network,
  probeEndpoint,
} from '../../core/index.ts';

const USUAL_URL = 'http://127.0.0.1:8545';

/** Where a node of this machine is looked for: where the network `local` is, if that is on this machine. */
export function localNodeUrl(networks: readonly Network[]): string {
  const local = networks.find(({ id }) => id === 'local');
  return local && isLoopbackUrl(local.rpcUrl) ? local.rpcUrl : USUAL_URL;
}

/** What answers there: `none` also without a chain id, `silent` where nothing did before the signal aborted. */
export type LocalNode = (EndpointFacts & { readonly chainId: number }) | 'none' | 'silent';

export async function findLocalNode(http: HttpDeps, url: string, signal: AbortSignal): Promise<LocalNode> {
  try {
    const { chainId, ...facts } = await probeEndpoint(http, url, { signal });
    return chainId === undefined ? 'none' : { ...facts, chainId };
  } catch {
    return signal.aborted ? 'silent' : 'none';
  }
}
