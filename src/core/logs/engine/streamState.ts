import { type BlockSpan, countBlocks, type Direction, type Log } from '../log.ts';
import { createReasonList, type ReasonList, type VerdictReason } from '../query/verdict.ts';
import { type BlockRange, getFirstUnsettledBlock } from './blockRange.ts';
import type { QueryContext } from './getLogs.ts';
import { createWindowWidth, STREAM_TARGET_ROWS, type WindowWidth } from './rangeWidth.ts';
import { createRefusedBlocks, type RefusedBlocks } from './readBlock.ts';
import type { LogWindow } from './readWindow.ts';
import { createRowBlocks, createRowKeys, type RowBlocks, type RowKeys } from './rowChecks.ts';
import { createWindowReader, type WindowReader } from './windowReader.ts';

/** The position of a log stream, and what it has learned so far. The readers move it forward. */
export interface StreamState {
  readonly range: BlockRange;
  readonly direction: Direction;
  /** The range in reading order, without blocks that the server does not have. */
  span: BlockSpan;
  readonly width: WindowWidth;
  /** Reads windows from {@link nextBlock} on, if it has begun. */
  reader: WindowReader | undefined;
  /** Set while a request for the whole range is on its way beside the reader, and once it has brought all rows. */
  whole: WholeRange | undefined;
  readonly reasons: ReasonList;
  /** The emitted rows that a reorg may still replace. */
  readonly unsettledRows: RowKeys;
  readonly refusedBlocks: RefusedBlocks;
  /** Everything before it has been emitted; {@link after} applies within the block itself. */
  nextBlock: bigint;
  /** The row behind which the server's cursor continues; undefined while reading by block ranges. */
  after: Log | undefined;
  lastEmitted: Log | undefined;
  /** Number of rows that have been emitted. */
  rows: number;
  /** The cursor is not followed again. */
  cursorFailed: boolean;
  /** Number of steps taken. */
  steps: number;
  /** The first block that the server has, if the range begins below it. */
  startsAt: bigint | undefined;
  /** The last step was one response that the replica itself reported as complete. */
  isSingleResponse: boolean;
  /** Nothing of the range is left to read. */
  isRangeRead: boolean;
  /** The end of the chain has been checked again, or needs no check. */
  isEndChecked: boolean;
  /** The blocks before the first row have been checked for logs that a node leaves out, or need no check. */
  isStartChecked: boolean;
  /** The lowest block with a row. */
  lowestRow: bigint | undefined;
  readonly rowBlocks: RowBlocks;
  /** The server returns no more. */
  hasEnded: boolean;
  /** Number of rows read of the block that the cursor is in. */
  rowsOfBlock: number;
}

/** A request for the whole range, which may take the server much longer than its newest blocks. */
export interface WholeRange {
  /** All rows, once they have arrived. */
  window: LogWindow | undefined;
  /** Resolves to undefined if the range does not fit into a response. */
  readonly arrival: Promise<LogWindow | undefined>;
  stop(): void;
}

/** What the readers work with. */
export interface StreamContext {
  readonly query: QueryContext;
  readonly state: StreamState;
}

type StreamQuery = Pick<QueryContext, 'fetchWithCoverage' | 'direction' | 'filter' | 'memory'>;

export function createStreamState(
  range: BlockRange,
  { direction, fetchWithCoverage, filter, memory }: StreamQuery,
): StreamState {
  const isEmpty = range.fromBlock > range.toBlock;
  const span = direction.span(range);
  const blocks = countBlocks(direction, span);
  return {
    range,
    direction,
    span,
    width: fetchWithCoverage
      ? createStreamingWidth(blocks, direction)
      : createWindowWidth(
          blocks,
          direction.order === 'newestFirst' ? { first: memory.getNewestWidth(filter) } : {},
        ),
    reader: undefined,
    whole: undefined,
    reasons: createReasonList(),
    unsettledRows: createRowKeys(),
    refusedBlocks: createRefusedBlocks(),
    nextBlock: span.first,
    after: undefined,
    lastEmitted: undefined,
    rows: 0,
    cursorFailed: false,
    steps: 0,
    startsAt: undefined,
    isSingleResponse: false,
    isRangeRead: isEmpty,
    isEndChecked: isEmpty,
    isStartChecked: isEmpty,
    lowestRow: undefined,
    rowBlocks: createRowBlocks(direction),
    hasEnded: false,
    rowsOfBlock: 0,
  };
}

