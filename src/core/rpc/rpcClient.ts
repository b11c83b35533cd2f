import * as z from 'zod/mini';
import type { WaitForBackoff } from '../base/clock.ts';
import { AppError, asAppError, isAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { createWorkQueue, type WorkQueue } from '../base/timeSlices.ts';
import { type HttpDeps, redactError, sendRequest, type TimedResponse } from '../http/exchange.ts';
import { optionalField } from '../http/fields.ts';
import type { JsonLimits } from '../http/largeJson.ts';
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
import { createOriginGates } from '../http/retry.ts';
import { type RetryOptions, withRetry } from '../http/withRetry.ts';

/** A JSON-RPC 2.0 endpoint. */
export interface RpcClient {
  readonly url: string;
  /**
   * Calls `method` and returns `result`, unvalidated.
   *
   * @throws AppError of any network kind; `rpc` when the server refuses the call, with its message.
   */
  call(method: string, params: readonly unknown[], options?: RpcCallOptions): Promise<unknown>;
  /**
   * Sends `calls` in one request, so that one replica behind the server's address responds to all.
   *
   * @returns the outcome of each, in the order of the calls.
   * @throws AppError as {@link call} does; `rpc`, `badResponse` or an HTTP kind when the server supports no batches.
   */
  callBatch(calls: readonly RpcCall[], options?: RpcBatchOptions): Promise<readonly RpcOutcome[]>;
}

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The outcome of one call of a batch. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: AppError };

export interface RpcCallOptions
  extends Pick<RetryOptions, 'maxHoldMs' | 'maxWaitMs' | 'persistent' | 'retries' | 'signal'> {
  /** A larger response fails with `tooLarge`; default 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** For a result that is deeper, or has more values, than that of most methods. */
  readonly json?: Partial<JsonLimits> | undefined;
}

interface RpcBatchOptions extends RpcCallOptions {
  /** It is unknown whether the server supports batches: an error that may mean that it does not is not retried. */
  readonly isTrial?: boolean;
}

/** The calls of a batch side by side, for a server that is no JSON-RPC endpoint. */
export function callOneByOne(call: RpcClient['call']): RpcClient['callBatch'] {
  return (calls, options) =>
    Promise.all(
      calls.map(async ({ method, params }) => {
        try {
          return { result: await call(method, params, options) };
        } catch (cause) {
          const error = asAppError(cause);
          if (error.kind === 'rpc' || error.kind === 'notServed') return { error };
          throw error;
        }
      }),
    );
}

interface RpcClientOptions extends HttpDeps {
  readonly url: string;
  readonly timeoutMs?: number;
  /** Queue in which large responses are parsed; default: the client's own. */
  readonly turn?: WorkQueue;
  /** Waits before a retry; default: by the clock, not visible. */
  readonly wait?: WaitForBackoff;
  /** Called with each response: at once for a large one, else after it has been parsed, with its error. */
  readonly onResponse?: (answer: TimedResponse, about: ResponseInfo) => void;
}

interface ResponseInfo {
  readonly method: string;
  readonly error: AppError | undefined;
}

