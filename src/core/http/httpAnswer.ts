import type { Clock } from '../base/clock.ts';
import { AppError, type ErrorDetails, type ErrorKind, throwIfAborted } from '../base/errors.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import { serverWaitMs } from './rateHeaders.ts';
import { serverWords } from './serverWords.ts';

/** An answer as it came. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** For whom a body is read. */
export interface BodyReader {
  /** The server, as an error may name it: without path and query. */
  readonly origin: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Values that the JSON may hold, of every kind together; default a million. */
  readonly maxValues?: number;
}

/** Bytes from which on reading an answer takes so long that those which arrive together are read by turns. */
export const LARGE_ANSWER = 64 * 1024;
/** Characters from which on JSON is read in slices: one ordinary page of logs is less, and is read in 10 ms. */
const LARGE_JSON = 1_000_000;
/** An answer of 32 MiB of balances or transfers has fewer values; as many objects take about 100 MiB. */
const JSON_LIMITS = { maxDepth: 64, maxValues: 1_000_000, maxMembers: 20_000 };
/** Bytes that are made text at once: some milliseconds. */
const DECODED_AT_ONCE = 2 * 1024 * 1024;
/** Bytes of a refusal that is looked into for its words: no server has so much to say. */
const LONGEST_REFUSAL = 256 * 1024;

/**
 * The body as JSON. A large one is read in slices of time, and refused where it holds more than any honest answer.
 *
 * @throws AppError `badResponse` saying what came instead, `tooLarge`, `aborted`.
 */
export async function parseJson(answer: HttpAnswer, reader: BodyReader): Promise<unknown> {
  const { origin, clock, signal, maxValues = JSON_LIMITS.maxValues } = reader;
  const text = await bodyText(answer, reader);
  try {
    if (text.length < LARGE_JSON) return JSON.parse(text);
    const { parseLargeJson } = await import('./largeJson.ts');
    const limits = { ...JSON_LIMITS, maxValues };
    return await parseLargeJson(text, { limits, slices: createTimeSlices(clock), signal });
  } catch (cause) {
    throwIfAborted(signal);
    if (cause instanceof AppError) throw cause;
    const type = answer.headers.get('content-type') ?? '';
    const what = /html/i.test(type) || /^\s*</.test(text) ? 'a web page' : 'broken JSON';
    throw new AppError('badResponse', `${origin} answered with ${what} instead of JSON.`, {
      status: answer.status,
      cause,
    });
  }
}

/** The body as text; what is not UTF-8 becomes U+FFFD. A large one is decoded in slices. @throws AppError `aborted`. */
export async function bodyText(
  { body }: HttpAnswer,
  { clock, signal }: Omit<BodyReader, 'origin'>,
): Promise<string> {
  const decoder = new TextDecoder();
  if (body.length <= DECODED_AT_ONCE) return decoder.decode(body);
  const slices = createTimeSlices(clock);
  let text = '';
  for (let start = 0; start < body.length; start += DECODED_AT_ONCE) {
    text += decoder.decode(body.subarray(start, start + DECODED_AT_ONCE), { stream: true });
    if (slices.isOver()) await slices.rest();
    throwIfAborted(signal);
  }
  return text + decoder.decode();
}

/** What an answer outside 2xx says in JSON; undefined where it says something else, or too much to be a refusal. */
export function refusalJson({ body }: HttpAnswer): unknown {
  if (body.length > LONGEST_REFUSAL) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/**
 * What an error keeps of an answer that refuses.
 *
 * @param words the server's own, of any length.
 * @param now in milliseconds since the Unix epoch.
 */
export function refusalDetails(
  { status, headers }: Omit<HttpAnswer, 'body'>,
  words: string | undefined,
  now: number,
): ErrorDetails {
  // Beside spent credits, the limit whose end a server tells is another one.
  const tellsWait = status !== 402 || headers.has('retry-after');
  const wait = tellsWait ? serverWaitMs(headers, now) : undefined;
  return {
    status,
    ...(words === undefined ? {} : { serverMessage: serverWords(words) }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
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
