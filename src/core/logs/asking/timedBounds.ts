import { type AppError, badInput } from '../../base/errors.ts';
import type { BlockAtTime } from '../../times/blockAt.ts';
import type { BlockAtQuestion } from '../../times/timesReader.ts';
import { isoTime, isTimeTag, type TimeTag, timeOfTag } from '../../times/timeText.ts';
import type { BlockTag } from '../query/blockTag.ts';
import { blocksReversed, type LogFilter } from '../query/logFilter.ts';
import type { FoundBounds } from '../query/verdict.ts';

/** Bounds without moments, and which blocks were found for those. */
export interface TimedBounds {
  readonly bounds: Pick<LogFilter, 'fromBlock' | 'toBlock'>;
  readonly found: FoundBounds | undefined;
}

interface TimedOptions {
  readonly head: bigint;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
  readonly blockAt: (question: BlockAtQuestion) => Promise<BlockAtTime>;
}

/**
 * Looks for the blocks that the moments of a filter stand for: the first at or after the one that it begins with, the
 * last at or before the one that it ends with. Asks nothing where there are none.
 *
 * @throws AppError as a `TimesReader` does; `badInput` where the range ends before the first block, where it begins above
 *   its last one, and where no block was made between its two moments.
 */
export async function settleTimes(
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
    throw from && to && from.asked <= to.asked ? noBlockBetween(first) : blocksReversed(first, last);
  }
  return { bounds, found: { ...(from && { from }), ...(to && { to }) } };
}

async function find(
  tag: TimeTag,
  closest: BlockAtQuestion['closest'],
  { head, now, blockAt }: TimedOptions,
): Promise<BlockAtTime & { readonly asked: number }> {
  const asked = timeOfTag(tag, now);
  return { ...(await blockAt({ time: asked, closest, head })), asked };
}

function noBlockBetween(first: bigint): AppError {
  const words = `No block was made between these two times: the first one after them is ${first}.`;
  return badInput('fromBlock', words, { code: 'noBlockBetween', values: [String(first)] });
}

function endsBeforeFirst({ block, time }: BlockAtTime): AppError {
  const first = isoTime(time) ?? String(block);
  const words = `The range ends before the first block of the chain (${first}). Give a later time, or a block.`;
  return badInput('toBlock', words, { code: 'endsBeforeFirst', values: [first] });
}

/** A range that ends after the newest block goes on to whichever is the newest when it is read. */
function lastBlock({ block, outside }: BlockAtTime): BlockTag {
  return outside === 'afterHead' ? 'latest' : block;
}
