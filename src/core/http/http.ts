import type { Clock } from '../base/clock.ts';
import { AppError, type ErrorKind, safeUrl } from '../base/errors.ts';
import { untilAborted } from '../base/untilAborted.ts';
import type { HttpAnswer } from './httpAnswer.ts';
import type { OriginGates } from './originGate.ts';
import { isLimitSpent, serverWaitMs } from './rateHeaders.ts';
import { readBody } from './readBody.ts';
import { startTimeLimit } from './timeLimit.ts';

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
  /** `tell` gives a redirect out as an answer, not followed; default is to refuse it. */
  readonly redirects?: 'refuse' | 'tell';
}

/** An answer as it came, and after how many milliseconds its head was there. */
export interface TimedAnswer extends HttpAnswer {
  readonly headMs: number;
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/**
 * One HTTP exchange over the injected `fetch`, bounded in time and size, whatever its status and however that `fetch`
 * takes its signal.
 *
 * @throws AppError `aborted`, `timeout`, `network`, `tooLarge`, or `redirected` (a redirect is never followed).
 */
export async function exchange(deps: HttpDeps, request: HttpRequest): Promise<TimedAnswer> {
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
    const answer = await untilAborted(ask(deps, { ...request, signal: limit.signal }), limit.signal);
    record(answer.status, answer.body.byteLength);
    holdWhereSpent(deps, request.url, answer.headers);
    return answer;
  } catch (cause) {
    const error = limit.explain(cause);
    record(error.kind, 0);
    throw error;
  } finally {
    limit.stop();
  }
}

async function ask(
  { fetch, clock }: HttpDeps,
  request: HttpRequest & { readonly signal: AbortSignal },
): Promise<TimedAnswer> {
  const { signal, maxBytes = DEFAULT_MAX_BYTES } = request;
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
  const body = await readBody(response, { maxBytes, signal });
  return { status: response.status, headers: response.headers, body, headMs };
}

/** A limit that is spent with an answer is not tried: the server says when it begins anew. */
function holdWhereSpent({ gates, clock }: HttpDeps, url: string, headers: Headers): void {
  const ms = isLimitSpent(headers) ? serverWaitMs(headers, clock.now()) : undefined;
  if (ms !== undefined) gates?.of(url).hold(ms);
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
