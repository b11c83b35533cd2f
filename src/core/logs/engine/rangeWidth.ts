import { bigintMin } from '../../base/values.ts';
import { type BlockSpan, getMiddleBlock, type Log } from '../log.ts';
import { mayBeTruncated } from './dialect.ts';
import type { QueryContext } from './getLogs.ts';
import type { RangeLimitError } from './refusals.ts';

/** How many blocks the next request covers, learned from the responses. */
export interface WindowWidth {
  /** @param ideal for blocks whose density is known better; default: by the last response. */
  current(ideal?: bigint): bigint;
  learn(window: WindowOutcome): void;
}

/** The first windows before anything is learned. */
interface WidthStart {
  /** Blocks of the first window. Default: the entire range, as a short response is then complete. */
  readonly first?: bigint | undefined;
  /** Target rows of a window; default 700. */
  readonly rows?: number | undefined;
}

interface WindowOutcome {
  readonly requestedBlocks: bigint;
  /** Blocks with every row in the response: fewer than requested if the server did not return more. */
  readonly coveredBlocks: bigint;
  /** Entries in the largest response of the window: what a server's limit counts. */
  readonly entries: number;
  /** The server refused more blocks than these without saying how many it would take. */
  readonly refused: boolean;
  /** Most logs that a response of the server can have and be complete. */
  readonly maxCompleteRows: number;
}

/**
 * Target rows of a window, and the largest share of a complete response. Most responses are complete at once then.
 */
export const TARGET_ROWS = 700;
const TARGET_SHARE = 0.7;
/** Target rows of a streaming server: some megabytes, which may wait for earlier windows. */
export const STREAM_TARGET_ROWS = 5000;
const MAX_GROWTH = 8;
/** After a refusal, this many windows keep the accepted width. Then each may be wider, by twice the previous step. */
const WINDOWS_BEFORE_GROWTH = 3;

/** @param blocks of the entire range. */
export function createWindowWidth(blocks: bigint, { first = blocks, rows }: WidthStart = {}): WindowWidth {
  let width = blocks > 0n ? bigintMin(blocks, first) : 1n;
  let ceiling: bigint | undefined;
  let windowsAtCeiling = 0;

  function raiseCeiling(): void {
    windowsAtCeiling++;
    if (ceiling === undefined || windowsAtCeiling <= WINDOWS_BEFORE_GROWTH) return;
    const step = BigInt(2 ** Math.min(windowsAtCeiling - WINDOWS_BEFORE_GROWTH - 1, 30));
    ceiling += ceiling > 8n ? (ceiling * step) / 8n : step;
    if (ceiling > blocks) ceiling = undefined;
  }

  return {
    current: (ideal = width) => (ceiling === undefined ? ideal : bigintMin(ideal, ceiling)),
    learn(window) {
      if (window.refused) {
        ceiling = window.coveredBlocks;
        windowsAtCeiling = 0;
      } else if (ceiling !== undefined && window.requestedBlocks >= ceiling) {
        raiseCeiling();
      }
      width = widthByDensity(window, rows);
    },
  };
}

/** Blocks that hold about as many rows as one response should, if they are as dense as those of `window`. */
function widthByDensity(
  { requestedBlocks, coveredBlocks, entries, maxCompleteRows }: WindowOutcome,
  rows = TARGET_ROWS,
): bigint {
  const target = Math.max(1, Math.min(rows, maxCompleteRows * TARGET_SHARE));
  if (coveredBlocks === requestedBlocks && entries < target / MAX_GROWTH)
    return requestedBlocks * BigInt(MAX_GROWTH);
  const ideal = Number(coveredBlocks) * (target / Math.max(entries, 1));
  return BigInt(Math.min(Math.max(1, Math.round(ideal)), Number(coveredBlocks) * MAX_GROWTH));
}

/** How far a range is requested again after it was too large. Blocks are in reading order. */
interface RangeNarrowing {
  /** The last block to request after the server refused the blocks through `end`. */
  afterError(refusal: RangeLimitError, end: bigint): bigint;
  /**
   * The same after the blocks through `end` returned a page that may lack any rows.
   *
   * @param completeBelow a response with fewer rows is complete.
   */
  afterFullPage(logs: readonly Log[], completeBelow: number, end: bigint): bigint;
  /** The same if the page has the rows of the blocks that are read last, and lacks those that are read first. */
  afterPageOfLast(logs: readonly Log[], end: bigint): bigint;
  /** The server has refused blocks without saying how many it would take. */
  readonly refused: boolean;
}

