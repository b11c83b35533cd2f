import type { Clock } from './clock.ts';
import { AppError, type ErrorKind, safeUrl, throwIfAborted } from './errors.ts';
import { networkFailure, networkFailureText } from './networkFailure.ts';
import { createTimeSlices } from './shared/timeSlices.ts';

/** The part of the standard `fetch` that core uses. */
export type FetchLike = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<Response>;

/** What happened on the wire, for logs. Carries no path, query, header or body. */
export interface HttpExchange {
  readonly method: string;
  readonly origin: string;
  /** HTTP status, or the kind of the failure that came instead of one. */
  readonly outcome: number | ErrorKind;
  readonly ms: number;
  readonly bytes: number;
}

export interface HttpDeps {
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly onExchange?: ((exchange: HttpExchange) => void) | undefined;
}

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Whole exchange, body included; default 30 s. */
  readonly timeoutMs?: number;
  /** Largest body read, in bytes after decompression; default 32 MiB. */
  readonly maxBytes?: number;
  /** `tell` gives a redirect out as an answer, not followed; default is to refuse it. */
  readonly redirects?: 'refuse' | 'tell';
}

export interface HttpAnswer<Body = string> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/** Characters from which on JSON is read in slices: one ordinary page of logs is less, and a full one is read in 50 ms. */
const LARGE_JSON = 1_500_000;
/** An answer of 32 MiB of logs or balances has fewer values; as many objects take about 100 MiB. */
const JSON_LIMITS = { maxDepth: 64, maxValues: 1_000_000, maxMembers: 20_000 };
/** Chunks of a body that are kept before they are joined; an ordinary page comes in fewer. */
const MOST_CHUNKS = 512;
/** Bytes that are made text at once: some milliseconds. */
const DECODED_AT_ONCE = 2 * 1024 * 1024;

/** {@link exchangeBytes} with the body as text. */
export async function exchange(deps: HttpDeps, request: HttpRequest): Promise<HttpAnswer> {
  const answer = await exchangeBytes(deps, request);
  return { ...answer, body: await decode(answer.body, deps.clock, request.signal) };
}

async function decode(bytes: Uint8Array, clock: Clock, signal: AbortSignal | undefined): Promise<string> {
  const decoder = new TextDecoder();
  if (bytes.length <= DECODED_AT_ONCE) return decoder.decode(bytes);
  const slices = createTimeSlices(clock);
  let text = '';
  for (let start = 0; start < bytes.length; start += DECODED_AT_ONCE) {
    text += decoder.decode(bytes.subarray(start, start + DECODED_AT_ONCE), { stream: true });
    if (slices.isOver()) await slices.rest();
    throwIfAborted(signal);
  }
  return text + decoder.decode();
}

/**
 * One HTTP exchange over the injected `fetch`, bounded in time and size, whatever its status.
 *
 * @throws AppError `aborted`, `timeout`, `network`, `tooLarge`, or `redirected` (a redirect is never followed).
 */
export async function exchangeBytes(deps: HttpDeps, request: HttpRequest): Promise<HttpAnswer<Uint8Array>> {
  const started = deps.clock.elapsed();
  const record = (outcome: number | ErrorKind, bytes: number) =>
    deps.onExchange?.({
      method: request.method,
      origin: safeUrl(request.url),
      outcome,
      ms: deps.clock.elapsed() - started,
      bytes,
    });
  const limit = startTimeLimit(deps.clock, request);
  try {
    const response = await deps.fetch(request.url, {
      method: request.method,
      headers: request.headers ?? {},
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: limit.signal,
      redirect: 'manual',
    });
    if (request.redirects !== 'tell') refuseRedirect(response);
    const body = await readBounded(response, request.maxBytes ?? DEFAULT_MAX_BYTES);
    record(response.status, body.byteLength);
    return { status: response.status, headers: response.headers, body };
  } catch (cause) {
    const error = limit.explain(cause);
    record(error.kind, 0);
    throw error;
  } finally {
    limit.stop();
  }
}

