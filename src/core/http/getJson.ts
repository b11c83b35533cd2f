import type { Abortable } from '../base/abortable.ts';
import { AppError, asAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import type { RateLimit } from '../base/rateLimit.ts';
import type { Wait } from '../base/waits.ts';
import { exchange, type HttpDeps, redacted } from './http.ts';
import { kindOfStatus, parseJson, refusalDetails, refusalJson } from './httpAnswer.ts';
import { LONGEST_HOLD_MS } from './originGate.ts';
import { withRetry } from './retry.ts';

export interface JsonDeps extends HttpDeps {
  /** Waits before a second try; default: by the clock. */
  readonly wait?: Wait | undefined;
}

/**
 * What a server means by a refusal: its own words, an error in place of what the status stands for, or `isAnswer`,
 * where the body is one whatever the status says.
 */
export interface ReadRefusal {
  readonly words?: string | undefined;
  readonly error?: AppError;
  readonly isAnswer?: true;
}

interface GetJson extends Abortable {
  /** An answer of more bytes than this is `tooLarge`. */
  readonly maxBytes: number;
  readonly timeoutMs?: number;
  /** Sent beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The pace that the service allows; default: that of its gate alone. */
  readonly rateLimit?: RateLimit;
  /** A wait longer than this before another try is not waited; default 10 s. */
  readonly longestWaitMs?: number;
  /** Looks at an answer outside 200 first; `body` is undefined where it is no JSON. */
  readonly refusal?: (status: number, body: unknown) => ReadRefusal;
}

/**
 * The JSON, unvalidated, that a server gives at `url`.
 *
 * @throws AppError of any network kind, after second tries where they may help; `notFound` where there is no such route
 *   or thing.
 * @example await getJson(http, url, { signal, maxBytes: 1024 * 1024 });
 */
export function getJson(http: JsonDeps, url: URL, options: GetJson): Promise<unknown> {
  const { rateLimit, longestWaitMs, refusal, ...limits } = options;
  const { clock, wait } = http;
  const { signal } = options;
  const gate = http.gates?.of(url.href);
  const origin = safeUrl(url.href);
  const trying = { clock, wait, gate, signal, longestHoldMs: LONGEST_HOLD_MS };
  return withRetry({ ...trying, ...(longestWaitMs !== undefined && { longestWaitMs }) }, async () => {
    await rateLimit?.pass({ signal });
    throwIfAborted(signal);
    const headers = { accept: 'application/json', ...options.headers };
    const answer = await exchange(http, { ...limits, url: url.href, method: 'GET', headers });
    try {
      const { status } = answer;
      if (status === 200) return await parseJson(answer, { origin, clock, signal });
      const body = refusalJson(answer);
      const { words, error, isAnswer } = refusal?.(status, body) ?? {};
      if (isAnswer) return body;
      const details = refusalDetails(answer, words, clock.now());
      throw (
        error ?? new AppError(kindOfStatus(status), `${origin} refused the request (${status}).`, details)
      );
    } catch (cause) {
      throw await redacted(http, asAppError(cause));
    }
  });
}
