import { isLoopbackUrl, type Network, probeEndpoint } from '../../core/index.ts';
import {
  findProjectEndpoints,
  resolveFoundEndpoint,
  toEndpointNetwork,
} from '../settings/projectEndpoints.ts';
import { noteChosenServer } from '../webHost.ts';
import type { Session } from './session.ts';

/** An endpoint in a config file of the workspace, as a network. */
export interface LocalEndpoint {
  readonly network: Network;
  /** Its URL as the file has it. */
  readonly template: string;
}

/** Config files and nodes of this machine answer sooner. */
const TIMEOUT_MS = 3000;

/**
 * The endpoints of the project on this machine that answer with this chain ID, each URL once. They are asked without
 * approval: their URLs hold no variable of the environment, and nothing leaves this machine. Call it after a click.
 */
export async function findLocalEndpoints(
  session: Pick<Session, 'httpFor'>,
  chainId: number,
): Promise<readonly LocalEndpoint[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { endpoints } = await findProjectEndpoints(signal);
  const byUrl = new Map(
    endpoints.toReversed().flatMap((endpoint) => {
      const resolved = resolveFoundEndpoint(endpoint);
      const isLocal = 'url' in resolved && resolved.variables.length === 0 && isLoopbackUrl(resolved.url);
      if (!isLocal) return [];
      noteChosenServer(resolved.url);
      return [[resolved.url, endpoint] as const];
    }),
  );
  const found = [...byUrl].map(async ([url, endpoint]) => {
    const facts = await probeEndpoint(session.httpFor({ rpcUrl: url }), url, { signal }).catch(
      () => undefined,
    );
    return facts?.chainId === chainId
      ? [{ network: toEndpointNetwork(endpoint, { url, chainId }), template: endpoint.template }]
      : [];
  });
  return (await Promise.all(found)).flat();
}
