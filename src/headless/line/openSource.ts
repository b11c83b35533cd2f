import { badInput, type HttpDeps, type Network, type ProviderPorts, providers } from '../../core/index.ts';
import { NO_CHAIN } from './commandLine.ts';

export interface EndpointAsked {
  readonly rpcUrl: string | undefined;
  readonly chainId?: number | undefined;
  readonly signal: AbortSignal;
}

/** The endpoint of a command line, as a network that nobody has named. */
export function endpointNetwork({ rpcUrl, chainId = NO_CHAIN }: Omit<EndpointAsked, 'signal'>): Network {
  return { id: '', name: '', chainId, rpcUrl: rpcUrl ?? '', symbol: '', decimals: 18 };
}

/**
 * The first source of a port that the endpoint itself is, without a key; undefined where it is none.
 *
 * @throws AppError `badInput` without an endpoint, and as the endpoint fails that is asked what it can do.
 */
export async function openSource<Port extends keyof ProviderPorts>(
  http: HttpDeps,
  port: Port,
  { rpcUrl, chainId = NO_CHAIN, signal }: EndpointAsked,
): Promise<ProviderPorts[Port] | undefined> {
  if (rpcUrl === undefined) throw badInput('rpc', 'Give the JSON-RPC endpoint with --rpc URL.');
  const network = endpointNetwork({ rpcUrl, chainId });
  for (const kind of providers) {
    const url = kind.urlFor(network);
    if (url === undefined || kind.takesKey || kind.offers[port] === undefined) continue;
    const rateLimit = kind.createRateLimit(http);
    const opened = await kind.open({ ...http, url, chainId, key: undefined, rateLimit, revoked: signal });
    const source: ProviderPorts[Port] | undefined = opened[port];
    if (source) return source;
  }
  return undefined;
}
