import { type AppError, badInput } from '../../base/errors.ts';
import { decimal } from '../../base/ownText.ts';
import { createMessage, foreign } from '../../base/text.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import { isLater, isTimeTag, parseTimeTag, type TimeTag } from '../../eth/time.ts';
import type { Log } from '../log.ts';

/** Which logs a query requests. The same for every server. */
export interface LogFilter {
  /** Any of these; empty: any address. */
  readonly addresses: readonly Address[];
  /**
   * By position: null matches any topic or none, a list matches any of its values. No trailing nulls, no empty
   * list.
   */
  readonly topics: readonly (readonly Hex[] | null)[];
  /** Inclusive. */
  readonly fromBlock: BlockTag;
  /** Inclusive. */
  readonly toBlock: BlockTag;
  /**
   * Set if `fromBlock` is not typed, but the first block of these deployments of all `addresses`: a query confirms it
   * with the chain.
   */
  readonly deployments?: readonly DeploymentBlock[] | undefined;
}

/** Where a contract was created, as a file or a provider says. */
export interface DeploymentBlock {
  readonly address: Address;
  readonly block: bigint;
  readonly transaction?: Hex | undefined;
  /** Files also name other blocks, so that there may have been an earlier contract at the address. */
  readonly isRepeated?: true;
}

/**
 * A block number, or a tag that is resolved when a query begins. `latest-1000` is the head less 1000 blocks. A time
 * is the nearest block inside of the range.
 */
export type BlockTag = BlockOnly | TimeTag;

/** A block without a time. */
type BlockOnly = bigint | 'earliest' | 'latest' | RelativeTag;

type RelativeTag = `latest-${bigint}`;

/**
 * The filter in its normal form: no duplicate addresses or topics, no trailing null.
 *
 * @throws AppError `badInput`: more than four topics, an empty list of topics, or a first block above the last.
 * @example createLogFilter({ addresses: [], topics: [null], fromBlock: 0n, toBlock: 'latest' }).topics // []
 */
export function createLogFilter(filter: LogFilter): LogFilter {
  if (filter.topics.length > 4) throw badInput('topics', 'A log has at most four topics.');
  if (filter.topics.some((position) => position?.length === 0)) {
    throw badInput('topics', 'An empty list of topics matches nothing. Use null for any topic.');
  }
  const { fromBlock, toBlock, deployments } = filter;
  if (isRangeReversed(fromBlock, toBlock)) {
    throw reversedBlocksError(fromBlock, toBlock);
  }
  const last = filter.topics.findLastIndex((position) => position !== null);
  return {
    addresses: [...new Set(filter.addresses)],
    topics: filter.topics.slice(0, last + 1).map((position) => position && [...new Set(position)]),
    fromBlock,
    toBlock,
    ...(deployments && { deployments }),
  };
}

/** Whether a filter requests a log, apart from its block range. */
export type LogTest = (log: Pick<Log, 'address' | 'topics'>) => boolean;

/**
 * A test for all logs of a query, as a filter may have thousands of values.
 *
 * @example createLogTest(parseLogFilter({ topics: [null, to] }))(log); // whether the log's topic 1 is `to`
 */
export function createLogTest(filter: Pick<LogFilter, 'addresses' | 'topics'>): LogTest {
  const addresses = new Set(filter.addresses);
  const positions = filter.topics.map((values) => values && new Set(values));
  return ({ address, topics }) =>
    (addresses.size === 0 || addresses.has(address)) &&
    positions.every((values, index) => {
      const topic = topics[index];
      return values === null || (topic !== undefined && values.has(topic));
    });
}

const formatTag = (tag: BlockTag) => (typeof tag === 'bigint' ? decimal(tag) : foreign(tag));

/**
 * The error for a first block above the last.
 *
 * @example throw reversedBlocksError(5n, 4n);
 */
export function reversedBlocksError(fromBlock: BlockTag, toBlock: BlockTag): AppError {
  const template = 'The first block ({0}) is after the last block ({1}).';
  return badInput('fromBlock', createMessage(template, formatTag(fromBlock), formatTag(toBlock)));
}

const DIGITS = String.raw`(\d{1,3}(?:[,_]\d{3}){1,6}|\d{1,19})`;
const DECIMAL = new RegExp(`^${DIGITS}$`);
const BELOW_LATEST = new RegExp(String.raw`^latest\s{0,3}-\s{0,3}${DIGITS}$`);
const LAST_BLOCKS = new RegExp(`^-${DIGITS}$`);

/**
 * A block as people and JSON-RPC write it: `earliest`, `latest`, `latest-1000`, decimal digits (with commas or
 * underscores between them), or `0x` hex. As a first block also `-1000`: the first of the last thousand. Or a time,
 * as {@link parseTimeTag} reads it: a date alone is the whole day, in UTC.
 *
 * @throws AppError `badInput` for `field`.
 * @example parseBlockTag('21,345,678', 'fromBlock') // 21345678n
 * @example parseBlockTag('-1000', 'fromBlock') // 'latest-999'
 * @example parseBlockTag('2026-11-01', 'toBlock') // '2026-11-01T23:59:59Z'
 */
