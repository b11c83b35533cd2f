import type { Hex } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import { createUint32List, type GrowingArray } from '../store/bytes.ts';
import { type Dialect, misplacesLogs } from './dialect.ts';
import type { ServerFilter } from './serverFilters.ts';

/**
 * Blocks at which the rows of an answer, in order, cannot all be of one chain: two hashes at a height, one hash at
 * two heights, two different logs at one index, or an index that runs against the order of transactions. Old
 * Blockscout versions (to v6.7, and v12 until a migration of its data ends) show an orphaned copy of a log as a
 * true one; this is all that gives it away.
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
    if (previous?.blockNumber === log.blockNumber && !areOfOneBlock(previous, log))
      blocks.add(log.blockNumber);
    previous = log;
  }
  return [...blocks];
}

function areOfOneBlock(previous: Log, log: Log): boolean {
  if (previous.blockHash !== log.blockHash) return false;
  if (previous.logIndex === log.logIndex) {
    return previous.transactionHash === log.transactionHash && previous.data === log.data;
  }
  return previous.transactionIndex <= log.transactionIndex;
}

/** A block by its height and hash, and by that of its parent where it is known. */
export interface SeamBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash?: Hex | undefined;
}

/** Blocks at the seams of what was read, by which it shows that two answers are of two chains. */
interface SeamBlocks {
  hashAt(height: bigint): Hex | undefined;
  /**
   * Takes in blocks of one answer, in order.
   *
   * @returns the first height at which they are not of the chain that was read before, or not of one chain.
   */
  add(blocks: readonly SeamBlock[]): bigint | undefined;
  /** Forgets what a server's own blocks contradict. @returns the lowest height of that. */
  dropContradicted(blocks: readonly SeamBlock[]): bigint | undefined;
}

/** Seams that are remembered: those of some hundred answers. */
const MAX_KNOWN_BLOCKS = 512;

export function createSeamBlocks(): SeamBlocks {
  const hashes = new Map<bigint, Hex>();

  function remember(height: bigint, hash: Hex): void {
    hashes.delete(height);
    hashes.set(height, hash);
    const [oldest] = hashes.keys();
    if (hashes.size > MAX_KNOWN_BLOCKS && oldest !== undefined) hashes.delete(oldest);
  }

  function isOther(height: bigint, hash: Hex | undefined): boolean {
    const known = hashes.get(height);
    return known !== undefined && hash !== undefined && known !== hash;
  }

  function forgetFrom(height: bigint): void {
    for (const known of hashes.keys()) if (known >= height) hashes.delete(known);
  }

  return {
    hashAt: (height) => hashes.get(height),
    add(blocks) {
      let found: bigint | undefined;
      let before: SeamBlock | undefined;
      for (const block of blocks) {
        const { number, hash, parentHash } = block;
        const isNext = before !== undefined && before.number + 1n === number;
        const breaks = isNext && parentHash !== undefined && parentHash !== before?.hash;
        if (isOther(number - 1n, parentHash)) found ??= number - 1n;
        if (breaks || isOther(number, hash)) found ??= number;
        before = block;
      }
      if (found !== undefined) forgetFrom(found);
      const [first] = blocks;
      if (first?.parentHash && first.number > 0n) remember(first.number - 1n, first.parentHash);
      if (before) remember(before.number, before.hash);
      return found;
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

/** What tells a log from others: its place, and the block that it is in. */
export type RowKey = Pick<Log, 'blockHash' | 'blockNumber' | 'logIndex'>;

/** Prints of rows in the order in which they were added, in four bytes each, besides the blocks that they are of. */
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

/** The question of one request, as far as the rows of its answer can be held against it. */
interface LogRequest {
  readonly part: ServerFilter;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Answers of one query with rows that nobody asked for. */
export interface UnrequestedRows {
  /** Looks at the rows of an answer. @returns whether any was not asked for. */
  check(question: LogRequest, logs: readonly Log[], dialect: Dialect): boolean;
  /** So many answers had such rows that the server cannot be reading the question. */
  readonly isProven: boolean;
  /** First blocks of the questions that were answered so: of the first few. */
  readonly requestedFrom: readonly bigint[];
}

/** One answer may be a slip of a cache on the way. A server that does not read the range answers for ever the same. */
const MAX_RESPONSES_OF_OTHER_BLOCKS = 3;
/** A server that does not read the address can still be read, by ranges small enough. Not for ever. */
const MAX_RESPONSES_OF_OTHER_LOGS = 256;
const MAX_SAMPLES = 12;
/** A transaction that a reorg put into another block is found no further from the old one. */
const REORG_DEPTH = 128n;

export function createUnrequestedRows(): UnrequestedRows {
  const askedFrom: bigint[] = [];
  let ofOtherBlocks = 0;
  let ofOtherLogs = 0;
  return {
    requestedFrom: askedFrom,
    get isProven() {
      return ofOtherBlocks >= MAX_RESPONSES_OF_OTHER_BLOCKS || ofOtherLogs >= MAX_RESPONSES_OF_OTHER_LOGS;
    },
    check(question, logs, dialect) {
      const otherBlocks = hasOtherBlocks(question, logs, dialect);
      const found = otherBlocks || logs.some((log) => !isRequested(question.part, log));
      if (!found) return false;
      if (otherBlocks) ofOtherBlocks++;
      else ofOtherLogs++;
      if (askedFrom.length < MAX_SAMPLES && !askedFrom.includes(question.fromBlock)) {
        askedFrom.push(question.fromBlock);
      }
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

function isRequested({ address, topics }: ServerFilter, log: Log): boolean {
  if (address !== undefined && address !== log.address && !address.includes(log.address)) return false;
  return !topics || topics.every((values, place) => values === null || holds(values, log.topics[place]));
}

function holds(values: string | readonly string[], topic: string | undefined): boolean {
  return topic !== undefined && (values === topic || (typeof values === 'object' && values.includes(topic)));
}
