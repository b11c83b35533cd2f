import type { Abortable } from '../../base/concurrency.ts';
import { asAppError, isAppError } from '../../base/errors.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import { MAX_HOLD_MS } from '../../http/retry.ts';
import { SURELY_COMPLETE_ROWS } from '../engine/dialect.ts';
import { isCompleteResponse } from '../engine/dialectMemory.ts';
import { fetchLogsOnce } from '../engine/fetchLogs.ts';
import { type RetryPolicy, resolveServerFilters } from '../engine/getLogs.ts';
import { mergeLogs } from '../engine/parseLogs.ts';
import { connectQuery, type LogQueryOptions } from '../engine/queryConnection.ts';
import { parseRangeLimitError } from '../engine/refusals.ts';
import type { RowKey } from '../engine/rowChecks.ts';
import type { ServerFilter } from '../engine/serverFilters.ts';
import { type Log, UNSETTLED_BLOCKS } from '../log.ts';
import {
  createReasonList,
  createVerdict,
  isUnreached,
  type Verdict,
  type VerdictReason,
} from '../query/verdict.ts';
import { type ConfirmationPolicy, createConfirmation, createQuorum } from './confirmation.ts';
import { createFollowedRows, type FetchedRows, type RowChange } from './followedRows.ts';

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
/** Number of read rows that each check reads again if the last blocks hold more. */
const RECHECKED_ROWS = 200;
/** Blocks that a single check reads; a larger gap is read like a query. */
const MAX_BLOCKS_PER_READ = 1000n;
/** New blocks after which all blocks that may change are read again, if the server takes fewer at once. */
const SWEEP_INTERVAL_BLOCKS = 64n;
/** A failed check is not retried; the caller checks again with the next block. */
const CHECK_RETRY: RetryPolicy = { retries: 0, maxWaitMs: 10_000, persistent: false };
const READ_RETRY: RetryPolicy = { retries: 4, maxWaitMs: MAX_HOLD_MS, persistent: true };

/** Reasons that hold only until the last blocks are read again. */
const TEMPORARY_REASONS: readonly VerdictReason['code'][] = ['headWentBack', 'reorg', 'serversDiffer'];
/** Reading on would end at the same block. */
const FINAL_REASONS: readonly VerdictReason['code'][] = ['endlessBlock', 'questionIgnored'];

