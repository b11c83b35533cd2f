import * as z from 'zod/mini';
import type { RequestThrottle, WaitForBackoff } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { AppError, asAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { type HttpDeps, redactError, sendRequest } from './exchange.ts';
import { optionalField } from './fields.ts';
import { getErrorKind, parseErrorBody, parseJsonBody, toErrorDetails } from './response.ts';
import { MAX_HOLD_MS } from './retry.ts';
import { withRetry } from './withRetry.ts';

/**
 * Fetches JSON from `url`, unvalidated. Failures that may pass are retried.
 *
 * @throws AppError of any network kind; `notFound` if the route or the object does not exist.
 * @example await fetchJson(http, url, { signal, maxBytes: 1024 * 1024 });
 */
export function fetchJson(http: JsonDeps, url: URL, options: FetchJsonOptions): Promise<unknown> {
  const { throttle, maxWaitMs, interpretError, ...limits } = options;
  const { clock, wait } = http;
  const { signal } = options;
  const gate = http.gates?.of(url.href);
  const origin = safeUrl(url.href);
  const retry = { clock, wait, gate, signal, maxHoldMs: MAX_HOLD_MS };
  return withRetry({ ...retry, ...(maxWaitMs !== undefined && { maxWaitMs }) }, async () => {
    await throttle?.pass({ signal });
    throwIfAborted(signal);
    const headers = { accept: 'application/json', ...options.headers };
    const response = await sendRequest(http, { ...limits, url: url.href, method: 'GET', headers });
    try {
      const { status } = response;
      if (status === 200) return await parseJsonBody(response, { origin, clock, signal });
      const body = parseErrorBody(response);
      const { message, error, isResult } = interpretError?.(status, body) ?? {};
      if (isResult) return body;
      const details = toErrorDetails(response, message, clock.now());
      throw (
        error ?? new AppError(getErrorKind(status), `${origin} refused the request (${status}).`, details)
      );
    } catch (cause) {
      throw await redactError(http, asAppError(cause));
    }
  });
}

interface JsonDeps extends HttpDeps {
  /** Waits before a retry; default: by the clock. */
  readonly wait?: WaitForBackoff | undefined;
}

/**
 * How a provider reads a status other than 200: the server's message, an error that replaces the one of the status, or
 * `isResult` if the body is a result despite the status.
 */
export interface ErrorInterpretation {
  readonly message?: string | undefined;
  readonly error?: AppError;
  readonly isResult?: true;
}

interface FetchJsonOptions extends Abortable {
  /** A larger response fails with `tooLarge`. */
  readonly maxBytes: number;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The rate that the service allows. Default: only what its gate enforces. */
  readonly throttle?: RequestThrottle;
  /** A longer wait before a retry fails instead; default 10 s. */
  readonly maxWaitMs?: number;
  /** Interprets a response other than 200; `body` is undefined if it is not JSON. */
  readonly interpretError?: (status: number, body: unknown) => ErrorInterpretation;
}

export type ExplorerDeps = JsonDeps;

/**
 * Fetches JSON, unvalidated, from a `url` of `explorerApiUrl`.
 *
 * @throws AppError as {@link fetchJson}; `serverMessage` of its details has the message of the explorer, if any.
 * @example await fetchFromExplorer(http, url, { maxBytes: 1024 * 1024 });
 */
export function fetchFromExplorer(http: ExplorerDeps, url: URL, options: ExplorerGet): Promise<unknown> {
  const interpretError = (_status: number, body: unknown) => ({ message: readExplorerError(body) });
  return fetchJson(http, url, { ...options, maxWaitMs: EXPLORER_RETRY.maxWaitMs, interpretError });
}

type ExplorerGet = Pick<Parameters<typeof fetchJson>[2], 'headers' | 'maxBytes' | 'signal' | 'timeoutMs'>;

/** A hold of the gate is waited for in full, since the other callers wait for it as well. */
export const EXPLORER_RETRY = { maxWaitMs: 5000, maxHoldMs: MAX_HOLD_MS };

/**
 * The message in an error of an explorer; undefined if it has none.
 *
 * @example readExplorerError({ message: 'Not found' }) // 'Not found'
 */
export function readExplorerError(body: unknown): string | undefined {
  const parsed = ExplorerError.safeParse(body).data;
  const first = ExplorerErrorItem.safeParse(parsed?.errors?.[0]).data;
  return parsed?.message ?? parsed?.error ?? first?.detail ?? first?.title;
}

const ExplorerError = z.object({
  message: optionalField(z.string()),
  error: optionalField(z.string()),
  // Since v10, for parameters that the route does not have.
  errors: optionalField(z.array(z.unknown())),
});
const ExplorerErrorItem = z.object({
  title: optionalField(z.string()),
  detail: optionalField(z.string()),
});

/**
 * Whether an explorer reports that an object does not exist: 404 with exactly this message. Any other 404 means that
 * the route, or the entire API, does not exist or is switched off.
 *
 * @example isExplorerNotFound({ details: { status: 404, serverMessage: 'Not found' } }) // true
 */
export function isExplorerNotFound({
  details: { status, serverMessage = '' },
}: Pick<AppError, 'details'>): boolean {
  return status === 404 && /^(?:block )?not found$/i.test(serverMessage.trim());
}
