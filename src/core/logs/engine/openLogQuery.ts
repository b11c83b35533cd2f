import type { Abortable } from '../../base/concurrency.ts';
import { AppError, throwIfAborted } from '../../base/errors.ts';
import { MAX_HOLD_MS } from '../../http/retry.ts';
import type { Log } from '../log.ts';
import type { LoadRestOptions, LogPage, LogQuery } from '../query/logQuery.ts';
import { createVerdict, type Verdict } from '../query/verdict.ts';
import { resolveRange, type TimedBounds } from './blockRange.ts';
import { PAGE_LIMIT } from './dialect.ts';
import type { RetryPolicy } from './getLogs.ts';
import { countReleasable } from './limits.ts';
import type { LogStream } from './logStream.ts';
import { connectQuery, type LogQueryOptions } from './queryConnection.ts';

/** For pages of {@link LogQuery.rest}. */
const MAX_ROWS_PER_PAGE = 5000;
/** Newest first, rows arrive in windows. The user sees the first one at once, if it fills a screen. */
const MIN_FIRST_ROWS = 100;
const MIN_PAGE_ROWS = PAGE_LIMIT / 2;
/**
 * Responses that go into one page. A page may stay short, so that a sparse filter on a dense contract shows
 * progress.
 */
const MAX_STEPS_PER_PAGE = 16;
/**
 * The user waits for a single page. Loading all rows may wait for a rate limit of a minute to pass. Its first and
 * last steps are not parallel, so they give up as early as a page does if the server fails without requesting a
 * wait.
 */
const PAGE_RETRY: RetryPolicy = { retries: 4, maxWaitMs: 10_000, persistent: true };
const REST_RETRY: RetryPolicy = { retries: 8, maxWaitMs: MAX_HOLD_MS, persistent: true };
const REST_STEP_RETRY: RetryPolicy = { ...PAGE_RETRY, maxWaitMs: MAX_HOLD_MS };

const MAX_HEAD_RETRIES = 3;
/** An end that is further above the head is not on the chain yet. */
const MAX_LAG_BLOCKS = 2048n;

