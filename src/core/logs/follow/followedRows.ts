import type { RowKey } from '../engine/rowChecks.ts';
import type { Log } from '../log.ts';
import type { SnapshotRows } from './snapshots.ts';

/** How a snapshot changes the tracked rows. */
export interface RowChange {
  /** It has the tracked rows of all blocks that it covers. */
  readonly agrees: boolean;
  /** Tracked rows from this block on are removed; undefined if all stay. */
  readonly changedFrom: bigint | undefined;
  /** Rows to append after those that stay, in chain order. */
  readonly logs: readonly Log[];
  /** A tracked row of a complete block is in it, with its block hash: both are of one chain up to that block. */
  readonly isAnchored: boolean;
  /** Last block whose rows are complete afterwards. */
  readonly coveredTo: bigint;
}

/** The rows of a result that a reorg may still replace, in chain order. */
interface FollowedRows {
  /** The newest row of settled blocks. */
  readonly settled: RowKey | undefined;
  /** The block that the newest `count` rows begin in. Rows of that block may precede them. */
  findBlockOfNewest(count: number): bigint | undefined;
  /** Number of rows from this block on. */
  countFrom(block: bigint): number;
  /** @param coveredTo last block whose tracked rows are complete. */
  compare(snapshot: SnapshotRows, coveredTo: bigint): RowChange;
  /** @returns how many rows were removed. */
  apply(change: RowChange): number;
  /** Stops tracking rows of blocks up to this one. */
  settle(block: bigint): void;
}

export function createFollowedRows(rows: readonly RowKey[]): FollowedRows {
  /** Rows of blocks that are not complete yet are stored as complete logs, as they may have to be emitted again. */
  const tracked: (RowKey | Log)[] = [...rows];
  let settled: RowKey | undefined;

  const findIndexFrom = (block: bigint) => {
    let at = tracked.length;
    while (at > 0 && (tracked[at - 1] as RowKey).blockNumber >= block) at--;
    return at;
  };

  function compare({ fromBlock, toBlock, coveredTo, logs }: SnapshotRows, trackedTo: bigint): RowChange {
    const current = tracked.slice(findIndexFrom(fromBlock));
    const isInBoth = ({ blockNumber }: RowKey) => blockNumber <= coveredTo && blockNumber <= trackedTo;
    const agrees = isSameList(current.filter(isInBoth), logs.filter(isInBoth));
    const seenTo = logs[logs.length - 1]?.blockNumber ?? coveredTo;
    // What it may not have seen stays, unless it has all that was requested.
    const isUnseen = ({ blockNumber }: RowKey) => blockNumber > coveredTo && blockNumber > seenTo;
    const unseen = coveredTo < toBlock ? current.filter(isUnseen) : [];
    const expected = agrees ? [...logs, ...unseen] : logs;
    let unchanged = 0;
    while (unchanged < current.length && isSameRow(current[unchanged], expected[unchanged])) unchanged++;
    const lostBlock = current[unchanged]?.blockNumber;
    const nextBlock = expected[unchanged]?.blockNumber;
    // A block is always removed and added as a whole.
    const changedFrom =
      lostBlock !== undefined && nextBlock !== undefined && nextBlock < lostBlock ? nextBlock : lostBlock;
    const isAnchor = ({ blockNumber }: RowKey, at: number) =>
      at < unchanged && blockNumber <= trackedTo && (changedFrom === undefined || blockNumber < changedFrom);
    return {
      ...{ agrees, changedFrom, coveredTo },
      logs: expected
        .filter(({ blockNumber }, at) =>
          changedFrom === undefined ? at >= unchanged : blockNumber >= changedFrom,
        )
        .filter(isLog),
      isAnchored: current.some(isAnchor),
    };
  }

  return {
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

function toRowKey({ blockHash, blockNumber, logIndex }: Log): RowKey {
  return { blockHash, blockNumber, logIndex };
}

function isLog(row: RowKey | Log): row is Log {
  return 'topics' in row;
}

function isSameList(a: readonly RowKey[], b: readonly RowKey[]): boolean {
  return a.length === b.length && a.every((row, at) => isSameRow(row, b[at]));
}

function isSameRow(a: RowKey | undefined, b: RowKey | undefined): boolean {
  return a !== undefined && a.blockHash === b?.blockHash && a.logIndex === b.logIndex;
}
