import * as z from 'zod/mini';
import { forEachLimited } from '../base/concurrency.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { parseQuantity, toQuantity } from '../eth/hex.ts';
import { type BlockTime, type BlockTimeMethod, MAX_BLOCK_TIMES, parseSeconds } from '../eth/time.ts';
import type { ExplorerDeps } from '../http/fetchJson.ts';
import { parseDatasetUrl } from '../networks/portalDatasets.ts';
import { isMissingMethod } from './ethCall.ts';
import { createExplorerTimes, type LogsInBlocks } from './explorerTimes.ts';
import type { RpcCallOptions, RpcClient } from './rpcClient.ts';

/** More headers than these are several requests to an explorer, whose logs tell as much in one. */
export const MAX_HEADER_READS = 5;
/** Blocks that are asked for one by one, where there is no other way. */
const MAX_SINGLE_READS = 20;

export interface BlockTimesOptions extends RpcCallOptions {
  /** Logs that the blocks are known to have, so that an explorer can be asked for these. */
  readonly logs?: LogsInBlocks | undefined;
}

/** A moment that a block is sought for. */
export interface BlockAtRequest {
  /** In milliseconds since the Unix epoch. */
  readonly time: number;
  readonly closest: Closest;
  /** The newest block. */
  readonly head: bigint;
}

/**
 * Reads when blocks were made, by whatever one endpoint has for it. What it learns of that lives as long as it does.
 */
