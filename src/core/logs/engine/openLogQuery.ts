import type { Abortable } from '../../base/concurrency.ts';
import { AppError, throwIfAborted } from '../../base/errors.ts';
import { MAX_HOLD_MS } from '../../http/retry.ts';
import type { Log } from '../log.ts';
import type { LoadRestOptions, LogPage, LogQuery } from '../query/logQuery.ts';
import type { FoundBounds, Verdict, VerdictReason } from '../query/verdict.ts';
import { resolveRange, type TimedBounds } from './blockRange.ts';
import { PAGE_LIMIT } from './dialect.ts';
import type { RetryPolicy } from './getLogs.ts';
import { countReleasable } from './limits.ts';
import type { LogStream } from './logStream.ts';
import { connectQuery, type LogQueryOptions } from './queryConnection.ts';

/** Rows given at once when all are loaded. */
const MAX_ROWS_PER_PAGE = 5000;
/** Downwards rows come by windows of this many or more, and who waits for the newest gets the first of them. */
const MIN_PAGE_ROWS = PAGE_LIMIT / 2;
/** Answers that go into one page at most: a sparse filter on a dense contract still shows that it moves. */
const MAX_STEPS_PER_PAGE = 16;
/**
 * Someone waits for one page; loading all may sit out a minute's quota. Its first and last steps, which are read one at a
 * time, end as soon as a page does where the server fails and asks for no wait.
 */
const PAGE_RETRY: RetryPolicy = { retries: 4, maxWaitMs: 10_000, persistent: true };
const REST_RETRY: RetryPolicy = { retries: 8, maxWaitMs: MAX_HOLD_MS, persistent: true };
const REST_STEP_RETRY: RetryPolicy = { ...PAGE_RETRY, maxWaitMs: MAX_HOLD_MS };

/** Begins a query over the endpoint at `url`. Nothing is asked before the first page is. */
export function openLogQuery(options: LogQueryOptions): LogQuery {
  const { filter, order } = options;
  const leastOfPage = order === 'newestFirst' ? MIN_PAGE_ROWS : PAGE_LIMIT;
  const connection = connectQuery(options, PAGE_RETRY);
  let stream: LogStream | undefined;
  let timed: TimedBounds | undefined;
  let begun = false;
  let waiting: readonly Log[] = [];
  let rows = 0;
  let verdict: Verdict | undefined;
  let busy = false;

  async function openStream({ signal }: Abortable): Promise<LogStream> {
    throwIfAborted(signal);
    if (stream) return stream;
    const head = await connection.head({ signal });
    timed ??= await connection.settleTimes(head, { signal });
    return openAt(head);
  }

  const rangeAt = (head: bigint) => resolveRange(timed?.bounds ?? filter, head);

  function openAt(head: bigint): LogStream {
    stream = connection.openStream(rangeAt(head));
    return stream;
  }

  /** Reads on from the first answer, which may come of a machine that knows many more blocks than the head before it. */
  async function beginStream({ signal }: Abortable): Promise<LogStream> {
    const opened = await openStream({ signal });
    if (begun || opened.finished()) return opened;
    waiting = await opened.next({ signal });
    begun = true;
    const head = connection.newerHead();
    if (head === undefined || rangeAt(head).toBlock === opened.range.toBlock) {
      return belowLostBlocks(opened);
    }
    waiting = [];
    return openAt(head);
  }

  /** Downwards nothing is read of a range whose last blocks no machine knows any more: then what is below them is. */
  function belowLostBlocks(opened: LogStream): LogStream {
    const lost = opened.reasons().find(({ code }) => code === 'headWentBack');
    const head = connection.lastHead();
    const { fromBlock, toBlock } = opened.range;
    if (opened.order === 'oldestFirst' || !lost || head < fromBlock || head >= toBlock) return opened;
    const below = openAt(head);
    below.addReason(lost);
    return below;
  }

  function takeWaiting(most: number): readonly Log[] {
    const count = countReleasable(waiting, most);
    const logs = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return logs;
  }

  function give(from: LogStream, logs: readonly Log[]): LogPage {
    rows += logs.length;
    verdict = toVerdict(from, {
      ...{ rows, requests: connection.requests },
      ...{ waiting: waiting[0], found: timed?.found },
    });
    return { logs, verdict };
  }

  async function nextPage(asked: Abortable): Promise<LogPage> {
    const from = await beginStream(asked);
    // Where every block is read only a look at its end is left to be made, which belongs to the page of the last rows.
    const isShort = () => (from.rangeRead() ? isOnePage(waiting) : !isPage(waiting, leastOfPage));
    for (let step = 0; isShort() && !from.finished() && step < MAX_STEPS_PER_PAGE; step++) {
      waiting = [...waiting, ...(await from.next(asked))];
    }
    return give(from, takeWaiting(PAGE_LIMIT));
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
    yield* giveWaiting(from);
    for await (const logs of from.rest({ retry: REST_RETRY, onWindow, signal })) {
      waiting = logs;
      yield* giveWaiting(from);
    }
    yield give(from, []);
  }

  /** In pieces, as one block can hold very many: whoever takes them may stop within it. */
  async function* giveWaiting(from: LogStream): AsyncGenerator<LogPage> {
    while (waiting.length > 0) {
      // A window that was waited for frees all that wait behind it; each goes before answers that are still to be read.
      await connection.turn(() => undefined, { ahead: true });
      yield give(from, takeWaiting(MAX_ROWS_PER_PAGE));
    }
  }

  function begin(next: RetryPolicy): void {
    if (busy) throw new AppError('badInput', 'This query is being loaded already.');
    busy = true;
    connection.begin(next);
  }

  return {
    get verdict() {
      // What failed since the last page, or was read ahead of it, was sent as well.
      if (verdict && verdict.requests !== connection.requests) {
        verdict = { ...verdict, requests: connection.requests };
      }
      return verdict;
    },
    async nextPage(asked = {}) {
      begin(PAGE_RETRY);
      try {
        return await nextPage(asked);
      } finally {
        busy = false;
      }
    },
    async *rest(restOptions = {}) {
      begin(REST_STEP_RETRY);
      try {
        yield* rest(restOptions);
      } finally {
        busy = false;
      }
    },
  };
}

/** Enough for one page, and where rows have very much data, for what is given at once. */
function isPage(waiting: readonly Log[], least: number): boolean {
  return waiting.length >= least || !isOnePage(waiting);
}

/** Whether all that wait are given at once. */
function isOnePage(waiting: readonly Log[]): boolean {
  return countReleasable(waiting, PAGE_LIMIT) === waiting.length;
}

/** What the answer is worth now; `waiting` is the first log that has been read and not given yet. */
function toVerdict(
  stream: LogStream,
  {
    rows,
    requests,
    waiting,
    found,
  }: Pick<Verdict, 'rows' | 'requests'> & {
    readonly waiting: Log | undefined;
    readonly found: FoundBounds | undefined;
  },
): Verdict {
  const doubts = stream.reasons();
  const ended = stream.finished() && !waiting;
  const { fromBlock, head } = stream.range;
  const empty: readonly VerdictReason[] = fromBlock > head ? [{ code: 'beyondHead', block: head }] : [];
  return {
    state: ended ? (doubts.length === 0 ? 'complete' : 'uncertain') : 'more',
    reasons: [...empty, ...doubts],
    ...stream.range,
    ...(found && { found }),
    order: stream.order,
    readThrough: waiting ? stream.readBefore(waiting) : stream.readThrough(),
    rows,
    requests,
  };
}
