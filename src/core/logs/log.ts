import { compareValues } from '../base/values.ts';
import { type Address, type Hex, toQuantity } from '../eth/hex.ts';

/** One event log of the main chain, normalized: all hex is lower case with `0x`. */
export interface Log {
  readonly address: Address;
  readonly blockHash: Hex;
  readonly blockNumber: bigint;
  readonly data: Hex;
  /** Position in the block. */
  readonly logIndex: number;
  /** 0 to 4 topics of 32 bytes. */
  readonly topics: readonly Hex[];
  readonly transactionHash: Hex;
  /** Position of the transaction in the block. */
  readonly transactionIndex: number;
  /**
   * When its block was made, in milliseconds since the Unix epoch. Missing if the row has no `blockTimestamp` (sent
   * by geth since v1.16, reth and similar nodes).
   */
  readonly time?: number;
}

/** The parts of a log that its decoding depends on: its content and its position. */
export type PositionedLog = Pick<
  Log,
  'address' | 'topics' | 'data' | 'blockNumber' | 'transactionIndex' | 'logIndex'
>;

/** Ascending by block number, then log index: the order of every response. */
export function compareLogPlaces(a: Log, b: Log): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1;
  return a.logIndex - b.logIndex;
}

/**
 * As {@link compareLogPlaces}, and different for each log. On some chains the index counts within a
 * transaction, or repeats within one, so that logs of one block are equal only with the same content.
 *
 * @example logs.toSorted(compareLogs);
 */
export function compareLogs(a: Log, b: Log): number {
  const order = compareLogPlaces(a, b);
  if (order !== 0 || a.blockHash !== b.blockHash) return order;
  return a.transactionIndex - b.transactionIndex || compareContent(a, b);
}

function compareContent(a: Log, b: Log): number {
  return (
    compareValues(a.transactionHash, b.transactionHash) ||
    compareValues(a.address, b.address) ||
    compareTopics(a.topics, b.topics) ||
    compareValues(a.data, b.data)
  );
}

function compareTopics(a: readonly Hex[], b: readonly Hex[]): number {
  const place = a.findIndex((topic, index) => topic !== b[index]);
  return place < 0 ? a.length - b.length : compareValues(a[place] ?? '', b[place] ?? '');
}

/**
 * A log as JSON-RPC writes it: every quantity is a `0x` string, all hex in lower case. Has the same keys for every
 * server, so `time` is not included.
 */
export interface LogJson {
  readonly address: Address;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly data: Hex;
  readonly logIndex: Hex;
  readonly topics: readonly Hex[];
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
}

/**
 * The JSON form of `log`.
 *
 * @example logToJson({ ...log, blockNumber: 16n }).blockNumber; // as '0x10'
 */
export function logToJson(log: Log): LogJson {
  return {
    address: log.address,
    blockHash: log.blockHash,
    blockNumber: toQuantity(log.blockNumber),
    data: log.data,
    logIndex: toQuantity(log.logIndex),
    topics: log.topics,
    transactionHash: log.transactionHash,
    transactionIndex: toQuantity(log.transactionIndex),
  };
}

/** Which logs of a range come first. */
export type LogOrder = 'oldestFirst' | 'newestFirst';

/** Blocks in reading order, both inclusive. */
export interface BlockSpan {
  readonly first: bigint;
  readonly last: bigint;
}

interface Blocks {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** The direction in which a query reads the chain: upwards to its last block, or downwards from it. */
export interface Direction {
  readonly order: LogOrder;
  /** The blocks in reading order. */
  span(blocks: Blocks): BlockSpan;
  /** The blocks in ascending order, as requests take them. */
  blocks(span: BlockSpan): Blocks;
  /** The block that comes `count` blocks after `block` in reading order; before it if negative. */
  onward(block: bigint, count: bigint): bigint;
  /** How many blocks `b` comes after `a` in reading order; negative if before. */
  distance(a: bigint, b: bigint): bigint;
  /** The one that comes first in reading order. */
  nearer(a: bigint, b: bigint): bigint;
  /** Negative if `a` comes before `b` in reading order. */
  compare(a: Log, b: Log): number;
  /** Turns ascending rows into reading order. */
  inOrder(logs: readonly Log[]): readonly Log[];
}

const upwards: Direction = {
  order: 'oldestFirst',
  span: ({ fromBlock, toBlock }) => ({ first: fromBlock, last: toBlock }),
  blocks: ({ first, last }) => ({ fromBlock: first, toBlock: last }),
  onward: (block, count) => block + count,
  distance: (a, b) => b - a,
  nearer: (a, b) => (a < b ? a : b),
  compare: compareLogs,
  inOrder: (logs) => logs,
};

const downwards: Direction = {
  order: 'newestFirst',
  span: ({ fromBlock, toBlock }) => ({ first: toBlock, last: fromBlock }),
  blocks: ({ first, last }) => ({ fromBlock: last, toBlock: first }),
  onward: (block, count) => block - count,
  distance: (a, b) => a - b,
  nearer: (a, b) => (a > b ? a : b),
  compare: (a, b) => compareLogs(b, a),
  inOrder: (logs) => logs.toReversed(),
};

/**
 * The direction that reads rows in this order.
 *
 * @example getDirection('newestFirst').onward(100n, 7n) // 93n
 */
export function getDirection(order: LogOrder): Direction {
  return order === 'newestFirst' ? downwards : upwards;
}

/**
 * Number of blocks in a span; 0 or negative if it ends before it begins.
 *
 * @example countBlocks(getDirection('newestFirst'), { first: 9n, last: 5n }) // 5n
 */
export function countBlocks({ distance }: Direction, { first, last }: BlockSpan): bigint {
  return distance(first, last) + 1n;
}

/**
 * The block half-way from the first of a span to its last.
 *
 * @example getMiddleBlock(getDirection('newestFirst'), { first: 9n, last: 4n }) // 7n
 */
export function getMiddleBlock({ onward, distance }: Direction, { first, last }: BlockSpan): bigint {
  return onward(first, distance(first, last) / 2n);
}

/** Blocks from the head down that a reorg may still replace. Deeper reorgs are not detected. */
export const UNSETTLED_BLOCKS = 128n;
