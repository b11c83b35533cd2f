import { type AppError, badInput } from '../base/errors.ts';
import { parseQuantity } from './hex.ts';

/** A moment in UTC in ISO 8601, or a time span before now: `-7d`. */
export type TimeTag = `${string}T${string}Z` | `-${bigint}${TimeUnit}`;

type TimeUnit = 's' | 'm' | 'h' | 'd' | 'w';

/**
 * Reads a moment as people write it: a date, or a date and a time, with a zone or in UTC; or `-7d`, `-24h`, `-30m` for
 * a time before now, in seconds, minutes, hours, days or weeks. A date alone is the start of its day in UTC, or its
 * last second. Undefined for text that looks like none of these, such as a number.
 *
 * @throws AppError `badInput` for `field` if it looks like a moment and is not one.
 * @example parseTimeTag('2026-11-01 12:30', 'fromBlock') // '2026-11-01T12:30:00Z'
 * @example parseTimeTag('2026-11-01', 'toBlock', 'end') // '2026-11-01T23:59:59Z'
 */
export function parseTimeTag(value: string, field: string, edge: DayEdge = 'start'): TimeTag | undefined {
  const text = value.trim().toLowerCase();
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return `-${BigInt(count)}${unit as TimeUnit}`;
  if (!/^(?:\d{4}-\d|-\d+\s?[a-z]{1,20}$)/.test(text)) return undefined;
  const time = parseMoment(text, edge);
  if (time === undefined) throw notTimeError(field);
  return toIso(time);
}

/** Which end of the day a date without a time means. */
type DayEdge = 'start' | 'end';

/**
 * The `badInput` error for `field` if its text is not a time.
 *
 * @example notTimeError('at').kind // 'badInput'
 */
export function notTimeError(field: string): AppError {
  return badInput(
    field,
    'Not a time. Enter 2026-11-01, 2026-11-01T12:30Z, 2026-11-01T12:30+02:00, or an age such as -7d, -24h or -30m. Times without a zone are UTC.',
  );
}

/**
 * Whether a bound of a block range is a moment, not a block.
 *
 * @example isTimeTag('latest-7') // false
 */
export function isTimeTag(tag: unknown): tag is TimeTag {
  return typeof tag === 'string' && (AGO.test(tag) || DATE.test(tag.toLowerCase()));
}

/**
 * The moment of a tag, in milliseconds since the Unix epoch.
 *
 * @param now in milliseconds since the Unix epoch.
 * @example resolveTimeTag('-30m', 3_600_000) // 1800000
 */
export function resolveTimeTag(tag: TimeTag, now: number): number {
  return now - getAgeMs(tag, now);
}

/**
 * Whether one moment is certainly after another, whatever the time is now. False if that cannot be known.
 *
 * @example isLater('-1d', '-7d') // true
 */
export function isLater(one: TimeTag, other: TimeTag): boolean {
  const haveSameForm = AGO.test(one) === AGO.test(other);
  return haveSameForm && resolveTimeTag(one, 0) > resolveTimeTag(other, 0);
}

/**
 * ISO 8601 in UTC with whole seconds; undefined without a time, or for one that a `Date` cannot represent.
 *
 * @param time in milliseconds since the Unix epoch.
 * @example formatIsoTime(1999) // '1970-01-01T00:00:01Z'
 */
export function formatIsoTime(time: number | undefined): string | undefined {
  const isRepresentable = time !== undefined && Math.abs(time) <= MAX_TIME_MS;
  return isRepresentable ? toIso(Math.floor(time / SECOND_MS) * SECOND_MS) : undefined;
}

const SECOND_MS = 1000;
const unitMs: Readonly<Record<TimeUnit, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  d: 86_400 * SECOND_MS,
  w: 7 * 86_400 * SECOND_MS,
};
const MINUTE_MS = unitMs.m;
/** The last time that a `Date` can represent. */
const MAX_TIME_MS = 8.64e15;
const AGO = /^-(\d{1,9})([smhdw])$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[t ](.{5,30}))?$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(.{0,10})$/;
const ZONE = /^([+-])(\d\d):?(\d\d)?$/;

function getAgeMs(tag: TimeTag, now: number): number {
  const [, count, unit] = AGO.exec(tag) ?? [];
  return count === undefined ? now - Date.parse(tag) : Number(count) * unitMs[unit as TimeUnit];
}

/** ISO 8601 in UTC, without milliseconds if they are zero. */
function toIso(time: number): TimeTag {
  return new Date(time).toISOString().replace('.000Z', 'Z') as TimeTag;
}

/** In milliseconds since the Unix epoch; undefined for a moment that the calendar does not have. */
function parseMoment(text: string, edge: DayEdge): number | undefined {
  const [, year, month, day, clock] = DATE.exec(text) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (!toIso(midnight).startsWith(`${year}-${month}-${day}`)) return undefined;
  if (clock === undefined) return edge === 'start' ? midnight : midnight + unitMs.d - SECOND_MS;
  const [, hours, minutes, seconds = '0', fraction = '0', zone = ''] = TIME.exec(clock) ?? [];
  const offset = parseZoneMinutes(zone.trim());
  if (offset === undefined || !(Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60)) {
    return undefined;
  }
  const timeOfDay = Number(hours) * unitMs.h + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return midnight + timeOfDay + Math.floor(Number(`0.${fraction}`) * SECOND_MS) - offset * MINUTE_MS;
}

/** Minutes ahead of UTC. */
function parseZoneMinutes(zone: string): number | undefined {
  if (zone === '' || zone === 'z' || zone === 'utc') return 0;
  const [, sign, hours, minutes = '0'] = ZONE.exec(zone) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (!(Number(hours) <= 14 && Number(minutes) < 60)) return undefined;
  return sign === '-' ? -offset : offset;
}

/**
 * What the time of a block was read from: the rows of `eth_getLogs`, its header (`stream` of a portal), or a route of
 * an explorer. It is never estimated from other blocks.
 */
export type BlockTimeMethod =
  | 'eth_getLogs'
  | 'eth_getBlockByNumber'
  | 'stream'
  | 'module=logs'
  | 'api/v2/blocks'
  | 'getblocknobytime';

export interface BlockTime {
  /** In milliseconds since the Unix epoch. */
  readonly time: number;
  readonly source: BlockTimeMethod;
}

/** Blocks that one call may request: as many as every node takes in one request. */
export const MAX_BLOCK_TIMES = 100;
/** The end of the year 9999. Anything later is in milliseconds, or no time. */
const LAST_SECOND = 253_402_300_799n;

/**
 * Reads the time of a block as nodes and explorers write it, in milliseconds: seconds since the Unix epoch as a
 * quantity, as a number, or as decimal digits without `0x` (no server writes a time as bare hex). Undefined for
 * anything else, and after the year 9999.
 *
 * @example parseSeconds('0x65937f45') // 1704165189000
 */
export function parseSeconds(value: unknown): number | undefined {
  const isDecimal = typeof value === 'string' && /^\d{1,20}$/.test(value);
  const seconds = isDecimal ? BigInt(value) : parseQuantity(value);
  return seconds === undefined || seconds > LAST_SECOND ? undefined : Number(seconds) * 1000;
}
