import { type AppError, isAppError } from '../../base/errors.ts';
import { bigintMin } from '../../base/values.ts';
import { MAX_SAFE_BIGINT } from '../../eth/hex.ts';
import { type BlockSpan, getMiddleBlock, type Log } from '../log.ts';
import { mayBeTruncated } from './dialect.ts';
import type { QueryContext } from './getLogs.ts';

/** How many blocks the next request covers, learned from the responses. */
export interface WindowWidth {
  current(): bigint;
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
const TARGET_ROWS = 700;
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
    current: () => width,
    learn(window) {
      if (window.refused) {
        ceiling = window.coveredBlocks;
        windowsAtCeiling = 0;
      } else if (ceiling !== undefined && window.requestedBlocks >= ceiling) {
        raiseCeiling();
      }
      const ideal = widthByDensity(window, rows);
      width = ceiling === undefined ? ideal : bigintMin(ideal, ceiling);
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

/** A server's refusal of a block range, and the limits that it reveals. */
interface RangeLimitError {
  /** A last block that, according to the server, works with the same first block. */
  readonly suggestedEnd?: bigint | undefined;
  /** Widest accepted range, in blocks. */
  readonly maxBlocks?: bigint | undefined;
  /** Most logs in one response. */
  readonly maxLogs?: number | undefined;
  /** The refusal is about the content of the range, not about its width: it can hit a single block. */
  readonly ofContent: boolean;
}

// Infura and Nethermind: -32005; QuickNode: -32614; dRPC: 35.
const LIMIT_CODES = new Set([-32005, -32614, 35]);
/** Codes of other providers, whose message text alone identifies such an error. */
const GENERAL_CODES = new Set([-32000, -32600, -32602, -32603]);
const LIMIT_PATTERN =
  /range|too (?:many|large|wide|high|big)|exceed|more than \d|limit|response size|backend is currently/i;
const OTHER_ERROR_PATTERN =
  /rate limit|requests per|too many requests|beyond current head|invalid block range/i;
const CONTENT_PATTERN = /\b(?:results?|logs)\b|response size/i;

/**
 * Whether `error` says that the range from `fromBlock` is too wide or holds too much, by the codes and texts of geth,
 * reth, Besu, Nethermind, Polygon Edge, Infura, Alchemy, QuickNode, Ankr, Cloudflare, dRPC and others. Undefined for
 * any other error. A body over our own size limit counts too.
 */
export function parseRangeLimitError(error: unknown, fromBlock: bigint): RangeLimitError | undefined {
  if (isAppError(error, 'tooLarge', 'requestTooLarge')) return { ofContent: true };
  if (!isAppError(error, 'rpc') || !isRangeLimit(error)) return undefined;
  const text = error.details.serverMessage ?? '';
  const ofContent = CONTENT_PATTERN.test(text);
  return {
    suggestedEnd: parseSuggestedEnd(error, text, fromBlock),
    maxBlocks: ofContent ? undefined : parseMaxBlocks(text),
    maxLogs: ofContent ? parseMaxLogs(text) : undefined,
    ofContent,
  };
}

/** geth and reth; Nethermind; providers with replicas that have not seen the block yet. */
const BEYOND_HEAD =
  /beyond (?:the )?(?:current )?head|(?:header|block)s? not found|unknown block|cannot be found/i;

/** Whether `error` says that the range reaches above the newest block that the replica has seen. */
export function isBeyondHead(error: unknown): boolean {
  return isAppError(error, 'rpc') && BEYOND_HEAD.test(error.details.serverMessage ?? '');
}

function isRangeLimit(error: AppError): boolean {
  const { code, status, serverMessage = '' } = error.details;
  if (OTHER_ERROR_PATTERN.test(serverMessage)) return false;
  if (status === 413 || (code !== undefined && LIMIT_CODES.has(code))) return true;
  return code !== undefined && GENERAL_CODES.has(code) && LIMIT_PATTERN.test(serverMessage);
}

/**
 * Every repetition in these patterns is bounded, as they match untrusted text. No block number, width or count has
 * more digits than these; a longer run of digits is none of them.
 */
const HEX_RANGE = /\[(0x[0-9a-f]{1,16}),\s{0,4}(0x[0-9a-f]{1,16})\]/i;
const DECIMAL_RANGE = /range (\d{1,16})-(\d{1,16})(?!\d)/;
const HEX_BLOCK = /^0x[0-9a-f]{1,16}$/i;

/** `[0x1, 0xff]` (Infura, Alchemy) or `retry with the range 1-255` (reth). */
function parseSuggestedEnd(error: AppError, text: string, fromBlock: bigint): bigint | undefined {
  const match = HEX_RANGE.exec(text) ?? DECIMAL_RANGE.exec(text);
  const [, first, last] = match ?? [];
  if (first === undefined || last === undefined) return parseEndFromData(error.details.data, fromBlock);
  return toSuggestedEnd(first, last, fromBlock);
}

function parseEndFromData(data: unknown, fromBlock: bigint): bigint | undefined {
  const { from, to } = (data ?? {}) as { from?: unknown; to?: unknown };
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  return HEX_BLOCK.test(from) && HEX_BLOCK.test(to) ? toSuggestedEnd(from, to, fromBlock) : undefined;
}

function toSuggestedEnd(first: string, last: string, fromBlock: bigint): bigint | undefined {
  const end = BigInt(last);
  const isBlock = end >= fromBlock && end <= MAX_SAFE_BIGINT;
  return BigInt(first) === fromBlock && isBlock ? end : undefined;
}

const NUMBER = String.raw`(?<![\d,])(\d[\d,]{0,15})(k?)\b`;
/** A number where a width is expected, unless it has another unit: `limit of 10 seconds` is not a width. */
const WIDTH = new RegExp(
  String.raw`(?:limit(?:ed)?|max(?:imum)?|up to|over|than|exceeds?|range|within|is)\b[a-z: ]{0,20}?\b${NUMBER}(?!\s{0,4}(?:m?s|sec|seconds?|minutes?|[kmg]i?b|bytes|requests?|credits?|%)(?!\w))`,
  'gi',
);
const LOGS_BEFORE = new RegExp(String.raw`${NUMBER} (?:results?|logs)\b`, 'i');
const LOGS_AFTER = new RegExp(String.raw`\b(?:results?|logs)\b[a-z ]{0,40}? ${NUMBER}`, 'i');

/** The smallest number in texts such as `limited to a 10,000 range`, `range 12345 exceeds limit of 10000`. */
function parseMaxBlocks(text: string): bigint | undefined {
  const widths = [...text.matchAll(WIDTH)].map(parseCount).filter((width) => width !== undefined);
  return widths.length === 0 ? undefined : BigInt(Math.min(...widths));
}

/** The number in texts such as `more than 10000 results`, `a cap of 10K logs`, `Max logs per response is 10000`. */
function parseMaxLogs(text: string): number | undefined {
  const match = LOGS_BEFORE.exec(text) ?? LOGS_AFTER.exec(text);
  return match ? parseCount(match) : undefined;
}

/** A positive safe integer, else undefined. */
function parseCount([, digits = '', thousand]: readonly (string | undefined)[]): number | undefined {
  const count = Number(digits.replaceAll(',', '')) * (thousand ? 1000 : 1);
  return count > 0 && Number.isSafeInteger(count) ? count : undefined;
}
