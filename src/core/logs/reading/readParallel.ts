import type { Abortable } from '../../base/abortable.ts';
import { throwIfAborted } from '../../base/errors.ts';
import { lesser } from '../../values/lesser.ts';
import type { LogSource } from '../asking/logSource.ts';
import { MOST_WAITING_BYTES } from '../guards/room.ts';
import { mostWhole } from '../server/dialectMemory.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import type { LogWindow } from './logWindow.ts';
import { readWindow } from './readWindow.ts';
import type { WindowWidth } from './windowWidth.ts';

interface ParallelOptions extends Abortable {
  readonly source: LogSource;
  readonly parts: readonly ServerFilter[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly width: WindowWidth;
  /** Called with the blocks that a window covered, in the order of arrival. */
  readonly onWindow: (blocks: bigint) => void;
}

interface Span {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** Windows read ahead of the first that is missing, at most: bounds what is held out of order. */
const MOST_AHEAD = 48;

/**
 * Reads a block range in windows, several at once, and gives them out in order. Their width follows the density met;
 * how many are under way follows the server's pace. What a window could not cover goes back to the front of the work;
 * one that holds too much to be read ahead is read when all before it has been given out.
 *
 * @throws the first failure of a window, after the windows before it have been given out.
 */
export async function* readParallel(options: ParallelOptions): AsyncGenerator<LogWindow> {
  const { source, parts, toBlock, width, signal } = options;
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const open: Span[] = [{ fromBlock: options.fromBlock, toBlock }];
  const underWay = new Set<Promise<void>>();
  const ready = new Map<bigint, LogWindow>();
  const failures = new Map<bigint, unknown>();
  const postponed = new Set<bigint>();
  let nextBlock = options.fromBlock;
  /** Nothing is read from here on. */
  let end = toBlock + 1n;
  let waitingBytes = 0;

  function mayStart(): boolean {
    const [first] = open;
    if (!first || failures.size > 0 || underWay.size >= source.pace.limit) return false;
    if (first.fromBlock === nextBlock) return true;
    if (postponed.has(first.fromBlock)) return false;
    return ready.size < MOST_AHEAD && waitingBytes < MOST_WAITING_BYTES;
  }

  function takeSpan(): Span {
    const first = open.shift() ?? { fromBlock: nextBlock, toBlock };
    const widest = source.memory.current().maxBlocks ?? width.current();
    const last = first.fromBlock + lesser(width.current(), widest) - 1n;
    if (last >= first.toBlock) return first;
    open.unshift({ fromBlock: last + 1n, toBlock: first.toBlock });
    return { fromBlock: first.fromBlock, toBlock: last };
  }

  function giveBack(span: Span): void {
    if (span.fromBlock < end) insert(open, span);
  }

  async function read(span: Span): Promise<void> {
    try {
      source.pace.requireLeave();
      const { fromBlock } = span;
      const isNext = () => fromBlock === nextBlock;
      const window = await readWindow(source, { parts, ...span, isNext, signal: either });
      if (!window) {
        postponed.add(fromBlock);
        giveBack(span);
        return;
      }
      ready.set(fromBlock, window);
      waitingBytes += window.bytes;
      if (window.ends) {
        end = lesser(end, fromBlock);
        open.splice(0, open.length, ...open.filter((other) => other.fromBlock < end));
        return;
      }
      const blocks = window.through - fromBlock + 1n;
      const { entries, refused } = window;
      const asked = span.toBlock - span.fromBlock + 1n;
      width.learn({ asked, blocks, entries, refused, mostWhole: mostWhole(source.memory, parts) });
      if (window.through < span.toBlock) {
        giveBack({ fromBlock: window.through + 1n, toBlock: span.toBlock });
      }
      options.onWindow(blocks);
    } catch (error) {
      failures.set(span.fromBlock, error);
    }
  }

  /** Also as windows come in, whether or not those before them have been taken: the server is not kept waiting. */
  function startMore(): void {
    while (!either.aborted && mayStart()) start(takeSpan());
  }

  function start(span: Span): void {
    const task = read(span).finally(() => {
      underWay.delete(task);
      startMore();
    });
    underWay.add(task);
  }

  try {
    while (nextBlock <= toBlock) {
      startMore();
      const window = ready.get(nextBlock);
      if (window) {
        ready.delete(nextBlock);
        postponed.delete(nextBlock);
        waitingBytes -= window.bytes;
        nextBlock = window.through + 1n;
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
function insert(open: Span[], span: Span): void {
  const place = open.findIndex((other) => other.fromBlock > span.fromBlock);
  const at = place < 0 ? open.length : place;
  const next = open[at];
  if (next && next.fromBlock === span.toBlock + 1n) {
    open[at] = { fromBlock: span.fromBlock, toBlock: next.toBlock };
  } else {
    open.splice(at, 0, span);
  }
}
