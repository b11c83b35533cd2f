import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError, isAppError, throwIfAborted } from '../base/errors.ts';
import { createEtherscanRpc, parseEtherscanChain } from '../etherscan/etherscanRpc.ts';
import type { HttpDeps } from '../http/exchange.ts';
import {
  describeDialect,
  etherscanDialect,
  portalDialect,
  type ServerDescription,
  unknownDialect,
} from '../logs/engine/dialect.ts';
import { probeDialect } from '../logs/engine/probeServer.ts';
import { getDatasetChain, parseDatasetUrl } from '../networks/portalDatasets.ts';
import type { PublicEndpoint } from '../networks/publicEndpoints.ts';
import { getBlockNumber, getChainId } from '../rpc/methods.ts';
import { createRpcClient } from '../rpc/rpcClient.ts';

/**
 * Fetches the newest block, the chain ID and the kind of server of the endpoint at `url`. An address without a path may
 * be that of an explorer, so its `/api/eth-rpc` is tried as well.
 *
 * @throws AppError the error at `url`.
 * @example (await probeEndpoint(http, 'http://127.0.0.1:8545')).chainId;
 */
export async function probeEndpoint(
  http: HttpDeps,
  url: string,
  { signal, timeoutMs = TIMEOUT_MS }: ProbeOptions = {},
): Promise<EndpointFacts> {
  const dataset = parseDatasetUrl(url);
  if (dataset !== undefined) return probeDataset(http, dataset, { signal, timeoutMs });
  const chainId = parseEtherscanChain(url);
  if (chainId !== undefined) return probeEtherscan(http, { url, chainId, timeoutMs }, { signal });
  try {
    return await probeAt(http, url, { signal, timeoutMs });
  } catch (error) {
    const { origin, pathname } = new URL(url);
    const mayBeExplorer = pathname === '/' && isAppError(error) && !isAppError(error, ...PATH_INDEPENDENT);
    if (!mayBeExplorer) throw error;
    return probeAt(http, `${origin}/api/eth-rpc`, { signal, timeoutMs }).catch(() => Promise.reject(error));
  }
}

/**
 * The chain ID of the endpoint at exactly `url`, by one `eth_chainId`, and nothing else is sent: for a server that nobody
 * has chosen yet.
 *
 * @returns undefined if what answers does not offer `eth_chainId`, and so may be no endpoint.
 * @throws AppError if it does not answer as an endpoint does.
 * @example const chainId = await probeChainId(http, 'http://127.0.0.1:8545');
 */
export async function probeChainId(
  http: HttpDeps,
  url: string,
  { signal, timeoutMs = TIMEOUT_MS }: ProbeOptions = {},
): Promise<number | undefined> {
  return getChainId(createRpcClient({ ...http, url, timeoutMs }), { signal, retries: 0 });
}

export interface EndpointFacts {
  /** The URL that works: for a bare address of an explorer its `/api/eth-rpc`; for a portal the dataset. */
  readonly url: string;
  readonly block: bigint;
  /** Undefined if the endpoint does not offer `eth_chainId`. */
  readonly chainId: number | undefined;
  readonly server: ServerDescription;
}

interface ProbeOptions extends Abortable {
  /** Of each request; default 10 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Errors that another path would not change. */
const PATH_INDEPENDENT = ['aborted', 'network', 'timeout'] as const;

async function probeDataset(
  http: HttpDeps,
  url: string,
  { signal, timeoutMs }: Abortable & { readonly timeoutMs: number },
): Promise<EndpointFacts> {
  const { probePortal } = await import('../portal/probePortal.ts');
  const facts = await probePortal({ ...http, timeoutMs }, url, { signal, retries: 0 });
  return { url, ...facts, server: describeDialect({ ...unknownDialect, ...portalDialect }) };
}

async function probeEtherscan(
  http: HttpDeps,
  endpoint: { readonly url: string; readonly chainId: number; readonly timeoutMs: number },
  { signal }: Abortable,
): Promise<EndpointFacts> {
  const { url, chainId } = endpoint;
  const block = await getBlockNumber(createEtherscanRpc({ ...http, ...endpoint }), { signal, retries: 0 });
  return { url, block, chainId, server: describeDialect({ ...unknownDialect, ...etherscanDialect }) };
}

async function probeAt(
  http: HttpDeps,
  url: string,
  { signal, timeoutMs }: Abortable & { readonly timeoutMs: number },
): Promise<EndpointFacts> {
  const rpc = createRpcClient({ ...http, url, timeoutMs });
  const block = await getBlockNumber(rpc, { signal, retries: 0 });
  const chainId = await getChainId(rpc, { signal, retries: 0 });
  const { dialect } = await probeDialect(http, rpc, { signal });
  return { url, block, chainId, server: describeDialect({ ...unknownDialect, ...dialect }) };
}

/**
 * Tries endpoints of a chain one after the other until one works and serves the chain. Explorers of older releases and
 * datasets of the public portal do not return their chain ID: for these the list decides.
 *
 * @throws AppError `aborted` only.
 * @example (await findWorkingEndpoint(http, { chainId: 10, endpoints: listPublicEndpoints(10) })).taken?.endpoint.url
 */
export async function findWorkingEndpoint(
  http: HttpDeps,
  { chainId, endpoints, onAsk, signal, ...limits }: EndpointSearchOptions,
): Promise<EndpointSearch> {
  const unusable: UnusableEndpoint[] = [];
  for (const [index, endpoint] of endpoints.entries()) {
    throwIfAborted(signal);
    onAsk?.(endpoint);
    try {
      const facts = await probeEndpoint(http, endpoint.url, { ...limits, signal });
      const actualChain = facts.chainId ?? getDatasetChain(endpoint.url);
      if (actualChain === undefined ? endpoint.kind === 'explorer' : actualChain === chainId) {
        return { taken: { endpoint, facts }, unusable, left: endpoints.slice(index + 1) };
      }
      unusable.push({ endpoint, otherChain: actualChain });
    } catch (cause) {
      throwIfAborted(signal);
      unusable.push({ endpoint, error: asAppError(cause) });
    }
  }
  return { taken: undefined, unusable, left: [] };
}

export interface EndpointSearch {
  readonly taken: { readonly endpoint: PublicEndpoint; readonly facts: EndpointFacts } | undefined;
  /** Those before it, in the order in which they were tried. */
  readonly unusable: readonly UnusableEndpoint[];
  /** Those after it, which were not tried. */
  readonly left: readonly PublicEndpoint[];
}

/** It failed, or it serves another or an unknown chain. */
export type UnusableEndpoint =
  | { readonly endpoint: PublicEndpoint; readonly error: AppError }
  | { readonly endpoint: PublicEndpoint; readonly otherChain: number | undefined };

interface EndpointSearchOptions extends Abortable {
  readonly chainId: number;
  readonly endpoints: readonly PublicEndpoint[];
  /** Of each request; default 10 s. */
  readonly timeoutMs?: number;
  readonly onAsk?: (endpoint: PublicEndpoint) => void;
}
