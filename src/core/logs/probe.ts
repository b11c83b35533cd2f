import * as z from 'zod/mini';
import { isAppError, throwIfAborted } from '../errors.ts';
import { exchange, type HttpDeps } from '../http.ts';
import type { RpcClient } from '../rpc/rpcClient.ts';
import { type Dialect, parseRelease } from './dialect.ts';

const EXPLORER_PATH = /\/api(?:\/v1)?\/eth[-_]rpc\/?$/;
const BackendVersion = z.object({ backend_version: z.nullable(z.string()) });
const PROBE_TIMEOUT_MS = 10_000;

/**
 * Asks a server what it is, in at most two requests: Blockscout tells its release at
 * `/api/v2/config/backend-version` (since v5.2.0, may be absent); a node tells its name by `web3_clientVersion`,
 * which Blockscout refuses, in a bare string up to v11 and in an object from v12.
 *
 * @returns what was learnt; nothing where the server tells neither.
 */
export async function probeDialect(
  http: HttpDeps,
  rpc: RpcClient,
  signal: AbortSignal | undefined,
): Promise<Partial<Dialect>> {
  const version = await backendVersion(http, rpc.url, signal);
  const release = version === undefined ? undefined : parseRelease(version);
  if (release) return { family: 'blockscout', version, release };
  return byClientVersion(rpc, signal);
}

async function backendVersion(http: HttpDeps, rpcUrl: string, signal: AbortSignal | undefined) {
  const url = new URL(rpcUrl);
  if (!EXPLORER_PATH.test(url.pathname)) return undefined;
  url.pathname = url.pathname.replace(EXPLORER_PATH, '/api/v2/config/backend-version');
  try {
    const answer = await exchange(http, {
      url: url.href,
      method: 'GET',
      headers: { accept: 'application/json' },
      signal,
      timeoutMs: PROBE_TIMEOUT_MS,
      maxBytes: 64 * 1024,
    });
    return BackendVersion.parse(JSON.parse(answer.body)).backend_version ?? undefined;
  } catch {
    throwIfAborted(signal);
    return undefined;
  }
}

async function byClientVersion(rpc: RpcClient, signal: AbortSignal | undefined): Promise<Partial<Dialect>> {
  try {
    const name = await rpc.call('web3_clientVersion', [], { signal, retries: 0 });
    return typeof name === 'string' ? { family: 'node', version: name } : {};
  } catch (error) {
    throwIfAborted(signal);
    if (!isAppError(error, 'rpc')) return {};
    if (error.details.code === undefined) return { family: 'blockscout' };
    const isV12 = error.details.code === -32601 && EXPLORER_PATH.test(new URL(rpc.url).pathname);
    return isV12 ? { family: 'blockscout', release: [12, 0, 0] } : {};
  }
}
