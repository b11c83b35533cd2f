import { type AppError, badInput } from '../../base/errors.ts';
import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import { type BlockTag, isReversed } from './blockTag.ts';
import type { Log } from './log.ts';

/** Which logs are asked for. The same on every server. */
export interface LogFilter {
  /** Any of these; empty: any address. */
  readonly addresses: readonly Address[];
  /** By position: null is any topic or none, a list is any of its values. No trailing nulls, no empty list. */
  readonly topics: readonly (readonly Hex[] | null)[];
  /** Inclusive. */
  readonly fromBlock: BlockTag;
  /** Inclusive. */
  readonly toBlock: BlockTag;
}

/**
 * The filter in its one normal form: no address or topic twice, no trailing null.
 *
 * @throws AppError `badInput`: more than four topics, an empty list of topics, or from above to.
 * @example createLogFilter({ addresses: [], topics: [null], fromBlock: 0n, toBlock: 'latest' }).topics // []
 */
export function createLogFilter(filter: LogFilter): LogFilter {
  if (filter.topics.length > 4)
    throw badInput('topics', 'A log has at most four topics.', { code: 'tooManyTopics' });
  if (filter.topics.some((position) => position?.length === 0)) {
    throw badInput('topics', 'An empty list of topics matches nothing. Use null for any topic.', {
      code: 'emptyTopics',
    });
  }
  const { fromBlock, toBlock } = filter;
  if (isReversed(fromBlock, toBlock)) {
    throw blocksReversed(fromBlock, toBlock);
  }
  const last = filter.topics.findLastIndex((position) => position !== null);
  return {
    addresses: [...new Set(filter.addresses)],
    topics: filter.topics.slice(0, last + 1).map((position) => position && [...new Set(position)]),
    fromBlock,
    toBlock,
  };
}

/**
 * The error for a first block above the last.
 *
 * @example throw blocksReversed(5n, 4n);
 */
export function blocksReversed(fromBlock: BlockTag, toBlock: BlockTag): AppError {
  return badInput('fromBlock', `The first block (${fromBlock}) is above the last block (${toBlock}).`, {
    code: 'blocksReversed',
    values: [String(fromBlock), String(toBlock)],
  });
}

/**
 * Whether `log` is what `filter` asks for, its block range aside.
 *
 * @example matchesFilter(parseLogFilter({ topics: [null, to] }), log); // whether the log's topic 1 is `to`
 */
export function matchesFilter(filter: LogFilter, log: Log): boolean {
  if (filter.addresses.length > 0 && !filter.addresses.includes(log.address)) return false;
  return filter.topics.every((position, index) => {
    if (position === null) return true;
    const topic = log.topics[index];
    return topic !== undefined && position.includes(topic);
  });
}
