import * as z from 'zod/mini';
import { forEachLimited } from '../base/concurrency.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { bigintMax, bigintMin } from '../base/values.ts';
import { parseQuantity, toQuantity } from '../eth/hex.ts';
import { type BlockTime, type BlockTimeMethod, MAX_BLOCK_TIMES, parseSeconds } from '../eth/time.ts';
import type { ExplorerDeps } from '../http/fetchJson.ts';
import { parseDatasetUrl } from '../networks/portalDatasets.ts';
import { isMissingMethod } from './ethCall.ts';
import { createExplorerTimes, type LogsInBlocks } from './explorerTimes.ts';
import type { RpcCallOptions, RpcClient } from './rpcClient.ts';

/** Reads the times of blocks by whatever methods one endpoint offers. It remembers which of them are missing. */
export interface BlockTimesReader {
  /** Whether the endpoint is that of an explorer. */
  readonly isExplorer: boolean;
  /**
   * The times of the first {@link MAX_BLOCK_TIMES} of `blocks`: from block headers; of an explorer also from its logs
   * and its REST API. Blocks that the server does not have are missing.
   *
   * @returns undefined if the endpoint offers no method for it.
   * @throws AppError of any network kind.
   */
  fetchBlockTimes(
    blocks: readonly bigint[],
    options?: BlockTimesOptions,
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  /**
   * The block nearest to a moment, exactly: it is never estimated from a rate of blocks.
   *
   * @throws AppError `notServed` if the endpoint offers no method for it, and as {@link fetchBlockTimes} does.
   */
  findBlockAt(request: BlockAtRequest, options?: RpcCallOptions): Promise<BlockAtTime>;
}

export interface BlockTimesOptions extends RpcCallOptions {
  /** Logs that the blocks have, so that an explorer can be queried for them. */
  readonly logs?: LogsInBlocks | undefined;
}

/** A moment to find the block of. */
export interface BlockAtRequest {
  /** In milliseconds since the Unix epoch. */
  readonly time: number;
  readonly closest: Closest;
  /** The newest block. */
  readonly head: bigint;
}

/** `before`: the last block at or before a moment. `after`: the first one at or after it. */
export type Closest = 'before' | 'after';

export interface BlockAtTime {
  /** One above the newest block if the chain has not reached the moment; 0 if it starts after it. */
  readonly block: bigint;
  /** When it was made, in milliseconds since the Unix epoch; undefined if unknown, or if it is still to be mined. */
  readonly time: number | undefined;
  readonly source: BlockTimeMethod;
  /** A block whose time is before that of a lower block, so the search may have gone the wrong way. */
  readonly unorderedAt?: bigint;
  /** The moment is after the newest block, or before the first. */
  readonly outside?: 'afterHead' | 'beforeFirst';
}

/**
 * @param deps `call` sends concurrent calls as one batch, as `createBatchedCall` does.
 * @example
 * const times = createBlockTimesReader({ call, http, url });
 * await times.fetchBlockTimes([12n]); // Map { 12n => { time: 1767323045000, source: 'eth_getBlockByNumber' } }
 */
export function createBlockTimesReader({
  call,
  http,
  url,
}: {
  readonly call: RpcClient['call'];
  readonly http: ExplorerDeps;
  readonly url: string;
}): BlockTimesReader {
  const explorer = createExplorerTimes(http, url);
  const headerMethod: BlockTimeMethod = parseDatasetUrl(url) ? 'stream' : 'eth_getBlockByNumber';
  const missingMethods = new Set<BlockTimeMethod>();

  /** Fetches by a method, unless it is known to be missing. */
  async function addTimes(
    found: Map<bigint, BlockTime>,
    method: BlockTimeMethod,
    fetch: () => Promise<ReadonlyMap<bigint, number> | undefined> | undefined,
  ): Promise<void> {
    if (missingMethods.has(method)) return;
    const times = await fetch();
    if (!times) missingMethods.add(method);
    for (const [block, time] of times ?? []) found.set(block, { time, source: method });
  }

  async function fetchBlockTimes(
    blocks: readonly bigint[],
    { logs, ...options }: BlockTimesOptions = {},
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined> {
    const requested = [...new Set(blocks)].slice(0, MAX_BLOCK_TIMES);
    const found = new Map<bigint, BlockTime>();
    const missingBlocks = () => requested.filter((block) => !found.has(block));
    const hasLogs = explorer !== undefined && (logs?.address ?? logs?.topic0) !== undefined;
    const fetchByLogs = async () => fetchLogTimes(missingBlocks(), logs ?? {}, options);

    if (hasLogs && requested.length > MAX_HEADER_READS) {
      await addTimes(found, 'module=logs', fetchByLogs).catch(ignoreServerFailure);
    }
    if (missingBlocks().length > 0) {
      await addTimes(found, headerMethod, () => fetchHeaderTimes(call, missingBlocks(), options));
    }
    if (missingMethods.has(headerMethod) && explorer && missingBlocks().length > 0) {
      if (hasLogs && requested.length <= MAX_HEADER_READS) await addTimes(found, 'module=logs', fetchByLogs);
      await addTimes(found, 'api/v2/blocks', () =>
        fetchEachBlock(missingBlocks().slice(0, MAX_SINGLE_READS), options),
      );
    }
    const hasMethod = !missingMethods.has(headerMethod) || (explorer && !missingMethods.has('api/v2/blocks'));
    return hasMethod || found.size > 0 || (hasLogs && !missingMethods.has('module=logs')) ? found : undefined;
  }

  async function fetchLogTimes(
    blocks: readonly bigint[],
    logs: LogsInBlocks,
    { signal }: RpcCallOptions,
  ): Promise<ReadonlyMap<bigint, number> | undefined> {
    return explorer?.fetchLogTimes(
      { first: blocks.reduce(bigintMin), last: blocks.reduce(bigintMax) },
      logs,
      { signal },
    );
  }

  /** Undefined if there is no response for any block, not even that the block does not exist: the route is missing. */
  async function fetchEachBlock(
    blocks: readonly bigint[],
    options: RpcCallOptions,
  ): Promise<ReadonlyMap<bigint, number> | undefined> {
    const times = new Map<bigint, number>();
    let hasRoute = blocks.length === 0;
    if (!explorer) return undefined;
    await forEachLimited(blocks, async (block) => {
      const time = await explorer.fetchBlockTime(block, options);
      hasRoute ||= time !== undefined;
      if (typeof time === 'number') times.set(block, time);
    });
    return hasRoute ? times : undefined;
  }

  /** The block that the explorer names. The first at or after a time is the one after the last before it. */
  async function fetchExplorerBlock(
    { time, closest }: BlockAtRequest,
    { signal }: RpcCallOptions,
  ): Promise<bigint | undefined> {
    const second = closest === 'before' ? Math.floor(time / 1000) : Math.ceil(time / 1000) - 1;
    const last = await explorer?.fetchLastBlockAt(second, { signal }).catch(ignoreServerFailure);
    return last === undefined || closest === 'before' ? last : last + 1n;
  }

  return {
    isExplorer: explorer !== undefined,
    fetchBlockTimes,
    async findBlockAt(request, options = {}) {
      const claimed = await fetchExplorerBlock(request, options);
      return findBlockAt({ ...request, claimed, fetchTimes: (blocks) => fetchBlockTimes(blocks, options) });
    },
  };
}

/** More headers than these take several requests to an explorer; its logs show as many times in one. */
export const MAX_HEADER_READS = 5;
/** Blocks that are requested one by one, if there is no other way. */
const MAX_SINGLE_READS = 20;

/** If a shorter way fails, the longer one remains. */
function ignoreServerFailure(error: unknown): undefined {
  if (isAppError(error, 'server', 'timeout', 'tooLarge', 'unavailable')) return undefined;
  throw error;
}

/**
 * The times of blocks, in milliseconds since the Unix epoch, by `eth_getBlockByNumber`. Blocks that the server does not
 * have, or for which it returns another block's header, are missing. Those that a lagging replica does not have are requested
 * again.
 *
 * @param call sends concurrent calls as one batch, as `createBatchedCall` does.
 * @returns undefined if the server does not offer the method.
 * @throws AppError of any network kind.
 */
export async function fetchHeaderTimes(
  call: RpcClient['call'],
  blocks: readonly bigint[],
  options: RpcCallOptions = {},
): Promise<ReadonlyMap<bigint, number> | undefined> {
  const times = new Map<bigint, number>();
  const limits = { maxBytes: MAX_RESPONSE_BYTES, ...options };
  const reads = blocks.map(async (block) => {
    for (let attempt = 0; attempt <= MAX_NULL_RETRIES; attempt++) {
      const header = await call('eth_getBlockByNumber', [toQuantity(block), false], limits);
      if (header === null) continue;
      const time = parseHeaderTime(header, block);
      if (time !== undefined) times.set(block, time);
      return;
    }
  });
  for (const read of await Promise.allSettled(reads)) {
    if (read.status === 'fulfilled') continue;
    if (isAppError(read.reason, 'tooLarge') && blocks.length > 1) return fetchInHalves(call, blocks, options);
    if (!isAppError(read.reason, 'rpc')) throw read.reason;
    if (isMissingMethod(read.reason)) return undefined;
  }
  return times;
}

const MAX_NULL_RETRIES = 3;

/** A header has the hashes of its block's transactions: some thousands, of 70 bytes each. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const Header = z.object({ timestamp: z.unknown(), number: z.optional(z.unknown()) });

async function fetchInHalves(
  call: RpcClient['call'],
  blocks: readonly bigint[],
  options: RpcCallOptions,
): Promise<ReadonlyMap<bigint, number> | undefined> {
  const middle = blocks.length >>> 1;
  const first = await fetchHeaderTimes(call, blocks.slice(0, middle), options);
  const second = first && (await fetchHeaderTimes(call, blocks.slice(middle), options));
  return second && new Map([...first, ...second]);
}

function parseHeaderTime(header: unknown, block: bigint): number | undefined {
  const { data } = Header.safeParse(header);
  const number = data?.number === undefined ? block : parseQuantity(data.number);
  return number === block ? parseSeconds(data?.timestamp) : undefined;
}

/**
 * The block nearest to a moment: the one that the explorer names, if its time and those of its neighbors confirm it;
 * else a search by the times of blocks. If times go back and forth, it is the first matching block from below, or the
 * last from above, so that a range is larger rather than smaller.
 *
 * @throws AppError `notServed` for the field `blockTime` if no time can be read, or none of the blocks in between.
 */
export async function findBlockAt(search: BlockAtSearch): Promise<BlockAtTime> {
  const { head, claimed, closest } = search;
  const candidates =
    claimed === undefined ? spreadBlocks({ low: 0n, high: head }) : [claimed - 1n, claimed, claimed + 1n];
  const firstBlocks = [0n, ...candidates, head].filter((block) => block >= 0n && block <= head);
  const times = await search.fetchTimes([...new Set(firstBlocks)]);
  if (!times || times.size === 0) return toClaimedBlock(search);
  const known = new Map(times);
  let interval = narrow({ low: -1n, high: head + 1n }, known, search);
  for (let step = 0; interval.high - interval.low > 1n; step++) {
    const found = await search.fetchTimes(spreadBlocks(interval));
    const narrowed = found && narrow(interval, found, search);
    if (!narrowed || !isCloser(narrowed, interval) || step === MAX_STEPS) throw noTimeError(interval);
    for (const [block, time] of found ?? []) known.set(block, time);
    interval = narrowed;
  }
  const block = closest === 'after' ? interval.high : interval.low;
  const at = known.get(block < 0n ? 0n : block);
  const source = block === claimed ? 'getblocknobytime' : getMethod(known, interval);
  // The first block alone does not show that the chain begins later: its own time may be wrong.
  const unread = interval.low < 0n ? listNearFirst(head).filter((each) => !known.has(each)) : [];
  const near = unread.length > 0 ? await search.fetchTimes(unread) : undefined;
  for (const [each, time] of near ?? []) known.set(each, time);
  const order = findUnordered(known);
  if (block < 0n) return { block: 0n, time: at?.time, source, outside: 'beforeFirst', ...order };
  if (block > head) return { block, time: undefined, source, outside: 'afterHead', ...order };
  return { block, time: at?.time, source, ...findOutside(block, at, search), ...order };
}

/** The first block that is older than one below it. */
function findUnordered(times: Times): Pick<BlockAtTime, 'unorderedAt'> {
  const sorted = [...times].sort(([a], [b]) => (a < b ? -1 : 1));
  const found = sorted.find(([, { time }], place) => time < (sorted[place - 1]?.[1].time ?? time));
  return found ? { unorderedAt: found[0] } : {};
}

interface BlockAtSearch {
  readonly time: number;
  readonly closest: Closest;
  readonly head: bigint;
  /** The block that the explorer names: verified, not trusted. */
  readonly claimed: bigint | undefined;
  /** Undefined if the endpoint offers no method for it. */
  readonly fetchTimes: (blocks: readonly bigint[]) => Promise<Times | undefined>;
}

type Times = ReadonlyMap<bigint, BlockTime>;

/** `low` is before the moment, `high` is not. */
interface BlockInterval {
  readonly low: bigint;
  readonly high: bigint;
}

/** Blocks per step: one request of headers, and 2^53 blocks in 13 steps. */
const BLOCKS_PER_STEP = 15;
const MAX_STEPS = 60;

/** Without times, the block that the explorer names is the only result there is. */
function toClaimedBlock({ claimed, closest, head }: BlockAtSearch): BlockAtTime {
  if (claimed === undefined) {
    throw new AppError(
      'notServed',
      'This endpoint returns no block times: it supports neither eth_getBlockByNumber nor an explorer API. Use block numbers.',
      { field: 'blockTime' },
    );
  }
  const block = claimed > head ? head : claimed;
  // An explorer names its newest block for every later time, and does not say that it is earlier.
  const isLast = closest === 'before' && block === head;
  return { block, time: undefined, source: 'getblocknobytime', ...(isLast && { outside: 'afterHead' }) };
}

function findOutside(
  block: bigint,
  at: BlockTime | undefined,
  { time, closest, head }: BlockAtSearch,
): Pick<BlockAtTime, 'outside'> {
  if (at === undefined) return {};
  if (closest === 'before' && block === head && at.time < time) return { outside: 'afterHead' };
  return closest === 'after' && block === 0n && at.time > time ? { outside: 'beforeFirst' } : {};
}

/** Whether a block is on the far side of the moment. */
function isPast({ time, closest }: Pick<BlockAtSearch, 'time' | 'closest'>, at: BlockTime): boolean {
  return closest === 'after' ? at.time >= time : at.time > time;
}

/** The part of an interval in which the moment lies, as far as these times show. */
function narrow({ low, high }: BlockInterval, times: Times, search: BlockAtSearch): BlockInterval {
  const inside = [...times].filter(([block]) => block > low && block < high);
  const sides = inside
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([block, at]) => ({ block, isPast: isPast(search, at) }));
  const last = sides.findLastIndex((side) => !side.isPast) + 1;
  const first = sides.findIndex((side) => side.isPast);
  const index = search.closest === 'before' ? last : first < 0 ? sides.length : first;
  return { low: sides[index - 1]?.block ?? low, high: sides[index]?.block ?? high };
}

function isCloser(closer: BlockInterval, than: BlockInterval): boolean {
  return closer.high - closer.low < than.high - than.low;
}

/** Blocks after the first, the farther apart the later they are. */
function listNearFirst(head: bigint): readonly bigint[] {
  const bits = head.toString(2).length;
  const blocks = Array.from(
    { length: BLOCKS_PER_STEP },
    (_, place) => 1n << BigInt(Math.floor((bits * place) / BLOCKS_PER_STEP)),
  );
  return [...new Set(blocks)].filter((block) => block <= head);
}

/** Blocks inside of an interval, evenly spaced. */
function spreadBlocks({ low, high }: BlockInterval): readonly bigint[] {
  const parts = BigInt(BLOCKS_PER_STEP + 1);
  const blocks = Array.from(
    { length: BLOCKS_PER_STEP },
    (_, place) => low + ((high - low) * BigInt(place + 1)) / parts,
  );
  return [...new Set(blocks)].filter((block) => block > low && block < high);
}

function getMethod(known: Times, { low, high }: BlockInterval): BlockTimeMethod {
  const at = known.get(low) ?? known.get(high) ?? [...known.values()][0];
  return at?.source ?? 'eth_getBlockByNumber';
}

function noTimeError({ low, high }: BlockInterval): AppError {
  const message = `This endpoint returns no times for the blocks between ${low} and ${high}. Use block numbers.`;
  return new AppError('notServed', message, { field: 'blockTime' });
}
