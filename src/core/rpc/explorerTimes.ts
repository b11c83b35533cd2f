import * as z from 'zod/mini';
import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import { type Address, type Hex, MAX_SAFE_BIGINT, parseQuantity } from '../eth/hex.ts';
import { parseSeconds } from '../eth/time.ts';
import { type ExplorerDeps, fetchFromExplorer, isExplorerNotFound } from '../http/fetchJson.ts';
import { explorerApiUrl } from '../networks/network.ts';

/** Which logs are in the blocks that are asked about: an explorer takes none without one of these. */
export interface LogsInBlocks {
  readonly address?: Address | undefined;
  readonly topic0?: Hex | undefined;
}

/** What a Blockscout explorer tells of times beside its JSON-RPC. Each gives undefined where there is no such route. */
export interface ExplorerTimes {
  /**
   * Times in milliseconds of the blocks from the first to the last one that have such logs, by
   * `GET /api?module=logs&action=getLogs`, whose rows have a `timeStamp`: of the first 1,000 logs.
   */
  ofLogs(
    blocks: { readonly first: bigint; readonly last: bigint },
    logs: LogsInBlocks,
    options: Abortable,
  ): Promise<ReadonlyMap<bigint, number> | undefined>;
  /** The time of a block in milliseconds, by `GET /api/v2/blocks/{number}`; `unknown` for one that it has not. */
  ofBlock(block: bigint, options: Abortable): Promise<number | 'unknown' | undefined>;
  /**
   * The last block at or before a second, by `GET /api?module=block&action=getblocknobytime`, since 2021. Before the
   * first block, and where several have one time, it names what is not so; releases up to v5 look at a minute around
   * only.
   */
  lastBlockAt(second: number, options: Abortable): Promise<bigint | undefined>;
}

/** A page of 1,000 logs, each with its data. */
const LOGS_LIMIT = { maxBytes: 16 * 1024 * 1024 };
const MAX_ROWS = 1000;
const BLOCK_LIMIT = { maxBytes: 1024 * 1024 };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const Logs = z.object({ result: z.nullable(z.array(z.unknown())) });
const Row = z.object({ blockNumber: z.string(), timeStamp: z.string() });
const Block = z.object({ height: z.optional(z.unknown()), timestamp: z.string().check(z.regex(ISO)) });
/** A bare string for a while in v9. */
const BlockAt = z.object({
  result: z.union([z.string(), z.object({ blockNumber: z.union([z.string(), z.number()]) })]),
});

/** Of the explorer whose JSON-RPC is at `rpcUrl`; undefined where that is no explorer's. */
export function createExplorerTimes(http: ExplorerDeps, rpcUrl: string): ExplorerTimes | undefined {
  if (!explorerApiUrl(rpcUrl, '/api')) return undefined;
  const ask = async (
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    options: Abortable & { readonly maxBytes: number },
  ): Promise<unknown> => {
    const url = explorerApiUrl(rpcUrl, path, query);
    return url && unlessMissing(fetchFromExplorer(http, url, options));
  };

  return {
    async ofLogs({ first, last }, { address, topic0 }, { signal }) {
      const asked = { module: 'logs', action: 'getLogs', fromBlock: `${first}`, toBlock: `${last}` };
      const body = await ask('/api', { ...asked, address, topic0 }, { signal, ...LOGS_LIMIT });
      const { data } = Logs.safeParse(body);
      if (!data) return undefined;
      const times = new Map<bigint, number>();
      for (const row of (data.result ?? []).slice(0, MAX_ROWS)) {
        const read = Row.safeParse(row).data;
        const block = parseQuantity(read?.blockNumber);
        const time = parseSeconds(read?.timeStamp);
        if (block === undefined || time === undefined || block < first || block > last) continue;
        if (!times.has(block)) times.set(block, time);
      }
      return times;
    },
    async ofBlock(block, { signal }) {
      const answer = await ask(`/api/v2/blocks/${block}`, {}, { signal, ...BLOCK_LIMIT });
      if (answer === THING_MISSING) return 'unknown';
      const { data } = Block.safeParse(answer);
      if (!data || (data.height !== undefined && String(data.height) !== String(block))) return undefined;
      const time = Date.parse(data.timestamp);
      return Number.isNaN(time) ? undefined : time;
    },
    async lastBlockAt(second, { signal }) {
      if (second < 0 || !Number.isSafeInteger(second)) return undefined;
      // Asked for the block after, it passes over those of that very second.
      const closest = 'before';
      const asked = { module: 'block', action: 'getblocknobytime', timestamp: `${second}`, closest };
      const { data } = BlockAt.safeParse(await ask('/api', asked, { signal, ...BLOCK_LIMIT }));
      const said = typeof data?.result === 'object' ? data.result.blockNumber : data?.result;
      return /^\d{1,16}$/.test(`${said}`) ? heightIn(`${said}`) : undefined;
    },
  };
}

function heightIn(digits: string): bigint | undefined {
  const height = BigInt(digits);
  return height <= MAX_SAFE_BIGINT ? height : undefined;
}

/** Stands for the answer that there is no such thing, where there is the route. */
const THING_MISSING = Symbol();

/** Undefined where the server has no such route, or does not answer it as the field knows it. */
async function unlessMissing(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isAppError(error) && isExplorerNotFound(error)) return THING_MISSING;
    if (isAppError(error, 'notFound', 'badResponse', 'forbidden', 'unauthorized')) {
      return undefined;
    }
    throw error;
  }
}
