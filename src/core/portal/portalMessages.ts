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
import type { RetryOptions } from '../http/withRetry.ts';

/** One dataset of an SQD Portal: https://docs.sqd.dev, and the interface in github.com/subsquid/sqd-portal. */
export interface PortalClient {
  /** The newest block. @throws AppError of any network kind; `unavailable` if there is none yet. */
  head(retry?: PortalRetryOptions): Promise<BlockRef>;
  /** @throws AppError of any network kind; `notFound` if the dataset does not exist. */
  metadata(retry?: PortalRetryOptions): Promise<PortalMetadata>;
  /**
   * Blocks with matching logs, and the first and last block that the response covers.
   *
   * @throws AppError of any network kind; `rpc` for a query that the portal rejects; `badResponse` for invalid lines;
   *   `tooLarge` for a block over `maxBytes`.
   */
  stream(
    request: StreamRequest,
    options?: PortalRetryOptions & { readonly maxBytes?: number | undefined },
  ): Promise<StreamResponse>;
}

export interface StreamRequest {
  /** Inclusive, as {@link toBlock}. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Of the block before the first, if it is known. The portal responds with `fork` if its chain has another one. */
  readonly parentBlockHash?: Hex | undefined;
  readonly logs: readonly PortalLogItem[];
}

/** A filter for logs: all of its fields must match; absent fields match anything. */
export interface PortalLogItem {
  readonly address?: readonly string[];
  readonly topic0?: readonly string[];
  readonly topic1?: readonly string[];
  readonly topic2?: readonly string[];
  readonly topic3?: readonly string[];
}

/**
 * `blocks`: the last of them is the last that the response covers. `none`: the portal has none of the requested blocks.
 * `fork`: its chain has a parent block other than the requested one; with blocks of its chain.
 */
export type StreamResponse =
  | {
      readonly state: 'blocks';
      readonly blocks: readonly PortalBlock[];
      /** Of the response, as far as it was read. */
      readonly bytes: number;
      /** The newest block of the portal, if it returns one. */
      readonly head: bigint | undefined;
    }
  | { readonly state: 'none'; readonly head: bigint | undefined }
  | { readonly state: 'fork'; readonly previousBlocks: readonly BlockRef[] };

export interface PortalBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex | undefined;
  /** Seconds since the Unix epoch. */
  readonly timestamp: number | undefined;
  /** Unvalidated. */
  readonly logs: readonly unknown[];
}

export interface BlockRef {
  readonly number: bigint;
  readonly hash: Hex;
}

interface PortalMetadata {
  /** Undefined if the portal does not return it. */
  readonly chainId: number | undefined;
  readonly startBlock: bigint | undefined;
}

export type PortalRetryOptions = Pick<
  RetryOptions,
  'maxHoldMs' | 'maxWaitMs' | 'persistent' | 'retries' | 'signal'
>;

/** The body of a stream request; without `toBlock`, it covers all blocks of the portal. */
export function toStreamBody({
  fromBlock,
  toBlock,
  parentBlockHash,
  logs,
}: Omit<StreamRequest, 'toBlock'> & { readonly toBlock: bigint | undefined }) {
  return {
    type: 'evm',
    fromBlock: Number(fromBlock),
    ...(toBlock === undefined ? {} : { toBlock: Number(toBlock) }),
    ...(parentBlockHash === undefined ? {} : { parentBlockHash }),
    fields: FIELDS,
    logs,
  };
}

const FIELDS = {
  block: { number: true, hash: true, parentHash: true, timestamp: true },
  log: {
    address: true,
    topics: true,
    data: true,
    transactionHash: true,
    transactionIndex: true,
    logIndex: true,
  },
};

export function readHead(headers: Headers): bigint | undefined {
  const text = headers.get('x-sqd-head-number')?.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? BigInt(text) : undefined;
}

/** Blocks of the portal's own chain, if the response reports a fork. */
export function parsePreviousBlocks(response: HttpResponse): readonly BlockRef[] | undefined {
  const conflict = response.status === 409 ? Conflict.safeParse(parseErrorBody(response)) : undefined;
  return conflict?.success ? parseBlockRefs(conflict.data.previousBlocks) : undefined;
}

function parseBlockRefs(list: readonly unknown[]): readonly BlockRef[] {
  return list.slice(-MAX_PREVIOUS_BLOCKS).flatMap((entry) => parseBlockRef(entry) ?? []);
}

export function parseMetadata(body: unknown): PortalMetadata | undefined {
  const parsed = Metadata.safeParse(body);
  if (!parsed.success) return undefined;
  const { start_block: first, metadata } = parsed.data;
  const startBlock = first === undefined || first === null ? undefined : BigInt(first);
  return { chainId: metadata?.evm?.chain_id, startBlock };
}

const MAX_HEIGHT = Number.MAX_SAFE_INTEGER;

const heightField = z.int().check(z.minimum(0), z.maximum(MAX_HEIGHT));

const Metadata = z.object({
  dataset: z.string(),
  start_block: z.optional(z.catch(z.nullable(heightField), null)),
  metadata: z.optional(
    z.catch(z.nullish(z.object({ evm: z.optional(z.object({ chain_id: z.optional(heightField) })) })), null),
  ),
});

