import type { RowKey } from '../engine/rowChecks.ts';
import type { Log } from '../log.ts';

/** The rows of some blocks as the server returns them now. */
export interface FetchedRows {
  /** First block of the rows. */
  readonly fromBlock: bigint;
  /** Last block whose rows are complete; rows above it may be missing. */
  readonly coveredTo: bigint;
  /** In chain order. */
  readonly logs: readonly Log[];
}

/** How fetched rows change the tracked ones. */
export interface RowChange {
  /** Tracked rows from this block on are removed; undefined if all stay. */
  readonly changedFrom: bigint | undefined;
  /** Rows to append after those that stay, in chain order. */
  readonly logs: readonly Log[];
  /** Whether a tracked row stays with its block hash, which proves that nothing below it has changed. */
  readonly isAnchored: boolean;
  /** Last block whose rows are complete. */
  readonly coveredTo: bigint;
}

/** The rows of a result that a reorg may still replace, in chain order. */
interface FollowedRows {
  readonly length: number;
  /** The newest row of settled blocks. */
  readonly settled: RowKey | undefined;
  /** The block that the newest `count` rows begin in. Rows of that block may precede them. */
  findBlockOfNewest(count: number): bigint | undefined;
  /** Number of rows from this block on. */
  countFrom(block: bigint): number;
  compare(fetched: FetchedRows): RowChange;
  /** @returns how many rows were removed. */
  apply(change: RowChange): number;
  /** Stops tracking rows of blocks up to this one. */
  settle(block: bigint): void;
}

export function createFollowedRows(rows: readonly RowKey[]): FollowedRows {
  /** Rows of blocks that are not certain yet are stored as complete logs, as they may have to be emitted again. */
  const tracked: (RowKey | Log)[] = [...rows];
  let settled: RowKey | undefined;

  const findIndexFrom = (block: bigint) => {
    let at = tracked.length;
    while (at > 0 && (tracked[at - 1] as RowKey).blockNumber >= block) at--;
    return at;
  };

  function compare({ fromBlock, coveredTo, logs }: FetchedRows): RowChange {
    const start = findIndexFrom(fromBlock);
    const current = tracked.slice(start);
    const expected = mergeRows(current, logs, coveredTo);
    let unchanged = 0;
    while (
      unchanged < current.length &&
      unchanged < expected.length &&
      isSameRow(current[unchanged], expected[unchanged])
    )
      unchanged++;
    const anchored = unchanged > 0;
    const changedRows = expected.slice(unchanged);
    const nextBlock = changedRows[0]?.blockNumber;
    const lostBlock = current[unchanged]?.blockNumber;
    if (lostBlock === undefined)
      return { changedFrom: undefined, logs: changedRows.filter(isLog), isAnchored: anchored, coveredTo };
    const changedFrom = nextBlock !== undefined && nextBlock < lostBlock ? nextBlock : lostBlock;
    // Unchanged rows of the block are emitted again, so that a block is always removed and added as a whole.
    const rowsFromChange = expected.filter(({ blockNumber }) => blockNumber >= changedFrom);
    const isAnchored = current.some((row, at) => at < unchanged && row.blockNumber < changedFrom);
    return { changedFrom, logs: rowsFromChange.filter(isLog), isAnchored, coveredTo };
  }

  return {
    get length() {
      return tracked.length;
    },
    get settled() {
      return settled;
    },
    findBlockOfNewest: (count) => tracked[tracked.length - count]?.blockNumber,
    countFrom: (block) => tracked.length - findIndexFrom(block),
    compare,
    apply({ changedFrom, logs, coveredTo }) {
      const removed = changedFrom === undefined ? [] : tracked.splice(findIndexFrom(changedFrom));
      for (const log of logs) tracked.push(log.blockNumber > coveredTo ? log : toRowKey(log));
      return removed.length;
    },
    settle(block) {
      let count = 0;
      while (count < tracked.length && (tracked[count] as RowKey).blockNumber <= block) count++;
      if (count > 0) settled = tracked.splice(0, count)[count - 1];
    },
  };
}

/**
 * Up to `coveredTo`, only the fetched rows count. Above it, the replica may lack blocks: for each block, the
 * fetched rows count if there are any, else the tracked ones. If rows below have changed, tracked rows above belong
 * to removed blocks.
 */
function mergeRows(
  tracked: readonly RowKey[],
  fetched: readonly Log[],
  coveredTo: bigint,
): readonly (RowKey | Log)[] {
  const isCovered = ({ blockNumber }: RowKey) => blockNumber <= coveredTo;
  const below = tracked.filter(isCovered);
  const covered = fetched.filter(isCovered);
  const isChanged = below.length !== covered.length || below.some((row, at) => !isSameRow(row, covered[at]));
  const fetchedAbove = fetched.slice(covered.length);
  const first = fetchedAbove[0];
  const trackedAbove = tracked.slice(below.length);
  const clashes = fetchedAbove.some((row) =>
    trackedAbove.some((other) => other.blockNumber === row.blockNumber && other.blockHash !== row.blockHash),
  );
  if (isChanged || clashes || first === undefined) {
    return isChanged || clashes ? [...covered, ...fetchedAbove] : [...covered, ...trackedAbove];
  }
  const heights = new Set(fetchedAbove.map(({ blockNumber }) => blockNumber));
  const stillTracked = trackedAbove.filter(({ blockNumber }) => !heights.has(blockNumber));
  // If a tracked block below a fetched one is missing, the replica has seen that it is empty.
  const last = fetchedAbove[fetchedAbove.length - 1]?.blockNumber ?? coveredTo;
  return [...covered, ...fetchedAbove, ...stillTracked.filter(({ blockNumber }) => blockNumber > last)];
}

function toRowKey({ blockHash, blockNumber, logIndex }: Log): RowKey {
  return { blockHash, blockNumber, logIndex };
}

function isLog(row: RowKey | Log): row is Log {
  return 'topics' in row;
}

function isSameRow(a: RowKey | undefined, b: RowKey | undefined): boolean {
  return a !== undefined && a.blockHash === b?.blockHash && a.logIndex === b.logIndex;
}
