import { type AppError, isAppError } from '../errors.ts';

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

function isLimit(error: AppError): boolean {
  const { code, status, serverMessage = '' } = error.details;
  if (OTHER_WORDS.test(serverMessage)) return false;
  if (status === 413 || (code !== undefined && LIMIT_CODES.has(code))) return true;
  return code !== undefined && GENERAL_CODES.has(code) && LIMIT_WORDS.test(serverMessage);
}

/** `[0x1, 0xff]` (Infura, Alchemy) or `retry with the range 1-255` (reth). */
function suggestedEnd(error: AppError, text: string, fromBlock: bigint): bigint | undefined {
  const match = /\[(0x[0-9a-f]+),\s*(0x[0-9a-f]+)\]/i.exec(text) ?? /range (\d+)-(\d+)/.exec(text);
  const [, first, last] = match ?? [];
  if (first === undefined || last === undefined) return endFromData(error.details.data, fromBlock);
  return BigInt(first) === fromBlock && BigInt(last) >= fromBlock ? BigInt(last) : undefined;
}

function endFromData(data: unknown, fromBlock: bigint): bigint | undefined {
  const { from, to } = (data ?? {}) as { from?: unknown; to?: unknown };
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  if (!/^0x[0-9a-f]+$/i.test(from) || !/^0x[0-9a-f]+$/i.test(to)) return undefined;
  return BigInt(from) === fromBlock && BigInt(to) >= fromBlock ? BigInt(to) : undefined;
}

const NUMBER = String.raw`(\d[\d,]*)(k?)\b`;
/** A number that stands where a width is named, and counts nothing else: `limit of 10 seconds` is no width. */
const WIDTH = new RegExp(
  String.raw`(?:limit(?:ed)?|max(?:imum)?|up to|over|than|exceeds?|range|within|is)\b[a-z: ]{0,20}?\b${NUMBER}(?!\s*(?:m?s|sec|seconds?|minutes?|[kmg]i?b|bytes|requests?|credits?|%)(?!\w))`,
  'gi',
);
const LOGS_BEFORE = new RegExp(String.raw`${NUMBER} (?:results?|logs)\b`, 'i');
const LOGS_AFTER = new RegExp(String.raw`\b(?:results?|logs)\b[a-z ]{0,60}? ${NUMBER}`, 'i');

/** The least number in words such as `limited to a 10,000 range`, `range 12345 exceeds limit of 10000`. */
function maxBlocks(text: string): bigint | undefined {
  const widths = [...text.matchAll(WIDTH)].map(countOf).filter((width) => width > 0);
  return widths.length === 0 ? undefined : BigInt(Math.min(...widths));
}

/** The number in words such as `more than 10000 results`, `a cap of 10K logs`, `Max logs per response is 10000`. */
function maxLogs(text: string): number | undefined {
  const match = LOGS_BEFORE.exec(text) ?? LOGS_AFTER.exec(text);
  return (match && countOf(match)) || undefined;
}

function countOf([, digits = '', thousand]: readonly (string | undefined)[]): number {
  return Number(digits.replace(/,/g, '')) * (thousand ? 1000 : 1);
}
