import type { Abortable } from '../../base/concurrency.ts';
import { throwIfAborted } from '../../base/errors.ts';
import { bigintMin } from '../../base/values.ts';
import { type BlockSpan, countBlocks, type Direction } from '../log.ts';
import { getMaxCompleteRows } from './dialectMemory.ts';
import type { QueryContext } from './getLogs.ts';
import { MAX_WAITING_BYTES } from './limits.ts';
import type { WindowWidth } from './rangeWidth.ts';
import { type LogWindow, readWindow } from './readWindow.ts';
import type { ServerFilter } from './serverFilters.ts';

interface ParallelOptions extends Abortable {
  readonly query: QueryContext;
  readonly parts: readonly ServerFilter[];
  readonly span: BlockSpan;
  readonly width: WindowWidth;
  /** Called with the number of blocks that a window covered, in order of arrival. */
  readonly onWindow: (blocks: bigint) => void;
}

/** Windows read ahead of the first missing one. Bounds the memory for windows that arrive out of order. */
const MAX_WINDOWS_AHEAD = 48;

/**
 * Reads a block range in several parallel windows and yields them in reading order. Their width follows the density of
 * the rows, their number the concurrency that the server sustains. The part that a window could not cover goes back to
 * the front of the queue. A window that is too large to be read ahead is read once all windows before it have been
 * yielded.
 *
 * @throws the first error of a window, after the windows before it have been yielded.
 */
export async function* readParallel(options: ParallelOptions): AsyncGenerator<LogWindow> {
  const { query, parts, span: whole, width, signal } = options;
  const { direction } = query;
  const { distance, onward } = direction;
  const stop = new AbortController();
  const stopSignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const openSpans: BlockSpan[] = [whole];
  const running = new Set<Promise<void>>();
  const ready = new Map<bigint, LogWindow>();
  const failures = new Map<bigint, unknown>();
  const postponed = new Set<bigint>();
  let nextBlock = whole.first;
  /** Blocks from here on are not read. */
  let end = onward(whole.last, 1n);
  let waitingBytes = 0;

  function mayStart(): boolean {
    const [first] = openSpans;
    if (!first || failures.size > 0 || running.size >= query.concurrency.limit) return false;
    if (first.first === nextBlock) return true;
    if (postponed.has(first.first)) return false;
    return ready.size < MAX_WINDOWS_AHEAD && waitingBytes < MAX_WAITING_BYTES;
  }

  function takeSpan(): BlockSpan {
    const span = openSpans.shift() ?? { first: nextBlock, last: whole.last };
    const widest = query.memory.current().maxBlocks ?? width.current();
    const last = onward(span.first, bigintMin(width.current(), widest) - 1n);
    if (distance(last, span.last) <= 0n) return span;
    openSpans.unshift({ first: onward(last, 1n), last: span.last });
    return { first: span.first, last };
  }

  function returnSpan(span: BlockSpan): void {
    if (distance(span.first, end) > 0n) insertSpan(openSpans, span, direction);
  }

  async function read(span: BlockSpan): Promise<void> {
    try {
      query.concurrency.throwIfBlocked();
      const { first } = span;
      const isNext = () => first === nextBlock;
      const window = await readWindow(query, { parts, span, isNext, signal: stopSignal });
      if (!window) {
        postponed.add(first);
        returnSpan(span);
        return;
      }
      ready.set(first, window);
      waitingBytes += window.bytes;
      if (window.endsQuery) {
        end = direction.nearer(end, first);
        openSpans.splice(
          0,
          openSpans.length,
          ...openSpans.filter((other) => distance(other.first, end) > 0n),
        );
        return;
      }
      const { entries, refused, through } = window;
      const coveredBlocks = countBlocks(direction, { first, last: through });
      const requestedBlocks = countBlocks(direction, span);
      width.learn({
        requestedBlocks,
        coveredBlocks,
        entries,
        refused,
        maxCompleteRows: getMaxCompleteRows(query.memory, parts),
      });
      if (through !== span.last) returnSpan({ first: onward(through, 1n), last: span.last });
      options.onWindow(coveredBlocks);
    } catch (error) {
      failures.set(span.first, error);
    }
  }

  /**
   * Also runs when windows arrive, even if the caller has not taken those before them, so that the server stays
   * busy.
   */
  function startMore(): void {
    while (!stopSignal.aborted && mayStart()) start(takeSpan());
  }

  function start(span: BlockSpan): void {
    const task = read(span).finally(() => {
      running.delete(task);
      startMore();
    });
    running.add(task);
  }

  try {
    while (distance(nextBlock, whole.last) >= 0n) {
      startMore();
      const window = ready.get(nextBlock);
      if (window) {
        ready.delete(nextBlock);
        postponed.delete(nextBlock);
        waitingBytes -= window.bytes;
        nextBlock = onward(window.through, 1n);
        yield window;
        if (window.endsQuery) return;
      } else if (failures.has(nextBlock) || (failures.size > 0 && running.size === 0)) {
        throw failures.get(nextBlock) ?? [...failures.values()][0];
      } else {
        // After an abort no window is started, so there may be nothing to wait for.
        if (running.size === 0) throwIfAborted(signal);
        await Promise.race(running);
      }
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
}

/** Inserts a span in order. Joins it with the next one if they are adjacent, so that the queue stays short. */
function insertSpan(openSpans: BlockSpan[], span: BlockSpan, { distance, onward }: Direction): void {
  const found = openSpans.findIndex((other) => distance(span.first, other.first) > 0n);
  const index = found < 0 ? openSpans.length : found;
  const next = openSpans[index];
  if (next && next.first === onward(span.last, 1n)) {
    openSpans[index] = { first: span.first, last: next.last };
  } else {
    openSpans.splice(index, 0, span);
  }
}
