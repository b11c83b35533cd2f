import * as z from 'zod/mini';
import { type Abortable, untilAborted } from '../../base/concurrency.ts';
import { isAppError, throwIfAborted } from '../../base/errors.ts';
import { sanitizeText } from '../../base/text.ts';
import { EXPLORER_RETRY, type ExplorerDeps, fetchFromExplorer } from '../../http/fetchJson.ts';
import { explorerApiUrl } from '../../networks/network.ts';
import { type RpcClient, SHORT_RESPONSE } from '../../rpc/rpcClient.ts';
import {
  type Dialect,
  explorerFromV12,
  genericExplorer,
  isInferable,
  isOtherServer,
  parseExplorerVersion,
  toNodeDialect,
} from './dialect.ts';
import type { DialectMemory } from './dialectMemory.ts';

/** What a server reports about itself. */
interface ProbeResult {
  readonly dialect: Partial<Dialect>;
  /** Whether every request was accepted or refused, so that what was not reported does not exist. */
  readonly isConclusive: boolean;
}

const BackendVersion = z.object({ backend_version: z.nullable(z.string()) });
const PROBE_LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 };
/** Names of nodes with commit, system and compiler have up to 70 characters. */
const MAX_VERSION_CHARS = 80;

/**
 * Identifies a server in at most three requests. Blockscout reports its release at `/api/v2/config/backend-version`
 * (since v5.2.0, may be absent). A node reports its name by `web3_clientVersion`, which Blockscout refuses, with a
 * bare string up to v11 and an object from v12. A provider of nodes that refuses it too responds to `eth_getLogs`
 * without address and topics, which no Blockscout does.
 *
 * @throws AppError `aborted` only.
 */
export async function probeDialect(
  http: ExplorerDeps,
  rpc: RpcClient,
  options: Abortable = {},
): Promise<ProbeResult> {
  const version = await fetchBackendVersion(http, rpc.url, options);
  const explorer = version.value === undefined ? undefined : parseExplorerVersion(version.value);
  if (explorer) return { dialect: explorer, isConclusive: true };
  const named = await probeClientVersion(rpc, options);
  const dialect = named ?? (await probeUnboundFilter(rpc, options));
  return { dialect: dialect ?? {}, isConclusive: version.sure && dialect !== undefined };
}

/** Fetches the release. A missing value is conclusive only if the server has no such route, or reports null. */
async function fetchBackendVersion(http: ExplorerDeps, rpcUrl: string, { signal }: Abortable) {
  const url = explorerApiUrl(rpcUrl, '/api/v2/config/backend-version');
  if (!url) return { value: undefined, sure: true };
  try {
    const body = await fetchFromExplorer(http, url, { signal, ...PROBE_LIMITS });
    const version = BackendVersion.parse(body).backend_version ?? undefined;
    return {
      value: version === undefined ? undefined : sanitizeText(version, MAX_VERSION_CHARS),
      sure: true,
    };
  } catch (cause) {
    throwIfAborted(signal);
    return { value: undefined, sure: isAppError(cause, 'notFound') };
  }
}

async function probeClientVersion(
  rpc: RpcClient,
  { signal }: Abortable,
): Promise<Partial<Dialect> | undefined> {
  try {
    const name = await rpc.call('web3_clientVersion', [], { signal, ...EXPLORER_RETRY, ...SHORT_RESPONSE });
    return typeof name === 'string' ? toNodeDialect(sanitizeText(name, MAX_VERSION_CHARS)) : undefined;
  } catch (error) {
    throwIfAborted(signal);
    if (!isAppError(error, 'rpc')) return undefined;
    if (error.details.code === undefined) return genericExplorer;
    const isV12 = error.details.code === -32601 && explorerApiUrl(rpc.url, '/api') !== undefined;
    return isV12 ? explorerFromV12 : undefined;
  }
}

async function probeUnboundFilter(
  rpc: RpcClient,
  { signal }: Abortable,
): Promise<Partial<Dialect> | undefined> {
  try {
    const genesis = { fromBlock: '0x0', toBlock: '0x0' };
    const logs = await rpc.call('eth_getLogs', [genesis], { signal, ...EXPLORER_RETRY, ...SHORT_RESPONSE });
    return Array.isArray(logs) ? toNodeDialect() : undefined;
  } catch (error) {
    throwIfAborted(signal);
    const serverMessage = isAppError(error, 'rpc') ? (error.details.serverMessage ?? '') : '';
    return /one of address and topics/i.test(serverMessage) ? genericExplorer : undefined;
  }
}

/** Detects for one query that another server has taken the place of the remembered one. */
export interface ServerWatch {
  /** Probes the server, once, and corrects the memory. */
  identify(options: Abortable): Promise<void>;
  /** From here on, the query reads from the server that is remembered now. */
  begin(): void;
  /**
   * Whether another server has taken its place since, by its responses or by a probe. Probes only if there was a
   * probe before.
   */
  checkChanged(options: Abortable): Promise<boolean>;
  /** The same without a probe. */
  hasChanged(): boolean;
}

/** For a server that is recognized by its URL, and never turns out to be another one. */
export const constantServer: ServerWatch = {
  identify: async () => {},
  begin: () => undefined,
  checkChanged: async () => false,
  hasChanged: () => false,
};

export function watchServer(http: ExplorerDeps, rpc: RpcClient, memory: DialectMemory): ServerWatch {
  let changesAtBegin = memory.changes();
  let probe: { readonly changes: number; readonly done: Promise<void> } | undefined;

  async function runProbe(options: Abortable): Promise<void> {
    const { dialect, isConclusive } = await probeDialect(http, rpc, options);
    if (isOtherServer(memory.current(), dialect, isConclusive)) memory.forget();
    memory.learn(dialect);
  }

  const hasChanged = () => changesAtBegin !== memory.changes();

  return {
    hasChanged,
    async identify({ signal }) {
      if (isInferable(memory.current())) return;
      // After a change of the server, the earlier probe is out of date.
      if (probe?.changes !== memory.changes()) {
        const done = runProbe({ signal }).then(
          () => {
            probe = { changes: memory.changes(), done };
          },
          (error: unknown) => {
            if (probe?.done === done) probe = undefined;
            throw error;
          },
        );
        probe = { changes: memory.changes(), done };
      }
      // Another caller may have started the probe, with its own signal.
      await untilAborted(probe.done, signal);
    },
    begin() {
      changesAtBegin = memory.changes();
    },
    async checkChanged(options) {
      if (probe && !hasChanged() && !isInferable(memory.current())) await runProbe(options);
      return hasChanged();
    },
  };
}
