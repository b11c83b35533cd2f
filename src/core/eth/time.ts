import { type AppError, badInput } from '../base/errors.ts';
import { parseQuantity } from './hex.ts';

/** A moment in UTC as ISO 8601 writes it, or so long before now: `-7d`. */
export type TimeTag = `${string}T${string}Z` | `-${bigint}${Unit}`;

type Unit = 's' | 'm' | 'h' | 'd' | 'w';

/** Which end of a day a date without a time means. */
export type DayEdge = 'start' | 'end';

const SECOND = 1000;
const unitMs: Readonly<Record<Unit, number>> = {
  s: SECOND,
  m: 60 * SECOND,
  h: 3600 * SECOND,
  d: 86_400 * SECOND,
  w: 7 * 86_400 * SECOND,
};
const MINUTE = unitMs.m;
/** The last date that can be written. */
const MAX_TIME_MS = 8.64e15;
const AGO = /^-(\d{1,9})([smhdw])$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[t ](.{5,30}))?$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(.{0,10})$/;
const ZONE = /^([+-])(\d\d):?(\d\d)?$/;

/**
 * A moment as people write it: a date, a date and a time, with a zone or without one, which is then UTC; or `-7d`,
 * `-24h`, `-30m` for so long before now, in seconds, minutes, hours, days or weeks. A date alone is the start of its
 * day in UTC, or its last second. Undefined for what looks like none of these, such as a number.
 *
 * @throws AppError `badInput` for `field` where it is meant as one and is none.
 * @example parseTimeTag('2026-11-01 12:30', 'fromBlock') // '2026-11-01T12:30:00Z'
 * @example parseTimeTag('2026-11-01', 'toBlock', 'end') // '2026-11-01T23:59:59Z'
 */
export function parseTimeTag(value: string, field: string, edge: DayEdge = 'start'): TimeTag | undefined {
  const text = value.trim().toLowerCase();
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return `-${BigInt(count)}${unit as Unit}`;
  if (!/^(?:\d{4}-\d|-\d+\s?[a-z]{1,20}$)/.test(text)) return undefined;
  const time = momentOf(text, edge);
  if (time === undefined) throw notTimeError(field);
  return isoOf(time);
}

/**
 * The error, of kind `badInput` for `field`, where a moment is expected and something else is written.
 *
 * @example notTimeError('at').kind // 'badInput'
 */
export function notTimeError(field: string): AppError {
  const message =
    'Not a time: write 2026-11-01, 2026-11-01T12:30Z or with +02:00 for the zone, or -7d, -24h, -30m for so long ago. Without a zone it is UTC.';
  return badInput(field, message, { code: 'notTime' });
}

/**
 * Whether a bound of a block range is a moment and no block.
 *
 * @example isTimeTag('latest-7') // false
 */
export function isTimeTag(tag: unknown): tag is TimeTag {
  return typeof tag === 'string' && (AGO.test(tag) || DATE.test(tag.toLowerCase()));
}

/**
 * The moment that a tag stands for, in milliseconds since the Unix epoch.
 *
 * @param now in milliseconds since the Unix epoch.
 * @example resolveTimeTag('-30m', 3_600_000) // 1800000
 */
export function resolveTimeTag(tag: TimeTag, now: number): number {
  return now - agoOf(tag, now);
}

/**
 * Whether one moment is after another whenever they are read, as far as that can be said.
 *
 * @example isLater('-1d', '-7d') // true
 */
export function isLater(one: TimeTag, other: TimeTag): boolean {
  const areAlike = AGO.test(one) === AGO.test(other);
  return areAlike && resolveTimeTag(one, 0) > resolveTimeTag(other, 0);
}

/**
 * A time in ISO 8601 with whole seconds, in UTC; undefined where there is none, or none that can be written.
 *
 * @param time in milliseconds since the Unix epoch.
 * @example formatIsoTime(1999) // '1970-01-01T00:00:01Z'
 */
export function formatIsoTime(time: number | undefined): string | undefined {
  const isWritten = time !== undefined && Math.abs(time) <= MAX_TIME_MS;
  return isWritten ? isoOf(Math.floor(time / SECOND) * SECOND) : undefined;
}

/** How long before now it is, in milliseconds. */
function agoOf(tag: TimeTag, now: number): number {
  const [, count, unit] = AGO.exec(tag) ?? [];
  return count === undefined ? now - Date.parse(tag) : Number(count) * unitMs[unit as Unit];
}

/** ISO 8601 in UTC, without milliseconds where there are none. */
function isoOf(time: number): TimeTag {
  return new Date(time).toISOString().replace('.000Z', 'Z') as TimeTag;
}

/** In milliseconds since the Unix epoch; undefined for what is no moment of the calendar. */
function momentOf(text: string, edge: DayEdge): number | undefined {
  const [, year, month, day, clock] = DATE.exec(text) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (!isoOf(midnight).startsWith(`${year}-${month}-${day}`)) return undefined;
  if (clock === undefined) return edge === 'start' ? midnight : midnight + unitMs.d - SECOND;
  const [, hours, minutes, seconds = '0', fraction = '0', zone = ''] = TIME.exec(clock) ?? [];
  const offset = offsetOf(zone.trim());
  if (offset === undefined || !(Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60)) {
    return undefined;
  }
  const ofDay = Number(hours) * unitMs.h + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return midnight + ofDay + Math.floor(Number(`0.${fraction}`) * SECOND) - offset * MINUTE;
}

/** Minutes ahead of UTC. */
function offsetOf(zone: string): number | undefined {
  if (zone === '' || zone === 'z' || zone === 'utc') return 0;
  const [, sign, hours, minutes = '0'] = ZONE.exec(zone) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (!(Number(hours) <= 14 && Number(minutes) < 60)) return undefined;
  return sign === '-' ? -offset : offset;
}

/**
 * What told when a block was made: the rows of `eth_getLogs`, its header (`stream` of a portal), or one of an explorer's
 * routes. Nothing of it is reckoned from other blocks.
 */
export type BlockTimeMethod =
  | 'eth_getLogs'
  | 'eth_getBlockByNumber'
  | 'stream'
  | 'module=logs'
  | 'api/v2/blocks'
  | 'getblocknobytime';

/** When a block was made. */
export interface BlockTime {
  /** In milliseconds since the Unix epoch. */
  readonly time: number;
  readonly source: BlockTimeMethod;
}

/** Blocks that one question may be about: as many as every node takes in one request. */
export const MAX_BLOCK_TIMES = 100;
/** The end of the year 9999: what is later was in milliseconds, or is no time. */
const LAST_SECOND = 253_402_300_799n;

/**
 * A time as nodes and explorers write that of a block, in milliseconds: seconds since the Unix epoch as a quantity, or in
 * decimal, a number or digits without `0x` (of a time no server writes those as hex). Undefined for what is none, or is
 * after the year 9999.
 *
 * @example parseSeconds('0x65937f45') // 1704165189000
 */
export function parseSeconds(value: unknown): number | undefined {
  const isDecimal = typeof value === 'string' && /^\d{1,20}$/.test(value);
  const seconds = isDecimal ? BigInt(value) : parseQuantity(value);
  return seconds === undefined || seconds > LAST_SECOND ? undefined : Number(seconds) * 1000;
}