/**
 * A client for the endpoint at `url`. IDs are positive integers, the only ones that every Blockscout echoes correctly.
 */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  let lastId = 0;
  const origin = safeUrl(options.url);
  const { clock } = options;
  const queue = options.turn ?? createWorkQueue(clock);
  const deps = { ...options, gates: options.gates ?? createOriginGates(clock) };
  const gate = deps.gates.of(options.url);

  async function callOnce({ method, params }: RpcCall, limits: PostLimits) {
    const id = ++lastId;
    const parseResponse = (body: unknown, received: ReceivedResponse) =>
      parseRpcResult(body, { id, origin, ...received });
    return post({ jsonrpc: '2.0', id, method, params }, { method, read: parseResponse }, limits);
  }

  async function batchOnce(calls: readonly RpcCall[], limits: PostLimits) {
    const ids = { firstId: lastId + 1, count: calls.length };
    lastId += calls.length;
    const parseResponse = (body: unknown, received: ReceivedResponse) => {
      const parseEntry = (entry: unknown, id: number) => parseRpcResult(entry, { id, origin, ...received });
      // A server that refuses a batch as a whole sends one response, or one error for all.
      if (!Array.isArray(body)) parseEntry(body, 0);
      else if (isBatchRefusal(body, calls.length)) parseEntry({ ...body[0], id: 0 }, 0);
      return parseBatch(Array.isArray(body) ? body : [], ids, parseEntry);
    };
    // The last call is the expensive one; checks go before it.
    const method = calls.at(-1)?.method ?? '';
    return post(createBatchBody(calls, ids.firstId), { method, read: parseResponse }, limits);
  }

  async function post<T>(
    body: object,
    { method, read: parse }: RpcRequest<T>,
    { signal, maxBytes = MAX_RESPONSE_BYTES, json }: PostLimits,
  ): Promise<T> {
    const response = await sendRequest(deps, {
      url: options.url,
      method: 'POST',
      // Blockscout does not decode a body of another content type.
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      maxBytes,
    });
    const parseResponse = async () => {
      throwIfAborted(signal);
      const now = clock.now();
      if (response.status < 200 || response.status > 299) throw toHttpError(response, { origin, now });
      const limits = { maxValues: MAX_RESPONSE_VALUES, ...json };
      const parsed = await parseJsonBody(response, { origin, clock, signal, limits });
      return parse(parsed, { response, now });
    };
    if (response.body.length >= LARGE_RESPONSE_BYTES) {
      // A large response is not a refusal, so the next requests need not wait until it is parsed.
      options.onResponse?.(response, { method, error: undefined });
      return await queue(parseResponse).catch(async (cause) => {
        throw await redactError(deps, asAppError(cause));
      });
    }
    try {
      const result = await parseResponse();
      options.onResponse?.(response, { method, error: undefined });
      return result;
    } catch (cause) {
      const error = await redactError(deps, asAppError(cause));
      options.onResponse?.(response, { method, error });
      throw error;
    }
  }

  async function redactOutcome(outcome: RpcOutcome): Promise<RpcOutcome> {
    return 'error' in outcome ? { error: await redactError(deps, outcome.error) } : outcome;
  }

  return {
    url: options.url,
    call: (method, params, { maxBytes, json, ...retry } = {}) =>
      withRetry({ clock, wait: options.wait, gate, ...retry }, () =>
        callOnce({ method, params }, { maxBytes, json, signal: retry.signal }),
      ),
    async callBatch(calls, { maxBytes, json, isTrial = false, ...retry } = {}) {
      let batchError: unknown;
      const outcomes = await withRetry({ clock, wait: options.wait, gate, ...retry }, async () => {
        try {
          return await batchOnce(calls, { maxBytes, json, signal: retry.signal });
        } catch (error) {
          if (!isTrial || !classifyBatchError(error)) throw error;
          batchError = error;
          return undefined;
        }
      });
      if (!outcomes) throw batchError;
      return deps.redact ? Promise.all(outcomes.map(redactOutcome)) : outcomes;
    },
  };
}

/** For methods with a short result. */
export const SHORT_RESPONSE = { maxBytes: 1024 * 1024 } as const;

type PostLimits = Pick<RpcCallOptions, 'json' | 'maxBytes' | 'signal'>;

interface RpcRequest<T> {
  readonly method: string;
  readonly read: (body: unknown, received: ReceivedResponse) => T;
}

interface ReceivedResponse {
  readonly response: HttpResponse;
  /** When it arrived, in milliseconds since the Unix epoch. */
  readonly now: number;
}

interface ResponseContext extends ReceivedResponse {
  readonly id: number;
  readonly origin: string;
}

/** Half of what other requests allow, since as many of these run at once; 20,000 logs are some 12 MiB. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** 20,000 logs have 300,000 at most. */
const MAX_RESPONSE_VALUES = 400_000;

/**
 * Whether a list of errors refuses the batch itself: fewer than the calls (geth: `batch too large`, with the ID of the
 * first), or the same one for each (dRPC: `Batch of more than 3 requests are not allowed`).
 */
function isBatchRefusal(entries: readonly unknown[], calls: number): boolean {
  const messages = new Set(entries.map(getErrorMessage));
  const [message] = messages;
  if (entries.length === 0 || messages.size !== 1 || message === undefined) return false;
  return entries.length < calls || BATCH_TEXT.test(message);
}

function getErrorMessage(entry: unknown): string | undefined {
  const { data } = Envelope.safeParse(entry);
  const error = data?.error ?? undefined;
  return typeof error === 'string' ? error : error && (error.message ?? '');
}

const BATCH_TEXT = /\bbatch/i;

function createBatchBody(calls: readonly RpcCall[], firstId: number): readonly object[] {
  return calls.map((call, place) => ({ jsonrpc: '2.0', id: firstId + place, ...call }));
}

