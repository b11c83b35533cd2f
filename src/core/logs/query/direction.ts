import { compareLogs, type Log } from './log.ts';

/** Which logs of a range come first. */
export type LogOrder = 'oldestFirst' | 'newestFirst';

/** Blocks in the order of reading, both inclusive. */
export interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

interface Blocks {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** The way in which a query goes through the chain: upwards to its last block, or downwards from it. */
export interface Direction {
  readonly order: LogOrder;
  /** The blocks in the order of reading. */
  span(blocks: Blocks): Span;
  /** The same as servers are asked for them. */
  blocks(span: Span): Blocks;
  /** The block that comes `count` blocks after `block`; before it where that is negative. */
  onward(block: bigint, count: bigint): bigint;
  /** How many blocks `b` comes after `a`; negative where it comes before. */
  distance(a: bigint, b: bigint): bigint;
  /** Whichever of both comes first. */
  nearer(a: bigint, b: bigint): bigint;
  /** Negative where `a` comes before `b`. */
  compare(a: Log, b: Log): number;
  /** Rows in the order of the chain, put in that of reading. */
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
 * How to go through the chain so that rows come in that order.
 *
 * @example directionOf('newestFirst').onward(100n, 7n) // 93n
 */
export function directionOf(order: LogOrder): Direction {
  return order === 'newestFirst' ? downwards : upwards;
}

/**
 * How many blocks a span has; none or fewer where it ends before it begins.
 *
 * @example blocksIn(directionOf('newestFirst'), { first: 9n, last: 5n }) // 5n
 */
export function blocksIn({ distance }: Direction, { first, last }: Span): bigint {
  return distance(first, last) + 1n;
}

/**
 * The block half-way from the first of a span to its last.
 *
 * @example middleOf(directionOf('newestFirst'), { first: 9n, last: 4n }) // 7n
 */
export function middleOf({ onward, distance }: Direction, { first, last }: Span): bigint {
  return onward(first, distance(first, last) / 2n);
}