export interface BlockTimesReader {
  /** Whether an explorer is beside the JSON-RPC. */
  readonly isExplorer: boolean;
  /**
   * When blocks were made, the first {@link MAX_BLOCK_TIMES} of them: by block headers; of an explorer also by its
   * logs and by its REST interface. Those that the server does not know are missing.
   *
   * @returns undefined where the endpoint has nothing that tells.
   * @throws AppError of any network kind.
   */
  fetchBlockTimes(
    blocks: readonly bigint[],
    options?: BlockTimesOptions,
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  /**
   * The block that is nearest to a moment, exactly: never reckoned from a rate of blocks.
   *
   * @throws AppError `notServed` where the endpoint has nothing that tells, and as {@link fetchBlockTimes} does.
   */
  findBlockAt(question: BlockAtRequest, options?: RpcCallOptions): Promise<BlockAtTime>;
}

/**
 * A reader of the endpoint at `url`.
 *
 * @param deps `call` sends what is asked at the same time together, as `createBatchedCall` does.
 * @example
 * const times = createBlockTimesReader({ call, http, url });
 * await times.blockTimes([12n]); // Map { 12n => { time: 1767323045000, source: 'eth_getBlockByNumber' } }
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
  const headers: BlockTimeMethod = parseDatasetUrl(url) ? 'stream' : 'eth_getBlockByNumber';
  const missing = new Set<BlockTimeMethod>();

  /** Asks a source that is not known to be missing. */
  async function add(
    known: Map<bigint, BlockTime>,
    source: BlockTimeMethod,
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
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined> {
    const wanted = [...new Set(blocks)].slice(0, MAX_BLOCK_TIMES);
    const known = new Map<bigint, BlockTime>();
    const left = () => wanted.filter((block) => !known.has(block));
    const hasLogs = explorer !== undefined && (logs?.address ?? logs?.topic0) !== undefined;
    const byLogs = async () => ofLogs(left(), logs ?? {}, options);

    if (hasLogs && wanted.length > MAX_HEADER_READS) {
      await add(known, 'module=logs', byLogs).catch(unlessBroken);
    }
    if (left().length > 0) {
      await add(known, headers, () => fetchHeaderTimes(call, left(), options));
    }
    if (missing.has(headers) && explorer && left().length > 0) {
      if (hasLogs && wanted.length <= MAX_HEADER_READS) await add(known, 'module=logs', byLogs);
      await add(known, 'api/v2/blocks', () => ofEach(left().slice(0, MAX_SINGLE_READS), options));
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
    await forEachLimited(blocks, async (block) => {
      const time = await explorer.ofBlock(block, options);
      isThere ||= time !== undefined;
      if (typeof time === 'number') times.set(block, time);
    });
    return isThere ? times : undefined;
  }

  /** Which block the explorer names: the first at or after a time is the one behind the last before it. */
  async function toldBlock(
    { time, closest }: BlockAtRequest,
    { signal }: RpcCallOptions,
  ): Promise<bigint | undefined> {
    const second = closest === 'before' ? Math.floor(time / 1000) : Math.ceil(time / 1000) - 1;
    const last = await explorer?.lastBlockAt(second, { signal }).catch(unlessBroken);
    return last === undefined || closest === 'before' ? last : last + 1n;
  }

  return {
    isExplorer: explorer !== undefined,
    fetchBlockTimes: blockTimes,
    async findBlockAt(question, options = {}) {
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

/** A header has the hashes of its block's transactions: some thousands, of 70 bytes each. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const Header = z.object({ timestamp: z.unknown(), number: z.optional(z.unknown()) });

/**
 * When blocks were made, in milliseconds since the Unix epoch, by `eth_getBlockByNumber`. Those that the server does
 * not know, or of which it gives another block's header, are missing.
 *
 * @param call sends what is asked at the same time together, as `createBatchedCall` does.
 * @returns undefined where the server does not offer the method.
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
    const time = timeOf(await call('eth_getBlockByNumber', [toQuantity(block), false], limits), block);
    if (time !== undefined) times.set(block, time);
  });
  for (const read of await Promise.allSettled(reads)) {
    if (read.status === 'fulfilled') continue;
    if (isAppError(read.reason, 'tooLarge') && blocks.length > 1) return inHalves(call, blocks, options);
    if (!isAppError(read.reason, 'rpc')) throw read.reason;
    if (isMissingMethod(read.reason)) return undefined;
  }
  return times;
}

async function inHalves(
  call: RpcClient['call'],
  blocks: readonly bigint[],
  options: RpcCallOptions,
): Promise<ReadonlyMap<bigint, number> | undefined> {
  const middle = blocks.length >>> 1;
  const first = await fetchHeaderTimes(call, blocks.slice(0, middle), options);
  const second = first && (await fetchHeaderTimes(call, blocks.slice(middle), options));
  return second && new Map([...first, ...second]);
}

function timeOf(header: unknown, block: bigint): number | undefined {
  const { data } = Header.safeParse(header);
  const number = data?.number === undefined ? block : parseQuantity(data.number);
  return number === block ? parseSeconds(data?.timestamp) : undefined;
}

/** Which block is meant: the last one at or before a moment, or the first one at or after it. */
export type Closest = 'before' | 'after';

/** The block nearest to a moment. */
export interface BlockAtTime {
  /** Above the newest block where the chain has not reached the moment, and 0 where it begins after it. */
  readonly block: bigint;
  /** When it was made, in milliseconds since the Unix epoch; undefined where nothing tells, or it is still to be. */
  readonly time: number | undefined;
  /** What told. */
  readonly source: BlockTimeMethod;
  /** That the moment is after the newest block, or before the first. */
  readonly outside?: 'afterHead' | 'beforeFirst';
}

type Times = ReadonlyMap<bigint, BlockTime>;

interface BlockAtSearch {
  readonly time: number;
  readonly closest: Closest;
  readonly head: bigint;
  /** What the explorer says that it is: looked at, not believed. */
  readonly told: bigint | undefined;
  /** Undefined where nothing tells. */
  readonly timesOf: (blocks: readonly bigint[]) => Promise<Times | undefined>;
}

/** Blocks that are looked at together: a request of headers, and 2^53 blocks in 13 steps. */
const BLOCKS_PER_STEP = 15;
const MAX_STEPS = 60;

/** A stretch in which the order of times changes sides: `low` is before the moment, `high` is not. */
interface BlockInterval {
  readonly low: bigint;
  readonly high: bigint;
}

/**
 * The block nearest to a moment: the one that the explorer names, where the times of it and of its neighbours bear it
 * out; else found by the times of blocks, ever closer. Where times go back and forth the answer is the first such block
 * that is met from below, or the last from above, so that a range holds more rather than less.
 *
 * @throws AppError `notServed` for the field `blockTime` where nothing tells, or nothing of the blocks in between.
 */
export async function findBlockAt(sought: BlockAtSearch): Promise<BlockAtTime> {
  const { head, told, closest } = sought;
  const near = told === undefined ? between({ low: 0n, high: head }) : [told - 1n, told, told + 1n];
  const first = [0n, ...near, head].filter((block) => block >= 0n && block <= head);
  const times = await sought.timesOf([...new Set(first)]);
  if (!times || times.size === 0) return toKnownBlock(sought);
  const known = new Map(times);
  let stretch = narrow({ low: -1n, high: head + 1n }, known, sought);
  for (let step = 0; stretch.high - stretch.low > 1n; step++) {
    const found = await sought.timesOf(between(stretch));
    const closer = found && narrow(stretch, found, sought);
    if (!closer || !isCloser(closer, stretch) || step === MAX_STEPS) throw noTimeError(stretch);
    for (const [block, time] of found ?? []) known.set(block, time);
    stretch = closer;
  }
  const block = closest === 'after' ? stretch.high : stretch.low;
  const at = known.get(block < 0n ? 0n : block);
  const source = block === told ? 'getblocknobytime' : sourceOf(known, stretch);
  if (block < 0n) return { block: 0n, time: at?.time, source, outside: 'beforeFirst' };
  if (block > head) return { block, time: undefined, source, outside: 'afterHead' };
  return { block, time: at?.time, source, ...outsideOf(block, at, sought) };
}

/** Where the only way to times is the explorer's word for a block, that is what there is. */
function toKnownBlock({ told, head }: BlockAtSearch): BlockAtTime {
  if (told === undefined) {
    throw new AppError(
      'notServed',
      'This endpoint does not tell when blocks were made: it has no block headers (eth_getBlockByNumber), and no explorer beside it answers for them. Give blocks by their numbers.',
      { field: 'blockTime' },
    );
  }
  return { block: told > head ? head : told, time: undefined, source: 'getblocknobytime' };
}

function outsideOf(
  block: bigint,
  at: BlockTime | undefined,
  { time, closest, head }: BlockAtSearch,
): Pick<BlockAtTime, 'outside'> {
  if (at === undefined) return {};
  if (closest === 'before' && block === head && at.time < time) return { outside: 'afterHead' };
  return closest === 'after' && block === 0n && at.time > time ? { outside: 'beforeFirst' } : {};
}

/** Whether a block is on the far side of the moment: not one that is to be left behind. */
function isPast({ time, closest }: Pick<BlockAtSearch, 'time' | 'closest'>, at: BlockTime): boolean {
  return closest === 'after' ? at.time >= time : at.time > time;
}

/** The part of a stretch in which the sides change, as far as these times show. */
function narrow({ low, high }: BlockInterval, times: Times, sought: BlockAtSearch): BlockInterval {
  const inside = [...times].filter(([block]) => block > low && block < high);
  const looked = inside
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([block, at]) => ({ block, isPast: isPast(sought, at) }));
  const last = looked.findLastIndex((one) => !one.isPast) + 1;
  const first = looked.findIndex((one) => one.isPast);
  const place = sought.closest === 'before' ? last : first < 0 ? looked.length : first;
  return { low: looked[place - 1]?.block ?? low, high: looked[place]?.block ?? high };
}

function isCloser(closer: BlockInterval, than: BlockInterval): boolean {
  return closer.high - closer.low < than.high - than.low;
}

/** Blocks inside of a stretch, evenly apart. */
function between({ low, high }: BlockInterval): readonly bigint[] {
  const parts = BigInt(BLOCKS_PER_STEP + 1);
  const blocks = Array.from(
    { length: BLOCKS_PER_STEP },
    (_, place) => low + ((high - low) * BigInt(place + 1)) / parts,
  );
  return [...new Set(blocks)].filter((block) => block > low && block < high);
}

function sourceOf(known: Times, { low, high }: BlockInterval): BlockTimeMethod {
  const at = known.get(low) ?? known.get(high) ?? [...known.values()][0];
  return at?.source ?? 'eth_getBlockByNumber';
}

function noTimeError({ low, high }: BlockInterval): AppError {
  const words = `This endpoint does not tell when the blocks between ${low} and ${high} were made. Give blocks by their numbers.`;
  return new AppError('notServed', words, { field: 'blockTime' });
}
