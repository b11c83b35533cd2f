import { isLoopbackUrl, type Network, probeChainId } from '../../core/index.ts';
import { type FoundEndpoint, findProjectEndpoints, toEndpointNetwork } from '../settings/projectEndpoints.ts';
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
  readonly settings: Pick<SettingsService, 'isSendingAllowed' | 'getApprovedChain'>;
}

/** Config files and nodes of this machine answer sooner. */
const TIMEOUT_MS = 3000;
/** Ports that are asked though nobody has chosen them. Real projects name up to five. */
const MAX_REQUESTED_PORTS = 20;

/**
 * Whether a URL names a port of this machine and nothing else: no path and no query, so that whatever listens there is
 * asked nothing that a file of the workspace has written.
 */
export function isBarePort(url: string): boolean {
  return isLoopbackUrl(url) && new URL(url).href === `${new URL(url).origin}/`;
}

/**
 * Asks ports of this machine for their chain IDs, each once and up to {@link MAX_REQUESTED_PORTS} of them: `none` where no
 * endpoint answers, undefined for a URL that is not asked.
 */
export function createPortAsker(
  session: LocalEndpointDeps['session'],
  signal: AbortSignal,
): (url: string) => Promise<number | 'none' | undefined> {
  const answers = new Map<string, Promise<number | 'none'>>();
  return async (url) => {
    if (!isBarePort(url)) return undefined;
    const known = answers.get(url);
    if (known || answers.size === MAX_REQUESTED_PORTS) return known;
    const answer = probeChainId(session.httpFor({ rpcUrl: url }), url, { signal })
      .catch(() => undefined)
      .then((chainId) => chainId ?? ('none' as const));
    answers.set(url, answer);
    return answer;
  };
}

/**
 * The endpoints of the project on this machine that answer with this chain ID, each URL once: ports alone, and those that
 * the user has chosen before. Call it after a click.
 */
export async function findLocalEndpoints(
  { session, settings }: LocalEndpointDeps,
  chainId: number,
): Promise<readonly LocalEndpoint[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { endpoints } = await findProjectEndpoints(signal);
  const askPort = createPortAsker(session, signal);
  const byUrl = new Map<string, readonly [FoundEndpoint, ask: () => Promise<number | 'none' | undefined>]>();
  for (const endpoint of endpoints.toReversed()) {
    const { resolved } = endpoint;
    if (!('url' in resolved) || !isLoopbackUrl(resolved.url)) continue;
    const { url } = resolved;
    const isChosen =
      (await settings.getApprovedChain(endpoint)) !== undefined &&
      (await settings.isSendingAllowed(resolved));
    if (!isChosen && (resolved.variables.length > 0 || !isBarePort(url))) continue;
    noteChosenServer(url);
    const askChosen = () =>
      probeChainId(session.httpFor({ rpcUrl: url }), url, { signal }).catch(() => undefined);
    byUrl.set(url, [endpoint, isChosen ? askChosen : () => askPort(url)]);
  }
  const found = [...byUrl].map(async ([url, [endpoint, ask]]) =>
    (await ask()) === chainId
      ? [{ network: toEndpointNetwork(endpoint, { url, chainId }), template: endpoint.template }]
      : [],
  );
  return (await Promise.all(found)).flat();
}
