import type { Clock } from '../base/clock.ts';
import { type Abortable, untilAborted } from '../base/concurrency.ts';
import { AppError, type ErrorKind, safeUrl } from '../base/errors.ts';
import { findNetworkError, formatNetworkError } from '../base/networkErrors.ts';
import { concatBytes } from '../eth/bytes.ts';
import { type HttpResponse, isRateLimitSpent, parseRetryAfterMs } from './response.ts';
import type { OriginGates } from './retry.ts';

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

/** What is left of the credits that a server counts for a key. */
export interface RemainingCredits {
  readonly origin: string;
  readonly credits: number;
}

export interface HttpDeps {
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly onExchange?: ((exchange: HttpExchange) => void) | undefined;
  /** Told of what a server says is left of the credits of its key, by the header `x-credits-remaining`. */
  readonly onCredits?: ((left: RemainingCredits) => void) | undefined;
  /** Takes what must not be told, such as a secret that goes along, out of an error. */
  readonly redact?: ((error: AppError) => Promise<AppError>) | undefined;
  /**
   * Asked with each request, which is cancelled once the signal aborts: a secret that it goes with is another one then.
   */
  readonly until?: (() => AbortSignal | undefined) | undefined;
  /** Shared by all clients in a process, so that none asks a server while another waits for it; default: their own. */
  readonly gates?: OriginGates | undefined;
}

interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Whole exchange, body included; default 30 s. */
  readonly timeoutMs?: number;
  /** Largest body read, in bytes after decompression; default 32 MiB. */
  readonly maxBytes?: number;
  /** What becomes of a longer one: `cut` gives out what came, and says so; default is to refuse it. */
  readonly larger?: 'refuse' | 'cut';
  /** `tell` gives a redirect out as an answer, not followed; default is to refuse it. */
  readonly redirects?: 'refuse' | 'tell';
}

/** An answer as it came, and after how many milliseconds its head was there. */
export interface TimedResponse extends HttpResponse {
  readonly headMs: number;
  /** The body goes on behind what was read of it. */
  readonly isCut: boolean;
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/**
 * One HTTP exchange over the injected `fetch`, bounded in time and size, whatever its status and however that `fetch`
 * takes its signal.
 *
 * @throws AppError `aborted`, `timeout`, `network`, `tooLarge`, or `redirected` (a redirect is never followed).
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
  const limit = startTimeLimit(deps.clock, {
    ...request,
    signal: eitherSignal(request.signal, deps.until?.()),
  });
  try {
    const answer = await untilAborted(ask(deps, { ...request, signal: limit.signal }), limit.signal);
    record(answer.status, answer.body.byteLength);
    holdWhereSpent(deps, request.url, answer.headers);
    reportCredits(deps, request.url, answer.headers);
    return answer;
  } catch (cause) {
    const error = limit.explain(cause);
    // Nothing was on the wire.
    if (error.kind !== 'needsKey') record(error.kind, 0);
    throw await redactError(deps, error);
  } finally {
    limit.stop();
  }
}

/** `error` without what must not be told. */
export async function redactError({ redact }: Pick<HttpDeps, 'redact'>, error: AppError): Promise<AppError> {
  return redact ? redact(error) : error;
}

function eitherSignal(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  return a && b ? AbortSignal.any([a, b]) : (a ?? b);
}

async function ask(
  { fetch, clock }: HttpDeps,
  request: HttpRequest & { readonly signal: AbortSignal },
): Promise<TimedResponse> {
  const { signal, maxBytes = DEFAULT_MAX_BYTES, larger = 'refuse' } = request;
  const started = clock.elapsed();
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers ?? {},
    ...(request.body === undefined ? {} : { body: request.body }),
    signal,
    redirect: 'manual',
  });
  const headMs = clock.elapsed() - started;
  if (request.redirects !== 'tell') refuseRedirect(response);
  const { body, isCut } = await readBody(response, { maxBytes, larger, signal });
  return { status: response.status, headers: response.headers, body, headMs, isCut };
}

