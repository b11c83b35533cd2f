import { eachLimited } from '../base/eachLimited.ts';
import { isAppError } from '../base/errors.ts';
import type { ExplorerDeps } from '../explorer/explorerRoutes.ts';
import { datasetUrl } from '../portal/portalUrl.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import { type BlockAtTime, type Closest, findBlockAt } from './blockAt.ts';
import { createExplorerTimes, type LogsInBlocks } from './explorerTimes.ts';
import { readHeaderTimes } from './headerTimes.ts';
import { type KnownTime, MOST_BLOCK_TIMES, type TimeSource } from './knownTime.ts';

/** More headers than these are several requests to an explorer, whose logs tell as much in one. */
export const FEW_BLOCKS = 5;
/** Blocks that are asked for one by one, where there is no other way. */
const MOST_ALONE = 20;

export interface BlockTimesOptions extends RpcCallOptions {
  /** Logs that the blocks are known to have, so that an explorer can be asked for these. */
  readonly logs?: LogsInBlocks | undefined;
}

/** A moment that a block is sought for. */
export interface BlockAtQuestion {
  /** In milliseconds since the Unix epoch. */
  readonly time: number;
  readonly closest: Closest;
  /** The newest block. */
  readonly head: bigint;
}

/**
 * Reads when blocks were made, by whatever one endpoint has for it. What it learns of that lives as long as it does.
 */
export interface TimesReader {
  /** Whether an explorer is beside the JSON-RPC. */
  readonly isExplorer: boolean;
  /**
   * When blocks were made, the first {@link MOST_BLOCK_TIMES} of them: by block headers; of an explorer also by its
   * logs and by its REST interface. Those that the server does not know are missing.
   *
   * @returns undefined where the endpoint has nothing that tells.
   * @throws AppError of any network kind.
   */
  blockTimes(
    blocks: readonly bigint[],
    options?: BlockTimesOptions,
  ): Promise<ReadonlyMap<bigint, KnownTime> | undefined>;
  /**
   * The block that is nearest to a moment, exactly: never reckoned from a rate of blocks.
   *
   * @throws AppError `notServed` where the endpoint has nothing that tells, and as {@link blockTimes} does.
   */
  blockAt(question: BlockAtQuestion, options?: RpcCallOptions): Promise<BlockAtTime>;
}

/**
 * A reader of the endpoint at `url`.
 *
 * @param deps `call` sends what is asked at the same time together, as `gatherCalls` does.
 * @example
 * const times = createTimesReader({ call, http, url });
 * await times.blockTimes([12n]); // Map { 12n => { time: 1767323045000, source: 'eth_getBlockByNumber' } }
 */
export function createTimesReader({
  call,
  http,
  url,
}: {
  readonly call: RpcClient['call'];
  readonly http: ExplorerDeps;
  readonly url: string;
}): TimesReader {
  const explorer = createExplorerTimes(http, url);
  const headers: TimeSource = datasetUrl(url) ? 'stream' : 'eth_getBlockByNumber';
  const missing = new Set<TimeSource>();

  /** Asks a source that is not known to be missing. */
  async function add(
    known: Map<bigint, KnownTime>,
    source: TimeSource,
    ask: () => Promise<ReadonlyMap<bigint, number> | undefined> | undefined,
  ): Promise<void> {
    if (missing.has(source)) return;
    const times = await ask();
    if (!times) missing.add(source);
    for (const [block, time] of times ?? []) known.set(block, { time, source });
  }

  async function blockTimes(
    blocks: readonly bigint[],
    { logs, ...options }: BlockTimesOptions = {},
  ): Promise<ReadonlyMap<bigint, KnownTime> | undefined> {
    const wanted = [...new Set(blocks)].slice(0, MOST_BLOCK_TIMES);
    const known = new Map<bigint, KnownTime>();
    const left = () => wanted.filter((block) => !known.has(block));
    const hasLogs = explorer !== undefined && (logs?.address ?? logs?.topic0) !== undefined;
    const byLogs = async () => ofLogs(left(), logs ?? {}, options);

    if (hasLogs && wanted.length > FEW_BLOCKS) {
      await add(known, 'module=logs', byLogs).catch(unlessBroken);
    }
    if (left().length > 0) {
      await add(known, headers, () => readHeaderTimes(call, left(), options));
    }
    if (missing.has(headers) && explorer && left().length > 0) {
      if (hasLogs && wanted.length <= FEW_BLOCKS) await add(known, 'module=logs', byLogs);
      await add(known, 'api/v2/blocks', () => ofEach(left().slice(0, MOST_ALONE), options));
    }
    const isTold = !missing.has(headers) || (explorer && !missing.has('api/v2/blocks'));
    return isTold || known.size > 0 || (hasLogs && !missing.has('module=logs')) ? known : undefined;
  }

  async function ofLogs(
    blocks: readonly bigint[],
    logs: LogsInBlocks,
    { signal }: RpcCallOptions,
  ): Promise<ReadonlyMap<bigint, number> | undefined> {
    return explorer?.ofLogs({ first: least(blocks), last: greatest(blocks) }, logs, { signal });
  }

  /** Undefined where none has an answer, be it that there is no such block: then the route is not there. */
  async function ofEach(
    blocks: readonly bigint[],
    options: RpcCallOptions,
  ): Promise<ReadonlyMap<bigint, number> | undefined> {
    const times = new Map<bigint, number>();
    let isThere = blocks.length === 0;
    if (!explorer) return undefined;
    await eachLimited(blocks, async (block) => {
      const time = await explorer.ofBlock(block, options);
      isThere ||= time !== undefined;
      if (typeof time === 'number') times.set(block, time);
    });
    return isThere ? times : undefined;
  }

  /** Which block the explorer names: the first at or after a time is the one behind the last before it. */
  async function toldBlock(
    { time, closest }: BlockAtQuestion,
    { signal }: RpcCallOptions,
  ): Promise<bigint | undefined> {
    const second = closest === 'before' ? Math.floor(time / 1000) : Math.ceil(time / 1000) - 1;
    const last = await explorer?.lastBlockAt(second, { signal }).catch(unlessBroken);
    return last === undefined || closest === 'before' ? last : last + 1n;
  }

  return {
    isExplorer: explorer !== undefined,
    blockTimes,
    async blockAt(question, options = {}) {
      const told = await toldBlock(question, options);
      return findBlockAt({ ...question, told, timesOf: (blocks) => blockTimes(blocks, options) });
    },
  };
}

/** Where a shorter way fails, the longer one is still there. */
function unlessBroken(error: unknown): undefined {
  if (isAppError(error, 'server', 'timeout', 'tooLarge', 'unavailable')) return undefined;
  throw error;
}

function least(blocks: readonly bigint[]): bigint {
  return blocks.reduce((one, other) => (other < one ? other : one));
}

function greatest(blocks: readonly bigint[]): bigint {
  return blocks.reduce((one, other) => (other > one ? other : one));
}
