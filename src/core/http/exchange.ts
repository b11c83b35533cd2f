import type { Clock } from '../base/clock.ts';
import { type Abortable, untilAborted } from '../base/concurrency.ts';
import { AppError, type ErrorKind, safeUrl } from '../base/errors.ts';
import { findNetworkError, formatNetworkError } from '../base/networkErrors.ts';
import { concatBytes } from '../eth/bytes.ts';
import { type HttpResponse, isRateLimitSpent, parseRetryAfterMs } from './response.ts';
import type { OriginGates } from './retry.ts';

export interface HttpDeps {
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly onExchange?: ((exchange: HttpExchange) => void) | undefined;
  /** Called with the header `x-credits-remaining` of each response that has it. */
  readonly onCredits?: ((left: RemainingCredits) => void) | undefined;
  /** Removes secrets from an error, such as the key that a request carries. */
  readonly redact?: ((error: AppError) => Promise<AppError>) | undefined;
  /** Removes secrets from the body of a response: a server may repeat what it was sent. */
  readonly redactText?: ((text: string) => Promise<string>) | undefined;
  /** Read with each request, which is cancelled once the signal aborts: its secret has changed. */
  readonly until?: (() => AbortSignal | undefined) | undefined;
  /**
   * Shared by all clients in a process, so that all of them respect a wait that a server requests. Default: own gates.
   */
  readonly gates?: OriginGates | undefined;
}

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

/** What happened on the wire, for logs. It contains no path, query, header or body. */
export interface HttpExchange {
  readonly method: string;
  readonly origin: string;
  /** HTTP status, or the kind of the error if there was no response. */
  readonly outcome: number | ErrorKind;
  readonly ms: number;
  readonly bytes: number;
}

export interface RemainingCredits {
  readonly origin: string;
  readonly credits: number;
}

interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** For the entire exchange, body included; default 30 s. */
  readonly timeoutMs?: number;
  /** Maximum size of the body, in bytes after decompression; default 32 MiB. */
  readonly maxBytes?: number;
  /** What to do with a larger body: `cut` returns its beginning with `isCut`. Default: fail with `tooLarge`. */
  readonly larger?: 'refuse' | 'cut';
  /** `tell` returns a redirect as a response, without following it. Default: fail with `redirected`. */
  readonly redirects?: 'refuse' | 'tell';
}

/** A response, and the milliseconds until its headers arrived. */
export interface TimedResponse extends HttpResponse {
  readonly headMs: number;
  /** The body is longer than what was read. */
  readonly isCut: boolean;
}

/**
 * One HTTP exchange over the injected `fetch`, bounded in time and size even if that `fetch` ignores its signal.
 * Resolves for every HTTP status except a redirect, which is never followed.
 *
 * @throws AppError `aborted`, `timeout`, `network`, `tooLarge`, `redirected`, `needsKey`.
 */
export async function sendRequest(deps: HttpDeps, request: HttpRequest): Promise<TimedResponse> {
  const started = deps.clock.elapsed();
  const record = (outcome: number | ErrorKind, bytes: number) =>
    deps.onExchange?.({
      method: request.method,
      origin: safeUrl(request.url),
      outcome,
      ms: deps.clock.elapsed() - started,
      bytes,
    });
  const timeLimit = startTimeLimit(deps.clock, {
    ...request,
    signal: anySignal(request.signal, deps.until?.()),
  });
  try {
    const { signal, noteHead } = timeLimit;
    const response = await untilAborted(fetchOnce(deps, { ...request, signal, noteHead }), signal);
    record(response.status, response.body.byteLength);
    holdIfSpent(deps, request.url, response.headers);
    reportCredits(deps, request.url, response.headers);
    return deps.redactText
      ? { ...response, body: await redactBody(response.body, deps.redactText) }
      : response;
  } catch (cause) {
    const error = timeLimit.toError(cause);
    // Nothing was sent.
    if (error.kind !== 'needsKey') record(error.kind, 0);
    throw await redactError(deps, error);
  } finally {
    timeLimit.stop();
  }
}

export async function redactError({ redact }: Pick<HttpDeps, 'redact'>, error: AppError): Promise<AppError> {
  return redact ? redact(error) : error;
}

async function redactBody(
  body: Uint8Array,
  redactText: (text: string) => Promise<string>,
): Promise<Uint8Array> {
  const text = new TextDecoder().decode(body);
  const redacted = await redactText(text);
  return redacted === text ? body : new TextEncoder().encode(redacted);
}

function anySignal(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  return a && b ? AbortSignal.any([a, b]) : (a ?? b);
}

async function fetchOnce(
  { fetch, clock }: HttpDeps,
  request: HttpRequest & Pick<TimeLimit, 'signal' | 'noteHead'>,
): Promise<TimedResponse> {
  const { signal, noteHead, maxBytes = DEFAULT_MAX_BYTES, larger = 'refuse' } = request;
  const started = clock.elapsed();
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers ?? {},
    ...(request.body === undefined ? {} : { body: request.body }),
    signal,
    redirect: 'manual',
  });
  const headMs = clock.elapsed() - started;
  noteHead(response.status);
  // A browser does not say where a redirect leads.
  if (request.redirects !== 'tell' || response.type === 'opaqueredirect') refuseRedirect(response);
  const checkRate = createRateCheck(clock, { url: request.url, status: response.status });
  const { body, isCut } = await readBody(response, { maxBytes, larger, signal, checkRate });
  return { status: response.status, headers: response.headers, body, headMs, isCut };
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/** If a response uses up the rate limit, the next request waits until the server resets it. */
function holdIfSpent({ gates, clock }: HttpDeps, url: string, headers: Headers): void {
  const ms = isRateLimitSpent(headers) ? parseRetryAfterMs(headers, clock.now()) : undefined;
  if (ms !== undefined) gates?.of(url).hold(ms);
}

