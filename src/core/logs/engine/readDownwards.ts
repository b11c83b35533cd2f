import { type Abortable, untilAborted } from '../../base/concurrency.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import { MAX_SAFE_BIGINT } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import { getBatchSupport } from './dialect.ts';
import { TARGET_ROWS } from './rangeWidth.ts';
import { type LogWindow, readWindow } from './readWindow.ts';
import type { ServerFilter } from './serverFilters.ts';
import {
  acceptWindow,
  openReader,
  type StreamContext,
  type StreamState,
  type WholeRange,
} from './streamState.ts';
import type { ReadOptions } from './windowReader.ts';

interface DownwardRequest extends Abortable {
  readonly parts: readonly ServerFilter[];
  /** The user waits for a page, so the first rows count more than a few requests. */
  readonly isForPage: boolean;
}

/** Windows at once while the user waits for a page. */
const MAX_AT_ONCE = 4;

/**
 * Reads the next window downwards. The width of the first one is that of the last query of the same filter. If there
 * was none, the newest blocks are requested beside the whole range, which may have too many rows for one response, or
 * take the server long.
 *
 * @throws AppError as a `WindowReader` does.
 */
export async function readDownwards(
  context: StreamContext,
  { parts, isForPage, signal }: DownwardRequest,
): Promise<readonly Log[]> {
  const { query, state } = context;
  const options = { query, parts, limit: () => MAX_AT_ONCE, readsAhead: false, signal };
  const reader = openReader(context);
  try {
    if (isForPage && isDensityUnknown(context)) state.whole = requestBesideNewest(context, options);
    const window = await (state.whole
      ? readBesideWhole(context, state.whole, options)
      : reader.next(options));
    const logs = acceptNewest(context, window);
    if (state.isRangeRead) {
      state.whole?.stop();
      await reader.stop();
    }
    return logs;
  } catch (error) {
    state.whole?.stop();
    state.whole = undefined;
    await reader.stop();
    throw error;
  }
}

/**
 * Widths of the newest windows, from the last block of the range down. Each is 15 times as wide as those above it
 * together, so those that fit have at least a sixteenth of a page, unless even the first one is too dense.
 */
const NEWEST_WIDTHS = [32n, 480n, 7680n] as const;
/** The one window where each takes several requests: near the head without batches, or of a filter in parts. */
const ONE_NEWEST_WIDTH = [512n] as const;

/** A smaller range is requested alone. */
const MIN_UNKNOWN_BLOCKS = 512n;

/** Whether nothing of a range of many blocks is read, and no earlier query has shown how dense it is. */
function isDensityUnknown({ query, state }: StreamContext): boolean {
  const { filter, memory, fetchWithCoverage } = query;
  const { steps, range } = state;
  const isWide = range.toBlock - range.fromBlock > MIN_UNKNOWN_BLOCKS;
  const isKnown = memory.getNewestWidth(filter) !== undefined;
  return steps === 0 && isWide && !isKnown && !fetchWithCoverage;
}

/** Requests the whole range, and its newest blocks at the same time, so that the first rows need no second round trip. */
function requestBesideNewest(context: StreamContext, options: ReadOptions): WholeRange {
  const { query, parts } = options;
  const { state } = context;
  const { span } = state;
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  const reader = openReader(context);

  async function readWhole(): Promise<LogWindow | undefined> {
    const window = await readWindow(query, { parts, span, isTrial: true, signal });
    const isWhole = window?.from === span.first && window.through === span.last;
    // Once rows of another replica have been emitted, they outweigh one that does not have these blocks.
    if (isWhole || (window?.endsQuery && state.steps === 0)) return window;
    if (window && !window.endsQuery) reader.add(window);
    return undefined;
  }

  // Responses are parsed in the order of their arrival: the newest rows first.
  const isCheap = getBatchSupport(query.memory.current()) !== 'refused' && parts.length === 1;
  const [newest, ...older] = isCheap ? NEWEST_WIDTHS : ONE_NEWEST_WIDTH;
  reader.start([newest], options);
  const arrival = readWhole();
  reader.start(older, options);
  const whole: WholeRange = { window: undefined, arrival, stop: () => stopping.abort() };
  arrival
    .catch(() => undefined)
    .then((window) => {
      whole.window = window;
      if (!window && state.whole === whole) state.whole = undefined;
    });
  return whole;
}

/** How long the newest rows wait for the whole range, which makes the page larger and often complete. */
const WHOLE_RANGE_PATIENCE_MS = 500;

/** The next window, or what is left of the whole range if that arrives before it. */
async function readBesideWhole(
  { query, state }: StreamContext,
  whole: WholeRange,
  options: ReadOptions,
): Promise<LogWindow> {
  if (whole.window) return dropEmitted(state, whole.window);
  const reader = openReader({ query, state });
  const next = reader.next(options);
  const calledOff = new AbortController();
  const isFirst = state.steps === 0;
  const beLate = () => query.clock.sleep(WHOLE_RANGE_PATIENCE_MS, { signal: calledOff.signal });
  const earliest = Promise.any([
    whole.arrival.then((window) => (window ? dropEmitted(state, window) : next)),
    next.then(async (window) => {
      if (isFirst) await beLate();
      return window;
    }),
  ]);
  try {
    return await untilAborted(
      earliest.catch(() => next),
      options.signal,
    );
  } finally {
    calledOff.abort();
  }
}

/** The rows of `window` that have not been emitted, and their blocks. */
function dropEmitted({ direction, nextBlock, steps }: StreamState, window: LogWindow): LogWindow {
  if (steps === 0) return window;
  const logs = window.logs.filter(({ blockNumber }) => direction.distance(nextBlock, blockNumber) >= 0n);
  return { ...window, from: nextBlock, logs };
}

/** Rows that show how dense the newest blocks are. */
const MIN_KNOWN_ROWS = 100;

/** Accepts a window, and remembers how many of the newest blocks hold a page once its rows show it. */
function acceptNewest({ query, state }: StreamContext, window: LogWindow): readonly Log[] {
  const { memory, filter } = query;
  const logs = acceptWindow(state, window);
  const rows = state.rows + logs.length;
  if (window.endsQuery) return logs;
  if (state.isRangeRead && state.steps === 0) memory.learnNewestWidth(filter, MAX_SAFE_BIGINT);
  // What takes the server long is not requested first the next time.
  else if (state.isRangeRead && state.whole) return logs;
  else if (state.rows < MIN_KNOWN_ROWS && rows >= MIN_KNOWN_ROWS) {
    const blocks = state.direction.distance(state.span.first, state.nextBlock);
    const ideal = (blocks * BigInt(TARGET_ROWS)) / BigInt(rows);
    memory.learnNewestWidth(filter, bigintMax(1n, state.whole ? bigintMin(ideal, blocks) : ideal));
  }
  return logs;
}
