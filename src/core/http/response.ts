import type { Clock } from '../base/clock.ts';
import { AppError, type ErrorDetails, type ErrorKind, throwIfAborted } from '../base/errors.ts';
import { createTimeSlices } from '../base/timeSlices.ts';

/** An answer as it came. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** For whom a body is read. */
export interface BodyContext {
  /** The server, as an error may name it: without path and query. */
  readonly origin: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Values that the JSON may hold, of every kind together; default a million. */
  readonly maxValues?: number;
}

/** Bytes from which on reading an answer takes so long that those which arrive together are read by turns. */
export const LARGE_RESPONSE_BYTES = 64 * 1024;
/** Characters from which on JSON is read in slices: one ordinary page of logs is less, and is read in 10 ms. */
const LARGE_JSON_CHARS = 1_000_000;
/** An answer of 32 MiB of balances or transfers has fewer values; as many objects take about 100 MiB. */
const JSON_LIMITS = { maxDepth: 64, maxValues: 1_000_000, maxMembers: 20_000 };
/** Bytes that are made text at once: some milliseconds. */
const MAX_DECODE_CHUNK_BYTES = 2 * 1024 * 1024;
/** Bytes of a refusal that is looked into for its words: no server has so much to say. */
const MAX_ERROR_BODY_BYTES = 256 * 1024;

/**
 * The body as JSON. A large one is read in slices of time, and refused where it holds more than any honest answer.
 *
 * @throws AppError `badResponse` saying what came instead, `tooLarge`, `aborted`.
 */
