import * as z from 'zod/mini';
import type { RequestThrottle, WaitForBackoff } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import { AppError, asAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { type HttpDeps, redactError, sendRequest } from './exchange.ts';
import { optionalField } from './fields.ts';
import { getErrorKind, parseErrorBody, parseJsonBody, toErrorDetails } from './response.ts';
import { MAX_HOLD_MS, withRetry } from './retry.ts';

interface JsonDeps extends HttpDeps {
  /** Waits before a second try; default: by the clock. */
  readonly wait?: WaitForBackoff | undefined;
}

/**
 * What a server means by a refusal: its own words, an error in place of what the status stands for, or `isAnswer`,
 * where the body is one whatever the status says.
 */
export interface ErrorInterpretation {
  readonly message?: string | undefined;
  readonly error?: AppError;
  readonly isResult?: true;
}

interface FetchJsonOptions extends Abortable {
  /** An answer of more bytes than this is `tooLarge`. */
  readonly maxBytes: number;
  readonly timeoutMs?: number;
  /** Sent beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The pace that the service allows; default: that of its gate alone. */
  readonly throttle?: RequestThrottle;
  /** A wait longer than this before another try is not waited; default 10 s. */
  readonly maxWaitMs?: number;
  /** Looks at an answer outside 200 first; `body` is undefined where it is no JSON. */
  readonly refusal?: (status: number, body: unknown) => ErrorInterpretation;
}

/**
 * The JSON, unvalidated, that a server gives at `url`.
 *
 * @throws AppError of any network kind, after second tries where they may help; `notFound` where there is no such route
 *   or thing.
 * @example await fetchJson(http, url, { signal, maxBytes: 1024 * 1024 });
 */
export function fetchJson(http: JsonDeps, url: URL, options: FetchJsonOptions): Promise<unknown> {
  const { throttle, maxWaitMs, refusal, ...limits } = options;
  const { clock, wait } = http;
  const { signal } = options;
  const gate = http.gates?.of(url.href);
  const origin = safeUrl(url.href);
  const trying = { clock, wait, gate, signal, maxHoldMs: MAX_HOLD_MS };
  return withRetry({ ...trying, ...(maxWaitMs !== undefined && { maxWaitMs }) }, async () => {
    await throttle?.pass({ signal });
    throwIfAborted(signal);
    const headers = { accept: 'application/json', ...options.headers };
    const answer = await sendRequest(http, { ...limits, url: url.href, method: 'GET', headers });
    try {
      const { status } = answer;
      if (status === 200) return await parseJsonBody(answer, { origin, clock, signal });
      const body = parseErrorBody(answer);
      const { message, error, isResult } = refusal?.(status, body) ?? {};
      if (isResult) return body;
      const details = toErrorDetails(answer, message, clock.now());
      throw (
        error ?? new AppError(getErrorKind(status), `${origin} refused the request (${status}).`, details)
      );
    } catch (cause) {
      throw await redactError(http, asAppError(cause));
    }
  });
}

export type ExplorerDeps = JsonDeps;

type ExplorerGet = Pick<Parameters<typeof fetchJson>[2], 'headers' | 'maxBytes' | 'signal' | 'timeoutMs'>;

/** What others wait for is waited for here too: they read on only when the answer is there. */
export const EXPLORER_RETRY = { maxWaitMs: 5000, maxHoldMs: MAX_HOLD_MS };

/**
 * The JSON, unvalidated, that an explorer gives at `url`, from `explorerApiUrl`.
 *
 * @throws AppError as `fetchJson`; with the words of the explorer, where it has some, in `serverMessage` of its details.
 * @example await fetchFromExplorer(http, url, { maxBytes: 1024 * 1024 });
 */
export function fetchFromExplorer(http: ExplorerDeps, url: URL, options: ExplorerGet): Promise<unknown> {
  const refusal = (_status: number, body: unknown) => ({ message: readExplorerError(body) });
  return fetchJson(http, url, { ...options, maxWaitMs: EXPLORER_RETRY.maxWaitMs, refusal });
}

const ExplorerError = z.object({
  message: optionalField(z.string()),
  error: optionalField(z.string()),
  // Since v10, of parameters that the description of a route does not have.
  errors: optionalField(
    z.array(z.object({ title: optionalField(z.string()), detail: optionalField(z.string()) })),
  ),
});

/**
 * An explorer's own words for why it refuses, out of the JSON of its answer; undefined where it has none.
 *
 * @example readExplorerError({ message: 'Not found' }) // 'Not found'
 */
export function readExplorerError(body: unknown): string | undefined {
  const said = ExplorerError.safeParse(body).data;
  const [first] = said?.errors ?? [];
  return said?.message ?? said?.error ?? first?.detail ?? first?.title;
}

/**
 * Whether an explorer says that a thing is not there, which is 404 in these very words. Any other 404 is of a route, or
 * of the whole interface where it is switched off.
 *
 * @example isExplorerNotFound({ details: { status: 404, serverMessage: 'Not found' } }) // true
 */
export function isExplorerNotFound({
  details: { status, serverMessage = '' },
}: Pick<AppError, 'details'>): boolean {
  return status === 404 && /^(?:block )?not found$/i.test(serverMessage.trim());
}