/** A limit that is spent with an answer is not tried: the server says when it begins anew. */
function holdWhereSpent({ gates, clock }: HttpDeps, url: string, headers: Headers): void {
  const ms = isRateLimitSpent(headers) ? parseRetryAfterMs(headers, clock.now()) : undefined;
  if (ms !== undefined) gates?.of(url).hold(ms);
}

function reportCredits({ onCredits }: HttpDeps, url: string, headers: Headers): void {
  const written = headers.get('x-credits-remaining')?.trim() ?? '';
  if (onCredits && /^\d{1,15}$/.test(written)) onCredits({ origin: safeUrl(url), credits: Number(written) });
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

const DEFAULT_TIMEOUT_MS = 30_000;

interface LimitedRequest extends Abortable {
  readonly url: string;
  /** Default 30 s. */
  readonly timeoutMs?: number;
}

/** One signal out of the caller's and the time limit, and the words for whichever fired. */
function startTimeLimit(clock: Clock, request: LimitedRequest) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = request;
  const host = safeUrl(request.url);
  const stopTimer = new AbortController();
  const expired = new AbortController();
  clock.sleep(timeoutMs, { signal: stopTimer.signal }).then(
    () => expired.abort(),
    () => undefined,
  );
  const signals = request.signal ? [request.signal, expired.signal] : [expired.signal];
  return {
    signal: AbortSignal.any(signals),
    // A reason of our own: the default one is an error whose stack is taken at each call.
    stop: () => stopTimer.abort('stopped'),
    explain(cause: unknown): AppError {
      if (cause instanceof AppError && cause.kind !== 'aborted') return cause;
      if (request.signal?.aborted) return new AppError('aborted', 'Cancelled.', { cause });
      if (expired.signal.aborted) {
        return new AppError('timeout', `${host} did not answer within ${timeoutMs / 1000} s.`, { cause });
      }
      const failure = findNetworkError(cause, request.url);
      const reason = formatNetworkError(failure);
      return new AppError('network', `${host} could not be reached (${reason}).`, {
        cause,
        networkError: failure,
      });
    },
  };
}

/** Chunks of a body that are kept before they are joined; an ordinary page comes in fewer. */
const MAX_CHUNKS = 512;

interface BodyLimits {
  readonly maxBytes: number;
  readonly larger: 'refuse' | 'cut';
  readonly signal: AbortSignal;
}

interface ReadBody {
  readonly body: Uint8Array;
  readonly isCut: boolean;
}

/**
 * The body of an answer, of at most `maxBytes` bytes after decompression; a longer one is left where it goes over.
 *
 * @throws AppError `tooLarge` unless it may be cut; what the stream throws, when it breaks off or the signal aborts.
 */
async function readBody(response: Response, limits: BodyLimits): Promise<ReadBody> {
  const { signal } = limits;
  if (!response.body) return { body: new Uint8Array(), isCut: false };
  const reader = response.body.getReader();
  const hangUp = () => void reader.cancel().catch(() => undefined);
  if (signal.aborted) hangUp();
  signal.addEventListener('abort', hangUp);
  try {
    const read = await readChunks(reader, limits);
    if (read.isCut) hangUp();
    return read;
  } catch (error) {
    hangUp();
    throw error;
  } finally {
    // Node keeps a signal made of others, and all that its listeners hold, for as long as it has any.
    signal.removeEventListener('abort', hangUp);
  }
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, larger }: BodyLimits,
): Promise<ReadBody> {
  const joined: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes && larger === 'cut') {
      const fits = value.subarray(0, value.byteLength - (size - maxBytes));
      return { body: concatBytes([...joined, ...chunks, fits]), isCut: true };
    }
    if (size > maxBytes) {
      const most = Math.round(maxBytes / 1024 / 1024);
      throw new AppError('tooLarge', `The answer is over the limit of ${most} MiB.`);
    }
    chunks.push(value);
    if (chunks.length < MAX_CHUNKS) continue;
    // Of a byte each, they take a hundred times their size.
    joined.push(concatBytes(chunks));
    chunks = [];
  }
  return { body: concatBytes([...joined, ...chunks]), isCut: false };
}