/** Creates a query for the endpoint at `url`. Sends nothing before the first page is requested. */
export function openLogQuery(options: LogQueryOptions): LogQuery {
  const { filter, order } = options;
  const connection = connectQuery(options, PAGE_RETRY);
  let stream: LogStream | undefined;
  let timedBounds: TimedBounds | undefined;
  let hasBegun = false;
  let waiting: readonly Log[] = [];
  let rows = 0;
  let verdict: Verdict | undefined;
  let isBusy = false;

  async function openStream({ signal }: Abortable): Promise<LogStream> {
    throwIfAborted(signal);
    if (stream) return stream;
    let head = await connection.fetchHead({ signal });
    timedBounds ??= await connection.resolveTimes(head, { signal });
    // The replica that reported the head may lag.
    for (let attempt = 0; mayLag(head) && attempt < MAX_HEAD_RETRIES; attempt++) {
      const other = await connection.fetchHead({ signal });
      if (other <= head) continue;
      head = other;
      timedBounds = await connection.resolveTimes(head, { signal });
    }
    return openAt(head);
  }

  /** Whether a block that may exist is above the head. */
  function mayLag(head: bigint): boolean {
    const { fromBlock, requestedTo } = rangeAt(head);
    return fromBlock > head || (requestedTo !== undefined && requestedTo <= head + MAX_LAG_BLOCKS);
  }

  const rangeAt = (head: bigint) => resolveRange(timedBounds?.bounds ?? filter, head);

  function openAt(head: bigint): LogStream {
    stream = connection.openStream(rangeAt(head));
    for (const reason of timedBounds?.reasons ?? []) stream.addReason(reason);
    return stream;
  }

  /**
   * Reads the first response, and reopens the stream at its head if another replica is far ahead of the first one.
   */
  async function beginStream({ signal }: Abortable, isForPage = false): Promise<LogStream> {
    const opened = await openStream({ signal });
    if (hasBegun || opened.isFinished()) return opened;
    waiting = await opened.next({ isForPage, signal });
    hasBegun = true;
    // The end of a range that is above the first head may not be above another one.
    const head =
      opened.range.requestedTo === undefined ? connection.getNewerHead() : connection.getNewestHead();
    const { from, to } = timedBounds?.found ?? {};
    if (head !== undefined && [from, to].some((bound) => bound?.outside === 'afterHead'))
      timedBounds = await connection.resolveTimes(head, { signal });
    if (head === undefined || rangeAt(head).toBlock === opened.range.toBlock) {
      return reopenBelowLostBlocks(opened);
    }
    waiting = [];
    return openAt(head);
  }

  /** If not all replicas have the last blocks, a downward stream has read nothing: reopens it below these blocks. */
  function reopenBelowLostBlocks(opened: LogStream): LogStream {
    const lost = opened
      .reasons()
      .find(
        ({ code }) =>
          code === 'headWentBack' || (code === 'serversDiffer' && opened.readThrough() === undefined),
      );
    const head = connection.getLastHead();
    const { fromBlock, toBlock } = opened.range;
    if (opened.order === 'oldestFirst' || !lost || head < fromBlock || head >= toBlock) return opened;
    waiting = [];
    const below = openAt(head);
    below.addReason(lost.code === 'headWentBack' ? lost : { ...lost, block: head + 1n });
    return below;
  }

  function takeWaiting(maxRows: number): readonly Log[] {
    const count = countReleasable(waiting, maxRows);
    const logs = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return logs;
  }

  function emitPage(from: LogStream, logs: readonly Log[]): LogPage {
    rows += logs.length;
    const [next] = waiting;
    const isRead = from.isFinished() && !next;
    const newer = isRead ? connection.getOvertaking(from.range.head) : undefined;
    if (newer !== undefined && rangeAt(newer).toBlock > from.range.toBlock)
      from.addReason({ code: 'serversDiffer', block: from.range.toBlock + 1n });
    verdict = createVerdict({
      ...from.range,
      ...(timedBounds?.found && { found: timedBounds.found }),
      isRead,
      reasons: from.reasons(),
      order: from.order,
      readThrough: next ? from.readBefore(next) : from.readThrough(),
      rows,
      requests: connection.requests,
    });
    return { logs, verdict };
  }

  async function nextPage(pageOptions: Abortable): Promise<LogPage> {
    const from = await beginStream(pageOptions, true);
    const minRows =
      order === 'oldestFirst' ? PAGE_LIMIT : verdict === undefined ? MIN_FIRST_ROWS : MIN_PAGE_ROWS;
    // Once every block is read, only the check of the end remains, which belongs to the page of the last rows.
    const isShort = () => (from.isRangeRead() ? fitsOnePage(waiting) : !fillsPage(waiting, minRows));
    const mayWait = () => verdict !== undefined || waiting.length === 0 || !from.isSlow();
    for (let step = 0; isShort() && mayWait() && !from.isFinished() && step < MAX_STEPS_PER_PAGE; step++) {
      waiting = [...waiting, ...(await from.next(pageOptions))];
    }
    return emitPage(from, takeWaiting(PAGE_LIMIT));
  }

  async function* rest({ signal, onProgress }: LoadRestOptions): AsyncGenerator<LogPage> {
    const from = await beginStream({ signal });
    const blocks = from.range.toBlock - from.range.fromBlock + 1n;
    let blocksDone = from.blocksRead();
    const onWindow = (covered: bigint) => {
      blocksDone += covered;
      onProgress?.({ blocksDone: blocksDone < blocks ? blocksDone : blocks, blocks });
    };
    if (blocksDone > 0n) onWindow(0n);
    yield* emitWaiting(from);
    for await (const logs of from.rest({ retry: REST_RETRY, onWindow, signal })) {
      waiting = logs;
      yield* emitWaiting(from);
    }
    yield emitPage(from, []);
  }

  /** Emits pages, as one block can hold very many rows; the caller may stop within it. */
  async function* emitWaiting(from: LogStream): AsyncGenerator<LogPage> {
    while (waiting.length > 0) {
      // The arrival of a missing window frees all windows behind it. They go before responses that are not parsed yet.
      await connection.turn(() => undefined, { ahead: true });
      yield emitPage(from, takeWaiting(MAX_ROWS_PER_PAGE));
    }
  }

  function begin(next: RetryPolicy): void {
    if (isBusy) throw new AppError('badInput', 'This query is already loading.');
    isBusy = true;
    connection.begin(next);
  }

  return {
    get verdict() {
      // Also counts requests that failed or were read ahead since the last page.
      if (verdict && verdict.requests !== connection.requests) {
        verdict = { ...verdict, requests: connection.requests };
      }
      return verdict;
    },
    async nextPage(pageOptions = {}) {
      begin(PAGE_RETRY);
      try {
        return await nextPage(pageOptions);
      } finally {
        isBusy = false;
      }
    },
    async *rest(restOptions = {}) {
      begin(REST_STEP_RETRY);
      try {
        yield* rest(restOptions);
      } finally {
        isBusy = false;
      }
    },
  };
}

/** Whether the rows are enough for one page, or have too much data for one. */
function fillsPage(waiting: readonly Log[], minRows: number): boolean {
  return waiting.length >= minRows || !fitsOnePage(waiting);
}

/** Whether all waiting rows fit into one page. */
function fitsOnePage(waiting: readonly Log[]): boolean {
  return countReleasable(waiting, PAGE_LIMIT) === waiting.length;
}
