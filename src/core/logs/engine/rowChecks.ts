import type { Hex } from '../../eth/hex.ts';
import type { Direction, Log } from '../log.ts';
import { createLogTest, type LogFilter } from '../query/filter.ts';
import { createUint32List, type GrowingArray } from '../store/bytes.ts';
import { type Dialect, misplacesLogs } from './dialect.ts';
import type { ServerFilter } from './serverFilters.ts';

/**
 * Blocks at which the rows of a response, in order, cannot all belong to one chain: two hashes at one height, or one
 * hash at two heights.
 */
export function findForkedBlocks(logs: readonly Log[]): readonly bigint[] {
  const blocks = new Set<bigint>();
  const heights = new Map<string, bigint>();
  let previous: Log | undefined;
  for (const log of logs) {
    if (previous?.blockHash !== log.blockHash || previous.blockNumber !== log.blockNumber) {
      const height = heights.get(log.blockHash);
      if (height === undefined) heights.set(log.blockHash, log.blockNumber);
      else if (height !== log.blockNumber) blocks.add(log.blockNumber);
    }
    if (previous?.blockNumber === log.blockNumber && previous.blockHash !== log.blockHash) {
      blocks.add(log.blockNumber);
    }
    previous = log;
  }
  return [...blocks];
}

/**
 * Blocks with two different logs at one index, or with indexes that contradict the order of transactions. On some
 * chains the index counts within a transaction, or repeats within one. On an explorer it may also be an orphaned copy
 * of a log: old Blockscout versions (to v6.7, and v12 until a migration of its data ends) return one as a canonical log,
 * and nothing else reveals it.
 */
export function findRepeatedIndexes(logs: readonly Log[]): readonly bigint[] {
  const blocks = new Set<bigint>();
  let previous: Log | undefined;
  for (const log of logs) {
    if (previous?.blockHash === log.blockHash && !isLaterInBlock(previous, log)) blocks.add(log.blockNumber);
    previous = log;
  }
  return [...blocks];
}

function isLaterInBlock(previous: Log, log: Log): boolean {
  return previous.logIndex < log.logIndex && previous.transactionIndex <= log.transactionIndex;
}

/** A block by its height and hash, and its parent's hash if known. */
export interface SeamBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash?: Hex | undefined;
}

/** Blocks at the seams between responses. They reveal that two responses belong to two chains. */
interface SeamBlocks {
  hashAt(height: bigint): Hex | undefined;
  /**
   * Adds the blocks of one response, in order.
   *
   * @returns the first height at which they contradict the chain read before, or each other.
   */
  add(blocks: readonly SeamBlock[]): bigint | undefined;
  /**
   * Drops the blocks that the server's own blocks contradict.
   *
   * @returns the lowest height of these.
   */
  dropContradicted(blocks: readonly SeamBlock[]): bigint | undefined;
}

/** The seams of some hundred responses. */
const MAX_SEAM_BLOCKS = 512;

export function createSeamBlocks(): SeamBlocks {
  const hashes = new Map<bigint, Hex>();

  function remember(height: bigint, hash: Hex): void {
    hashes.delete(height);
    hashes.set(height, hash);
    const [oldest] = hashes.keys();
    if (hashes.size > MAX_SEAM_BLOCKS && oldest !== undefined) hashes.delete(oldest);
  }

  function isOther(height: bigint, hash: Hex | undefined): boolean {
    const ownHash = hashes.get(height);
    return ownHash !== undefined && hash !== undefined && ownHash !== hash;
  }

  function forgetFrom(height: bigint): void {
    for (const ownHeight of hashes.keys()) if (ownHeight >= height) hashes.delete(ownHeight);
  }

  return {
    hashAt: (height) => hashes.get(height),
    add(blocks) {
      let contradictedAt: bigint | undefined;
      let previous: SeamBlock | undefined;
      for (const block of blocks) {
        const { number, hash, parentHash } = block;
        const isNext = previous !== undefined && previous.number + 1n === number;
        const breaks = isNext && parentHash !== undefined && parentHash !== previous?.hash;
        if (isOther(number - 1n, parentHash)) contradictedAt ??= number - 1n;
        if (breaks || isOther(number, hash)) contradictedAt ??= number;
        previous = block;
      }
      if (contradictedAt !== undefined) forgetFrom(contradictedAt);
      const [first] = blocks;
      if (first?.parentHash && first.number > 0n) remember(first.number - 1n, first.parentHash);
      if (previous) remember(previous.number, previous.hash);
      return contradictedAt;
    },
    dropContradicted(blocks) {
      const others = blocks.filter(({ number, hash }) => isOther(number, hash));
      const heights = others.map(({ number }) => number);
      const lowest = heights.reduce<bigint | undefined>(
        (a, b) => (a === undefined || b < a ? b : a),
        undefined,
      );
      if (lowest !== undefined) forgetFrom(lowest);
      return lowest;
    },
  };
}