export async function parseJsonBody(answer: HttpResponse, reader: BodyContext): Promise<unknown> {
  const { origin, clock, signal, maxValues = JSON_LIMITS.maxValues } = reader;
  const text = await decodeBody(answer, reader);
  try {
    if (text.length < LARGE_JSON_CHARS) return JSON.parse(text);
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
export async function decodeBody(
  { body }: HttpResponse,
  { clock, signal }: Omit<BodyContext, 'origin'>,
): Promise<string> {
  const decoder = new TextDecoder();
  if (body.length <= MAX_DECODE_CHUNK_BYTES) return decoder.decode(body);
  const slices = createTimeSlices(clock);
  let text = '';
  for (let start = 0; start < body.length; start += MAX_DECODE_CHUNK_BYTES) {
    text += decoder.decode(body.subarray(start, start + MAX_DECODE_CHUNK_BYTES), { stream: true });
    if (slices.isOver()) await slices.rest();
    throwIfAborted(signal);
  }
  return text + decoder.decode();
}

/** What an answer outside 2xx says in JSON; undefined where it says something else, or too much to be a refusal. */
export function parseErrorBody({ body }: HttpResponse): unknown {
  if (body.length > MAX_ERROR_BODY_BYTES) return undefined;
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
export function toErrorDetails(
  { status, headers }: Omit<HttpResponse, 'body'>,
  words: string | undefined,
  now: number,
): ErrorDetails {
  // Beside spent credits, the limit whose end a server tells is another one.
  const tellsWait = status !== 402 || headers.has('retry-after');
  const wait = tellsWait ? parseRetryAfterMs(headers, now) : undefined;
  return {
    status,
    ...(words === undefined ? {} : { serverMessage: truncateServerMessage(words) }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** The error kind that an HTTP status outside 2xx stands for. */
export function getErrorKind(status: number): ErrorKind {
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

const DAY_MS = 24 * 60 * 60 * 1000;
/** No server names a moment further from now than this, nor asks for so exact a wait of tens of years. */
const YEAR_MS = 366 * DAY_MS;
/** A number of seconds up to a minute, where the header's unit is not settled: so few milliseconds are over at once. */
const MAX_BARE_SECONDS = 60;

type Unit = 'seconds' | 'milliseconds' | 'unsettled';

/**
 * How long an answer asks to wait, in milliseconds, finite and 0 or more: by `Retry-After` (RFC 9110), else by
 * `ratelimit-reset` (IETF draft, seconds), `x-ratelimit-reset` or `x-rate-limit-reset`, each of which servers write as
 * a date, as seconds or milliseconds since 1970, or as seconds or milliseconds from now. A number that can be a moment
 * of this year is one. Blockscout counts milliseconds (v9.0.0 on, beside `bypass-429-option`), and writes -1 where
 * there is no limit. Undefined where nothing is asked or the moment has passed. It is what the server asks for, however
 * long; who waits sets the bound.
 *
 * @param now in milliseconds since the Unix epoch.
 */
export function parseRetryAfterMs(headers: Headers, now: number): number | undefined {
  const isBlockscout = headers.has('bypass-429-option') || headers.has('x-credits-remaining');
  const units: readonly (readonly [name: string, unit: Unit])[] = [
    ['retry-after', 'seconds'],
    ['ratelimit-reset', 'seconds'],
    ['x-ratelimit-reset', isBlockscout ? 'milliseconds' : 'unsettled'],
    ['x-rate-limit-reset', 'unsettled'],
  ];
  for (const [name, unit] of units) {
    const ms = readWait(headers.get(name)?.trim() ?? '', { unit, now });
    // A limit that is reset at once is none; `Retry-After: 0` says that another try is welcome.
    if (ms !== undefined && (ms > 0 || name === 'retry-after')) return ms;
  }
  return undefined;
}

/** Whether an answer says that it was the last of its time. */
export function isRateLimitSpent(headers: Headers): boolean {
  return ['x-ratelimit-remaining', 'ratelimit-remaining', 'x-rate-limit-remaining'].some(
    (name) => headers.get(name)?.trim() === '0',
  );
}

function readWait(text: string, { unit, now }: { unit: Unit; now: number }): number | undefined {
  if (text === '') return undefined;
  const value = Number(text);
  if (Number.isNaN(value)) return fromNow(Date.parse(text) - now);
  for (const moment of [value * 1000, value]) {
    if (Math.abs(moment - now) <= YEAR_MS) return fromNow(moment - now);
  }
  const inSeconds = unit === 'seconds' || (unit === 'unsettled' && isFewSeconds(value));
  return fromNow(inSeconds ? value * 1000 : value);
}

function isFewSeconds(value: number): boolean {
  return Number.isInteger(value) && value <= MAX_BARE_SECONDS;
}

function fromNow(ms: number): number | undefined {
  return ms >= 0 ? Math.min(ms, Number.MAX_SAFE_INTEGER) : undefined;
}

/** What is kept of a server's words, in UTF-16 code units: more than any reason takes, less than any search minds. */
export const MAX_MESSAGE_CHARS = 2048;

const MAX_DATA_ENTRIES = 16;

/**
 * The beginning of what a server says, at most {@link MAX_MESSAGE_CHARS} long. Every text of a server passes here before
 * anything looks at it. Does not end within a surrogate pair, and does not hold on to the text that it is cut from.
 */
export function truncateServerMessage(text: string): string {
  if (text.length <= MAX_MESSAGE_CHARS) return text;
  const last = text.charCodeAt(MAX_MESSAGE_CHARS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  // A mere slice would keep the whole text in memory.
  return text
    .slice(0, splitsPair ? MAX_MESSAGE_CHARS - 1 : MAX_MESSAGE_CHARS)
    .split('')
    .join('');
}

/**
 * What is kept of the `data` of a JSON-RPC error: a text, number or flag, or the first of those in an object, its
 * texts cut as {@link truncateServerMessage} does. Undefined for all else.
 */
export function truncateServerData(data: unknown): unknown {
  if (isPlain(data)) return cutPlain(data);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const kept: Record<string, unknown> = {};
  let entries = 0;
  for (const key in data) {
    if (entries++ === MAX_DATA_ENTRIES) break;
    const value: unknown = (data as Record<string, unknown>)[key];
    if (isPlain(value) && Object.hasOwn(data, key)) kept[truncateServerMessage(key)] = cutPlain(value);
  }
  return kept;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function cutPlain(value: string | number | boolean) {
  return typeof value === 'string' ? truncateServerMessage(value) : value;
}
