import * as z from 'zod/mini';
import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { AppError, throwIfAborted } from '../base/errors.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { isRecord } from '../base/values.ts';
import { type Hex, parseHexData } from '../eth/hex.ts';
import {
  getErrorKind,
  type HttpResponse,
  parseErrorBody,
  parseJsonBody,
  toErrorDetails,
  truncateServerMessage,
} from '../http/response.ts';
import type { RetryOptions } from '../http/retry.ts';

/** How hard is tried, and for how long. */
export type PortalRetryOptions = Pick<
  RetryOptions,
  'maxHoldMs' | 'maxWaitMs' | 'persistent' | 'retries' | 'signal'
>;

/** One selection of logs: all of it holds for each; what is left out is any. */
export interface PortalLogItem {
  readonly address?: readonly string[];
  readonly topic0?: readonly string[];
  readonly topic1?: readonly string[];
  readonly topic2?: readonly string[];
  readonly topic3?: readonly string[];
}

export interface StreamRequest {
  /** Inclusive, as {@link toBlock}. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Of the block before the first, where it is known: the portal says when its chain has another one there. */
  readonly parentBlockHash?: Hex | undefined;
  readonly logs: readonly PortalLogItem[];
}

/** A block by its height, as a portal names it. */
export interface BlockRef {
  readonly number: bigint;
  readonly hash: Hex;
}

/**
 * What a portal answers: blocks of which the last is the last that it covered; `none` where it knows none of those that
 * were asked for; `fork` with blocks of its own chain where that has another parent than was named.
 */
export type StreamResponse =
  | {
      readonly state: 'blocks';
      readonly blocks: readonly PortalBlock[];
      /** Of the answer, as far as it was read. */
      readonly bytes: number;
      /** The newest block that the portal has, where it tells. */
      readonly head: bigint | undefined;
    }
  | { readonly state: 'none'; readonly head: bigint | undefined }
  | { readonly state: 'fork'; readonly previousBlocks: readonly BlockRef[] };

interface PortalMetadata {
  /** Where the portal tells it. */
  readonly chainId: number | undefined;
  readonly startBlock: bigint | undefined;
}

/** One dataset of an SQD Portal. https://docs.sqd.dev, and the interface binding in github.com/subsquid/sqd-portal. */
export interface PortalClient {
  /** The newest block that it has. @throws AppError of any network kind; `unavailable` where it has none yet. */
  head(effort?: PortalRetryOptions): Promise<BlockRef>;
  /** @throws AppError of any network kind; `notFound` for a dataset that it has not. */
  metadata(effort?: PortalRetryOptions): Promise<PortalMetadata>;
  /**
   * Blocks with matching logs, and the first and last of those that it covered.
   *
   * @throws AppError of any network kind; `rpc` for a query that it does not take; `badResponse` for lines that cannot
   *   be an answer; `tooLarge` for a block over `maxBytes`.
   */
  stream(
    question: StreamRequest,
    options?: PortalRetryOptions & { readonly maxBytes?: number | undefined },
  ): Promise<StreamResponse>;
}

/** Blocks of its own that it tells after a fork: real ones tell some tens. */
const MAX_PREVIOUS_BLOCKS = 1000;
const MAX_HEIGHT = Number.MAX_SAFE_INTEGER;

const height = z.int().check(z.minimum(0), z.maximum(MAX_HEIGHT));
const Ref = z.object({ number: height, hash: z.string() });
const Conflict = z.object({ previousBlocks: z.array(z.unknown()) });
const Metadata = z.object({
  dataset: z.string(),
  start_block: z.optional(z.catch(z.nullable(height), null)),
  metadata: z.optional(
    z.catch(z.nullish(z.object({ evm: z.optional(z.object({ chain_id: z.optional(height) })) })), null),
  ),
});

/** The fields of a block and of a log that are asked for. */
const FIELDS = {
  block: { number: true, hash: true, parentHash: true, timestamp: true },
  log: {
    ...{ address: true, topics: true, data: true },
    ...{ transactionHash: true, transactionIndex: true, logIndex: true },
  },
};

/** What a stream request asks for; without a last block all that the portal has. */
export function toStreamBody({
  fromBlock,
  toBlock,
  parentBlockHash,
  logs,
}: Omit<StreamRequest, 'toBlock'> & { readonly toBlock: bigint | undefined }) {
  return {
    ...{ type: 'evm', fromBlock: Number(fromBlock) },
    ...(toBlock === undefined ? {} : { toBlock: Number(toBlock) }),
    ...(parentBlockHash === undefined ? {} : { parentBlockHash }),
    ...{ fields: FIELDS, logs },
  };
}

/** The newest block by the headers of an answer. */
export function readHead(headers: Headers): bigint | undefined {
  const text = headers.get('x-sqd-head-number')?.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? BigInt(text) : undefined;
}

/** Blocks of the portal's own chain, where the answer tells of a fork. */
export function parsePreviousBlocks(answer: HttpResponse): readonly BlockRef[] | undefined {
  const conflict = answer.status === 409 ? Conflict.safeParse(parseErrorBody(answer)) : undefined;
  return conflict?.success ? refsIn(conflict.data.previousBlocks) : undefined;
}

/** Undefined for what is no metadata of a portal. */
export function parseMetadata(body: unknown): PortalMetadata | undefined {
  const parsed = Metadata.safeParse(body);
  if (!parsed.success) return undefined;
  const { start_block: first, metadata } = parsed.data;
  const startBlock = first === undefined || first === null ? undefined : BigInt(first);
  return { chainId: metadata?.evm?.chain_id, startBlock };
}

