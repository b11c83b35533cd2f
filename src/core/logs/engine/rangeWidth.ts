import { type AppError, isAppError } from '../../base/errors.ts';
import { bigintMin } from '../../base/values.ts';
import { MAX_SAFE_BIGINT } from '../../eth/hex.ts';
import { type BlockSpan, getMiddleBlock, type Log } from '../log.ts';
import { mayBeTruncated } from './dialect.ts';
import type { QueryContext } from './getLogs.ts';

/** How many blocks the next request asks for, learnt from the answers. */
export interface WindowWidth {
  current(): bigint;
  learn(window: WindowOutcome): void;
}

/** What the first windows are made by. */
interface WidthStart {
  /** Of the first window, in blocks; default: all blocks of the range, as a short answer then is the whole one. */
  readonly first?: bigint | undefined;
  /** Rows that a window aims at; default 700. */
  readonly rows?: number | undefined;
}

interface WindowOutcome {
  /** Blocks that were asked for. */
  readonly requestedBlocks: bigint;
  /** Blocks of which the answer has every row: fewer than asked where more was not given out. */
  readonly coveredBlocks: bigint;
  /** Entries in the fullest answer of the window: what a server's limit counts. */
  readonly entries: number;
  /** The server refused more blocks than these without saying what it would take. */
  readonly refused: boolean;
  /** The most logs that an answer of the server can have and be taken as whole. */
  readonly maxCompleteRows: number;
}

/** Rows that a window aims at, and what share of a whole answer at most: most answers are whole at once then. */
const TARGET_ROWS = 700;
const TARGET_SHARE = 0.7;
/** The same of a server that streams: some megabytes, as may wait for windows before it. */
export const STREAM_TARGET_ROWS = 5000;
const MAX_GROWTH = 8;
/** After a refusal so many windows pass at the width that was taken, then each may be wider by twice as much more. */
const WINDOWS_BEFORE_GROWTH = 3;

/** For a range of so many `blocks`. */
export function createWindowWidth(blocks: bigint, { first = blocks, rows }: WidthStart = {}): WindowWidth {
  let width = blocks > 0n ? bigintMin(blocks, first) : 1n;
  let ceiling: bigint | undefined;
  let taken = 0;

  function raiseCeiling(): void {
    taken++;
    if (ceiling === undefined || taken <= WINDOWS_BEFORE_GROWTH) return;
    const step = BigInt(2 ** Math.min(taken - WINDOWS_BEFORE_GROWTH - 1, 30));
    ceiling += ceiling > 8n ? (ceiling * step) / 8n : step;
    if (ceiling > blocks) ceiling = undefined;
  }

  return {
    current: () => width,
    learn(window) {
      if (window.refused) {
        ceiling = window.coveredBlocks;
        taken = 0;
      } else if (ceiling !== undefined && window.requestedBlocks >= ceiling) {
        raiseCeiling();
      }
      const ideal = widthByDensity(window, rows);
      width = ceiling === undefined ? ideal : bigintMin(ideal, ceiling);
    },
  };
}

/** Blocks that hold about as many rows as one answer should, if they are as dense as those of `window`. */
function widthByDensity(
  { requestedBlocks: asked, coveredBlocks: blocks, entries, maxCompleteRows: mostWhole }: WindowOutcome,
  rows = TARGET_ROWS,
): bigint {
  const target = Math.max(1, Math.min(rows, mostWhole * TARGET_SHARE));
  if (blocks === asked && entries < target / MAX_GROWTH) return asked * BigInt(MAX_GROWTH);
  const ideal = Number(blocks) * (target / Math.max(entries, 1));
  return BigInt(Math.min(Math.max(1, Math.round(ideal)), Number(blocks) * MAX_GROWTH));
}

/** How far a range is asked for again that was too much. Blocks are in the order of reading. */
interface RangeNarrowing {
  /** The last block to ask for once the server has refused the blocks through `end`. */
  afterRefusal(refusal: RangeLimitError, end: bigint): bigint;
  /**
   * The same once the blocks through `end` gave a page that says nothing of what is missing.
   *
   * @param wholeBelow rows below which an answer is whole.
   */
  afterFullPage(logs: readonly Log[], wholeBelow: number, end: bigint): bigint;
  /** The same where the page has the rows of the blocks that are read last, and lacks those that are read first. */
  afterPageOfLast(logs: readonly Log[], end: bigint): bigint;
  /** The server has refused blocks without saying what it would take. */
  readonly refused: boolean;
}

/** Of the rows that make an answer whole: those that a range is cut to. */
const SAFE_SHARE = 0.9;
/** The same where the rows are of other blocks than those that are asked for next. */
const GUESSED_PERCENT = 70n;
/** A range that is as long as a page's rows say should do; where it does not so often, the page was cut after all. */
const MAX_TRUSTED_PAGES = 2;
/** Ranges that a server says it would take, and refuses: after so many the range is halved besides. */
const MAX_SUGGESTIONS = 8;