const Conflict = z.object({ previousBlocks: z.array(z.unknown()) });

/** Real portals send some tens after a fork. */
const MAX_PREVIOUS_BLOCKS = 1000;

export function parseBlockRef(value: unknown): BlockRef | undefined {
  const parsed = Ref.safeParse(value);
  const hash = parsed.success ? parseHexData(parsed.data.hash, 32) : undefined;
  return parsed.success && hash ? { number: BigInt(parsed.data.number), hash } : undefined;
}

const Ref = z.object({ number: heightField, hash: z.string() });

/**
 * The blocks in a response of a portal: JSON, one a line. Parsed in slices of time.
 *
 * @throws AppError `badResponse` for a line that is not a block, or blocks that are not in order; `tooLarge` for one
 *   that was cut in its first line, or has over 200,000 lines; `aborted`.
 */
export async function parseBlockLines(
  response: HttpResponse,
  options: LinesOptions,
): Promise<readonly PortalBlock[]> {
  const { origin, clock, isCut, signal } = options;
  const { body } = response;
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
      ? await parseJsonBody({ ...response, body: line }, { origin, clock, signal })
      : parseLine(decoder.decode(line), origin);
    const block = parseBlock(value, origin);
    const previous = blocks[blocks.length - 1];
    if (previous && block.number <= previous.number)
      throw brokenError(origin, 'blocks that are not in order');
    blocks.push(block);
    if (blocks.length > MAX_LINES)
      throw new AppError('tooLarge', `The response has over ${MAX_LINES} lines.`);
    if (slices.isOver()) {
      await slices.rest();
      throwIfAborted(signal);
    }
  }
  if (blocks.length === 0 && isCut)
    throw new AppError('tooLarge', 'A block in the response is over the size limit.');
  return blocks;
}

interface LinesOptions extends Abortable {
  readonly origin: string;
  readonly clock: Clock;
  /** The last line may be incomplete, and is skipped. */
  readonly isCut: boolean;
}

const NEWLINE = 0x0a;
/** A response has 16 MiB at most, and more lines would be shorter than a line can be. */
const MAX_LINES = 200_000;
/** Longer lines are parsed in slices of time. */
const LONG_LINE_BYTES = 512 * 1024;

function parseLine(text: string, origin: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw brokenError(origin, 'a line that is not JSON', cause);
  }
}

function parseBlock(value: unknown, origin: string): PortalBlock {
  const header = isRecord(value) ? value.header : undefined;
  if (!isRecord(value) || !isRecord(header)) throw brokenError(origin, 'a line without a block');
  const { number, hash, parentHash, timestamp } = header;
  const isNumber = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0;
  const blockHash = parseHexData(hash, 32);
  if (!isNumber || !blockHash) throw brokenError(origin, 'a block without number and hash');
  const logs = value.logs ?? [];
  if (!Array.isArray(logs)) throw brokenError(origin, 'logs that are not a list');
  const isTime = typeof timestamp === 'number' && Number.isSafeInteger(timestamp) && timestamp >= 0;
  return {
    number: BigInt(number),
    hash: blockHash,
    parentHash: parseHexData(parentHash, 32),
    timestamp: isTime ? timestamp : undefined,
    logs,
  };
}

function brokenError(origin: string, found: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} returned ${found}.`, { cause });
}

/**
 * The error of a response outside 2xx. A query that the portal rejects is `rpc`, as for other servers: a retry does not
 * help.
 *
 * @param now in milliseconds since the Unix epoch.
 */
export function toPortalError(response: HttpResponse, origin: string, now: number): AppError {
  const { status } = response;
  const details = toErrorDetails(response, readErrorMessage(response), now);
  if (status === 400 || status === 422) {
    return new AppError(
      'rpc',
      `${origin} refused the query: ${details.serverMessage ?? `HTTP ${status}`}`,
      details,
    );
  }
  if (status === 429) {
    return new AppError('rateLimited', `${origin} responded with HTTP 429.`, {
      retryAfterMs: RATE_WINDOW_MS,
      ...details,
    });
  }
  const kind = status === OVERLOADED_STATUS ? 'unavailable' : getErrorKind(status);
  return new AppError(kind, `${origin} responded with HTTP ${status}.`, details);
}

/** The window in which the public portal counts requests, for a portal that requests no wait. */
const RATE_WINDOW_MS = 10_000;
/** A status of portals alone. */
const OVERLOADED_STATUS = 529;

/** Earlier releases send plain text instead of JSON. */
function readErrorMessage(response: HttpResponse): string | undefined {
  const parsed = ErrorBody.safeParse(parseErrorBody(response));
  if (parsed.success) return parsed.data.error.message;
  const isText = /^text\/plain/i.test(response.headers.get('content-type') ?? '');
  return isText
    ? truncateServerMessage(new TextDecoder().decode(response.body.subarray(0, 8192)))
    : undefined;
}

const ErrorBody = z.object({ error: z.object({ message: z.string() }) });
