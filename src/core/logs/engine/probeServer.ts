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
  parseNodeName,
} from './dialect.ts';
import type { DialectMemory } from './dialectMemory.ts';

/** What a server says that it is. */
interface ProbeResult {
  readonly told: Partial<Dialect>;
  /** Whether every question was answered or refused, so that what was not said is not there. */
  readonly isConclusive: boolean;
}

const BackendVersion = z.object({ backend_version: z.nullable(z.string()) });
const PROBE_LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 };
/** Names of nodes with commit, system and compiler have up to 70 characters. */
const MAX_VERSION_CHARS = 80;

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
): Promise<ProbeResult> {
  const version = await backendVersion(http, rpc.url, options);
  const explorer = version.value === undefined ? undefined : parseExplorerVersion(version.value);
  if (explorer) return { told: explorer, isConclusive: true };
  const byName = await byClientVersion(rpc, options);
  const answer = byName ?? (await byUnboundFilter(rpc, options));
  return { told: answer ?? {}, isConclusive: version.sure && answer !== undefined };
}

/** Without a value where there is none; sure of that only where the server has no such route, or says null. */
async function backendVersion(http: ExplorerDeps, rpcUrl: string, { signal }: Abortable) {
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

async function byClientVersion(rpc: RpcClient, { signal }: Abortable): Promise<Partial<Dialect> | undefined> {
  try {
    const name = await rpc.call('web3_clientVersion', [], { signal, ...EXPLORER_RETRY, ...SHORT_RESPONSE });
    return typeof name === 'string' ? parseNodeName(sanitizeText(name, MAX_VERSION_CHARS)) : undefined;
  } catch (error) {
    throwIfAborted(signal);
    if (!isAppError(error, 'rpc')) return undefined;
    if (error.details.code === undefined) return genericExplorer;
    const isV12 = error.details.code === -32601 && explorerApiUrl(rpc.url, '/api') !== undefined;
    return isV12 ? explorerFromV12 : undefined;
  }
}

async function byUnboundFilter(rpc: RpcClient, { signal }: Abortable): Promise<Partial<Dialect> | undefined> {
  try {
    const genesis = { fromBlock: '0x0', toBlock: '0x0' };
    const logs = await rpc.call('eth_getLogs', [genesis], { signal, ...EXPLORER_RETRY, ...SHORT_RESPONSE });
    return Array.isArray(logs) ? parseNodeName() : undefined;
  } catch (error) {
    throwIfAborted(signal);
    const refusal = isAppError(error, 'rpc') ? (error.details.serverMessage ?? '') : '';
    return /one of address and topics/i.test(refusal) ? genericExplorer : undefined;
  }
}

/** Notices for one query that the server behind an address is not the one that is remembered. */
export interface ServerWatch {
  /** Asks the server what it is, once, and corrects the memory. */
  identify(options: Abortable): Promise<void>;
  /** Takes the server as it is known now for the one that the query reads from. */
  begin(): void;
  /** Whether it has become another since, by its answers or by its own words. Asks only if it was asked before. */
  changed(options: Abortable): Promise<boolean>;
  /** The same as far as it is known now, without asking. */
  hasChanged(): boolean;
}

export function watchServer(http: ExplorerDeps, rpc: RpcClient, memory: DialectMemory): ServerWatch {
  let changesAtBegin = memory.changes();
  let asked: { readonly changes: number; readonly answer: Promise<void> } | undefined;

  async function ask(options: Abortable): Promise<void> {
    const { told, isConclusive: sure } = await probeDialect(http, rpc, options);
    if (isOtherServer(memory.current(), told, sure)) memory.forget();
    memory.learn(told);
  }

  const hasChanged = () => changesAtBegin !== memory.changes();

  return {
    hasChanged,
    async identify({ signal }) {
      if (isInferable(memory.current())) return;
      // What was learnt of the server before does not hold for the one that took its place.
      if (asked?.changes !== memory.changes()) {
        const answer = ask({ signal }).then(
          () => {
            asked = { changes: memory.changes(), answer };
          },
          (error: unknown) => {
            if (asked?.answer === answer) asked = undefined;
            throw error;
          },
        );
        asked = { changes: memory.changes(), answer };
      }
      // Whoever asked first may be another, whose signal is not the one that counts here.
      await untilAborted(asked.answer, signal);
    },
    begin() {
      changesAtBegin = memory.changes();
    },
    async changed(options) {
      if (asked && !hasChanged() && !isInferable(memory.current())) await ask(options);
      return hasChanged();
    },
  };
}