/** Follows the chain from the end of a query. Sends nothing before {@link LogFollower.advance} is called. */
export function openLogFollower(
  options: Omit<LogQueryOptions, 'order'>,
  { verdict: base, loadedRows, confirmation }: FollowOptions,
): LogFollower {
  const { filter, memory } = options;
  const connection = connectQuery(options, CHECK_RETRY);
  const { fromBlock } = base;
  const fixedEnd = typeof filter.toBlock === 'bigint' ? filter.toBlock : undefined;
  let coveredTo = base.order === 'oldestFirst' ? (base.readThrough ?? fromBlock - 1n) : base.toBlock;
  coveredTo = bigintMax(coveredTo, fromBlock - 1n);
  let newestHead = bigintMax(base.head, coveredTo);
  let rows = base.rows;
  /** Newest head of the replicas that all report less than is covered. */
  let lowerHead = 0n;
  let checkedTo: bigint | undefined;
  /** The blocks through the newest one are not fully emitted. */
  let isBehind = true;
  let sweptAt = coveredTo;
  /** The server refused more blocks than these at once. */
  let maxWidth: bigint | undefined;
  /** Rows from here on are tracked: of more blocks than each check reads, as the chain may also become shorter. */
  let trackedFrom = bigintMax(fromBlock, coveredTo - TRACKED_BLOCKS + 1n);
  const tracked = createFollowedRows(loadedRows(trackedFrom));
  tracked.settle(trackedFrom - 1n);
  const lastingReasons = createReasonList();
  lastingReasons.add(
    base.reasons.filter((reason) => !TEMPORARY_REASONS.includes(reason.code) && !isUnreached(reason)),
  );
  let temporaryReasons = base.reasons.filter(({ code }) => TEMPORARY_REASONS.includes(code));
  let isEnded = false;
  let quorum = createQuorum();
  const contradictions = createConfirmation(options.http.clock, confirmation);
  const query = connection.createContext({ fromBlock, toBlock: coveredTo, head: coveredTo });

  function getUnsettledFrom(block: bigint): bigint {
    return bigintMax(trackedFrom, block - UNSETTLED_BLOCKS + 1n);
  }

  function currentVerdict(): Verdict {
    const isAhead = coveredTo < fromBlock;
    return createVerdict({
      isRead: true,
      reasons: [...lastingReasons.list(), ...temporaryReasons],
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

  /** First block of a check: as deep as a reorg may reach, if the rows from there on fit into one response. */
  function findCheckStart(toBlock: bigint): bigint {
    const maxBlocks = getMaxBlocks();
    const dense = findDenseStart(toBlock);
    return maxBlocks === undefined ? dense : bigintMax(dense, toBlock - maxBlocks + 1n);
  }

  /** Rows identify their blocks, so a few unchanged rows prove that nothing below them has changed. */
  function findDenseStart(toBlock: bigint): bigint {
    const lowest = getUnsettledFrom(bigintMin(coveredTo, toBlock));
    return bigintMax(lowest, tracked.findBlockOfNewest(RECHECKED_ROWS) ?? lowest);
  }

  function getMaxBlocks(): bigint | undefined {
    const { maxBlocks = maxWidth } = memory.current();
    return maxWidth !== undefined && maxBlocks !== undefined ? bigintMin(maxWidth, maxBlocks) : maxBlocks;
  }

  async function* advance(head: bigint, { signal }: Abortable): AsyncGenerator<FollowedLogs> {
    const toBlock = fixedEnd === undefined ? head : bigintMin(head, fixedEnd);
    newestHead = bigintMax(newestHead, head);
    if (isEnded) return;
    connection.begin(CHECK_RETRY);
    if (toBlock < coveredTo) {
      lowerHead = bigintMax(lowerHead, toBlock);
      if (contradictions.report('lowerHead') && (await isChainShorter({ signal }))) {
        yield* readLikeQuery(getUnsettledFrom(lowerHead), lowerHead, { signal, isLower: true });
      }
      return;
    }
    resetLowerHead();
    if (toBlock < fromBlock || (toBlock === checkedTo && !isBehind)) return;
    const check = await checkLastBlocks(toBlock, { signal });
    checkedTo = toBlock;
    if (check === 'nothing') {
      isBehind = true;
      return;
    }
    if (check === undefined) {
      yield* readLikeQuery(findReadStart(toBlock), toBlock, { signal, isLower: false });
      return;
    }
    const { fetched, isReported, isDeeper } = check;
    const change = tracked.compare(fetched);
    const lowest = getUnsettledFrom(bigintMin(coveredTo, toBlock));
    if (!isConfirmed(change, fetched.fromBlock, isReported)) {
      isBehind = true;
      return;
    }
    const isUnsure = isDeeper || (changesCoveredBlocks(change) && !change.isAnchored);
    if (isUnsure && fetched.fromBlock > trackedFrom) {
      yield* readLikeQuery(trackedFrom, toBlock, { signal, isLower: false });
      return;
    }
    if (isUnsure) await checkSettled({ signal });
    if (fetched.fromBlock <= lowest) {
      sweptAt = toBlock;
      if (fetched.coveredTo >= toBlock) temporaryReasons = [];
    }
    yield* applyChange(change);
    isBehind = coveredTo < toBlock || temporaryReasons.length > 0;
    if (toBlock - sweptAt > SWEEP_INTERVAL_BLOCKS && isNarrow(toBlock)) {
      yield* readLikeQuery(getUnsettledFrom(coveredTo), toBlock, { signal, isLower: false });
    }
  }

  /** Requests the head again before rows are removed for it. */
  async function isChainShorter({ signal }: Abortable): Promise<boolean> {
    const head = await connection.fetchHead({ signal });
    lowerHead = bigintMax(lowerHead, head);
    if (head < coveredTo) return true;
    resetLowerHead();
    return false;
  }

  function resetLowerHead(): void {
    contradictions.reset('lowerHead');
    lowerHead = 0n;
  }

  const isNarrow = (toBlock: bigint) => {
    const maxBlocks = getMaxBlocks();
    return maxBlocks !== undefined && toBlock - maxBlocks + 1n > getUnsettledFrom(toBlock);
  };

  /** First block of a read that exceeds a single check. */
  function findReadStart(toBlock: bigint): bigint {
    return temporaryReasons.length > 0
      ? getUnsettledFrom(bigintMin(coveredTo, toBlock))
      : findDenseStart(toBlock);
  }

  /** Whether rows of covered blocks changed or were added. */
  function changesCoveredBlocks({ changedFrom, logs }: RowChange): boolean {
    return changedFrom !== undefined || logs.some(({ blockNumber }) => blockNumber <= coveredTo);
  }

  /**
   * A replica whose head is lower than what is covered may return an older state of the chain, so a single report
   * from it removes nothing.
   */
  function isConfirmed(change: RowChange, from: bigint, isReported: boolean): boolean {
    if (change.changedFrom === undefined || (isReported && change.coveredTo >= coveredTo)) {
      contradictions.reset('removedRows');
      return true;
    }
    // Rows that were never certain may be removed by any check that covers their blocks.
    if (change.changedFrom > coveredTo && change.coveredTo >= from && isReported) return true;
    return contradictions.report('removedRows');
  }

  /**
   * Sends one request for each part. Undefined if a response is incomplete, `nothing` if the replica has not seen
   * the blocks.
   */
  async function checkLastBlocks(toBlock: bigint, { signal }: Abortable) {
    const from = findCheckStart(toBlock);
    if (temporaryReasons.length > 0 && from > getUnsettledFrom(coveredTo)) return undefined;
    if (from > coveredTo + 1n || toBlock - coveredTo > MAX_BLOCKS_PER_READ) return undefined;
    try {
      const parts = await resolveServerFilters(query, { signal });
      const fetchedParts = await Promise.all(
        parts.map((part) => fetchPart(part, { fromBlock: from, toBlock, signal })),
      );
      return combineParts(fetchedParts, from, toBlock);
    } catch (error) {
      const appError = asAppError(error);
      if (!parseRangeLimitError(appError, from) && !isAppError(appError, 'tooLarge')) throw error;
      maxWidth = bigintMax(1n, (toBlock - from + 1n) / 2n);
      return undefined;
    }
  }

  async function fetchPart(
    part: ServerFilter,
    range: Abortable & { readonly fromBlock: bigint; readonly toBlock: bigint },
  ) {
    const fetched = await fetchLogsOnce(query, part, range);
    if (!fetched) return undefined;
    if (fetched.count >= SURELY_COMPLETE_ROWS) await query.identify({ signal: range.signal });
    return {
      ...fetched,
      isWhole: isCompleteResponse(memory, part, fetched.count) && !fetched.hasUnrequestedRows,
    };
  }

  type FetchedPart = Awaited<ReturnType<typeof fetchPart>>;

  function combineParts(parts: readonly FetchedPart[], from: bigint, toBlock: bigint) {
    const seen = parts.filter((part) => part !== undefined);
    for (const { head } of seen) if (head !== undefined) newestHead = bigintMax(newestHead, head);
    newestHead = bigintMax(newestHead, toBlock);
    if (seen.length < parts.length) return 'nothing' as const;
    if (!seen.every(({ isWhole }) => isWhole)) return undefined;
    for (const { uncertainAt } of seen)
      lastingReasons.add(uncertainAt.map((block) => ({ code: 'forkRows', block })));
    const logs = mergeLogs(seen.map(({ matching }) => matching));
    const isReported = seen.every(({ head }) => head !== undefined) || query.fetchWithCoverage !== undefined;
    const quorumTo = isReported ? undefined : quorum.add({ fromBlock: from, toBlock, logs });
    const reportedTo = seen.map((part) => part.coveredTo).reduce(bigintMin);
    const coverage = bigintMax(reportedTo, quorumTo ?? reportedTo);
    const isDeeper = seen.some(({ reorgAt }) => reorgAt !== undefined && reorgAt < from);
    const fetched: FetchedRows = { fromBlock: from, coveredTo: bigintMin(coverage, toBlock), logs };
    if (isReported && coverage < from) return 'nothing' as const;
    return { fetched, isReported, isDeeper };
  }

  /**
   * Reads blocks like a query, in as many requests as it takes, and emits changes as soon as rows can be compared.
   */
  async function* readLikeQuery(
    first: bigint,
    toBlock: bigint,
    { signal, isLower }: Abortable & { readonly isLower: boolean },
  ): AsyncGenerator<FollowedLogs> {
    connection.begin(READ_RETRY);
    const stream = connection.openStream({ fromBlock: first, toBlock, head: toBlock });
    let from = first;
    let waiting: Log[] = [];
    const end = bigintMin(coveredTo, toBlock);
    let isTooShallow = false;

    async function* emitWaiting(): AsyncGenerator<FollowedLogs> {
      const through = stream.readThrough();
      if (through === undefined || (through < end && !stream.isFinished())) return;
      // A cursor may be in the middle of a block.
      const isRead = ({ blockNumber }: Log) => stream.isFinished() || blockNumber <= through;
      const fetched = { fromBlock: from, coveredTo: through, logs: waiting.filter(isRead) };
      const comparison = tracked.compare(fetched);
      // A replica with a higher head has responded: the chain is not shorter.
      if (isLower && connection.getLastHead() > toBlock) return resetLowerHead();
      const change = isLower ? removeAbove(comparison, through) : comparison;
      if (from === first && !isLower && !isConfirmed(change, from, true)) return;
      if (from === first && changesCoveredBlocks(change) && !change.isAnchored) {
        isTooShallow = first > trackedFrom;
        if (isTooShallow) return;
        await checkSettled({ signal });
      }
      from = through + 1n;
      waiting = waiting.filter((log) => !isRead(log));
      yield* applyChange(change, isLower);
    }

    for await (const logs of stream.rest({ retry: READ_RETRY, onWindow: () => undefined, signal })) {
      waiting.push(...logs);
      yield* emitWaiting();
      if (isTooShallow) break;
    }
    if (!isTooShallow) yield* emitWaiting();
    if (isTooShallow) {
      yield* readLikeQuery(trackedFrom, toBlock, { signal, isLower });
      return;
    }
    const reasons = stream.reasons();
    const isFinal = reasons.some(({ code }) => FINAL_REASONS.includes(code));
    lastingReasons.add(reasons.filter(({ code }) => !TEMPORARY_REASONS.includes(code)));
    const isWhole = stream.isFinished() && (stream.readThrough() ?? first - 1n) >= toBlock;
    if (first <= getUnsettledFrom(bigintMin(coveredTo, toBlock))) {
      temporaryReasons = reasons.filter(({ code }) => TEMPORARY_REASONS.includes(code));
      if (isWhole) sweptAt = toBlock;
    } else
      temporaryReasons = [
        ...temporaryReasons,
        ...reasons.filter(({ code }) => TEMPORARY_REASONS.includes(code)),
      ];
    newestHead = isLower && coveredTo <= toBlock ? toBlock : bigintMax(newestHead, connection.getLastHead());
    isEnded ||= isFinal;
    isBehind = !isEnded && (!isWhole || temporaryReasons.length > 0 || coveredTo < toBlock);
    quorum = createQuorum();
    yield { removedFrom: undefined, logs: [], verdict: currentVerdict() };
  }

  /** If the chain became shorter, rows above its end are removed too. */
  function removeAbove(change: RowChange, through: bigint): RowChange {
    const above = tracked.countFrom(through + 1n) > 0;
    return change.changedFrom === undefined && above ? { ...change, changedFrom: through + 1n } : change;
  }

  /** Checks the newest settled row if everything above it may have changed. */
  async function checkSettled({ signal }: Abortable): Promise<void> {
    const row = tracked.settled;
    if (!row) return;
    const { blockNumber: block } = row;
    const stream = connection.openStream({ fromBlock: block, toBlock: block, head: coveredTo });
    const found: Log[] = [];
    for await (const logs of stream.rest({ retry: READ_RETRY, onWindow: () => undefined, signal })) {
      found.push(...logs);
    }
    const stays = found.some(
      ({ blockHash, logIndex }) => blockHash === row.blockHash && logIndex === row.logIndex,
    );
    if (!stays) lastingReasons.add([{ code: 'reorg', block }]);
  }

  function* applyChange(change: RowChange, isLower = false): Generator<FollowedLogs> {
    const { changedFrom, logs } = change;
    const isShortened = isLower || (changedFrom !== undefined && changedFrom <= coveredTo);
    rows += logs.length - tracked.apply(change);
    coveredTo = isShortened ? change.coveredTo : bigintMax(coveredTo, change.coveredTo);
    trackedFrom = bigintMax(trackedFrom, coveredTo - TRACKED_BLOCKS + 1n);
    tracked.settle(trackedFrom - 1n);
    if (changedFrom !== undefined) quorum = createQuorum();
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
      return isBehind;
    },
    async *advance(head, advanceOptions = {}) {
      yield* advance(head, advanceOptions);
    },
  };
}