function reportCredits({ onCredits }: HttpDeps, url: string, headers: Headers): void {
  const text = headers.get('x-credits-remaining')?.trim() ?? '';
  if (onCredits && /^\d{1,15}$/.test(text)) onCredits({ origin: safeUrl(url), credits: Number(text) });
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

/** One signal for the caller's signal and the time limit, and the error for whichever fired. */
interface TimeLimit {
  readonly signal: AbortSignal;
  /** Takes the status of a response whose body is still to come. */
  noteHead(status: number): void;
  stop(): void;
  toError(cause: unknown): AppError;
}

function startTimeLimit(clock: Clock, request: LimitedRequest): TimeLimit {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = request;
  const host = safeUrl(request.url);
  const stopTimer = new AbortController();
  const expired = new AbortController();
  let head: { readonly status: number } | undefined;
  clock.sleep(timeoutMs, { signal: stopTimer.signal }).then(
    () => expired.abort(),
    () => undefined,
  );
  const signals = request.signal ? [request.signal, expired.signal] : [expired.signal];
  return {
    signal: AbortSignal.any(signals),
    noteHead(status) {
      head = { status };
    },
    // An explicit reason is cheaper: the default one is an error, which captures a stack at each call.
    stop: () => stopTimer.abort('stopped'),
    toError(cause: unknown): AppError {
      if (cause instanceof AppError && cause.kind !== 'aborted') return cause;
      if (request.signal?.aborted) return new AppError('aborted', 'Cancelled.', { cause });
      if (expired.signal.aborted) {
        const did = head ? 'did not finish its response' : 'did not respond';
        return new AppError('timeout', `${host} ${did} within ${timeoutMs / 1000} s.`, { cause, ...head });
      }
      const networkError = findNetworkError(cause, request.url);
      const reason = formatNetworkError(networkError);
      return new AppError('network', `${host} could not be reached (${reason}).`, {
        cause,
        networkError,
      });
    },
  };
}

interface LimitedRequest extends Abortable {
  readonly url: string;
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Checks at each piece of a body that the server does not send it byte by byte, which would hold a caller to the end
 * of the time limit. The time until the first piece does not count: a server may send its headers early.
 *
 * @throws AppError `timeout` with the status of the response, which is not retried.
 */
function createRateCheck(
  clock: Clock,
  { url, status }: { readonly url: string; readonly status: number },
): (bytes: number) => void {
  let first: number | undefined;
  return (bytes) => {
    first ??= clock.elapsed();
    const ms = clock.elapsed() - first;
    if (ms < SLOW_BODY_MS || bytes >= (ms / 1000) * MIN_BYTES_PER_SECOND) return;
    const seconds = Math.round(ms / 1000);
    const message = `${safeUrl(url)} sends its response too slowly: ${bytes} bytes in ${seconds} s.`;
    throw new AppError('timeout', message, { status });
  };
}

const SLOW_BODY_MS = 15_000;
const MIN_BYTES_PER_SECOND = 1024;

/**
 * Reads the body up to `maxBytes` bytes after decompression.
 *
 * @throws AppError `tooLarge` for a longer body, unless it may be cut; `timeout` for one that drips; whatever the stream throws when it breaks off or
 *   the signal aborts.
 */
async function readBody(response: Response, limits: BodyLimits): Promise<ReceivedBody> {
  const { signal } = limits;
  if (!response.body) return { body: new Uint8Array(), isCut: false };
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  try {
    const received = await readChunks(reader, limits);
    if (received.isCut) cancel();
    return received;
  } catch (error) {
    cancel();
    throw error;
  } finally {
    // Node retains a composite signal, and all that its listeners reference, as long as it has listeners.
    signal.removeEventListener('abort', cancel);
  }
}

interface BodyLimits {
  readonly maxBytes: number;
  readonly larger: 'refuse' | 'cut';
  readonly signal: AbortSignal;
  /** Receives the bytes so far with each chunk. */
  readonly checkRate: (bytes: number) => void;
}

interface ReceivedBody {
  readonly body: Uint8Array;
  readonly isCut: boolean;
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, larger, checkRate }: BodyLimits,
): Promise<ReceivedBody> {
  const joined: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    checkRate(size);
    if (size > maxBytes && larger === 'cut') {
      const head = value.subarray(0, value.byteLength - (size - maxBytes));
      return { body: concatBytes([...joined, ...chunks, head]), isCut: true };
    }
    if (size > maxBytes) {
      const maxMiB = Math.round(maxBytes / 1024 / 1024);
      throw new AppError('tooLarge', `The response is over the limit of ${maxMiB} MiB.`);
    }
    chunks.push(value);
    if (chunks.length < MAX_CHUNKS) continue;
    // Chunks of one byte each take a hundred times their size.
    joined.push(concatBytes(chunks));
    chunks = [];
  }
  return { body: concatBytes([...joined, ...chunks]), isCut: false };
}

/** Chunks that are collected before they are joined. An ordinary page has fewer. */
const MAX_CHUNKS = 512;
