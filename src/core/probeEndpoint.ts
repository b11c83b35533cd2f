import type { Abortable } from './base/abortable.ts';
import { isAppError } from './base/errors.ts';
import type { HttpDeps } from './http/http.ts';
import {
  describeDialect,
  type ServerDescription,
  somePortal,
  unknownDialect,
} from './logs/server/dialect.ts';
import { probeDialect } from './logs/server/probe.ts';
import { datasetUrl } from './portal/portalUrl.ts';
import { chainIdOf, latestBlock } from './rpc/methods.ts';
import { createRpcClient } from './rpc/rpcClient.ts';

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
  const dataset = datasetUrl(url);
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
  const { probePortal } = await import('./portal/probePortal.ts');
  const facts = await probePortal({ ...http, timeoutMs }, url, { signal, retries: 0 });
  return { url, ...facts, server: describeDialect({ ...unknownDialect, ...somePortal }) };
}

async function probeAt(
  http: HttpDeps,
  url: string,
  { signal, timeoutMs }: Abortable & { readonly timeoutMs: number },
): Promise<EndpointFacts> {
  const rpc = createRpcClient({ ...http, url, timeoutMs });
  const block = await latestBlock(rpc, { signal, retries: 0 });
  const chainId = await chainIdOf(rpc, { signal, retries: 0 });
  const { told } = await probeDialect(http, rpc, { signal });
  return { url, block, chainId, server: describeDialect({ ...unknownDialect, ...told }) };
}
