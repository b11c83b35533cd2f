import * as z from 'zod/mini';
import type { WaitForBackoff } from '../base/clock.ts';
import { AppError, asAppError, isAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { createWorkQueue, type WorkQueue } from '../base/timeSlices.ts';
import { type HttpDeps, redactError, sendRequest, type TimedResponse } from '../http/exchange.ts';
import { optionalField } from '../http/fields.ts';
import {
  getErrorKind,
  type HttpResponse,
  LARGE_RESPONSE_BYTES,
  parseErrorBody,
  parseJsonBody,
  parseRetryAfterMs,
  toErrorDetails,
  truncateServerData,
  truncateServerMessage,
} from '../http/response.ts';
import { createOriginGates, type RetryOptions, withRetry } from '../http/retry.ts';

export interface RpcCallOptions
  extends Pick<RetryOptions, 'maxHoldMs' | 'maxWaitMs' | 'persistent' | 'retries' | 'signal'> {
  /** An answer of more bytes than this is `tooLarge`; default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

interface RpcBatchOptions extends RpcCallOptions {
  /** Whether the server takes batches is not known: what may come of that is not tried again. */
  readonly isTrial?: boolean;
}

/** A JSON-RPC 2.0 endpoint. */
export interface RpcClient {
  readonly url: string;
  /**
   * Calls `method` and returns `result`, unvalidated.
   *
   * @throws AppError of any network kind; `rpc` when the server refuses the call, with its words.
   */
  call(method: string, params: readonly unknown[], options?: RpcCallOptions): Promise<unknown>;
  /**
   * Sends `calls` in one request, which one machine behind a server's address answers.
   *
   * @returns what became of each, in their order.
   * @throws AppError as {@link call} does; `rpc`, `badResponse` or an HTTP kind when the server takes no batches.
   */
  callBatch(calls: readonly RpcCall[], options?: RpcBatchOptions): Promise<readonly RpcOutcome[]>;
}

type PostLimits = Pick<RpcCallOptions, 'maxBytes' | 'signal'>;

interface RpcClientOptions extends HttpDeps {
  readonly url: string;
  readonly timeoutMs?: number;
  /** In which large answers are read; default: the client's own turns. */
  readonly turn?: WorkQueue;
  /** Waits before a second try; default: by the clock, unseen. */
  readonly wait?: WaitForBackoff;
  /** Told of each answer, and of one that may be a refusal when it has been read. */
  readonly onAnswer?: (answer: TimedResponse, about: ResponseInfo) => void;
}

/** What an answer was to, and what became of it. */
interface ResponseInfo {
  readonly method: string;
  readonly error: AppError | undefined;
}

/** Half of what others may send, as many of these are on their way at once; 20,000 logs are some 12 MiB. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** 20,000 logs have 300,000 at the most. */
const MAX_RESPONSE_VALUES = 400_000;
/** Most that is read of an answer to a question whose answer is short. */
export const SHORT_RESPONSE = { maxBytes: 1024 * 1024 } as const;

/** A client for the endpoint at `url`. Ids are positive integers, the only ones every Blockscout echoes rightly. */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  let lastId = 0;
  const origin = safeUrl(options.url);
  const { clock } = options;
  const turn = options.turn ?? createWorkQueue(clock);
  const deps = { ...options, gates: options.gates ?? createOriginGates(clock) };
  const gate = deps.gates.of(options.url);

  async function callOnce({ method, params }: RpcCall, limits: PostLimits) {
    const id = ++lastId;
    const read = (body: unknown, answered: ReceivedResponse) =>
      parseRpcResult(body, { id, origin, ...answered });
    return post({ jsonrpc: '2.0', id, method, params }, { method, read }, limits);
  }

  async function batchOnce(calls: readonly RpcCall[], limits: PostLimits) {
    const ids = { firstId: lastId + 1, count: calls.length };
    lastId += calls.length;
    const read = (body: unknown, answered: ReceivedResponse) => {
      const readOne = (entry: unknown, id: number) => parseRpcResult(entry, { id, origin, ...answered });
      // What refuses a batch as a whole is one answer.
      if (!Array.isArray(body)) readOne(body, 0);
      return parseBatch(Array.isArray(body) ? body : [], ids, readOne);
    };
    // What is asked beside the others is what takes the time.
    const method = calls.at(-1)?.method ?? '';
    return post(createBatchBody(calls, ids.firstId), { method, read }, limits);
  }

  async function post<T>(
    body: object,
    { method, read: readBody }: RpcRequest<T>,
    { signal, maxBytes = MAX_RESPONSE_BYTES }: PostLimits,
  ): Promise<T> {
    const answer = await sendRequest(deps, {
      url: options.url,
      method: 'POST',
      // Blockscout does not decode a body of another content type.
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      maxBytes,
    });
    const read = async () => {
      throwIfAborted(signal);
      const now = clock.now();
      if (answer.status < 200 || answer.status > 299) throw toHttpError(answer, { origin, now });
      const parsed = await parseJsonBody(answer, { origin, clock, signal, maxValues: MAX_RESPONSE_VALUES });
      return readBody(parsed, { answer, now });
    };
    if (answer.body.length >= LARGE_RESPONSE_BYTES) {
      // So large is no refusal: nothing of it has to be read before others are asked.
      options.onAnswer?.(answer, { method, error: undefined });
      return await turn(read).catch(async (cause) => {
        throw await redactError(deps, asAppError(cause));
      });
    }
    try {
      const result = await read();
      options.onAnswer?.(answer, { method, error: undefined });
      return result;
    } catch (cause) {
      const error = await redactError(deps, asAppError(cause));
      options.onAnswer?.(answer, { method, error });
      throw error;
    }
  }

  async function redactedOutcome(outcome: RpcOutcome): Promise<RpcOutcome> {
    return 'refusal' in outcome ? { refusal: await redactError(deps, outcome.refusal) } : outcome;
  }

  return {
    url: options.url,
    call: (method, params, { maxBytes, ...effort } = {}) =>
      withRetry({ clock, wait: options.wait, gate, ...effort }, () =>
        callOnce({ method, params }, { maxBytes, signal: effort.signal }),
      ),
    async callBatch(calls, { maxBytes, isTrial = false, ...effort } = {}) {
      let failure: unknown;
      const outcomes = await withRetry({ clock, wait: options.wait, gate, ...effort }, async () => {
        try {
          return await batchOnce(calls, { maxBytes, signal: effort.signal });
        } catch (error) {
          if (!isTrial || !classifyBatchError(error)) throw error;
          failure = error;
          return undefined;
        }
      });
      if (!outcomes) throw failure;
      return deps.redact ? Promise.all(outcomes.map(redactedOutcome)) : outcomes;
    },
  };
}

