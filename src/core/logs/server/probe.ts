import * as z from 'zod/mini';
import type { Abortable } from '../../base/abortable.ts';
import { isAppError, throwIfAborted } from '../../base/errors.ts';
import { EXPLORER_RETRY, type ExplorerDeps, getFromExplorer } from '../../explorer/explorerRoutes.ts';
import { explorerApi } from '../../explorer/explorerUrls.ts';
import { type RpcClient, SHORT_ANSWER } from '../../rpc/rpcClient.ts';
import { plainText } from '../../values/plainText.ts';
import { type Dialect, explorerFromV12, explorerOfVersion, nodeOfName, someExplorer } from './dialect.ts';

/** What a server says that it is. */
interface ServerAnswer {
  readonly told: Partial<Dialect>;
  /** Whether every question was answered or refused, so that what was not said is not there. */
  readonly sure: boolean;
}

const BackendVersion = z.object({ backend_version: z.nullable(z.string()) });
const PROBE_LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 };
/** Names of nodes with commit, system and compiler have up to 70 characters. */
const MOST_VERSION = 80;

/**
 * Asks a server what it is, in at most three requests: Blockscout tells its release at
 * `/api/v2/config/backend-version` (since v5.2.0, may be absent); a node tells its name by `web3_clientVersion`,
 * which Blockscout refuses, in a bare string up to v11 and in an object from v12; and a provider of nodes that
 * refuses it too answers `eth_getLogs` without address and topics, which no Blockscout does.
 *
 * @throws AppError `aborted` only.
 */
export async function probeDialect(
  http: ExplorerDeps,
  rpc: RpcClient,
  options: Abortable = {},
): Promise<ServerAnswer> {
  const version = await backendVersion(http, rpc.url, options);
  const explorer = version.value === undefined ? undefined : explorerOfVersion(version.value);
  if (explorer) return { told: explorer, sure: true };
  const byName = await byClientVersion(rpc, options);
  const answer = byName ?? (await byUnboundFilter(rpc, options));
  return { told: answer ?? {}, sure: version.sure && answer !== undefined };
}

/** Without a value where there is none; sure of that only where the server has no such route, or says null. */
async function backendVersion(http: ExplorerDeps, rpcUrl: string, { signal }: Abortable) {
  const url = explorerApi(rpcUrl, '/api/v2/config/backend-version');
  if (!url) return { value: undefined, sure: true };
  try {
    const body = await getFromExplorer(http, url, { signal, ...PROBE_LIMITS });
    const version = BackendVersion.parse(body).backend_version ?? undefined;
    return { value: version === undefined ? undefined : plainText(version, MOST_VERSION), sure: true };
  } catch (cause) {
    throwIfAborted(signal);
    return { value: undefined, sure: isAppError(cause, 'notFound') };
  }
}

async function byClientVersion(rpc: RpcClient, { signal }: Abortable): Promise<Partial<Dialect> | undefined> {
  try {
    const name = await rpc.call('web3_clientVersion', [], { signal, ...EXPLORER_RETRY, ...SHORT_ANSWER });
    return typeof name === 'string' ? nodeOfName(plainText(name, MOST_VERSION)) : undefined;
  } catch (error) {
    throwIfAborted(signal);
    if (!isAppError(error, 'rpc')) return undefined;
    if (error.details.code === undefined) return someExplorer;
    const isV12 = error.details.code === -32601 && explorerApi(rpc.url, '/api') !== undefined;
    return isV12 ? explorerFromV12 : undefined;
  }
}

async function byUnboundFilter(rpc: RpcClient, { signal }: Abortable): Promise<Partial<Dialect> | undefined> {
  try {
    const genesis = { fromBlock: '0x0', toBlock: '0x0' };
    const logs = await rpc.call('eth_getLogs', [genesis], { signal, ...EXPLORER_RETRY, ...SHORT_ANSWER });
    return Array.isArray(logs) ? nodeOfName() : undefined;
  } catch (error) {
    throwIfAborted(signal);
    const refusal = isAppError(error, 'rpc') ? (error.details.serverMessage ?? '') : '';
    return /one of address and topics/i.test(refusal) ? someExplorer : undefined;
  }
}
