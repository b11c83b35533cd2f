import type { RowKey } from '../engine/rowChecks.ts';
import type { Log } from '../log.ts';

/** The rows of some blocks as a server gives them now. */
export interface FetchedRows {
  /** First block of which they are. */
  readonly fromBlock: bigint;
  /** Last block of which none is missing; what is above it may be. */
  readonly coveredTo: bigint;
  /** In the order of the chain. */
  readonly logs: readonly Log[];
}

/** What rows that were given make of those that are held. */
export interface RowChange {
  /** Held rows of this block and those above it stand no more; undefined where all do. */
  readonly changedFrom: bigint | undefined;
  /** Rows to put behind those that stay, in the order of the chain. */
  readonly logs: readonly Log[];
  /** Whether a row that is held and stays, of the same block hash, shows that nothing below has changed. */
  readonly isAnchored: boolean;
  /** Last block of which all rows are given. */
  readonly coveredTo: bigint;
}

/** The rows of an answer that a reorg may still replace, in the order of the chain. */
export interface FollowedRows {
  readonly length: number;
  /** The newest row of blocks that count as settled. */
  readonly settled: RowKey | undefined;
  /** The block from which on there are so many of them, or about: all of it, and none of the block before. */
  findBlockOfNewest(count: number): bigint | undefined;
  /** How many there are of blocks from this one on. */
  countFrom(block: bigint): number;
  /** Compares; changes nothing. */
  compare(given: FetchedRows): RowChange;
  /** Makes a change. @returns how many rows stand no more. */
  apply(change: RowChange): number;
  /** Holds rows of blocks up to this one no longer. */
  settle(block: bigint): void;
}

export function createFollowedRows(rows: readonly RowKey[]): FollowedRows {
  /** Those of blocks that are not known for certain yet are kept whole: they may have to be given once more. */
  const held: (RowKey | Log)[] = [...rows];
  let settled: RowKey | undefined;

  const firstFrom = (block: bigint) => {
    let at = held.length;
    while (at > 0 && (held[at - 1] as RowKey).blockNumber >= block) at--;
    return at;
  };

  function compare({ fromBlock, coveredTo: knownTo, logs }: FetchedRows): RowChange {
    const start = firstFrom(fromBlock);
    const before = held.slice(start);
    const wanted = merged(before, logs, knownTo);
    let same = 0;
    while (same < before.length && same < wanted.length && isSame(before[same], wanted[same])) same++;
    const anchored = same > 0;
    const fresh = wanted.slice(same);
    const next = fresh[0]?.blockNumber;
    const lost = before[same]?.blockNumber;
    if (lost === undefined)
      return { changedFrom: undefined, logs: fresh.filter(isLog), isAnchored: anchored, coveredTo: knownTo };
    const from = next !== undefined && next < lost ? next : lost;
    // Rows of the block itself that stay come once more, so that a block goes and comes as a whole.
    const whole = wanted.filter(({ blockNumber }) => blockNumber >= from);
    const isAnchored = before.some((row, at) => at < same && row.blockNumber < from);
    return { changedFrom: from, logs: whole.filter(isLog), isAnchored: isAnchored, coveredTo: knownTo };
  }

  return {
    get length() {
      return held.length;
    },
    get settled() {
      return settled;
    },
    findBlockOfNewest: (count) => held[held.length - count]?.blockNumber,
    countFrom: (block) => held.length - firstFrom(block),
    compare,
    apply({ changedFrom: from, logs, coveredTo: knownTo }) {
      const gone = from === undefined ? [] : held.splice(firstFrom(from));
      for (const log of logs) held.push(log.blockNumber > knownTo ? log : printOf(log));
      return gone.length;
    },
    settle(block) {
      let count = 0;
      while (count < held.length && (held[count] as RowKey).blockNumber <= block) count++;
      if (count > 0) settled = held.splice(0, count)[count - 1];
    },
  };
}

/**
 * Up to `knownTo` what is given counts, and nothing else. Above it the machine may lack blocks: of each block what is
 * given counts, where anything is, else what is held. Where the rows below have changed, what is held above stands on
 * blocks that are gone.
 */
function merged(held: readonly RowKey[], given: readonly Log[], knownTo: bigint): readonly (RowKey | Log)[] {
  const isKnown = ({ blockNumber }: RowKey) => blockNumber <= knownTo;
  const below = held.filter(isKnown);
  const known = given.filter(isKnown);
  const isChanged = below.length !== known.length || below.some((row, at) => !isSame(row, known[at]));
  const givenAbove = given.slice(known.length);
  const first = givenAbove[0];
  const heldAbove = held.slice(below.length);
  const clashes = givenAbove.some((row) =>
    heldAbove.some((other) => other.blockNumber === row.blockNumber && other.blockHash !== row.blockHash),
  );
  if (isChanged || clashes || first === undefined) {
    return isChanged || clashes ? [...known, ...givenAbove] : [...known, ...heldAbove];
  }
  const heights = new Set(givenAbove.map(({ blockNumber }) => blockNumber));
  const kept = heldAbove.filter(({ blockNumber }) => !heights.has(blockNumber));
  // A block that is held below one that is given and was left out is one that the machine knew to be empty.
  const last = givenAbove[givenAbove.length - 1]?.blockNumber ?? knownTo;
  return [...known, ...givenAbove, ...kept.filter(({ blockNumber }) => blockNumber > last)];
}

function printOf({ blockHash, blockNumber, logIndex }: Log): RowKey {
  return { blockHash, blockNumber, logIndex };
}

function isLog(row: RowKey | Log): row is Log {
  return 'topics' in row;
}

function isSame(one: RowKey | undefined, other: RowKey | undefined): boolean {
  return one !== undefined && one.blockHash === other?.blockHash && one.logIndex === other.logIndex;
}
