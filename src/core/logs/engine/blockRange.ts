import { type AppError, badInput } from '../../base/errors.ts';
import { formatIsoTime, isTimeTag, resolveTimeTag, type TimeTag } from '../../eth/time.ts';
import type { BlockAtRequest, BlockAtTime } from '../../rpc/blockTimes.ts';
import { type BlockTag, type LogFilter, resolveHeight, reversedBlocksError } from '../query/filter.ts';
import type { FoundBounds } from '../query/verdict.ts';

/** A block range in numbers, inclusive, within the chain as far as the server knows it. */
export interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The server's newest block when the range was resolved. */
  readonly head: bigint;
  /** The last block that was asked for, where it is above the head. */
  readonly askedTo?: bigint;
}

/** Reorgs deeper than this are not looked for, nor machines that are further behind. */
const UNSETTLED_BLOCKS = 128n;

/**
 * First block of the range that a reorg may still replace, and that not each machine of a server may know.
 *
 * @example getFirstUnsettledBlock({ fromBlock: 0n, toBlock: 299n, head: 299n }) // 172n
 */
export function getFirstUnsettledBlock({ fromBlock, head }: BlockRange): bigint {
  const settled = head - UNSETTLED_BLOCKS;
  return settled >= fromBlock ? settled + 1n : fromBlock;
}

/**
 * The range in numbers. No server is asked beyond its head, which nodes refuse.
 *
 * @throws AppError `badInput` for a first block that turns out to be above the last.
 */
export function resolveRange(filter: Pick<LogFilter, 'fromBlock' | 'toBlock'>, head: bigint): BlockRange {
  const fromBlock = resolveHeight(filter.fromBlock, head);
  const toBlock = resolveHeight(filter.toBlock, head);
  if (fromBlock > toBlock && fromBlock <= head) throw reversedBlocksError(fromBlock, toBlock);
  return toBlock > head ? { fromBlock, toBlock: head, head, askedTo: toBlock } : { fromBlock, toBlock, head };
}

/** Bounds without moments, and which blocks were found for those. */
export interface TimedBounds {
  readonly bounds: Pick<LogFilter, 'fromBlock' | 'toBlock'>;
  readonly found: FoundBounds | undefined;
}

interface TimedOptions {
  readonly head: bigint;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
  readonly blockAt: (question: BlockAtRequest) => Promise<BlockAtTime>;
}

/**
 * Looks for the blocks that the moments of a filter stand for: the first at or after the one that it begins with, the
 * last at or before the one that it ends with. Asks nothing where there are none.
 *
 * @throws AppError as a `BlockTimesReader` does; `badInput` where the range ends before the first block, where it begins above
 *   its last one, and where no block was made between its two moments.
 */
export async function resolveTimes(
  { fromBlock, toBlock }: Pick<LogFilter, 'fromBlock' | 'toBlock'>,
  options: TimedOptions,
): Promise<TimedBounds> {
  const from = isTimeTag(fromBlock) ? await find(fromBlock, 'after', options) : undefined;
  const to = isTimeTag(toBlock) ? await find(toBlock, 'before', options) : undefined;
  if (!from && !to) return { bounds: { fromBlock, toBlock }, found: undefined };
  if (to?.outside === 'beforeFirst') throw endsBeforeFirst(to);
  const bounds = { fromBlock: from?.block ?? fromBlock, toBlock: to ? lastBlock(to) : toBlock };
  const { fromBlock: first, toBlock: last } = bounds;
  if (typeof first === 'bigint' && typeof last === 'bigint' && first > last) {
    throw from && to && from.asked <= to.asked ? noBlockBetween(first) : reversedBlocksError(first, last);
  }
  return { bounds, found: { ...(from && { from }), ...(to && { to }) } };
}

async function find(
  tag: TimeTag,
  closest: BlockAtRequest['closest'],
  { head, now, blockAt }: TimedOptions,
): Promise<BlockAtTime & { readonly asked: number }> {
  const asked = resolveTimeTag(tag, now);
  return { ...(await blockAt({ time: asked, closest, head })), asked };
}

function noBlockBetween(first: bigint): AppError {
  const words = `No block was made between these two times: the first one after them is ${first}.`;
  return badInput('fromBlock', words, { code: 'noBlockBetween', values: [String(first)] });
}

function endsBeforeFirst({ block, time }: BlockAtTime): AppError {
  const first = formatIsoTime(time) ?? String(block);
  const words = `The range ends before the first block of the chain (${first}). Give a later time, or a block.`;
  return badInput('toBlock', words, { code: 'endsBeforeFirst', values: [first] });
}

/** A range that ends after the newest block goes on to whichever is the newest when it is read. */
function lastBlock({ block, outside }: BlockAtTime): BlockTag {
  return outside === 'afterHead' ? 'latest' : block;
}