function refsIn(list: readonly unknown[]): readonly BlockRef[] {
  return list.slice(-MAX_PREVIOUS_BLOCKS).flatMap((entry) => parseBlockRef(entry) ?? []);
}

/** A block by height and hash; undefined for what is none. */
export function parseBlockRef(value: unknown): BlockRef | undefined {
  const parsed = Ref.safeParse(value);
  const hash = parsed.success ? parseHexData(parsed.data.hash, 32) : undefined;
  return parsed.success && hash ? { number: BigInt(parsed.data.number), hash } : undefined;
}

/** A block in the answer of a portal. */
export interface PortalBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex | undefined;
  /** Seconds since the Unix epoch. */
  readonly timestamp: number | undefined;
  /** Rows of it, as they came. */
  readonly logs: readonly unknown[];
}

interface LinesOptions extends Abortable {
  /** The server, as an error may name it. */
  readonly origin: string;
  readonly clock: Clock;
  /** The last line may be a part of one, and is left out. */
  readonly isCut: boolean;
}

const NEWLINE = 0x0a;
/** Blocks of one answer: of fewer bytes a line cannot be, and an answer has 16 MiB at the most. */
const MAX_LINES = 200_000;
/** Bytes of a line from which on it is read in slices of time. */
const LONG_LINE_BYTES = 512 * 1024;

/**
 * The blocks in an answer of a portal: JSON, one a line. Read in slices of time.
 *
 * @throws AppError `badResponse` for a line that is no block, or blocks that are not in order; `tooLarge` for one that
 *   was cut in its first line, or of over 200,000 lines; `aborted`.
 */
export async function parseBlockLines(
  answer: HttpResponse,
  options: LinesOptions,
): Promise<readonly PortalBlock[]> {
  const { origin, clock, isCut, signal } = options;
  const { body } = answer;
  const slices = createTimeSlices(clock);
  const decoder = new TextDecoder();
  const blocks: PortalBlock[] = [];
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf(NEWLINE, start);
    if (newline < 0 && isCut) break;
    const end = newline < 0 ? body.length : newline;
    const line = body.subarray(start, end);
    start = end + 1;
    if (line.length === 0) continue;
    const isLong = line.length >= LONG_LINE_BYTES;
    const value = isLong
      ? await parseJsonBody({ ...answer, body: line }, { origin, clock, signal })
      : parseLine(decoder.decode(line), origin);
    const block = readBlock(value, origin);
    const before = blocks[blocks.length - 1];
    if (before && block.number <= before.number) throw broken(origin, 'blocks that are not in order');
    blocks.push(block);
    if (blocks.length > MAX_LINES) throw new AppError('tooLarge', `The answer has over ${MAX_LINES} lines.`);
    if (slices.isOver()) {
      await slices.rest();
      throwIfAborted(signal);
    }
  }
  if (blocks.length === 0 && isCut)
    throw new AppError('tooLarge', 'A block of the answer is over the limit.');
  return blocks;
}

function parseLine(text: string, origin: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw broken(origin, 'a line that is no JSON', cause);
  }
}

function readBlock(value: unknown, origin: string): PortalBlock {
  const header = isRecord(value) ? value.header : undefined;
  if (!isRecord(value) || !isRecord(header)) throw broken(origin, 'a line without a block');
  const { number, hash, parentHash, timestamp } = header;
  const isNumber = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0;
  const blockHash = parseHexData(hash, 32);
  if (!isNumber || !blockHash) throw broken(origin, 'a block without number and hash');
  const logs = value.logs ?? [];
  if (!Array.isArray(logs)) throw broken(origin, 'logs that are no list');
  const isTime = typeof timestamp === 'number' && Number.isSafeInteger(timestamp) && timestamp >= 0;
  return {
    number: BigInt(number),
    hash: blockHash,
    parentHash: parseHexData(parentHash, 32),
    timestamp: isTime ? timestamp : undefined,
    logs,
  };
}

function broken(origin: string, what: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} answered with ${what}.`, { cause });
}

const ErrorBody = z.object({ error: z.object({ message: z.string() }) });
/** Where a portal names no wait: the window in which the public one counts requests. */
const RATE_WINDOW_MS = 10_000;
/** The portal's own status for having too much to do. */
const OVERLOADED = 529;

/**
 * The error that a portal's answer outside 2xx stands for. A query that it does not take is `rpc`, as of other servers:
 * asking the same again is of no use.
 *
 * @param now in milliseconds since the Unix epoch.
 */
export function toPortalError(answer: HttpResponse, origin: string, now: number): AppError {
  const { status } = answer;
  const details = toErrorDetails(answer, wordsOf(answer), now);
  if (status === 400 || status === 422) {
    return new AppError(
      'rpc',
      `${origin} refused the query: ${details.serverMessage ?? `HTTP ${status}`}`,
      details,
    );
  }
  if (status === 429) {
    return new AppError('rateLimited', `${origin} answered with HTTP 429.`, {
      retryAfterMs: RATE_WINDOW_MS,
      ...details,
    });
  }
  const kind = status === OVERLOADED ? 'unavailable' : getErrorKind(status);
  return new AppError(kind, `${origin} answered with HTTP ${status}.`, details);
}

/** In an envelope of JSON, or as plain text of earlier releases. */
function wordsOf(answer: HttpResponse): string | undefined {
  const parsed = ErrorBody.safeParse(parseErrorBody(answer));
  if (parsed.success) return parsed.data.error.message;
  const isText = /^text\/plain/i.test(answer.headers.get('content-type') ?? '');
  return isText ? truncateServerMessage(new TextDecoder().decode(answer.body.subarray(0, 8192))) : undefined;
}
