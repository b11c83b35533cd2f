import { type BlockSpan, countBlocks, type Direction, type Log } from '../log.ts';
import { createReasonList, type ReasonList, type VerdictReason } from '../query/verdict.ts';
import { type BlockRange, getFirstUnsettledBlock } from './blockRange.ts';
import type { QueryContext } from './getLogs.ts';
import { createWindowWidth, STREAM_TARGET_ROWS, type WindowWidth } from './rangeWidth.ts';
import { createRefusedBlocks, type RefusedBlocks } from './readBlock.ts';
import { createRowKeys, type RowKeys } from './rowChecks.ts';

/** Where a stream of logs stands, and what it has learnt on its way. The readers move it forward. */
export interface StreamState {
  readonly range: BlockRange;
  readonly direction: Direction;
  /** The range in the order of reading. */
  readonly span: BlockSpan;
  readonly width: WindowWidth;
  readonly reasons: ReasonList;
  /** Of the rows given that a reorg may still replace. */
  readonly unsettled: RowKeys;
  readonly refusedBlocks: RefusedBlocks;
  /** All that comes before it has been given, unless {@link after} says otherwise of the block itself. */
  nextBlock: bigint;
  /** The row behind which the server's cursor goes on; undefined while reading by block ranges. */
  after: Log | undefined;
  lastEmitted: Log | undefined;
  /** The cursor is not followed again. */
  cursorFailed: boolean;
  /** Steps taken. */
  answers: number;
  /** The last step was one answer, whole by the word of the machine that gave it. */
  readAtOnce: boolean;
  /** Nothing is left to be read of the range. */
  rangeRead: boolean;
  /** The end of the chain was looked at again, or needs not be. */
  endChecked: boolean;
  /** No more can be had of this server. */
  ended: boolean;
  /** Rows of the block that the cursor is in. */
  rowsOfBlock: number;
}

type StreamSource = Pick<QueryContext, 'fetchWithCoverage' | 'direction'>;

/**
 * Of the first window from the end of a range downwards; each that holds little is followed by one of eight times as
 * many.
 */
const FIRST_WINDOW_BLOCKS = 100n;

/** What the readers work with. */
export interface StreamContext {
  readonly source: QueryContext;
  readonly state: StreamState;
}

export function beginStream(range: BlockRange, { direction, fetchWithCoverage }: StreamSource): StreamState {
  const isEmpty = range.fromBlock > range.toBlock;
  const span = direction.span(range);
  const blocks = countBlocks(direction, span);
  return {
    range,
    direction,
    span,
    width: fetchWithCoverage ? widthOfCovered(blocks, direction) : createWindowWidth(blocks),
    reasons: createReasonList(),
    unsettled: createRowKeys(),
    refusedBlocks: createRefusedBlocks(),
    nextBlock: span.first,
    after: undefined,
    lastEmitted: undefined,
    cursorFailed: false,
    answers: 0,
    readAtOnce: false,
    rangeRead: isEmpty,
    endChecked: isEmpty,
    ended: false,
    rowsOfBlock: 0,
  };
}

/**
 * A server that streams ends its answers by itself, and counts requests more than rows. It streams upwards: what is
 * read from the end downwards has to fit into a few answers.
 */
function widthOfCovered(blocks: bigint, { order }: Direction): WindowWidth {
  const first = order === 'newestFirst' ? FIRST_WINDOW_BLOCKS : blocks;
  return createWindowWidth(blocks, { first, rows: STREAM_TARGET_ROWS });
}

/** Nothing more can be had of this server, nor is there anything to look at again. */
export function endStream(state: StreamState): void {
  state.ended = true;
  state.rangeRead = true;
  state.endChecked = true;
}

/** Takes `reasons` down. Blocks that machines answer for that differ do not count as read. */
export function addReasons(state: StreamState, reasons: readonly VerdictReason[]): void {
  state.reasons.add(reasons);
  if (!reasons.some(({ code }) => code === 'serversDiffer')) return;
  const { direction, range } = state;
  const inDoubt = direction.span({ fromBlock: getFirstUnsettledBlock(range), toBlock: range.toBlock });
  state.nextBlock = direction.nearer(state.nextBlock, inDoubt.first);
}

/** Goes on by block ranges from the block that the cursor is in. */
export function leaveCursor(state: StreamState): void {
  state.nextBlock = state.after?.blockNumber ?? state.nextBlock;
  state.after = undefined;
}

/** Those of `logs` that have not been given. */
export function filterNewRows({ direction, lastEmitted }: StreamState, logs: readonly Log[]): readonly Log[] {
  const [first] = logs;
  if (!lastEmitted || !first || direction.compare(first, lastEmitted) > 0) return logs;
  return logs.filter((log) => direction.compare(log, lastEmitted) > 0);
}

/** Counts `logs` as given, and returns them. */
export function emitRows(state: StreamState, logs: readonly Log[]): readonly Log[] {
  state.lastEmitted = logs[logs.length - 1] ?? state.lastEmitted;
  const unsettledFrom = getFirstUnsettledBlock(state.range);
  const ends = [logs[0], logs[logs.length - 1]];
  if (ends.some((log) => log && log.blockNumber >= unsettledFrom)) {
    for (const log of logs) if (log.blockNumber >= unsettledFrom) state.unsettled.add(log);
  }
  return logs;
}
