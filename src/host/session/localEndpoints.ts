import { isLoopbackUrl, type Network, probeEndpoint } from '../../core/index.ts';
import {
  type FoundEndpoint,
  findProjectEndpoints,
  resolveFoundEndpoint,
  toEndpointNetwork,
} from '../settings/projectEndpoints.ts';
import type { SettingsService } from '../settings/settings.ts';
import { noteChosenServer } from '../webHost.ts';
import type { Session } from './session.ts';

/** An endpoint in a config file of the workspace, as a network. */
export interface LocalEndpoint {
  readonly network: Network;
  /** Its URL as the file has it. */
  readonly template: string;
}

interface LocalEndpointDeps {
  readonly session: Pick<Session, 'httpFor'>;
  readonly settings: Pick<SettingsService, 'isSendingAllowed'>;
}

/** Config files and nodes of this machine answer sooner. */
const TIMEOUT_MS = 3000;

/**
 * The endpoints of the project on this machine that answer with this chain ID, each URL once. They are asked without
 * approval if their URLs are made of no variable, since nothing leaves this machine. Call it after a click.
 */
export async function findLocalEndpoints(
  { session, settings }: LocalEndpointDeps,
  chainId: number,
): Promise<readonly LocalEndpoint[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { endpoints } = await findProjectEndpoints(signal);
  const byUrl = new Map<string, FoundEndpoint>();
  for (const endpoint of endpoints.toReversed()) {
    const resolved = resolveFoundEndpoint(endpoint);
    if (!('url' in resolved) || !isLoopbackUrl(resolved.url)) continue;
    if (!(await settings.isSendingAllowed(resolved))) continue;
    noteChosenServer(resolved.url);
    byUrl.set(resolved.url, endpoint);
  }
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