/** Identifies a log: its position, and the block that it is in. */
export type RowKey = Pick<Log, 'blockHash' | 'blockNumber' | 'logIndex'>;

/** Keys of rows in the order in which they were added. Takes four bytes a row, and the blocks once. */
export interface RowKeys {
  readonly length: number;
  add(row: RowKey): void;
  all(): Iterable<RowKey>;
}

export function createRowKeys(): RowKeys {
  const runs: { readonly blockHash: Hex; readonly blockNumber: bigint; readonly indexes: GrowingArray }[] =
    [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    add({ blockHash, blockNumber, logIndex }) {
      let run = runs[runs.length - 1];
      if (run?.blockHash !== blockHash || run.blockNumber !== blockNumber) {
        run = { blockHash, blockNumber, indexes: createUint32List() };
        runs.push(run);
      }
      run.indexes.push(logIndex);
      length++;
    },
    *all() {
      for (const { blockHash, blockNumber, indexes } of runs) {
        for (let at = 0; at < indexes.length; at++) {
          yield { blockHash, blockNumber, logIndex: indexes.at(at) };
        }
      }
    },
  };
}

/** Which blocks have rows, as far as it is recorded. */
export interface RowBlocks {
  /** Rows that follow the ones before in reading order. */
  add(rows: readonly Log[]): void;
  /** Whether a block has a row; also true if that is not recorded. */
  has(block: bigint): boolean;
}

/** Blocks with rows that are recorded, the first ones in reading order. */
const MAX_ROW_BLOCKS = 10_000;

export function createRowBlocks({ distance }: Pick<Direction, 'distance'>): RowBlocks {
  const blocks = new Set<bigint>();
  let last: bigint | undefined;
  const isFull = () => blocks.size === MAX_ROW_BLOCKS;
  return {
    add(rows) {
      for (const { blockNumber } of rows) {
        if (isFull()) return;
        if (blockNumber !== last) blocks.add(blockNumber);
        last = blockNumber;
      }
    },
    has: (block) => blocks.has(block) || (isFull() && last !== undefined && distance(last, block) > 0n),
  };
}

/** One request, as far as the rows of its response can be checked against it. */
interface LogRequest {
  readonly part: ServerFilter;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Counts the responses of one query that have rows outside the filter. */
export interface UnrequestedRows {
  /**
   * Checks the rows of a response.
   *
   * @returns whether any of them was not requested.
   */
  check(request: LogRequest, logs: readonly Log[], dialect: Dialect): boolean;
  /** So many responses had such rows that the server must be ignoring the request. */
  readonly isProven: boolean;
}

/**
 * A single case may come from a cache on the way. A server that ignores the range returns the same rows forever.
 */
const MAX_RESPONSES_OF_OTHER_BLOCKS = 3;
/** A server that ignores the address can still be read in small ranges, up to this limit. */
const MAX_RESPONSES_OF_OTHER_LOGS = 256;
/** A transaction that a reorg moved to another block is at most this far from its old block. */
const REORG_DEPTH = 128n;

export function createUnrequestedRows(): UnrequestedRows {
  let ofOtherBlocks = 0;
  let ofOtherLogs = 0;
  return {
    get isProven() {
      return ofOtherBlocks >= MAX_RESPONSES_OF_OTHER_BLOCKS || ofOtherLogs >= MAX_RESPONSES_OF_OTHER_LOGS;
    },
    check(request, logs, dialect) {
      const otherBlocks = hasOtherBlocks(request, logs, dialect);
      if (!otherBlocks && logs.every(createLogTest(toLogFilter(request.part)))) return false;
      if (otherBlocks) ofOtherBlocks++;
      else ofOtherLogs++;
      return true;
    },
  };
}

function hasOtherBlocks(
  { part, fromBlock, toBlock }: LogRequest,
  logs: readonly Log[],
  dialect: Dialect,
): boolean {
  let outside = 0;
  let far = 0;
  for (const { blockNumber } of logs) {
    if (blockNumber >= fromBlock && blockNumber <= toBlock) continue;
    outside++;
    if (blockNumber + REORG_DEPTH < fromBlock || blockNumber > toBlock + REORG_DEPTH) far++;
  }
  if (outside === 0) return false;
  const displaced =
    part.address !== undefined && misplacesLogs(dialect) && far === 0 && outside * 2 <= logs.length;
  return !displaced;
}

function toLogFilter({ address = [], topics = [] }: ServerFilter): Pick<LogFilter, 'addresses' | 'topics'> {
  return {
    addresses: typeof address === 'string' ? [address] : address,
    topics: topics.map((values) => (typeof values === 'string' ? [values] : values)),
  };
}
