import * as z from 'zod/mini';
import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import { type Address, type Hex, MAX_SAFE_BIGINT, parseQuantity } from '../eth/hex.ts';
import { parseSeconds } from '../eth/time.ts';
import { type ExplorerDeps, fetchFromExplorer, isExplorerNotFound } from '../http/fetchJson.ts';
import { explorerApiUrl } from '../networks/network.ts';

/** Undefined if `rpcUrl` is not the JSON-RPC of an explorer. */
export function createExplorerTimes(http: ExplorerDeps, rpcUrl: string): ExplorerTimes | undefined {
  if (!explorerApiUrl(rpcUrl, '/api')) return undefined;
  const fetchRoute = async (
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    options: Abortable & { readonly maxBytes: number },
  ): Promise<unknown> => {
    const url = explorerApiUrl(rpcUrl, path, query);
    return url && undefinedIfMissing(fetchFromExplorer(http, url, options));
  };

  return {
    async fetchLogTimes({ first, last }, { address, topic0 }, { signal }) {
      const query = { module: 'logs', action: 'getLogs', fromBlock: `${first}`, toBlock: `${last}` };
      const body = await fetchRoute('/api', { ...query, address, topic0 }, { signal, ...LOGS_LIMIT });
      const { data } = Logs.safeParse(body);
      if (!data) return undefined;
      const times = new Map<bigint, number>();
      for (const row of (data.result ?? []).slice(0, MAX_ROWS)) {
        const parsed = Row.safeParse(row).data;
        const block = parseQuantity(parsed?.blockNumber);
        const time = parseSeconds(parsed?.timeStamp);
        if (block === undefined || time === undefined || block < first || block > last) continue;
        if (!times.has(block)) times.set(block, time);
      }
      return times;
    },
    async fetchBlockTime(block, { signal }) {
      const response = await fetchRoute(`/api/v2/blocks/${block}`, {}, { signal, ...BLOCK_LIMIT });
      if (response === OBJECT_MISSING) return 'unknown';
      const { data } = Block.safeParse(response);
      if (!data || (data.height !== undefined && String(data.height) !== String(block))) return undefined;
      const time = Date.parse(data.timestamp);
      return Number.isNaN(time) ? undefined : time;
    },
    async fetchLastBlockAt(second, { signal }) {
      if (second < 0 || !Number.isSafeInteger(second)) return undefined;
      // `after` would skip the blocks of that very second.
      const closest = 'before';
      const query = { module: 'block', action: 'getblocknobytime', timestamp: `${second}`, closest };
      const { data } = BlockAt.safeParse(await fetchRoute('/api', query, { signal, ...BLOCK_LIMIT }));
      const height = typeof data?.result === 'object' ? data.result.blockNumber : data?.result;
      return /^\d{1,16}$/.test(`${height}`) ? parseHeight(`${height}`) : undefined;
    },
  };
}

/**
 * What a Blockscout explorer offers beside its JSON-RPC. Each method returns undefined if the explorer lacks the route.
 */
interface ExplorerTimes {
  /**
   * Times in milliseconds of the blocks from `first` to `last` that have such logs, from the `timeStamp` of the first
   * 1,000 logs: `GET /api?module=logs&action=getLogs`.
   */
  fetchLogTimes(
    blocks: { readonly first: bigint; readonly last: bigint },
    logs: LogsInBlocks,
    options: Abortable,
  ): Promise<ReadonlyMap<bigint, number> | undefined>;
  /**
   * The time of a block in milliseconds: `GET /api/v2/blocks/{number}`; `unknown` if the explorer does not have the
   * block.
   */
  fetchBlockTime(block: bigint, options: Abortable): Promise<number | 'unknown' | undefined>;
  /**
   * The last block at or before a second: `GET /api?module=block&action=getblocknobytime`, since 2021. It is wrong
   * before the first block, and if several blocks have the same time. Releases up to v5 only search the minute around.
   */
  fetchLastBlockAt(second: number, options: Abortable): Promise<bigint | undefined>;
}

/** A filter for logs in the requested blocks: explorers require one of these. */
export interface LogsInBlocks {
  readonly address?: Address | undefined;
  readonly topic0?: Hex | undefined;
}

/** A page of 1,000 logs, each with its data. */
const LOGS_LIMIT = { maxBytes: 16 * 1024 * 1024 };
const MAX_ROWS = 1000;
const BLOCK_LIMIT = { maxBytes: 1024 * 1024 };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const Logs = z.object({ result: z.nullable(z.array(z.unknown())) });
const Row = z.object({ blockNumber: z.string(), timeStamp: z.string() });
const Block = z.object({ height: z.optional(z.unknown()), timestamp: z.string().check(z.regex(ISO)) });
/** A bare string in some releases of v9. */
const BlockAt = z.object({
  result: z.union([z.string(), z.object({ blockNumber: z.union([z.string(), z.number()]) })]),
});

function parseHeight(digits: string): bigint | undefined {
  const height = BigInt(digits);
  return height <= MAX_SAFE_BIGINT ? height : undefined;
}

/** Undefined if the server lacks the route, or responds in an unknown form. */
async function undefinedIfMissing(response: Promise<unknown>): Promise<unknown> {
  try {
    return await response;
  } catch (error) {
    if (isAppError(error) && isExplorerNotFound(error)) return OBJECT_MISSING;
    if (isAppError(error, 'notFound', 'badResponse', 'forbidden', 'unauthorized')) {
      return undefined;
    }
    throw error;
  }
}

/** The route exists, but not the object. */
const OBJECT_MISSING = Symbol();