/** For ranges from the block `first` on. What a refusal says of the server's limits goes into the memory. */
export function createRangeNarrowing(
  { memory, direction }: Pick<QueryContext, 'memory' | 'direction'>,
  first: bigint,
): RangeNarrowing {
  const { nearer, onward } = direction;
  let splits = 0;
  let suggestions = 0;
  let believed = 0;
  let refused = false;

  /**
   * A page that was cut shows some of the rows, it is not known which: in turn as if they were the first, as if they were
   * the last and few were before them, and in the middle, which needs no rows to be anywhere.
   */
  function ofCutPage(logs: readonly Log[], most: number, end: bigint): bigint {
    const middle = getMiddleBlock(direction, { first, last: end });
    const turn = splits++ % 3;
    if (turn === 0) return blockBefore(logs, most);
    const beforeAll = blockBefore(logs, 0);
    return turn === 1 && direction.distance(middle, beforeAll) > 0n ? beforeAll : middle;
  }

  /** The last block through which `logs` have no more than `most` rows, but not before `first`. */
  function blockBefore(logs: readonly Log[], most: number): bigint {
    const row = logs[Math.min(Math.floor(most), logs.length - 1)];
    return row && direction.distance(first, row.blockNumber) > 0n ? onward(row.blockNumber, -1n) : first;
  }

  return {
    get refused() {
      return refused;
    },
    afterRefusal(refusal, end) {
      const told = learnFromError({ memory, direction }, refusal, { first, last: end });
      refused ||= told === undefined && refusal.maxLogs === undefined;
      const half = getMiddleBlock(direction, { first, last: end });
      return told !== undefined && suggestions++ < MAX_SUGGESTIONS ? told : nearer(told ?? half, half);
    },
    afterFullPage(logs, wholeBelow, end) {
      const most = Math.min(wholeBelow, logs.length) * SAFE_SHARE;
      const showsMost = logs.length >= wholeBelow && !mayBeTruncated(logs.length);
      const inOrder = direction.inOrder(logs);
      const smaller =
        showsMost && believed++ < MAX_TRUSTED_PAGES
          ? blockBefore(inOrder, most)
          : ofCutPage(inOrder, most, end);
      return nearer(smaller, onward(end, -1n));
    },
    afterPageOfLast(logs, end) {
      const edge = logs[logs.length - 1]?.blockNumber ?? first;
      const shown = direction.distance(edge, end) + 1n;
      const asDense = onward(first, (shown * GUESSED_PERCENT) / 100n - 1n);
      const smaller = [edge, asDense, getMiddleBlock(direction, { first, last: end })].reduce(nearer);
      return direction.distance(first, smaller) > 0n ? smaller : first;
    },
  };
}

/** Keeps the limits that the refusal tells of; returns the last block that should do by its words. */
function learnFromError(
  { memory, direction }: Pick<QueryContext, 'memory' | 'direction'>,
  { suggestedEnd, maxBlocks, maxLogs }: RangeLimitError,
  span: BlockSpan,
): bigint | undefined {
  const { fromBlock, toBlock } = direction.blocks(span);
  const asked = toBlock - fromBlock + 1n;
  if (maxLogs !== undefined) memory.learn({ maxLogs });
  const isTooWide = maxBlocks !== undefined && maxBlocks < asked;
  if (isTooWide) memory.learn({ maxBlocks });
  // Downwards, where the server counts from the other end, as many blocks are worth a try.
  const suggested = suggestedEnd === undefined ? asked : suggestedEnd - fromBlock + 1n;
  const taken = suggested < asked ? suggested : isTooWide ? maxBlocks : undefined;
  return taken === undefined ? undefined : direction.onward(span.first, taken - 1n);
}

/** A server's refusal of a block range, and what it said would do. */
interface RangeLimitError {
  /** A last block that the server says would work from the same first block. */
  readonly suggestedEnd?: bigint | undefined;
  /** The widest range that it takes, in blocks. */
  readonly maxBlocks?: bigint | undefined;
  /** The most logs that it gives in one answer. */
  readonly maxLogs?: number | undefined;
  /** It is about what the range holds, and not about its width: one block alone can be refused for it. */
  readonly ofContent: boolean;
}

// Infura and Nethermind: -32005; QuickNode: -32614; dRPC: 35.
const LIMIT_CODES = new Set([-32005, -32614, 35]);
// Codes under which other providers say the same in words only.
const GENERAL_CODES = new Set([-32000, -32600, -32602, -32603]);
const LIMIT_PATTERN =
  /range|too (?:many|large|wide|high|big)|exceed|more than \d|limit|response size|backend is currently/i;
const OTHER_ERROR_PATTERN =
  /rate limit|requests per|too many requests|beyond current head|invalid block range/i;
const CONTENT_PATTERN = /\b(?:results?|logs)\b|response size/i;

/**
 * Whether `error` says that the range from `fromBlock` was too wide or held too much, by the codes and texts of
 * geth, reth, Besu, Nethermind, Polygon Edge, Infura, Alchemy, QuickNode, Ankr, Cloudflare, dRPC and others;
 * undefined if it says something else. A body over our own size limit counts too.
 */
