import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError, isAppError, throwIfAborted } from '../base/errors.ts';
import type { HttpDeps } from '../http/exchange.ts';
import {
  describeDialect,
  portalDialect,
  type ServerDescription,
  unknownDialect,
} from '../logs/engine/dialect.ts';
import { probeDialect } from '../logs/engine/probeServer.ts';
import { getDatasetChain, parseDatasetUrl } from '../networks/portalDatasets.ts';
import type { PublicEndpoint } from '../networks/publicEndpoints.ts';
import { getBlockNumber, getChainId } from '../rpc/methods.ts';
import { createRpcClient } from '../rpc/rpcClient.ts';

/** What an endpoint says of itself. */
export interface EndpointFacts {
  /**
   * Where it answers: behind a bare address, as an explorer's is typed, its `/api/eth-rpc`; of a portal the dataset.
   */
  readonly url: string;
  readonly block: bigint;
  /** Undefined where it does not tell. */
  readonly chainId: number | undefined;
  readonly server: ServerDescription;
}

interface ProbeOptions extends Abortable {
  /** Of each request; default 10 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/**
 * Asks the endpoint at `url` for its latest block, its chain id and what it is.
 *
 * @throws AppError as the endpoint fails; at an address without a path as it does there.
 * @example (await probeEndpoint(http, 'http://127.0.0.1:8545')).chainId;
 */
export async function probeEndpoint(
  http: HttpDeps,
  url: string,
  { signal, timeoutMs = TIMEOUT_MS }: ProbeOptions = {},
): Promise<EndpointFacts> {
  const dataset = parseDatasetUrl(url);
  if (dataset !== undefined) return probeDataset(http, dataset, { signal, timeoutMs });
  try {
    return await probeAt(http, url, { signal, timeoutMs });
  } catch (error) {
    const { origin, pathname } = new URL(url);
    const mayBeExplorer = pathname === '/' && isAppError(error) && !isAppError(error, ...notOfPath);
    if (!mayBeExplorer) throw error;
    return probeAt(http, `${origin}/api/eth-rpc`, { signal, timeoutMs }).catch(() => Promise.reject(error));
  }
}

/** What would be the same at another path. */
const notOfPath = ['aborted', 'network', 'timeout'] as const;

async function probeDataset(
  http: HttpDeps,
  url: string,
  { signal, timeoutMs }: Abortable & { readonly timeoutMs: number },
): Promise<EndpointFacts> {
  const { probePortal } = await import('../portal/probePortal.ts');
  const facts = await probePortal({ ...http, timeoutMs }, url, { signal, retries: 0 });
  return { url, ...facts, server: describeDialect({ ...unknownDialect, ...portalDialect }) };
}

async function probeAt(
  http: HttpDeps,
  url: string,
  { signal, timeoutMs }: Abortable & { readonly timeoutMs: number },
): Promise<EndpointFacts> {
  const rpc = createRpcClient({ ...http, url, timeoutMs });
  const block = await getBlockNumber(rpc, { signal, retries: 0 });
  const chainId = await getChainId(rpc, { signal, retries: 0 });
  const { told } = await probeDialect(http, rpc, { signal });
  return { url, block, chainId, server: describeDialect({ ...unknownDialect, ...told }) };
}

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

interface EndpointSearchOptions extends Abortable {
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
 * @example (await findWorkingEndpoint(http, { chainId: 10, endpoints: listPublicEndpoints(10) })).taken?.endpoint.url
 */
export async function findWorkingEndpoint(
  http: HttpDeps,
  { chainId, endpoints, onAsk, signal, ...limits }: EndpointSearchOptions,
): Promise<EndpointSearch> {
  const unusable: UnusableEndpoint[] = [];
  for (const [place, endpoint] of endpoints.entries()) {
    throwIfAborted(signal);
    onAsk?.(endpoint);
    try {
      const facts = await probeEndpoint(http, endpoint.url, { ...limits, signal });
      const told = facts.chainId ?? getDatasetChain(endpoint.url);
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
