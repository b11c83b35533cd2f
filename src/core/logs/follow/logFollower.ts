import type { Abortable } from '../../base/concurrency.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import type { Hex } from '../../eth/hex.ts';
import { MAX_HOLD_MS } from '../../http/retry.ts';
import { QUORUM } from '../engine/fetchLogs.ts';
import type { RetryPolicy } from '../engine/getLogs.ts';
import { connectQuery, type LogQueryOptions } from '../engine/queryConnection.ts';
import type { RowKey } from '../engine/rowChecks.ts';
import { type Log, UNSETTLED_BLOCKS } from '../log.ts';
import { createReasonList, createVerdict, isUnreached, type Verdict } from '../query/verdict.ts';
import {
  type ConfirmationPolicy,
  createLowerHeads,
  createQuorum,
  createRecentHeads,
} from './confirmation.ts';
import { createFollowedRows, type RowChange } from './followedRows.ts';
import { readPieces } from './pieces.ts';
import { readSettledBlocks } from './settledBlocks.ts';
import {
  createSnapshotReader,
  hasSameRows,
  type Snapshot,
  type SnapshotRange,
  type SnapshotRows,
  TEMPORARY_REASONS,
} from './snapshots.ts';

/*
 * What holds between two changes:
 *
 * 1. The rows through the covered block are those of one chain, as one replica had it at one moment. That is what
 *    `complete` says. A lagging replica, or one of an abandoned fork, makes the rows older but never mixes them.
 * 2. Blocks that are 128 below the head of a replica are the same on all chains ("settled").
 *
 * So a snapshot (the rows of some blocks as one replica has them, up to its head) continues the rows only if it proves
 * that below its first block its chain is the one of the rows. One of these is enough:
 *
 * - Its first block is the first one that is not settled.
 * - A row that is already there is in it: the block hash of that row stands for all blocks below.
 * - The replica has the hash that a replica before had for a covered block.
 *
 * Then its rows replace all rows from its first block on, and its last block is the covered one. If rows changed and
 * no row stayed, the reorg may be deeper: twice as many blocks are read.
 *
 * A snapshot without proof changes nothing. The blocks that it lacks are read then (`pieces.ts`). A snapshot that ends
 * below the covered block changes nothing either, until heads below it have been reported for a while
 * (`confirmation.ts`): then the chain is shorter. Larger gaps are read in settled blocks first (`settledBlocks.ts`),
 * which need no proof.
 */

/** Keeps a query result up to date as the chain grows. One call at a time. */
export interface LogFollower {
  /** The verdict now. The result has every row of the blocks through its last one. */
  readonly verdict: Verdict;
  /** Nothing more comes: the range has a fixed end that is settled, or the server returns no more. */
  readonly ended: boolean;
  /**
   * The newest reported block is not read yet: {@link advance} should be called again soon, even without a newer
   * block.
   */
  readonly behind: boolean;
  /**
   * Brings the result up to `head`, the newest block that any replica has reported. Normally that takes one request
   * for logs, or one for each part of the filter; none if the head has not changed. Larger gaps, as after a long
   * sleep, are read like a query.
   *
   * Each change must be applied before the next one is taken. If a call throws or is ended early, what it has
   * emitted stays valid.
   *
   * @throws AppError of any network kind.
   */
  advance(head: bigint, options?: Abortable): AsyncGenerator<FollowedLogs>;
}

/** One change of a query result. */
export interface FollowedLogs {
  /** A reorg removed the rows from this block on; undefined if all rows stay. */
  readonly removedFrom: bigint | undefined;
  /** Rows that come after those that stay, in chain order, whatever the order of the result. */
  readonly logs: readonly Log[];
  readonly verdict: Verdict;
}

export interface FollowOptions {
  /** The final verdict of the query, with its range read to the end. */
  readonly verdict: Verdict;
  /** The rows from this block on, in chain order, preceded by the newest row below it, if any. */
  readonly loadedRows: (fromBlock: bigint) => readonly RowKey[];
  /** When to accept that the chain became shorter: the report may come from a lagging replica. */
  readonly confirmation: ConfirmationPolicy;
}