interface RpcRequest<T> {
  readonly method: string;
  readonly read: (body: unknown, answered: ReceivedResponse) => T;
}

/** One call of a batch. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What became of one call of a batch that was answered. */
export type RpcOutcome = { readonly result: unknown } | { readonly refusal: AppError };

/** The body of a batch, with ids from `firstId` on. */
function createBatchBody(calls: readonly RpcCall[], firstId: number): readonly object[] {
  return calls.map((call, place) => ({ jsonrpc: '2.0', id: firstId + place, ...call }));
}

/**
 * The outcomes in `entries`, the answer to a batch of `count` calls, in the order of the calls; servers may answer in any.
 *
 * @param readResult reads one answer, as of a call that went alone: a call that is refused is an outcome, what else it
 *   throws is of the whole batch.
 */
function parseBatch(
  entries: readonly unknown[],
  { firstId, count }: { readonly firstId: number; readonly count: number },
  readResult: (entry: unknown, id: number) => unknown,
): readonly RpcOutcome[] {
  return Array.from({ length: count }, (_, place): RpcOutcome => {
    const id = firstId + place;
    const entry = entries.find((one) => isResponseTo(idOf(one), id)) ?? entries[place];
    try {
      return { result: readResult(entry, id) };
    } catch (error) {
      if (!isAppError(error, 'rpc')) throw error;
      return { refusal: error };
    }
  });
}

function idOf(entry: unknown): unknown {
  return (entry as { id?: unknown } | null | undefined)?.id;
}

/**
 * What a failure says of a server that has not yet answered a batch: `refused` in so many words, or `failed` in a way
 * that may be of the moment as well; undefined where it has nothing to do with batches.
 */
export function classifyBatchError(error: unknown): 'refused' | 'failed' | undefined {
  if (isAppError(error, 'rpc', 'requestTooLarge', 'forbidden', 'notFound')) return 'refused';
  if (isAppError(error, 'badResponse')) return isErrorResponse(error) ? 'refused' : 'failed';
  return isAppError(error, 'server', 'network') ? 'failed' : undefined;
}

/** A status of 400 to 499, which is about the request. */
function isErrorResponse({ details: { status = 0 } }: AppError): boolean {
  return status >= 400 && status < 500;
}

// The error is a bare string on Blockscout up to v11, an object from v12 and on every node.
const ErrorField = z.union([
  z.string(),
  z.object({
    code: optionalField(z.number()),
    message: optionalField(z.string()),
    data: z.optional(z.unknown()),
  }),
]);
const Envelope = z.object({
  id: z.optional(z.union([z.number(), z.string(), z.null()])),
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(ErrorField)),
});

