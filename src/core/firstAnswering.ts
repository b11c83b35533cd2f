import type { Abortable } from './base/abortable.ts';
import { type AppError, asAppError, throwIfAborted } from './base/errors.ts';
import type { HttpDeps } from './http/http.ts';
import { chainOfDataset } from './networks/portalDatasets.ts';
import type { PublicEndpoint } from './networks/publicEndpoints.ts';
import { type EndpointFacts, probeEndpoint } from './probeEndpoint.ts';

/**
 * An endpoint that was asked and is not taken: it failed, or it is of another chain, or of one that it does not tell.
 */
export type UnusableEndpoint =
  | { readonly endpoint: PublicEndpoint; readonly error: AppError }
  | { readonly endpoint: PublicEndpoint; readonly otherChain: number | undefined };

export interface EndpointSearch {
  /** The first that answers for the chain; undefined where none does. */
  readonly taken: { readonly endpoint: PublicEndpoint; readonly facts: EndpointFacts } | undefined;
  /** Those before it, in the order in which they were asked. */
  readonly unusable: readonly UnusableEndpoint[];
  /** Those behind it, which were not asked. */
  readonly left: readonly PublicEndpoint[];
}

interface EndpointQuestion extends Abortable {
  readonly chainId: number;
  readonly endpoints: readonly PublicEndpoint[];
  /** Of each request; default 10 s. */
  readonly timeoutMs?: number;
  /** Told of each endpoint before it is asked. */
  readonly onAsk?: (endpoint: PublicEndpoint) => void;
}

/**
 * Asks endpoints of a chain one after another until one answers that is of it. One that does not tell its chain id is
 * taken for what the list says that it is, as explorers of older releases are, and datasets of the public portal.
 *
 * @throws AppError `aborted` only.
 * @example (await firstAnswering(http, { chainId: 10, endpoints: publicEndpoints(10) })).taken?.endpoint.url
 */
export async function firstAnswering(
  http: HttpDeps,
  { chainId, endpoints, onAsk, signal, ...limits }: EndpointQuestion,
): Promise<EndpointSearch> {
  const unusable: UnusableEndpoint[] = [];
  for (const [place, endpoint] of endpoints.entries()) {
    throwIfAborted(signal);
    onAsk?.(endpoint);
    try {
      const facts = await probeEndpoint(http, endpoint.url, { ...limits, signal });
      const told = facts.chainId ?? chainOfDataset(endpoint.url);
      if (told === undefined ? endpoint.kind === 'explorer' : told === chainId) {
        return { taken: { endpoint, facts }, unusable, left: endpoints.slice(place + 1) };
      }
      unusable.push({ endpoint, otherChain: told });
    } catch (cause) {
      throwIfAborted(signal);
      unusable.push({ endpoint, error: asAppError(cause) });
    }
  }
  return { taken: undefined, unusable, left: [] };
}