/** The first block of the range that the server has. */
export function getFirstBlock({ range, startsAt }: StreamState): bigint {
  return startsAt ?? range.fromBlock;
}

/** Ends the stream: the server returns no more, and nothing needs a check. */
export function endStream(state: StreamState): void {
  state.hasEnded = true;
  state.isRangeRead = true;
  state.isEndChecked = true;
  state.isStartChecked = true;
}

/** Adds `reasons`. Blocks about which replicas differ do not count as read. */
export function addReasons(state: StreamState, reasons: readonly VerdictReason[]): void {
  state.reasons.add(reasons);
  const differ = reasons.find(({ code }) => code === 'serversDiffer');
  if (!differ) return;
  const { direction, range } = state;
  const { block = getFirstUnsettledBlock(range) } = differ;
  state.nextBlock = direction.nearer(
    state.nextBlock,
    direction.span({ fromBlock: block, toBlock: range.toBlock }).first,
  );
}

/** Continues by block ranges from the block that the cursor is in. */
export function leaveCursor(state: StreamState): void {
  state.nextBlock = state.after?.blockNumber ?? state.nextBlock;
  state.after = undefined;
}

/** Those of `logs` that have not been emitted. */
export function filterNewRows({ direction, lastEmitted }: StreamState, logs: readonly Log[]): readonly Log[] {
  const [first] = logs;
  if (!lastEmitted || !first || direction.compare(first, lastEmitted) > 0) return logs;
  return logs.filter((log) => direction.compare(log, lastEmitted) > 0);
}

/** Records `logs` as emitted, and returns them. */
export function emitRows(state: StreamState, logs: readonly Log[]): readonly Log[] {
  state.lastEmitted = logs[logs.length - 1] ?? state.lastEmitted;
  state.rows += logs.length;
  state.rowBlocks.add(logs);
  for (const { blockNumber } of [logs[0], logs[logs.length - 1]].filter((log) => log !== undefined)) {
    if (state.lowestRow === undefined || blockNumber < state.lowestRow) state.lowestRow = blockNumber;
  }
  const unsettledFrom = getFirstUnsettledBlock(state.range);
  const outerRows = [logs[0], logs[logs.length - 1]];
  if (outerRows.some((log) => log && log.blockNumber >= unsettledFrom)) {
    for (const log of logs) if (log.blockNumber >= unsettledFrom) state.unsettledRows.add(log);
  }
  return logs;
}

/**
 * Of the first window when a range is read downwards. After a window with few rows, the next one is up to eight
 * times as wide.
 */
const FIRST_WINDOW_BLOCKS = 100n;

/**
 * A streaming server decides where a response ends, and limits requests more than rows. It streams upwards, so a range
 * that is read downwards must fit into a few responses.
 */
function createStreamingWidth(blocks: bigint, { order }: Direction): WindowWidth {
  const first = order === 'newestFirst' ? FIRST_WINDOW_BLOCKS : blocks;
  return createWindowWidth(blocks, { first, rows: STREAM_TARGET_ROWS });
}

/** The reader of what is left of the range. It keeps what it has read ahead from one page to the next. */
export function openReader({ query, state }: StreamContext): WindowReader {
  const { nextBlock, span, width, reader } = state;
  if (reader?.nextBlock === nextBlock && reader.lastBlock === span.last) return reader;
  void reader?.stop();
  const { direction, memory } = query;
  state.reader = createWindowReader({
    direction,
    memory,
    width,
    span: { first: nextBlock, last: span.last },
  });
  return state.reader;
}

/**
 * Moves the state behind `window` and returns its new rows.
 *
 * @throws the server's refusal if it refuses block after block.
 */
export function acceptWindow(state: StreamState, window: LogWindow): readonly Log[] {
  state.refusedBlocks.check(window.error);
  const newRows = filterNewRows(state, window.logs);
  if (window.endsQuery) endStream(state);
  state.isSingleResponse = window.isSingleResponse;
  state.nextBlock = state.direction.onward(window.through, 1n);
  state.after = undefined;
  state.isRangeRead = state.hasEnded || window.through === state.span.last;
  addReasons(state, window.reasons);
  return newRows;
}