/**
 * The outcomes in `entries`, the response to a batch of `count` calls, in the order of the calls. Servers may respond
 * in any order.
 *
 * @param parseEntry parses one response as that of a single call. A refused call becomes an outcome; any other error
 *   that it throws applies to the complete batch.
 */
function parseBatch(
  entries: readonly unknown[],
  { firstId, count }: { readonly firstId: number; readonly count: number },
  parseEntry: (entry: unknown, id: number) => unknown,
): readonly RpcOutcome[] {
  return Array.from({ length: count }, (_, place): RpcOutcome => {
    const id = firstId + place;
    const entry = entries.find((candidate) => isResponseTo(getId(candidate), id)) ?? entries[place];
    try {
      return { result: parseEntry(entry, id) };
    } catch (error) {
      if (!isAppError(error, 'rpc')) throw error;
      return { error };
    }
  });
}

function getId(entry: unknown): unknown {
  return (entry as { id?: unknown } | null | undefined)?.id;
}

/**
 * What an error means for a server that has not handled a batch yet. `refused`: it clearly supports no batches;
 * `failed`: the error may also be temporary. Undefined if the error has nothing to do with batches.
 */
export function classifyBatchError(error: unknown): 'refused' | 'failed' | undefined {
  if (isAppError(error, 'rpc', 'requestTooLarge', 'forbidden', 'notFound')) return 'refused';
  if (isAppError(error, 'badResponse')) return isClientError(error) ? 'refused' : 'failed';
  return isAppError(error, 'server', 'network') ? 'failed' : undefined;
}

/** An HTTP status of 400 to 499: the request is at fault. */
function isClientError({ details: { status = 0 } }: AppError): boolean {
  return status >= 400 && status < 500;
}

/**
 * The result in one response, unvalidated.
 *
 * @throws AppError `rpc` or `rateLimited` if the server refuses the call, `badResponse` if it is not a response to it.
 */
function parseRpcResult(body: unknown, { id, origin, response, now }: ResponseContext): unknown {
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) throw notJsonRpcError(origin, envelope.error);
  const { error, result } = envelope.data;
  if (error !== undefined && error !== null) throw toRpcError(error, response, now);
  if (result === undefined) throw notJsonRpcError(origin);
  if (!isResponseTo(envelope.data.id, id)) {
    throw new AppError('badResponse', `${origin} responded to another request (wrong JSON-RPC ID).`);
  }
  return result;
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

/** Some servers write every ID as a string. */
function isResponseTo(responseId: unknown, id: number): boolean {
  return responseId === id || responseId === `${id}`;
}

function notJsonRpcError(origin: string, cause?: unknown): AppError {
  return new AppError('badResponse', `The response of ${origin} is not JSON-RPC.`, { cause });
}

/**
 * A rate limit may come with any status. The wait that it requests is in the headers, if anywhere. An internal error
 * without details (-32603, JSON-RPC 2.0 section 5.1), or one that says that it passes, is a failure of the server, as
 * HTTP 500 is.
 */
