import type { Clock } from '../base/clock.ts';
import { AppError, type ErrorDetails, type ErrorKind, throwIfAborted } from '../base/errors.ts';
import { createTimeSlices, decodeInSlices } from '../base/timeSlices.ts';
import type { JsonLimits } from './largeJson.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/**
 * Parses the body as JSON. A large one is parsed in slices of time, and rejected if it has more values than any honest
 * response.
 *
 * @throws AppError `badResponse` naming what arrived instead, `tooLarge`, `aborted`.
 */
export async function parseJsonBody(response: HttpResponse, context: BodyContext): Promise<unknown> {
  const { origin, clock, signal } = context;
  const text = await decodeBody(response, context);
  try {
    if (text.length < LARGE_JSON_CHARS) return JSON.parse(text);
    const { parseLargeJson } = await import('./largeJson.ts');
    const limits = { ...JSON_LIMITS, ...context.limits };
    return await parseLargeJson(text, { limits, slices: createTimeSlices(clock), signal });
  } catch (cause) {
    throwIfAborted(signal);
    if (!(cause instanceof SyntaxError)) throw cause;
    const type = response.headers.get('content-type') ?? '';
    const found = /html/i.test(type) || /^\s*</.test(text) ? 'a web page instead of JSON' : 'invalid JSON';
    throw new AppError('badResponse', `${origin} returned ${found}.`, {
      status: response.status,
      cause,
    });
  }
}

export interface BodyContext {
  /** The server as an error may name it: without path and query. */
  readonly origin: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Default: 64 levels, a million values. */
  readonly limits?: Partial<JsonLimits>;
}

/** Longer JSON is parsed in slices. An ordinary page of logs is shorter, and is parsed in 10 ms. */
const LARGE_JSON_CHARS = 1_000_000;
/** A response of 32 MiB of balances or transfers has fewer values; as many objects take about 100 MiB. */
const JSON_LIMITS = { maxDepth: 64, maxValues: 1_000_000, maxMembers: 20_000 };

/**
 * The body as text, with U+FFFD for what is not UTF-8, decoded in slices. @throws AppError `aborted`.
 */
export async function decodeBody(
  { body }: HttpResponse,
  { clock, signal }: Omit<BodyContext, 'origin'>,
): Promise<string> {
  const text = await decodeInSlices(body, { slices: createTimeSlices(clock) });
  throwIfAborted(signal);
  return text;
}

