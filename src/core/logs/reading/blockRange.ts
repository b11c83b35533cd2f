import { heightOf } from '../query/blockTag.ts';
import { blocksReversed, type LogFilter } from '../query/logFilter.ts';

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
 * @example firstUnsettledBlock({ fromBlock: 0n, toBlock: 299n, head: 299n }) // 172n
 */
export function firstUnsettledBlock({ fromBlock, head }: BlockRange): bigint {
  const settled = head - UNSETTLED_BLOCKS;
  return settled >= fromBlock ? settled + 1n : fromBlock;
}

/**
 * The range in numbers. No server is asked beyond its head, which nodes refuse.
 *
 * @throws AppError `badInput` for a first block that turns out to be above the last.
 */
export function resolveRange(filter: Pick<LogFilter, 'fromBlock' | 'toBlock'>, head: bigint): BlockRange {
  const fromBlock = heightOf(filter.fromBlock, head);
  const toBlock = heightOf(filter.toBlock, head);
  if (fromBlock > toBlock && fromBlock <= head) throw blocksReversed(fromBlock, toBlock);
  return toBlock > head ? { fromBlock, toBlock: head, head, askedTo: toBlock } : { fromBlock, toBlock, head };
}