function toRpcError(error: z.infer<typeof ErrorField>, response: HttpResponse, now: number): AppError {
  const { code, message, data } =
    typeof error === 'string' ? { code: undefined, message: error, data: undefined } : error;
  const serverMessage = truncateServerMessage(message ?? 'no reason given');
  const boundedData = truncateServerData(data);
  const isRateLimit = isRateLimitError({ code, message: serverMessage });
  const retryAfterMs = isRateLimit ? parseRetryAfterMs(response.headers, now) : undefined;
  const isInternal = code === INTERNAL_ERROR && INTERNAL_ERROR_TEXT.test(serverMessage.trim());
  const isPassing =
    code !== REVERT_CODE &&
    PASSING_TEXT.test(serverMessage) &&
    !LASTING_TEXT.test(serverMessage) &&
    !ABOUT_BLOCKS.test(serverMessage);
  const isFailure = data === undefined && (isInternal || isPassing);
  return new AppError(
    isRateLimit ? 'rateLimited' : isFailure ? 'server' : 'rpc',
    `The server refused the call: ${serverMessage}`,
    {
      serverMessage,
      ...(code === undefined ? {} : { code }),
      ...(boundedData === undefined ? {} : { data: boundedData }),
      ...(response.status === 200 ? {} : { status: response.status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

const INTERNAL_ERROR = -32603;
/** An error that says so: `Temporary internal error. Please retry` (dRPC), `upstream connect error` (Envoy). */
const PASSING_TEXT =
  /\btemporar(?:y|ily)\b|\bplease retry\b|\b(?:try again|retry) later\b|\bupstream (?:connect|request)\b|\bbad gateway\b/i;
/** What comes again with the same request: a revert, and a refusal of its result (`please retry with fewer logs`). */
const LASTING_TEXT = /revert|\b(?:logs|results)\b/i;
const ABOUT_BLOCKS = /\b(?:blocks?|range|archive|history|pruned)\b/i;
/** Without a reason: one with a reason, such as a revert, would come again. */
const INTERNAL_ERROR_TEXT =
  /^(?:an )?(?:internal|server|unexpected|unknown)(?: (?:json-rpc|rpc|server))? (?:error|failure)(?: occurred)?[.!]?$/i;

/**
 * The error of a response outside 2xx. Nodes send a JSON-RPC error with status 400, 408 or 413, and providers send a
 * refusal of blocks with any status below 500, and a revert with any. It says more than the status, except that a key is missing or wrong.
 */
function toHttpError(
  response: HttpResponse,
  { origin, now }: Pick<ResponseContext, 'now' | 'origin'>,
): AppError {
  const { status } = response;
  const body = parseErrorBody(response);
  const rpcError = findError(Array.isArray(body) ? body[0] : body);
  const message = typeof rpcError === 'string' ? rpcError : rpcError?.message;
  const isOfCall =
    [400, 408, 413].includes(status) ||
    /\breverted\b/i.test(message ?? '') ||
    (status !== 401 && status < 500 && ABOUT_BLOCKS.test(message ?? ''));
  // A limit of batches comes with any status: 500 from dRPC, with one error or with one for each call.
  if (rpcError && ![401, 403].includes(status) && BATCH_TEXT.test(message ?? ''))
    return toRpcError(rpcError, response, now);
  if (rpcError && typeof rpcError !== 'string' && isOfCall) return toRpcError(rpcError, response, now);
  return new AppError(
    getErrorKind(status),
    `${origin} responded with HTTP ${status}.`,
    toErrorDetails(response, message, now),
  );
}

/** The error in a response that is not JSON-RPC: Blockscout sends bare strings or its Etherscan-style object. */
function findError(body: unknown): z.infer<typeof ErrorField> | undefined {
  const parsed = NonRpcBody.safeParse(body);
  if (!parsed.success) return undefined;
  if (typeof parsed.data === 'string') return parsed.data;
  return 'error' in parsed.data ? parsed.data.error : parsed.data.message;
}

const NonRpcBody = z.union([z.object({ error: ErrorField }), z.object({ message: z.string() }), z.string()]);

/**
 * Whether the error of a JSON-RPC response, which may come with HTTP 200, is a rate limit. Codes such as -32005 and
 * -32000 also mean other limits (Infura: `query returned more than 10000 results`): there the message decides.
 */
export function isRateLimitError({ code, message }: RpcErrorBody): boolean {
  if (code === NETHERMIND_TIMEOUT && TIMEOUT_PATTERN.test(message)) return false;
  if (code !== undefined && RATE_LIMIT_CODES.has(code)) return true;
  return code !== REVERT_CODE && RATE_LIMIT_PATTERN.test(message) && !/revert/i.test(message);
}

// 429: the HTTP status as a code (Alchemy); -32016: Base, Optimism and others behind proxyd; -32029: TheRPC.
const RATE_LIMIT_CODES = new Set([429, -32016, -32029, -32097]);
/** Also the code of proxyd, above: there the message decides. */
const NETHERMIND_TIMEOUT = -32016;
const TIMEOUT_PATTERN = /time(?:d |-)?out|\bcancell?ed\b/i;
// Every repetition is bounded, since the text is untrusted.
const RATE_LIMIT_PATTERN =
  /\brate[ -]?limit|\brequest rate|too many requests|over (?:the )?rate\b|\b(?:requests?|calls|credits|units) (?:per|a) (?:second|minute|day)\b|\/sec(?:ond)?\b|\brequest (?:count|limit) (?:exceeded|reached)|\brps\b|\bthroughput\b|try again in \d/i;
/** A revert: its text comes from the contract, not from the server. */
const REVERT_CODE = 3;

export interface RpcErrorBody {
  readonly code?: number | undefined;
  readonly message: string;
}
