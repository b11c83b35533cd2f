import * as z from 'zod/mini';
import { AppError } from '../base/errors.ts';
import { type HttpAnswer, kindOfStatus, refusalDetails, refusalJson } from '../http/httpAnswer.ts';
import { serverWords } from '../http/serverWords.ts';

const Words = z.object({ error: z.object({ message: z.string() }) });
/** Where a portal names no wait: the window in which the public one counts requests. */
const RATE_WINDOW_MS = 10_000;
/** The portal's own status for having too much to do. */
const OVERLOADED = 529;

/**
 * The error that a portal's answer outside 2xx stands for. A query that it does not take is `rpc`, as of other servers:
 * asking the same again is of no use.
 *
 * @param now in milliseconds since the Unix epoch.
 */
export function portalError(answer: HttpAnswer, origin: string, now: number): AppError {
  const { status } = answer;
  const details = refusalDetails(answer, wordsOf(answer), now);
  if (status === 400 || status === 422) {
    return new AppError(
      'rpc',
      `${origin} refused the query: ${details.serverMessage ?? `HTTP ${status}`}`,
      details,
    );
  }
  if (status === 429) {
    return new AppError('rateLimited', `${origin} answered with HTTP 429.`, {
      retryAfterMs: RATE_WINDOW_MS,
      ...details,
    });
  }
  const kind = status === OVERLOADED ? 'unavailable' : kindOfStatus(status);
  return new AppError(kind, `${origin} answered with HTTP ${status}.`, details);
}

/** In an envelope of JSON, or as plain text of earlier releases. */
function wordsOf(answer: HttpAnswer): string | undefined {
  const parsed = Words.safeParse(refusalJson(answer));
  if (parsed.success) return parsed.data.error.message;
  const isText = /^text\/plain/i.test(answer.headers.get('content-type') ?? '');
  return isText ? serverWords(new TextDecoder().decode(answer.body.subarray(0, 8192))) : undefined;
}