export function parseBlockTag(
  value: string | number | bigint,
  field: 'block' | 'fromBlock' | 'toBlock',
): BlockTag {
  const text = String(value).trim().toLowerCase();
  if (text === 'earliest' || text === 'latest') return text;
  if (/^0x[0-9a-f]{1,16}$/.test(text)) return BigInt(text);
  const height = matchNumber(DECIMAL, text);
  if (height !== undefined) return height;
  const below = matchNumber(BELOW_LATEST, text);
  if (below !== undefined) return toRelativeTag(below);
  const count = matchNumber(LAST_BLOCKS, text);
  if (count && field === 'fromBlock') return toRelativeTag(count - 1n);
  if (count) {
    const template =
      field === 'block'
        ? 'A block cannot be negative. Use latest-{0}.'
        : 'The last block cannot be negative. Use latest-{0}.';
    throw badInput(field, createMessage(template, decimal(count)));
  }
  const time = parseTimeTag(text, field, field === 'fromBlock' ? 'start' : 'end');
  if (time !== undefined) return time;
  throw badInput(
    field,
    field === 'block'
      ? 'Enter a block number, latest, latest-1000, finalized, safe, earliest, or a time such as 2026-11-01 or -7d.'
      : 'Enter a block number, latest, latest-1000, or a date such as 2026-11-01 or -7d.',
  );
}

/**
 * Whether a tag stands for a later block once the chain has grown, or time has passed.
 *
 * @example isMovingTag('latest-10') // true
 */
export function isMovingTag(tag: BlockTag): boolean {
  return typeof tag === 'string' && /^(?:latest|-)/.test(tag);
}

/** The number in the only group of `pattern`. */
function matchNumber(pattern: RegExp, text: string): bigint | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : BigInt(digits.replace(/[,_]/g, ''));
}

const toRelativeTag = (blocks: bigint): BlockOnly => (blocks === 0n ? 'latest' : `latest-${blocks}`);

/** Distance of a tag from the latest block; undefined for other tags. */
function countBlocksBelowLatest(tag: BlockOnly): bigint | undefined {
  if (tag === 'latest') return 0n;
  return isRelativeTag(tag) ? BigInt(tag.slice('latest-'.length)) : undefined;
}

function isRelativeTag(tag: BlockTag): tag is RelativeTag {
  return typeof tag === 'string' && tag.startsWith('latest-');
}

/**
 * The block number of a tag on a chain with this head; at least 0. Times must be resolved to blocks before.
 *
 * @example resolveHeight('latest-1000', 1234n) // 234n
 */
export function resolveHeight(tag: BlockTag, head: bigint): bigint {
  if (typeof tag === 'bigint') return tag;
  if (isTimeTag(tag)) throw new RangeError('A time has no block number until it is resolved.');
  const below = countBlocksBelowLatest(tag);
  return below === undefined || below > head ? 0n : head - below;
}

/**
 * The block number of a tag, as {@link resolveHeight} does, for a block that is not the start of a range.
 *
 * @throws AppError `badInput` for `field` if the tag counts back from the latest block to before the first one.
 * @example resolveExactHeight('latest-1000', 1234n, 'block') // 234n
 */
export function resolveExactHeight(tag: BlockTag, head: bigint, field: 'block' | 'toBlock'): bigint {
  if (isRelativeTag(tag) && (countBlocksBelowLatest(tag) ?? 0n) > head)
    throw badInput(
      field,
      createMessage('The latest block is {0}, so there is no block {1}.', decimal(head), foreign(tag)),
    );
  return resolveHeight(tag, head);
}

/**
 * Whether `from` is above `to` on every chain, as far as that is certain without a request.
 *
 * @example isRangeReversed('latest-5', 'latest-6') // true
 */
export function isRangeReversed(from: BlockTag, to: BlockTag): boolean {
  if (isTimeTag(from) || isTimeTag(to)) return isTimeTag(from) && isTimeTag(to) && isLater(from, to);
  const fromBelow = countBlocksBelowLatest(from);
  const toBelow = countBlocksBelowLatest(to);
  if (fromBelow !== undefined && toBelow !== undefined) return fromBelow < toBelow;
  if (fromBelow !== undefined) return from === 'latest' && to === 'earliest';
  return toBelow === undefined && resolveHeight(from, 0n) > resolveHeight(to, 0n);
}

interface Bounds<T> {
  readonly fromBlock: T;
  readonly toBlock: T;
}

/**
 * Bounds as every server reads them: bounds relative to the latest block, and times, are replaced by their resolved
 * blocks.
 *
 * @example
 * resolveRelative({ fromBlock: 'latest-9', toBlock: 'latest' }, { fromBlock: 1n, toBlock: 10n })
 * // { fromBlock: 1n, toBlock: 'latest' }
 */
export function resolveRelative(bounds: Bounds<BlockTag>, resolved: Bounds<bigint>): Bounds<BlockTag> {
  const { fromBlock, toBlock } = bounds;
  const isResolved = (tag: BlockTag) => isRelativeTag(tag) || isTimeTag(tag);
  return {
    fromBlock: isResolved(fromBlock) ? resolved.fromBlock : fromBlock,
    toBlock: isResolved(toBlock) ? resolved.toBlock : toBlock,
  };
}
