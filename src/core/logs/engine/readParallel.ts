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
  readonly source: QueryContext;
  readonly parts: readonly ServerFilter[];
  readonly span: BlockSpan;
  readonly width: WindowWidth;
  /** Called with the blocks that a window covered, in the order of arrival. */
  readonly onWindow: (blocks: bigint) => void;
}

/** Windows read ahead of the first that is missing, at most: bounds what is held out of order. */
const MAX_WINDOWS_AHEAD = 48;

/**
 * Reads a block range in windows, several at once, and gives them out in the order of reading. Their width follows the density met;
 * how many are under way follows the server's pace. What a window could not cover goes back to the front of the work;
 * one that holds too much to be read ahead is read when all before it has been given out.
 *
 * @throws the first failure of a window, after the windows before it have been given out.
 */
export async function* readParallel(options: ParallelOptions): AsyncGenerator<LogWindow> {
  const { source, parts, span: whole, width, signal } = options;
  const { direction } = source;
  const { distance, onward } = direction;
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const open: BlockSpan[] = [whole];
  const underWay = new Set<Promise<void>>();
  const ready = new Map<bigint, LogWindow>();
  const failures = new Map<bigint, unknown>();
  const postponed = new Set<bigint>();
  let nextBlock = whole.first;
  /** Nothing is read from here on. */
  let end = onward(whole.last, 1n);
  let waitingBytes = 0;

  function mayStart(): boolean {
    const [first] = open;
    if (!first || failures.size > 0 || underWay.size >= source.concurrency.limit) return false;
    if (first.first === nextBlock) return true;
    if (postponed.has(first.first)) return false;
    return ready.size < MAX_WINDOWS_AHEAD && waitingBytes < MAX_WAITING_BYTES;
  }

  function takeSpan(): BlockSpan {
    const span = open.shift() ?? { first: nextBlock, last: whole.last };
    const widest = source.memory.current().maxBlocks ?? width.current();
    const last = onward(span.first, bigintMin(width.current(), widest) - 1n);
    if (distance(last, span.last) <= 0n) return span;
    open.unshift({ first: onward(last, 1n), last: span.last });
    return { first: span.first, last };
  }

  function giveBack(span: BlockSpan): void {
    if (distance(span.first, end) > 0n) insert(open, span, direction);
  }

  async function read(span: BlockSpan): Promise<void> {
    try {
      source.concurrency.throwIfHeld();
      const { first } = span;
      const isNext = () => first === nextBlock;
      const window = await readWindow(source, { parts, span, isNext, signal: either });
      if (!window) {
        postponed.add(first);
        giveBack(span);
        return;
      }
      ready.set(first, window);
      waitingBytes += window.bytes;
      if (window.ends) {
        end = direction.nearer(end, first);
        open.splice(0, open.length, ...open.filter((other) => distance(other.first, end) > 0n));
        return;
      }
      const { entries, refused, through } = window;
      const blocks = countBlocks(direction, { first, last: through });
      const asked = countBlocks(direction, span);
      width.learn({ asked, blocks, entries, refused, mostWhole: getMaxCompleteRows(source.memory, parts) });
      if (through !== span.last) giveBack({ first: onward(through, 1n), last: span.last });
      options.onWindow(blocks);
    } catch (error) {
      failures.set(span.first, error);
    }
  }

  /** Also as windows come in, whether or not those before them have been taken: the server is not kept waiting. */
  function startMore(): void {
    while (!either.aborted && mayStart()) start(takeSpan());
  }

  function start(span: BlockSpan): void {
    const task = read(span).finally(() => {
      underWay.delete(task);
      startMore();
    });
    underWay.add(task);
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
        if (window.ends) return;
      } else if (failures.has(nextBlock) || (failures.size > 0 && underWay.size === 0)) {
        throw failures.get(nextBlock) ?? [...failures.values()][0];
      } else {
        // Nothing is started any more once it is cancelled: there may be nothing to wait for.
        if (underWay.size === 0) throwIfAborted(signal);
        await Promise.race(underWay);
      }
    }
  } finally {
    stop.abort();
    await Promise.allSettled(underWay);
  }
}

/** Puts a span back in its place; one that ends where the next begins joins it, so that work stays in few pieces. */
function insert(open: BlockSpan[], span: BlockSpan, { distance, onward }: Direction): void {
  const place = open.findIndex((other) => distance(span.first, other.first) > 0n);
  const at = place < 0 ? open.length : place;
  const next = open[at];
  if (next && next.first === onward(span.last, 1n)) {
    open[at] = { first: span.first, last: next.last };
  } else {
    open.splice(at, 0, span);
  }
}