/** One signal out of the caller's and the time limit, and the words for whichever fired. */
function startTimeLimit(clock: Clock, request: HttpRequest) {
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const host = safeUrl(request.url);
  const stopTimer = new AbortController();
  const expired = new AbortController();
  clock.sleep(timeoutMs, stopTimer.signal).then(
    () => expired.abort(),
    () => undefined,
  );
  const signals = request.signal ? [request.signal, expired.signal] : [expired.signal];
  return {
    signal: AbortSignal.any(signals),
    // A reason of our own: the default one is an error whose stack is taken at each call.
    stop: () => stopTimer.abort('stopped'),
    explain(cause: unknown): AppError {
      if (cause instanceof AppError) return cause;
      if (request.signal?.aborted) return new AppError('aborted', 'Cancelled.', { cause });
      if (expired.signal.aborted) {
        return new AppError('timeout', `${host} did not answer within ${timeoutMs / 1000} s.`, { cause });
      }
      const failure = networkFailure(cause, request.url);
      const reason = networkFailureText(failure);
      return new AppError('network', `${host} could not be reached (${reason}).`, { cause, failure });
    },
  };
}

function refuseRedirect(response: Response): void {
  const redirected = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  if (!redirected || response.status === 304) return;
  const target = response.headers.get('location');
  void response.body?.cancel().catch(() => undefined);
  throw new AppError('redirected', `The server redirects to ${describeTarget(target, response.url)}.`, {
    status: response.status,
  });
}

function describeTarget(location: string | null, base: string): string {
  if (location === null) return 'another address';
  const resolved = URL.canParse(location, base) ? new URL(location, base).href : location;
  return safeUrl(resolved);
}

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array();
  const reader = response.body.getReader();
  const joined: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      void reader.cancel().catch(() => undefined);
      throw new AppError(
        'tooLarge',
        `The answer is over the limit of ${Math.round(maxBytes / 1024 / 1024)} MiB.`,
      );
    }
    chunks.push(value);
    if (chunks.length < MOST_CHUNKS) continue;
    // Of a byte each, they take a hundred times their size.
    joined.push(concatenate(chunks));
    chunks = [];
  }
  return concatenate([...joined, ...chunks]);
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/** The error kind that an HTTP status outside 2xx stands for. */
export function kindOfStatus(status: number): ErrorKind {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 402:
      return 'creditsUsedUp';
    case 403:
      return 'forbidden';
    case 404:
      return 'notFound';
    case 413:
      return 'requestTooLarge';
    case 429:
      return 'rateLimited';
    case 503:
      return 'unavailable';
    default:
      return status >= 500 ? 'server' : 'badResponse';
  }
}

/**
 * How long an answer asks to wait, in milliseconds, finite and 0 or more: `Retry-After` (seconds or an HTTP date), else
 * Blockscout's `x-ratelimit-reset`, which counts milliseconds and is -1 where there is no limit. It is the server's
 * wish, however long; who waits sets the bound.
 *
 * @param now in milliseconds since the Unix epoch, as an HTTP date is a moment of the clock on the wall.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const retryAfter = headers.get('retry-after')?.trim();
  if (retryAfter) {
    const seconds = Number(retryAfter);
    const ms = wishOf(Number.isNaN(seconds) ? Date.parse(retryAfter) - now : seconds * 1000);
    if (ms !== undefined) return ms;
  }
  const reset = wishOf(Number(headers.get('x-ratelimit-reset') ?? Number.NaN));
  return reset === 0 ? undefined : reset;
}

function wishOf(ms: number): number | undefined {
  return ms >= 0 ? Math.min(ms, Number.MAX_SAFE_INTEGER) : undefined;
}

/**
 * The body as JSON. A large one is read in slices of time, and refused where it holds more than any honest answer.
 *
 * @throws AppError `badResponse` saying what came instead, `tooLarge`, `aborted`.
 */
export async function parseJson(
  answer: HttpAnswer,
  origin: string,
  clock: Clock,
  signal?: AbortSignal,
): Promise<unknown> {
  try {
    if (answer.body.length < LARGE_JSON) return JSON.parse(answer.body);
    const { parseLargeJson } = await import('./shared/largeJson.ts');
    return await parseLargeJson(answer.body, JSON_LIMITS, createTimeSlices(clock), { signal });
  } catch (cause) {
    throwIfAborted(signal);
    if (cause instanceof AppError) throw cause;
    const type = answer.headers.get('content-type') ?? '';
    const what = /html/i.test(type) || /^\s*</.test(answer.body) ? 'a web page' : 'broken JSON';
    throw new AppError('badResponse', `${origin} answered with ${what} instead of JSON.`, {
      status: answer.status,
      cause,
    });
  }
}
