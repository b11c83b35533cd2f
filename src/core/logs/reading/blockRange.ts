import type { BlockTag, LogFilter } from '../query/logFilter.ts';

/** A block range in numbers, inclusive, within the chain as far as the server knows it. */
export interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The server's newest block when the range was resolved. */
  readonly head: bigint;
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

/** The range in numbers. No server is asked beyond its head, which nodes refuse. */
export function resolveRange(filter: LogFilter, head: bigint): BlockRange {
  const height = (tag: BlockTag) => (tag === 'earliest' ? 0n : tag === 'latest' ? head : tag);
  const toBlock = height(filter.toBlock);
  return { fromBlock: height(filter.fromBlock), toBlock: toBlock < head ? toBlock : head, head };
}