/** The JSON of a response outside 2xx; undefined if it is not JSON, or too large to be an error. */
export function parseErrorBody({ body }: HttpResponse): unknown {
  if (body.length > MAX_ERROR_BODY_BYTES) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** No server sends a longer error message. */
const MAX_ERROR_BODY_BYTES = 256 * 1024;

/**
 * The details of an error for a response that is a refusal.
 *
 * @param message of the server, of any length.
 * @param now in milliseconds since the Unix epoch.
 */
export function toErrorDetails(
  { status, headers }: Omit<HttpResponse, 'body'>,
  message: string | undefined,
  now: number,
): ErrorDetails {
  // With spent credits, the headers of the rate limit are about another limit.
  const hasOwnWait = status !== 402 || headers.has('retry-after');
  const wait = hasOwnWait ? parseRetryAfterMs(headers, now) : undefined;
  return {
    status,
    ...(message === undefined ? {} : { serverMessage: truncateServerMessage(message) }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** The error kind of an HTTP status outside 2xx. */
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

/**
 * How long a response requests to wait, in milliseconds, finite and 0 or more: `Retry-After` (RFC 9110), else
 * `ratelimit-reset` (IETF draft, seconds), `x-ratelimit-reset` or `x-rate-limit-reset`. Servers write each of these as
 * a date, as seconds or milliseconds since 1970, or as seconds or milliseconds from now. A number that can be a moment
 * of this year is one. Blockscout counts milliseconds (since v9.0.0, with `bypass-429-option`), and writes -1 if there
 * is no limit. Undefined if no wait is requested or the moment has passed. The wait is not bounded: that is up to the
 * caller.
 *
 * @param now in milliseconds since the Unix epoch.
 */
export function parseRetryAfterMs(headers: Headers, now: number): number | undefined {
  const isBlockscout = headers.has('bypass-429-option') || headers.has('x-credits-remaining');
  const units: readonly (readonly [name: string, unit: WaitUnit])[] = [
    ['retry-after', 'seconds'],
    ['ratelimit-reset', 'seconds'],
    ['x-ratelimit-reset', isBlockscout ? 'milliseconds' : 'unsettled'],
    ['x-rate-limit-reset', 'unsettled'],
  ];
  for (const [name, unit] of units) {
    const ms = parseWait(headers.get(name)?.trim() ?? '', { unit, now });
    // A limit that is reset at once is none; `Retry-After: 0` invites a retry.
    if (ms !== undefined && (ms > 0 || name === 'retry-after')) return ms;
  }
  return undefined;
}

type WaitUnit = 'seconds' | 'milliseconds' | 'unsettled';

/** Whether the rate limit allows no further request in this period. */
export function isRateLimitSpent(headers: Headers): boolean {
  return ['x-ratelimit-remaining', 'ratelimit-remaining', 'x-rate-limit-remaining'].some(
    (name) => headers.get(name)?.trim() === '0',
  );
}

function parseWait(text: string, { unit, now }: { unit: WaitUnit; now: number }): number | undefined {
  if (text === '') return undefined;
  const value = Number(text);
  if (Number.isNaN(value)) return toWait(Date.parse(text) - now);
  for (const moment of [value * 1000, value]) {
    if (Math.abs(moment - now) <= YEAR_MS) return toWait(moment - now);
  }
  const inSeconds = unit === 'seconds' || (unit === 'unsettled' && isFewSeconds(value));
  return toWait(inSeconds ? value * 1000 : value);
}

/** Larger responses take so long to parse that those which arrive together are parsed one after the other. */
export const LARGE_RESPONSE_BYTES = 64 * 1024;

const DAY_MS = 24 * 60 * 60 * 1000;
/** No server names a moment that is further away, or requests a wait of tens of years to the second. */
const YEAR_MS = 366 * DAY_MS;
/** If the unit of a header varies, integers up to this are seconds: as milliseconds, the wait would be over at once. */
const MAX_BARE_SECONDS = 60;

function isFewSeconds(value: number): boolean {
  return Number.isInteger(value) && value <= MAX_BARE_SECONDS;
}

function toWait(ms: number): number | undefined {
  return ms >= 0 ? Math.min(ms, Number.MAX_SAFE_INTEGER) : undefined;
}

/**
 * The beginning of a server's message, at most {@link MAX_MESSAGE_CHARS} long. Every text of a server passes through
 * here before anything searches it. It does not end within a surrogate pair, and does not retain the text that it is
 * cut from.
 */
export function truncateServerMessage(text: string): string {
  if (text.length <= MAX_MESSAGE_CHARS) return text;
  const last = text.charCodeAt(MAX_MESSAGE_CHARS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  // A plain slice would retain the complete text in memory.
  return text
    .slice(0, splitsPair ? MAX_MESSAGE_CHARS - 1 : MAX_MESSAGE_CHARS)
    .split('')
    .join('');
}

/** Maximum length of a server's message, in UTF-16 code units: longer than any real reason. */
export const MAX_MESSAGE_CHARS = 2048;

/**
 * The bounded `data` of a JSON-RPC error: a text, number or boolean, or the first of those in an object, with texts cut
 * as {@link truncateServerMessage} does. Undefined for anything else.
 */
export function truncateServerData(data: unknown): unknown {
  if (isPrimitive(data)) return truncatePrimitive(data);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const truncated: Record<string, unknown> = {};
  let entries = 0;
  for (const key in data) {
    if (entries++ === MAX_DATA_MEMBERS) break;
    const value: unknown = (data as Record<string, unknown>)[key];
    if (isPrimitive(value) && Object.hasOwn(data, key))
      truncated[truncateServerMessage(key)] = truncatePrimitive(value);
  }
  return truncated;
}

const MAX_DATA_MEMBERS = 16;

function isPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function truncatePrimitive(value: string | number | boolean) {
  return typeof value === 'string' ? truncateServerMessage(value) : value;
}
