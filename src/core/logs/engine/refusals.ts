import { type AppError, isAppError } from '../../base/errors.ts';
import { MAX_SAFE_BIGINT } from '../../eth/hex.ts';

/** A server's refusal of a block range, and the limits that it reveals. */
export interface RangeLimitError {
  /** A last block that, according to the server, works with the same first block. */
  readonly suggestedEnd?: bigint | undefined;
  /** Widest accepted range, in blocks. */
  readonly maxBlocks?: bigint | undefined;
  /** Most logs in one response. */
  readonly maxLogs?: number | undefined;
  /** The refusal is about the content of the range, not about its width: it can hit a single block. */
  readonly ofContent: boolean;
}

/**
 * Whether `error` says that the range from `fromBlock` is too wide or holds too much, by the texts and codes of geth,
 * reth, Erigon, Besu, Nethermind, Polygon Edge, Harmony, Ethermint, Infura, Alchemy, QuickNode, Ankr, PublicNode,
 * Cloudflare, dRPC and others. Undefined for any other error. A body over our own size limit counts too.
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

const LIMIT_PATTERN =
  /too (?:many|large|wide|high|big|long)|exceed|reduce|narrow|over \d|(?:more|larger|smaller|greater|less|fewer) than|limit|at most|up to|max(?:imum)?\b|response size|backend is currently/i;
const CONTENT_PATTERN = /\b(?:results?|logs)\b|response size/i;
const OTHER_ERROR_PATTERN =
  /rate limit|requests per|too many requests|beyond current head|invalid block range/i;
/** Infura and Nethermind: -32005; QuickNode: -32614; dRPC: 35. */
const LIMIT_CODES: readonly (number | undefined)[] = [-32005, -32614, 35];

/** The text decides before the code: codes of one meaning differ by provider, and one code has several meanings. */
function isRangeLimit(error: AppError): boolean {
  const { code, status, serverMessage = '' } = error.details;
  if (OTHER_ERROR_PATTERN.test(serverMessage)) return false;
  return status === 413 || LIMIT_PATTERN.test(serverMessage) || LIMIT_CODES.includes(code);
}

/** A refusal of the number of addresses or topics. */
interface ListLimitError {
  /** Most values in one list, if the server names it. */
  readonly maxValues: number | undefined;
}

/** geth: `exceed max addresses or topics per search position`; others: `too many addresses`, `at most 500 topics`. */
const LIST_LIMIT =
  /(?:too many|max(?:imum)?|exceeds?|limit(?:ed)?|at most|more than|less|fewer)\b[^.]{0,40}\b(?:address|topic)|\b(?:address|topic)[a-z]{0,3}\b[^.]{0,40}\b(?:too (?:many|long|large)|exceeds?|limit|maximum)/i;

/**
 * Whether `error` says that a list of addresses or topics is too long, or that the request is; undefined for any other
 * error.
 */
export function parseListLimit(error: unknown): ListLimitError | undefined {
  if (isAppError(error, 'requestTooLarge')) return { maxValues: undefined };
  if (!isAppError(error, 'rpc')) return undefined;
  const text = error.details.serverMessage ?? '';
  if (!LIST_LIMIT.test(text) || /\bblocks?\b|\brange\b/i.test(text)) return undefined;
  const counts = [...text.matchAll(COUNT)].map(parseCount).filter((count) => count !== undefined);
  return { maxValues: counts.length === 0 ? undefined : Math.min(...counts) };
}

/**
 * geth and reth; Nethermind; providers with replicas that have not seen the block yet. Nethermind, Erigon and Polygon
 * Edge cut a range off at their head, and refuse one that lies above it as reversed.
 */
const BEYOND_HEAD =
  /beyond (?:the )?(?:current )?head|(?:header|block)s? not found|unknown block|cannot be found|invalid block range|end \(\d{1,20}\) < begin|incorrect range/i;

/** Whether `error` says that the range reaches above the newest block that the replica has seen. */
export function isBeyondHead(error: unknown): boolean {
  return isAppError(error, 'rpc') && BEYOND_HEAD.test(error.details.serverMessage ?? '');
}

/** Whether `error` may be about the requested blocks, so that fewer or other blocks may be served. */
export function mayConcernBlocks(error: unknown): error is AppError {
  if (isAppError(error, 'server')) return true;
  return isAppError(error, 'rpc') && error.details.code !== METHOD_NOT_FOUND;
}

const METHOD_NOT_FOUND = -32601;

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
/**
 * A number where a width is expected, and not followed by another unit: `limit of 10 seconds`, `1 day` and `3 topics` are
 * not widths. Without a width, half of the blocks are requested, which costs little; a wrong one costs a request a block.
 */
const WIDTH = new RegExp(
  String.raw`(?:limit(?:ed)?|max(?:imum)?|up to|over|than|exceeds?|range|distance|within|is|at most)\b(?:[:= ]|\b(?:an?|the|to|of|is|set|value|allowed|blocks?|range|size|limit)\b){0,16}?\b${NUMBER}(?=\s{0,4}(?:$|[)\]>,.;:](?!\d)|blocks?\b|range\b|max))`,
  'gi',
);
const COUNT = new RegExp(NUMBER, 'g');
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
