import { type Abortable, untilAborted } from '../../base/concurrency.ts';
import { AppError, throwIfAborted } from '../../base/errors.ts';
import { bigintMin } from '../../base/values.ts';
import { type BlockSpan, countBlocks, type Direction } from '../log.ts';
import { type DialectMemory, getMaxCompleteRows } from './dialectMemory.ts';
import type { QueryContext } from './getLogs.ts';
import { MAX_WAITING_BYTES } from './limits.ts';
import type { WindowWidth } from './rangeWidth.ts';
import { type LogWindow, readWindow } from './readWindow.ts';
import type { ServerFilter } from './serverFilters.ts';

/** Reads a block range in windows, several at once, and returns them in reading order. */
export interface WindowReader {
  /** The first block, in reading order, that has not been returned. */
  readonly nextBlock: bigint;
  /** The last block of the range. */
  readonly lastBlock: bigint;
  /** Nothing is left to return. */
  readonly isDone: boolean;
  /** The next window has arrived. */
  readonly isNextReady: boolean;
  /** Number of blocks in windows that have arrived and have not been returned. */
  readonly blocksWaiting: bigint;
  /**
   * The next window in reading order. Windows that are being read when it resolves go on.
   *
   * @throws the first error of a window, after the windows before it have been returned. The next call reads it again.
   */
  next(options: ReadOptions): Promise<LogWindow>;
  /**
   * Starts to read the first blocks of the range in windows of these widths, before {@link next} wants them. A window
   * that is too wide is read again. The last blocks of the range are not started.
   */
  start(widths: readonly bigint[], options: ReadOptions): void;
  /** Adds a window that was read elsewhere. Ignored if another window has, or is being read for, some of its blocks. */
  add(window: LogWindow): void;
  /** Aborts what is being read. What has arrived stays. */
  stop(): Promise<void>;
}

export interface ReadOptions extends Abortable {
  readonly query: QueryContext;
  /** The requests that together return every row. */
  readonly parts: readonly ServerFilter[];
  /** Windows read at once; a function, as the server shows how many it sustains. */
  readonly limit: () => number;
  /** Whether windows behind the next one are started too, also while the caller works on the last one. */
  readonly readsAhead: boolean;
  /** Called with the number of blocks that a window covered, in order of arrival. */
  readonly onWindow?: (blocks: bigint) => void;
}

interface ReaderOptions {
  readonly direction: Direction;
  readonly memory: DialectMemory;
  readonly span: BlockSpan;
  readonly width: WindowWidth;
}

/** Blocks to read. */
interface OpenSpan extends BlockSpan {
  /** Where a response has shown how dense these very blocks are. Each window that is read of them updates it. */
  readonly density?: { windowBlocks: bigint } | undefined;
}

/** Windows that wait for one before them. Limits the requests to a server that refuses block after block. */
const MAX_WINDOWS_WAITING = 64;

/**
 * The width of the windows follows the density of the rows, their number the concurrency that the server sustains. The
 * part that a window could not cover goes back to the front of the queue. A window that is too large to be read ahead
 * is read once all windows before it have been returned.
 */
