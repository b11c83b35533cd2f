import { type AppError, isAppError } from '../../base/errors.ts';
import { MOST_EXACT } from '../../values/hex.ts';

/** A server's refusal of a block range, and what it said would do. */
export interface RangeRefusal {
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
const LIMIT_WORDS =
  /range|too (?:many|large|wide|high|big)|exceed|more than \d|limit|response size|backend is currently/i;
const OTHER_WORDS = /rate limit|requests per|too many requests|beyond current head|invalid block range/i;
const CONTENT_WORDS = /\b(?:results?|logs)\b|response size/i;

/**
 * Whether `error` says that the range from `fromBlock` was too wide or held too much, by the codes and texts of
 * geth, reth, Besu, Nethermind, Polygon Edge, Infura, Alchemy, QuickNode, Ankr, Cloudflare, dRPC and others;
 * undefined if it says something else. A body over our own size limit counts too.
 */
export function rangeRefusal(error: unknown, fromBlock: bigint): RangeRefusal | undefined {
  if (isAppError(error, 'tooLarge', 'requestTooLarge')) return { ofContent: true };
  if (!isAppError(error, 'rpc') || !isLimit(error)) return undefined;
  const text = error.details.serverMessage ?? '';
  const ofContent = CONTENT_WORDS.test(text);
  return {
    suggestedEnd: suggestedEnd(error, text, fromBlock),
    maxBlocks: ofContent ? undefined : maxBlocks(text),
    maxLogs: ofContent ? maxLogs(text) : undefined,
    ofContent,
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
  if (OTHER_WORDS.test(serverMessage)) return false;
  if (status === 413 || (code !== undefined && LIMIT_CODES.has(code))) return true;
  return code !== undefined && GENERAL_CODES.has(code) && LIMIT_WORDS.test(serverMessage);
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
  const isBlock = end >= fromBlock && end <= MOST_EXACT;
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