export function parseRangeLimitError(error: unknown, fromBlock: bigint): RangeLimitError | undefined {
  if (isAppError(error, 'tooLarge', 'requestTooLarge')) return { ofContent: true };
  if (!isAppError(error, 'rpc') || !isLimit(error)) return undefined;
  const text = error.details.serverMessage ?? '';
  const ofContent = CONTENT_PATTERN.test(text);
  return {
    suggestedEnd: suggestedEnd(error, text, fromBlock),
    maxBlocks: ofContent ? undefined : maxBlocks(text),
    maxLogs: ofContent ? maxLogs(text) : undefined,
    ofContent: ofContent,
  };
}

// geth and reth; Nethermind; providers whose machines have not seen the block yet.
const BEYOND_HEAD =
  /beyond (?:the )?(?:current )?head|(?:header|block)s? not found|unknown block|cannot be found/i;

/** Whether `error` says that the range reaches above the newest block that the machine knows. */
export function isBeyondHead(error: unknown): boolean {
  return isAppError(error, 'rpc') && BEYOND_HEAD.test(error.details.serverMessage ?? '');
}

function isLimit(error: AppError): boolean {
  const { code, status, serverMessage = '' } = error.details;
  if (OTHER_ERROR_PATTERN.test(serverMessage)) return false;
  if (status === 413 || (code !== undefined && LIMIT_CODES.has(code))) return true;
  return code !== undefined && GENERAL_CODES.has(code) && LIMIT_PATTERN.test(serverMessage);
}

// Every repetition in these patterns is bounded, as they read what a server says: no block number, width or count has
// more digits than these, and a longer row of digits is none of them.
const HEX_RANGE = /\[(0x[0-9a-f]{1,16}),\s{0,4}(0x[0-9a-f]{1,16})\]/i;
const DECIMAL_RANGE = /range (\d{1,16})-(\d{1,16})(?!\d)/;
const HEX_BLOCK = /^0x[0-9a-f]{1,16}$/i;

/** `[0x1, 0xff]` (Infura, Alchemy) or `retry with the range 1-255` (reth). */
function suggestedEnd(error: AppError, text: string, fromBlock: bigint): bigint | undefined {
  const match = HEX_RANGE.exec(text) ?? DECIMAL_RANGE.exec(text);
  const [, first, last] = match ?? [];
  if (first === undefined || last === undefined) return endFromData(error.details.data, fromBlock);
  return endOf(first, last, fromBlock);
}

function endFromData(data: unknown, fromBlock: bigint): bigint | undefined {
  const { from, to } = (data ?? {}) as { from?: unknown; to?: unknown };
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  return HEX_BLOCK.test(from) && HEX_BLOCK.test(to) ? endOf(from, to, fromBlock) : undefined;
}

function endOf(first: string, last: string, fromBlock: bigint): bigint | undefined {
  const end = BigInt(last);
  const isBlock = end >= fromBlock && end <= MAX_SAFE_BIGINT;
  return BigInt(first) === fromBlock && isBlock ? end : undefined;
}

const NUMBER = String.raw`(?<![\d,])(\d[\d,]{0,15})(k?)\b`;
/** A number that stands where a width is named, and counts nothing else: `limit of 10 seconds` is no width. */
const WIDTH = new RegExp(
  String.raw`(?:limit(?:ed)?|max(?:imum)?|up to|over|than|exceeds?|range|within|is)\b[a-z: ]{0,20}?\b${NUMBER}(?!\s{0,4}(?:m?s|sec|seconds?|minutes?|[kmg]i?b|bytes|requests?|credits?|%)(?!\w))`,
  'gi',
);
const LOGS_BEFORE = new RegExp(String.raw`${NUMBER} (?:results?|logs)\b`, 'i');
const LOGS_AFTER = new RegExp(String.raw`\b(?:results?|logs)\b[a-z ]{0,40}? ${NUMBER}`, 'i');

/** The least number in words such as `limited to a 10,000 range`, `range 12345 exceeds limit of 10000`. */
function maxBlocks(text: string): bigint | undefined {
  const widths = [...text.matchAll(WIDTH)].map(countOf).filter((width) => width !== undefined);
  return widths.length === 0 ? undefined : BigInt(Math.min(...widths));
}

/** The number in words such as `more than 10000 results`, `a cap of 10K logs`, `Max logs per response is 10000`. */
function maxLogs(text: string): number | undefined {
  const match = LOGS_BEFORE.exec(text) ?? LOGS_AFTER.exec(text);
  return match ? countOf(match) : undefined;
}

/** Above 0, and exact; undefined for all else. */
function countOf([, digits = '', thousand]: readonly (string | undefined)[]): number | undefined {
  const count = Number(digits.replaceAll(',', '')) * (thousand ? 1000 : 1);
  return count > 0 && Number.isSafeInteger(count) ? count : undefined;
}