export function createWindowReader({ direction, memory, span: whole, width }: ReaderOptions): WindowReader {
  const { distance, onward } = direction;
  let stopping = new AbortController();
  /** Of the running call, or of the last one that reads ahead. */
  let current: ReadOptions | undefined;
  let openSpans: OpenSpan[] = [whole];
  const running = new Set<Promise<void>>();
  const ready = new Map<bigint, LogWindow>();
  const failures = new Map<bigint, unknown>();
  const postponed = new Set<bigint>();
  let nextBlock = whole.first;
  /** Blocks from here on are not read. */
  let end = onward(whole.last, 1n);
  let hasEnded = false;
  let waitingBytes = 0;

  function mayStart({ limit, readsAhead, signal }: ReadOptions): boolean {
    const [first] = openSpans;
    if (!first || signal?.aborted || failures.size > 0 || running.size >= limit()) return false;
    if (first.first === nextBlock) return true;
    if (!readsAhead || postponed.has(first.first)) return false;
    return ready.size < MAX_WINDOWS_WAITING && waitingBytes < MAX_WAITING_BYTES;
  }

  function takeSpan(blocks?: bigint): OpenSpan {
    const span: OpenSpan = openSpans.shift() ?? { first: nextBlock, last: whole.last };
    const ideal = blocks ?? width.current(span.density?.windowBlocks);
    const last = onward(span.first, bigintMin(ideal, memory.current().maxBlocks ?? ideal) - 1n);
    if (distance(last, span.last) <= 0n) return span;
    openSpans.unshift({ ...span, first: onward(last, 1n) });
    return { ...span, last };
  }

  function returnSpan(span: OpenSpan): void {
    if (distance(span.first, span.last) >= 0n && distance(span.first, end) > 0n) {
      insertSpan(openSpans, span, direction);
    }
  }

  function keep(window: LogWindow): void {
    ready.set(window.from, window);
    waitingBytes += window.bytes;
  }

  async function read(
    span: OpenSpan,
    { query, parts, signal }: ReadOptions,
    isTrial: boolean,
  ): Promise<void> {
    try {
      query.concurrency.throwIfBlocked();
      const { first } = span;
      const isNext = () => first === nextBlock;
      const signals = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
      const window = await readWindow(query, { parts, span, isTrial, isNext, signal: signals });
      if (window) accept(window, span, getMaxCompleteRows(query.memory, parts));
      else {
        if (!isTrial) postponed.add(first);
        returnSpan(span);
      }
    } catch (error) {
      failures.set(span.first, error);
      returnSpan(span);
    }
  }

  function accept(window: LogWindow, span: OpenSpan, maxCompleteRows: number): void {
    keep(window);
    if (window.endsQuery) {
      end = direction.nearer(end, span.first);
      openSpans = openSpans.filter((other) => distance(other.first, end) > 0n);
      return;
    }
    const { from, through, entries, refused } = window;
    const coveredBlocks = countBlocks(direction, { first: from, last: through });
    const requestedBlocks = countBlocks(direction, span);
    width.learn({ requestedBlocks, coveredBlocks, entries, refused, maxCompleteRows });
    if (span.density) span.density.windowBlocks = width.current();
    returnSpan({ first: onward(through, 1n), last: span.last, density: { windowBlocks: width.current() } });
    returnSpan({ first: span.first, last: onward(from, -1n), density: { windowBlocks: width.current() } });
    current?.onWindow?.(coveredBlocks);
  }

  /** Also runs when windows arrive, so that the server stays busy. */
  function startMore(): void {
    while (current && mayStart(current)) run(takeSpan(), current);
  }

  function run(span: OpenSpan, options: ReadOptions, isTrial = false): void {
    const task = read(span, options, isTrial).finally(() => {
      running.delete(task);
      startMore();
    });
    running.add(task);
  }

  function takeReady(): LogWindow | undefined {
    const window = ready.get(nextBlock);
    if (!window) return undefined;
    ready.delete(nextBlock);
    postponed.delete(nextBlock);
    waitingBytes -= window.bytes;
    nextBlock = onward(window.through, 1n);
    hasEnded = window.endsQuery;
    return window;
  }

  return {
    get nextBlock() {
      return nextBlock;
    },
    lastBlock: whole.last,
    get isDone() {
      return hasEnded || distance(nextBlock, whole.last) < 0n;
    },
    get isNextReady() {
      return ready.has(nextBlock);
    },
    get blocksWaiting() {
      return [...ready.values()].reduce(
        (sum, { from, through }) => sum + countBlocks(direction, { first: from, last: through }),
        0n,
      );
    },
    async next(options) {
      current = options;
      failures.clear();
      try {
        for (;;) {
          startMore();
          const window = takeReady();
          if (window) return window;
          const cause =
            failures.get(nextBlock) ?? (running.size === 0 ? [...failures.values()][0] : undefined);
          if (cause !== undefined) throw cause;
          // After an abort no window is started, so there may be nothing to wait for.
          if (running.size === 0) {
            throwIfAborted(options.signal);
            throw new AppError('internal', `Nobody reads block ${nextBlock}.`);
          }
          await untilAborted(Promise.race(running), options.signal);
        }
      } finally {
        if (!options.readsAhead) current = undefined;
      }
    },
    start(widths, options) {
      for (const blocks of widths) {
        const [span] = openSpans;
        if (span && countBlocks(direction, span) > blocks) run(takeSpan(blocks), options, true);
      }
    },
    add(window) {
      const { from, through } = window;
      const at = openSpans.findIndex(
        ({ first, last }) => distance(first, from) >= 0n && distance(through, last) >= 0n,
      );
      const span = openSpans[at];
      if (!span) return;
      openSpans.splice(at, 1);
      keep(window);
      returnSpan({ ...span, first: onward(through, 1n) });
      returnSpan({ ...span, last: onward(from, -1n) });
    },
    async stop() {
      current = undefined;
      stopping.abort();
      await Promise.allSettled(running);
      stopping = new AbortController();
    },
  };
}

/** Every window of the range that is left, read ahead. */
export async function* readWindows(
  reader: WindowReader,
  options: Omit<ReadOptions, 'limit' | 'readsAhead'>,
): AsyncGenerator<LogWindow> {
  const { concurrency } = options.query;
  try {
    while (!reader.isDone) {
      yield await reader.next({ ...options, limit: () => concurrency.limit, readsAhead: true });
    }
  } finally {
    await reader.stop();
  }
}

/** Inserts a span in order. Joins it with the next one if they are adjacent, so that the queue stays short. */
function insertSpan(openSpans: OpenSpan[], span: OpenSpan, { distance, onward }: Direction): void {
  const found = openSpans.findIndex((other) => distance(span.first, other.first) > 0n);
  const index = found < 0 ? openSpans.length : found;
  const next = openSpans[index];
  if (next && next.first === onward(span.last, 1n)) {
    openSpans[index] = { first: span.first, last: next.last };
  } else {
    openSpans.splice(index, 0, span);
  }
}