/** What came, and when. */
interface ReceivedResponse {
  readonly answer: HttpResponse;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
}

interface ResponseContext extends ReceivedResponse {
  readonly id: number;
  readonly origin: string;
}

/**
 * The result in one answer, unvalidated.
 *
 * @throws AppError `rpc` or `rateLimited` where the server refuses the call, `badResponse` where it is no answer to it.
 */
function parseRpcResult(body: unknown, { id, origin, answer, now }: ResponseContext): unknown {
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) throw notJsonRpc(origin, envelope.error);
  const { error, result } = envelope.data;
  if (error !== undefined && error !== null) throw rpcError(error, answer, now);
  if (result === undefined) throw notJsonRpc(origin);
  if (!isResponseTo(envelope.data.id, id)) {
    throw new AppError('badResponse', `${origin} answered another request (wrong JSON-RPC id).`);
  }
  return result;
}

/** Whether an answer names this request; some servers write every id as a string. */
function isResponseTo(written: unknown, id: number): boolean {
  return written === id || written === `${id}`;
}

function notJsonRpc(origin: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} did not answer in JSON-RPC.`, { cause });
}

/** A rate limit is one whatever the status; how long it asks to wait stands in the headers, if anywhere. */
function rpcError(error: z.infer<typeof ErrorField>, answer: HttpResponse, now: number): AppError {
  const { code, message, data } =
    typeof error === 'string' ? { code: undefined, message: error, data: undefined } : error;
  const words = truncateServerMessage(message ?? 'no reason given');
  const kept = truncateServerData(data);
  const isRateLimit = isRateLimitError({ code, message: words });
  const retryAfterMs = isRateLimit ? parseRetryAfterMs(answer.headers, now) : undefined;
  return new AppError(isRateLimit ? 'rateLimited' : 'rpc', `The server refused the call: ${words}`, {
    serverMessage: words,
    ...(code === undefined ? {} : { code }),
    ...(kept === undefined ? {} : { data: kept }),
    ...(answer.status === 200 ? {} : { status: answer.status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** An answer outside 2xx. Nodes put a JSON-RPC error into a 400 or 413; it says more than the status does. */
function toHttpError(
  answer: HttpResponse,
  { origin, now }: Pick<ResponseContext, 'now' | 'origin'>,
): AppError {
  const { status } = answer;
  const said = errorIn(parseErrorBody(answer));
  if (said && typeof said !== 'string' && (status === 400 || status === 413))
    return rpcError(said, answer, now);
  const words = typeof said === 'string' ? said : said?.message;
  return new AppError(
    getErrorKind(status),
    `${origin} answered with HTTP ${status}.`,
    toErrorDetails(answer, words, now),
  );
}

const OtherBodies = z.union([z.object({ error: ErrorField }), z.object({ message: z.string() }), z.string()]);

/** The error in an answer that is no JSON-RPC: Blockscout sends bare strings or its Etherscan-style object. */
function errorIn(body: unknown): z.infer<typeof ErrorField> | undefined {
  const parsed = OtherBodies.safeParse(body);
  if (!parsed.success) return undefined;
  if (typeof parsed.data === 'string') return parsed.data;
  return 'error' in parsed.data ? parsed.data.error : parsed.data.message;
}

/** What a JSON-RPC server says in the error of an answer. */
export interface RpcErrorBody {
  readonly code?: number | undefined;
  readonly message: string;
}

// HTTP's own in place of one of JSON-RPC (Alchemy); -32016: Base, Optimism and others behind proxyd; -32029: TheRPC.
const RATE_LIMIT_CODES = new Set([429, -32016, -32029, -32097]);
// Every repetition is bounded: it reads what a server says.
const RATE_LIMIT_PATTERN =
  /\brate[ -]?limit|\brequest rate|too many requests|over (?:the )?rate\b|\b(?:requests?|calls|credits|units) (?:per|a) (?:second|minute|day)\b|\/sec(?:ond)?\b|\brequest (?:count|limit) (?:exceeded|reached)/i;
/** What a contract says is no word of the server: code 3, and the texts of a revert. */
const REVERT_CODE = 3;

/**
 * Whether the error of a JSON-RPC answer, which may come with HTTP 200, is a rate limit. Codes such as -32005 and
 * -32000 stand for other limits too (Infura: `query returned more than 10000 results`): there the words tell.
 */
export function isRateLimitError({ code, message }: RpcErrorBody): boolean {
  if (code !== undefined && RATE_LIMIT_CODES.has(code)) return true;
  return code !== REVERT_CODE && RATE_LIMIT_PATTERN.test(message) && !/revert/i.test(message);
}
