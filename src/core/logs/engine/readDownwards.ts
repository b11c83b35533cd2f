import type { Abortable } from '../../base/concurrency.ts';
import { bigintMax } from '../../base/values.ts';
import { MAX_SAFE_BIGINT } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import { getBatchSupport } from './dialect.ts';
import { TARGET_ROWS } from './rangeWidth.ts';
import { type LogWindow, readWindow } from './readWindow.ts';
import type { ServerFilter } from './serverFilters.ts';
import { acceptWindow, openReader, type StreamContext } from './streamState.ts';
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
 * was none, the newest blocks are requested beside the whole range, which may have too many rows for one response.
 *
 * @throws AppError as a `WindowReader` does.
 */
export async function readDownwards(
  context: StreamContext,
  { parts, isForPage, signal }: DownwardRequest,
): Promise<readonly Log[]> {
  const { query } = context;
  const options = { query, parts, limit: () => MAX_AT_ONCE, readsAhead: false, signal };
  const reader = openReader(context);
  try {
    const whole =
      isForPage && isDensityUnknown(context, parts) ? await readBesideNewest(context, options) : undefined;
    return acceptNewest(context, whole ?? (await reader.next(options)));
  } catch (error) {
    await reader.stop();
    throw error;
  }
}

/**
 * Widths of the newest windows, from the last block of the range down. Each is 15 times as wide as those above it
 * together, so those that fit have at least a sixteenth of a page, unless even the first one is too dense.
 */
const NEWEST_WIDTHS = [32n, 480n, 7680n] as const;

/** A smaller range is requested alone. */
const MIN_UNKNOWN_BLOCKS = 512n;

/**
 * Whether nothing of a range of many blocks is read, and no earlier query has shown how dense it is. Without batches,
 * each window near the head takes several requests, so there they are read one by one.
 */
function isDensityUnknown({ query, state }: StreamContext, parts: readonly ServerFilter[]): boolean {
  const { filter, memory, fetchWithCoverage } = query;
  const { steps, range } = state;
  const isWide = range.toBlock - range.fromBlock > MIN_UNKNOWN_BLOCKS;
  const isKnown = memory.getNewestWidth(filter) !== undefined;
  const takesBatches = getBatchSupport(memory.current()) !== 'refused';
  return steps === 0 && isWide && !isKnown && takesBatches && parts.length === 1 && !fetchWithCoverage;
}

/**
 * Requests the whole range, and its newest blocks at the same time, so that the first rows need no second round trip.
 *
 * @returns the window of the whole range; undefined if it does not fit into a response.
 */
async function readBesideNewest(
  context: StreamContext,
  options: ReadOptions,
): Promise<LogWindow | undefined> {
  const { span } = context.state;
  const { query, parts, signal } = options;
  const reader = openReader(context);
  // Responses are parsed in the order of their arrival: the newest rows first.
  const [newest, ...older] = NEWEST_WIDTHS;
  reader.start([newest], options);
  const trial = readWindow(query, { parts, span, isTrial: true, signal });
  reader.start(older, options);
  const window = await trial;
  const isWhole = window?.from === span.first && window.through === span.last;
  if (window && (isWhole || window.endsQuery)) {
    await reader.stop();
    return window;
  }
  if (window) reader.add(window);
  return undefined;
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
  else if (state.rows < MIN_KNOWN_ROWS && rows >= MIN_KNOWN_ROWS) {
    const blocks = state.direction.distance(state.span.first, state.nextBlock);
    memory.learnNewestWidth(filter, bigintMax(1n, (blocks * BigInt(TARGET_ROWS)) / BigInt(rows)));
  }
  return logs;
}
