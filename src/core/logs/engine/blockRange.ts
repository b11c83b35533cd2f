import { type AppError, badInput } from '../../base/errors.ts';
import { decimal } from '../../base/ownText.ts';
import { createMessage, foreign } from '../../base/text.ts';
import { formatIsoTime, isTimeTag, resolveTimeTag, type TimeTag } from '../../eth/time.ts';
import type { BlockAtRequest, BlockAtTime } from '../../rpc/blockTimes.ts';
import { UNSETTLED_BLOCKS } from '../log.ts';
import {
  type BlockTag,
  type LogFilter,
  resolveExactHeight,
  resolveHeight,
  reversedBlocksError,
} from '../query/filter.ts';
import type { FoundBounds, VerdictReason } from '../query/verdict.ts';

/** A block range in numbers, inclusive, up to the server's head. */
export interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The server's newest block when the range was resolved. */
  readonly head: bigint;
  /** The last requested block, if it is above the head. */
  readonly requestedTo?: bigint;
}

/**
 * First block of the range that a reorg may still replace, or that some replicas may not have seen yet.
 *
 * @example getFirstUnsettledBlock({ fromBlock: 0n, toBlock: 299n, head: 299n }) // 172n
 */
export function getFirstUnsettledBlock({ fromBlock, head }: BlockRange): bigint {
  const settled = head - UNSETTLED_BLOCKS;
  return settled >= fromBlock ? settled + 1n : fromBlock;
}

/**
 * The range in numbers. Ends at the head, as nodes refuse blocks above it. A first block that counts back to before the
 * chain is the first of the chain.
 *
 * @throws AppError `badInput` if the first block turns out to be above the last, or the last counts back to before the chain.
 */
export function resolveRange(filter: Pick<LogFilter, 'fromBlock' | 'toBlock'>, head: bigint): BlockRange {
  const fromBlock = resolveHeight(filter.fromBlock, head);
  const toBlock = resolveExactHeight(filter.toBlock, head, 'toBlock');
  if (fromBlock > toBlock && fromBlock <= head) throw reversedBlocksError(fromBlock, toBlock);
  return toBlock > head
    ? { fromBlock, toBlock: head, head, requestedTo: toBlock }
    : { fromBlock, toBlock, head };
}

/** Bounds without times, and the blocks that were found for the times. */
export interface TimedBounds {
  readonly bounds: Pick<LogFilter, 'fromBlock' | 'toBlock'>;
  readonly found: FoundBounds | undefined;
  /** Why logs before the first block may be missing. */
  readonly reasons?: readonly VerdictReason[];
}

interface TimedOptions {
  readonly head: bigint;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
  readonly blockAt: (request: BlockAtRequest) => Promise<BlockAtTime>;
}

/**
 * Finds the blocks for the times of a filter: the first block at or after its start, the last one at or before its
 * end. Sends no requests if there are no times.
 *
 * @throws AppError as a `BlockTimesReader` does; `badInput` if the range ends before the first block, if it starts
 * above its end, or if no block was made between its two times.
 */
export async function resolveTimes(
  { fromBlock, toBlock }: Pick<LogFilter, 'fromBlock' | 'toBlock'>,
  options: TimedOptions,
): Promise<TimedBounds> {
  const from = isTimeTag(fromBlock) ? await findBlock(fromBlock, 'after', options) : undefined;
  const to = isTimeTag(toBlock) ? await findBlock(toBlock, 'before', options) : undefined;
  if (!from && !to) return { bounds: { fromBlock, toBlock }, found: undefined };
  if (to?.outside === 'beforeFirst') throw endsBeforeFirst(to);
  const bounds = { fromBlock: from?.block ?? fromBlock, toBlock: to ? toLastBlock(to) : toBlock };
  const { fromBlock: first, toBlock: last } = bounds;
  if (typeof first === 'bigint' && typeof last === 'bigint' && first > last) {
    throw from && to && from.requestedTime <= to.requestedTime
      ? noBlockBetween(first)
      : reversedBlocksError(first, last);
  }
  return { bounds, found: { ...(from && { from }), ...(to && { to }) } };
}

async function findBlock(
  tag: TimeTag,
  closest: BlockAtRequest['closest'],
  { head, now, blockAt }: TimedOptions,
): Promise<BlockAtTime & { readonly requestedTime: number }> {
  const requestedTime = resolveTimeTag(tag, now);
  const found = await blockAt({ time: requestedTime, closest, head });
  // Fast chains make several blocks a second, so the next block may have the time of the newest one.
  const isOpen = closest === 'before' && found.block === head && !found.outside;
  return { ...found, ...(isOpen && { outside: 'afterHead' }), requestedTime };
}

function noBlockBetween(first: bigint): AppError {
  const template = 'There is no block between these times. The first block after them is {0}.';
  return badInput('fromBlock', createMessage(template, decimal(first)));
}

function endsBeforeFirst({ block, time }: BlockAtTime): AppError {
  const first = formatIsoTime(time) ?? String(block);
  const template =
    'The range ends before the first block of the chain ({0}). Enter a later time or a block number.';
  return badInput('toBlock', createMessage(template, foreign(first)));
}

/** A range that ends after the newest block ends at the newest block at the time of reading. */
function toLastBlock({ block, outside }: BlockAtTime): BlockTag {
  return outside === 'afterHead' ? 'latest' : block;
}
