import { badInput } from '../../base/errors.ts';
import { isoTime } from '../../times/timeText.ts';
import type { HandedQuery } from '../handed/handover.ts';

/** Hex that can break out of no literal. */
export function plainHex(text: string): string {
  if (!/^0x[0-9a-f]*$/.test(text)) throw badInput('filter', 'Not hex in lower case.');
  return text;
}

/** A column that has one of these values. */
export function oneOf(column: string, literals: readonly string[]): string {
  const [first, ...others] = literals;
  return others.length === 0 ? `${column} = ${first}` : `${column} IN (${literals.join(', ')})`;
}

/**
 * The bounds of a query in time, by the seconds of UTC: `2026-11-01 12:30:00`. `before` is the second after that of its last
 * block, `until` is that: a place may have parts of seconds that a node does not tell.
 */
export function timeBounds({ times }: Pick<HandedQuery, 'times'>) {
  const { from, to } = times ?? {};
  const until = timestampOf(to);
  return { from: timestampOf(from), until, before: until && timestampOf((to ?? 0) + 1000) };
}

function timestampOf(time: number | undefined): string | undefined {
  const iso = isoTime(time);
  // Years beyond four digits have a sign.
  return iso?.length === 20 ? iso.replace('T', ' ').replace('Z', '') : undefined;
}

/** What stands above a query whose partitions are not bounded on both sides. */
export const UNBOUNDED =
  'Add a bound for the time of the first block, and for that of the last: without one all partitions are read.';