const TRACKED_BLOCKS = 2n * UNSETTLED_BLOCKS;
/** Number of read rows that each check reads again if the last blocks hold more, and fewer if they are too many. */
const RECHECKED_ROWS = [200, 50, 1, 0];
/** New blocks that one read takes; a larger gap is read in settled blocks first. */
const MAX_BLOCKS_PER_READ = 1000n;
/** New blocks that a server must take beside those that may change; else less is read again. */
const MIN_NEW_BLOCKS = 32n;
/** A failed check is not retried; the caller checks again with the next block. */
const CHECK_RETRY: RetryPolicy = { retries: 0, maxWaitMs: 10_000, persistent: false };
const READ_RETRY: RetryPolicy = { retries: 4, maxWaitMs: MAX_HOLD_MS, persistent: true };

/** Follows the chain from the end of a query. Sends nothing before {@link LogFollower.advance} is called. */
export function openLogFollower(
  options: Omit<LogQueryOptions, 'order'>,
  { verdict: base, loadedRows, confirmation }: FollowOptions,
): LogFollower {
  const { filter } = options;
  const connection = connectQuery(options, CHECK_RETRY);
  const { fromBlock } = base;
  const fixedEnd = typeof filter.toBlock === 'bigint' ? filter.toBlock : undefined;
  let coveredTo = base.order === 'oldestFirst' ? (base.readThrough ?? fromBlock - 1n) : base.toBlock;
  coveredTo = bigintMax(coveredTo, fromBlock - 1n);
  let newestHead = bigintMax(base.head, coveredTo);
  let rows = base.rows;
  let checkedTo: bigint | undefined;
  /** The blocks through the newest one are not fully emitted. */
  let isBehind = true;
  /** Rows from here on are tracked: of more blocks than each check reads, as a reorg may be deeper. */
  let trackedFrom = bigintMax(fromBlock, coveredTo - TRACKED_BLOCKS + 1n);
  const tracked = createFollowedRows(loadedRows(trackedFrom));
  tracked.settle(trackedFrom - 1n);
  const lastingReasons = createReasonList();
  lastingReasons.add(
    base.reasons.filter((reason) => !TEMPORARY_REASONS.includes(reason.code) && !isUnreached(reason)),
  );
  /** While there are any, the rows may be of several chains. */
  let temporaryReasons = base.reasons.filter(({ code }) => TEMPORARY_REASONS.includes(code));
  /** A block of the chain that the rows are of, with its hash. */
  let link: { readonly block: bigint; readonly hash: Hex } | undefined;
  let isEnded = false;
  let quorum = createQuorum();
  const lowerHeads = createLowerHeads(options.http.clock, confirmation);
  const recentHeads = createRecentHeads();
  const query = connection.createContext({ fromBlock, toBlock: coveredTo, head: coveredTo });
  const reader = createSnapshotReader(query, READ_RETRY, ({ reasons, endsQuery }) => {
    lastingReasons.add(reasons);
    isEnded ||= endsQuery;
  });

  /** First block that a reorg may still replace if the chain ends at `block`. */
  function getUnsettledFrom(block: bigint): bigint {
    return bigintMax(trackedFrom, block - UNSETTLED_BLOCKS + 1n);
  }

  /** What was wrong with responses whose rows count. One with unrequested rows does not. */
  function listFlaws() {
    return query.responseReasons.list().filter(({ code }) => code !== 'otherRows');
  }

  function currentVerdict(): Verdict {
    const isAhead = coveredTo < fromBlock;
    return createVerdict({
      isRead: true,
      reasons: [...lastingReasons.list(), ...listFlaws(), ...temporaryReasons],
      fromBlock,
      toBlock: isAhead ? bigintMin(newestHead, coveredTo) : coveredTo,
      ...(fixedEnd !== undefined && fixedEnd > coveredTo ? { requestedTo: fixedEnd } : {}),
      ...(base.found && { found: base.found }),
      head: newestHead,
      order: base.order,
      rows,
      requests: base.requests + connection.requests,
      readThrough: isAhead ? undefined : base.order === 'oldestFirst' ? coveredTo : fromBlock,
    });
  }

  async function* advance(head: bigint, { signal }: Abortable): AsyncGenerator<FollowedLogs> {
    const target = fixedEnd === undefined ? head : bigintMin(head, fixedEnd);
    newestHead = bigintMax(newestHead, head);
    if (isEnded) return;
    recentHeads.add(head);
    connection.begin(CHECK_RETRY);
    if (target < coveredTo) {
      quorum = createQuorum();
      const lower = lowerHeads.report(target);
      if (lower !== undefined) yield* shorten(lower, { signal });
      return;
    }
    lowerHeads.reset();
    if (target < fromBlock || (target === checkedTo && !isBehind)) return;
    checkedTo = target;
    isBehind = true;
    yield* fillGap(target, { signal });
    for (let before: bigint | undefined; before === undefined || before < coveredTo; ) {
      before = coveredTo;
      const next = await readNext(target, { signal, isLower: false });
      if (!next) return;
      temporaryReasons = [];
      yield* apply(next, { signal });
      if (coveredTo >= target || !next.snapshot.isReported) break;
    }
    isBehind = coveredTo < target;
  }

  /** Accepts that the chain ends at `lower`, below what is covered, if a replica with that block confirms it. */
  async function* shorten(lower: bigint, { signal }: Abortable): AsyncGenerator<FollowedLogs> {
    if (lower < trackedFrom) {
      yield* doubtAll(lower, { signal });
      return;
    }
    const next = await readNext(lower, { signal, isLower: true });
    const head = next?.snapshot.head ?? (next && (await connection.fetchHead({ signal })));
    if (!next || head === undefined || next.snapshot.coveredTo < lower || head < lower) return;
    lowerHeads.reset();
    if (head >= coveredTo) return;
    newestHead = head;
    temporaryReasons = [];
    yield* apply(next, { signal });
    isBehind = false;
    checkedTo = coveredTo;
  }

  /** The chain ends below the tracked blocks: a development chain was set back, or another one took its place. */
  async function* doubtAll(lower: bigint, { signal }: Abortable): AsyncGenerator<FollowedLogs> {
    if ((await connection.fetchHead({ signal })) >= trackedFrom) return;
    lastingReasons.add([{ code: 'reorg', block: lower }]);
    lowerHeads.reset();
    yield { removedFrom: undefined, logs: [], verdict: currentVerdict() };
  }

  /** A snapshot that continues the rows, and how it changes them. */
  interface Continuation {
    readonly snapshot: Snapshot;
    readonly change: RowChange;
    /** No row is left that shows how deep the change reaches. */
    readonly isBottomless: boolean;
  }

  interface NextOptions extends Abortable {
    /** The chain became shorter. */
    readonly isLower: boolean;
  }

  /** Undefined if no replica has more to say now. */
  async function readNext(toBlock: bigint, options: NextOptions): Promise<Continuation | undefined> {
    const single = await readOnce(toBlock, options);
    if (single === undefined) return undefined;
    const { signal } = options;
    const isAnchored = (piece: SnapshotRows) =>
      temporaryReasons.length === 0 && tracked.compare(piece, coveredTo).isAnchored;
    const agrees = (piece: SnapshotRows) => tracked.compare(piece, coveredTo).agrees;
    let next = single === 'tooMuch' ? 'unproven' : judge(single, options);
    for (const depth of ['unsettled', 'tracked']) {
      if (typeof next === 'object' || next === undefined) return next;
      if (next === 'tooShallow' && depth === 'unsettled') continue;
      const lowest = depth === 'tracked' ? trackedFrom : getUnsettledFrom(bigintMin(coveredTo, toBlock));
      const headBefore = reader.reportsHeads() ? toBlock : await findLowestHead({ signal });
      // Above it, only replicas of another fork may respond.
      const end = bigintMin(toBlock, headBefore);
      const joined = await readPieces(reader, {
        lowest,
        toBlock: end,
        coveredTo,
        isAnchored,
        agrees,
        signal,
      });
      if (!joined) return undefined;
      const headAfter = joined.isReported ? toBlock : await findLowestHead({ signal });
      const seenTo = [joined.coveredTo, end, headAfter].reduce(bigintMin);
      next = judge({ ...joined, coveredTo: seenTo }, options);
    }
    return typeof next === 'object' ? next : undefined;
  }

  /**
   * For replicas that do not report their heads. One of those that respond may be behind, or on another fork; and the
   * chain may become shorter while it is read.
   */
  async function findLowestHead({ signal }: Abortable): Promise<bigint> {
    const heads: bigint[] = [];
    while (heads.length < QUORUM) heads.push(await connection.fetchHead({ signal }));
    return heads.reduce(bigintMin);
  }

  /** Whether a snapshot continues the rows. Undefined: not now, as its replica is behind. */
  function judge(
    snapshot: Snapshot,
    { isLower }: Pick<NextOptions, 'isLower'>,
  ): Continuation | 'unproven' | 'tooShallow' | undefined {
    const change = isLower ? compareShortened(snapshot) : tracked.compare(snapshot, coveredTo);
    const isLinked =
      temporaryReasons.length === 0 && !snapshot.isOtherBelow && (change.isAnchored || hasLink(snapshot));
    const isLagging = snapshot.coveredTo < coveredTo && !isLower;
    if (isLagging && snapshot.isReported) return undefined;
    const knownTo = isLagging ? coveredTo : bigintMin(coveredTo, snapshot.coveredTo);
    const isWhole = snapshot.fromBlock <= getUnsettledFrom(knownTo);
    if (!isWhole && !isLinked) return 'unproven';
    if (isLagging) return undefined;
    const isBottomless = !isLinked && (!change.agrees || snapshot.isOtherBelow);
    if (isBottomless && snapshot.fromBlock > trackedFrom) return 'tooShallow';
    return { snapshot, isBottomless, change };
  }

  /** The rows above its end are removed too. */
  function compareShortened(snapshot: Snapshot): RowChange {
    const { coveredTo: end } = snapshot;
    const logs = snapshot.logs.filter(({ blockNumber }) => blockNumber <= end);
    const change = tracked.compare({ ...snapshot, logs }, coveredTo);
    const hasRowsAbove = tracked.countFrom(end + 1n) > 0;
    return change.agrees ? { ...change, changedFrom: hasRowsAbove ? end + 1n : undefined, logs: [] } : change;
  }

  function hasLink({ fromBlock: first, hashes }: Snapshot): boolean {
    return link !== undefined && link.block >= first - 1n && hashes.get(link.block) === link.hash;
  }

  /** Reads the new blocks in one response, with as many of the last blocks as a reorg may replace, if possible. */
  async function readOnce(
    toBlock: bigint,
    { signal, isLower }: NextOptions,
  ): Promise<Snapshot | 'tooMuch' | undefined> {
    const floor = getUnsettledFrom(bigintMin(coveredTo, toBlock));
    const needsAll = isLower || temporaryReasons.length > 0;
    for (const count of needsAll ? RECHECKED_ROWS.slice(0, 1) : RECHECKED_ROWS) {
      const start = needsAll ? floor : findDenseStart(count, floor);
      for (let end = toBlock; ; ) {
        const range = toAccepted({ fromBlock: start, toBlock: end }, floor);
        const maxBlocks = reader.getMaxBlocks();
        const response = await reader.read(range, { signal }).catch((error: unknown) => {
          // The replica that has the chain as it is may be the one that failed.
          quorum = createQuorum();
          throw error;
        });
        if (response === 'unseen') return undefined;
        if (response === 'unrequested') return reader.readLarge({ fromBlock: floor, toBlock }, { signal });
        if (response !== 'tooMuch') {
          // Without a reported head, several responses are needed for all of the blocks.
          const needsMore = !response.isReported && (isLower || range.toBlock < toBlock);
          return needsMore ? 'tooMuch' : confirm(response, range, { signal });
        }
        if (reader.getMaxBlocks() !== maxBlocks) continue;
        if (range.toBlock <= coveredTo + 1n) break;
        end = coveredTo + bigintMax(1n, (range.toBlock - coveredTo) / 2n);
      }
    }
    return 'tooMuch';
  }

  /** The block that the newest rows begin in, and not below `floor`. */
  function findDenseStart(rowCount: number, floor: bigint): bigint {
    if (rowCount === 0) return coveredTo + 1n;
    return bigintMin(coveredTo + 1n, bigintMax(floor, tracked.findBlockOfNewest(rowCount) ?? floor));
  }

  /** As much of `range` as the server takes, with new blocks, and what shows that those continue the rows. */
  function toAccepted(range: SnapshotRange, floor: bigint): SnapshotRange {
    const { fromBlock: start, toBlock: end } = range;
    const width = reader.getMaxBlocks();
    if (width === undefined || end - start < width) return range;
    if (start === floor && start + width > coveredTo + MIN_NEW_BLOCKS)
      return { fromBlock: start, toBlock: bigintMin(end, start + width - 1n) };
    const reach = coveredTo + bigintMax(1n, width / 2n);
    const linked = link && link.block + width >= reach && reader.canReportHashes() ? link : undefined;
    const newest = linked ? linked.block + width : reach;
    const toBlock = bigintMin(end, newest);
    const fromBlock = bigintMax(start, toBlock - width + 1n);
    const linkBlocks = linked && tracked.countFrom(fromBlock) === 0 ? [linked.block] : [];
    return { fromBlock, toBlock, hashesOf: [...linkBlocks, toBlock] };
  }

  /** Makes sure of what the response does not say itself. */
  async function confirm(
    response: Snapshot,
    range: SnapshotRange,
    { signal }: Abortable,
  ): Promise<Snapshot | 'tooMuch' | undefined> {
    if (!response.isReported) {
      const agreed = quorum.add({ ...range, logs: response.logs });
      if (!agreed || agreed.toBlock < coveredTo || agreed.toBlock <= response.coveredTo) return response;
      if (!recentHeads.areSteady()) return 'tooMuch';
      return {
        ...{ ...response, fromBlock: agreed.fromBlock, coveredTo: agreed.toBlock },
        logs: response.logs.filter(({ blockNumber }) => blockNumber >= agreed.fromBlock),
      };
    }
    if (response.isAtomic || tracked.compare(response, coveredTo).agrees) return response;
    const again = await reader.read(range, { signal });
    return typeof again === 'object' && hasSameRows(again.logs, response.logs) ? response : undefined;
  }

  /** Reads the blocks of a larger gap that no reorg can replace. */
  async function* fillGap(target: bigint, options: Abortable): AsyncGenerator<FollowedLogs> {
    const isWide = (reader.getMaxBlocks() ?? MAX_BLOCKS_PER_READ) >= MAX_BLOCKS_PER_READ;
    if (target - coveredTo <= (isWide ? MAX_BLOCKS_PER_READ - UNSETTLED_BLOCKS : TRACKED_BLOCKS)) return;
    if (reader.reportsHeads()) connection.begin(READ_RETRY);
    const toBlock = target - UNSETTLED_BLOCKS;
    const isDone = yield* fillFrom({ fromBlock: getUnsettledFrom(coveredTo), toBlock }, options);
    if (!isDone) yield* fillFrom({ fromBlock: trackedFrom, toBlock }, options);
    connection.begin(CHECK_RETRY);
  }

  /** @returns false if the rows changed, and none shows how deep. */
  async function* fillFrom(range: SnapshotRange, options: Abortable): AsyncGenerator<FollowedLogs, boolean> {
    let isAnchored = false;
    for await (const snapshot of readSettledBlocks(reader, range, options)) {
      const change = tracked.compare(snapshot, coveredTo);
      isAnchored ||= change.isAnchored;
      const isBottomless = !isAnchored && !change.agrees;
      if (isBottomless && range.fromBlock > trackedFrom) return false;
      if (!change.agrees || snapshot.coveredTo > coveredTo)
        yield* apply({ snapshot, change, isBottomless }, options);
    }
    return true;
  }

  /**
   * Checks the newest settled row if everything above it may have changed.
   *
   * @returns false if no replica can tell now.
   */
  async function checkSettled(options: Abortable): Promise<boolean> {
    const row = tracked.settled;
    if (!row) return true;
    const { blockNumber: block, blockHash, logIndex } = row;
    for await (const { logs } of readSettledBlocks(reader, { fromBlock: block, toBlock: block }, options)) {
      const stays = logs.some((log) => log.blockHash === blockHash && log.logIndex === logIndex);
      if (!stays) lastingReasons.add([{ code: 'reorg', block }]);
      return true;
    }
    return false;
  }

  async function* apply(
    { snapshot, change, isBottomless }: Continuation,
    options: Abortable,
  ): AsyncGenerator<FollowedLogs> {
    if (isBottomless && !(await checkSettled(options))) return;
    const { changedFrom, logs } = change;
    const firstChange = changedFrom ?? logs[0]?.blockNumber;
    rows += logs.length - tracked.apply(change);
    coveredTo = snapshot.coveredTo;
    if (link && (link.block > coveredTo || (firstChange !== undefined && firstChange <= link.block)))
      link = undefined;
    const hash = snapshot.hashes.get(coveredTo);
    if (hash !== undefined) link = { block: coveredTo, hash };
    if (snapshot.head !== undefined) newestHead = bigintMax(newestHead, snapshot.head);
    trackedFrom = bigintMax(trackedFrom, coveredTo - TRACKED_BLOCKS + 1n);
    tracked.settle(trackedFrom - 1n);
    yield { removedFrom: changedFrom, logs, verdict: currentVerdict() };
  }

  return {
    get verdict() {
      return currentVerdict();
    },
    get ended() {
      return isEnded || (fixedEnd !== undefined && coveredTo >= fixedEnd);
    },
    get behind() {
      return isBehind && !isEnded;
    },
    async *advance(head, advanceOptions = {}) {
      yield* advance(head, advanceOptions);
    },
  };
}