/** Share of the rows of a complete response that a range is cut to. */
const SAFE_SHARE = 0.9;
/** The same if the rows belong to other blocks than those requested next. */
const GUESSED_PERCENT = 70n;
/**
 * A range cut to the rows that a page shows should succeed. If it fails this often, the page was truncated after
 * all.
 */
const MAX_TRUSTED_PAGES = 2;
/** Ranges that a server suggests and then refuses. After this many, the range is also halved. */
const MAX_SUGGESTIONS = 8;

/** Narrows ranges from the block `first` on. The memory learns the limits that a refusal reveals. */
export function createRangeNarrowing(
  { memory, direction }: Pick<QueryContext, 'memory' | 'direction'>,
  first: bigint,
): RangeNarrowing {
  const { nearer, onward } = direction;
  let splits = 0;
  let suggestions = 0;
  let trustedPages = 0;
  let refused = false;

  /**
   * A truncated page shows some of the rows, but not which ones. Guesses in turn that they are the first ones, that
   * they are the last ones with few before them, and the middle of the range, which assumes nothing.
   */
  function guessFromTruncatedPage(logs: readonly Log[], maxRows: number, end: bigint): bigint {
    const middle = getMiddleBlock(direction, { first, last: end });
    const turn = splits++ % 3;
    if (turn === 0) return findBlockBefore(logs, maxRows);
    const beforeFirstRow = findBlockBefore(logs, 0);
    return turn === 1 && direction.distance(middle, beforeFirstRow) > 0n ? beforeFirstRow : middle;
  }

  /** The last block through which `logs` have at most `maxRows` rows, but not before `first`. */
  function findBlockBefore(logs: readonly Log[], maxRows: number): bigint {
    const firstBeyond = logs[Math.min(Math.floor(maxRows), logs.length - 1)];
    return firstBeyond && direction.distance(first, firstBeyond.blockNumber) > 0n
      ? onward(firstBeyond.blockNumber, -1n)
      : first;
  }

  return {
    get refused() {
      return refused;
    },
    afterError(refusal, end) {
      const suggested = learnFromError({ memory, direction }, refusal, { first, last: end });
      refused ||= suggested === undefined && refusal.maxLogs === undefined;
      const half = getMiddleBlock(direction, { first, last: end });
      return suggested !== undefined && suggestions++ < MAX_SUGGESTIONS
        ? suggested
        : nearer(suggested ?? half, half);
    },
    afterFullPage(logs, completeBelow, end) {
      const maxRows = Math.min(completeBelow, logs.length) * SAFE_SHARE;
      const showsMost = logs.length >= completeBelow && !mayBeTruncated(logs.length);
      const inOrder = direction.inOrder(logs);
      const smaller =
        showsMost && trustedPages++ < MAX_TRUSTED_PAGES
          ? findBlockBefore(inOrder, maxRows)
          : guessFromTruncatedPage(inOrder, maxRows, end);
      return nearer(smaller, onward(end, -1n));
    },
    afterPageOfLast(logs, end) {
      const edge = logs[logs.length - 1]?.blockNumber ?? first;
      const shownBlocks = direction.distance(edge, end) + 1n;
      const asDense = onward(first, (shownBlocks * GUESSED_PERCENT) / 100n - 1n);
      const smaller = [edge, asDense, getMiddleBlock(direction, { first, last: end })].reduce(nearer);
      return direction.distance(first, smaller) > 0n ? smaller : first;
    },
  };
}

/**
 * Stores the limits that the refusal reveals.
 *
 * @returns the last block that should work according to the refusal.
 */
function learnFromError(
  { memory, direction }: Pick<QueryContext, 'memory' | 'direction'>,
  { suggestedEnd, maxBlocks, maxLogs }: RangeLimitError,
  span: BlockSpan,
): bigint | undefined {
  const { fromBlock, toBlock } = direction.blocks(span);
  const requestedBlocks = toBlock - fromBlock + 1n;
  if (maxLogs !== undefined) memory.learn({ maxLogs });
  const isTooWide = maxBlocks !== undefined && maxBlocks < requestedBlocks;
  if (isTooWide) memory.learn({ maxBlocks });
  // The server counts from the first block. Downwards, the same number of blocks is worth a try.
  const suggestedBlocks = suggestedEnd === undefined ? requestedBlocks : suggestedEnd - fromBlock + 1n;
  const accepted = suggestedBlocks < requestedBlocks ? suggestedBlocks : isTooWide ? maxBlocks : undefined;
  return accepted === undefined ? undefined : direction.onward(span.first, accepted - 1n);
}
