import type { LogOrder } from '../../src/core/index.ts';
import { byTurns } from './fullRun.ts';
import { dataSets } from './logDataSets.ts';
import { type QueryJson, type ReadingMode, readAll, readPages, readPageThenRest } from './logReading.ts';

type Filters = Readonly<Record<string, QueryJson>>;

/** Queries of every kind: with their rows all over the data sets, and with topics that only some rows have. */
export interface ConformanceFilters {
  readonly plain: Filters;
  readonly byTopics: Filters;
}

/**
 * What the nth server is asked of a data set: everything where the set has all kinds of blocks, as what topics are asked
 * for is nothing to how many rows a block has; of the others each second query, by turns. Of these a run that is not full
 * has one in six: each server with every data set, and over all servers each data set with its queries by turns.
 */
export function filtersFor(
  set: string,
  { plain, byTopics }: ConformanceFilters,
  nth: number,
): readonly [string, QueryJson][] {
  const queries = hasAllKinds(set)
    ? Object.entries({ ...plain, ...byTopics })
    : Object.entries(plain).filter((_, index) => index % 2 === nth % 2);
  return byTurns(queries, 6, Math.floor(nth / 2) + placeOf(set));
}

/** How a query is read: in which way, and from which end. */
export type Reading = readonly [ReadingMode, LogOrder];

/**
 * How the nth query is read: once from each end, in the two ways by turns, so that over the queries every way is held
 * from every end.
 */
export function getReadings(nth: number): readonly Reading[] {
  const [first, second] = nth % 2 === 0 ? [readPages, readAll] : [readAll, readPages];
  return [
    [first, 'oldestFirst'],
    [second, 'newestFirst'],
  ];
}

/** How the nth of many like cases is read, where once must do: every way comes from every end by turns. */
export function getReadingByTurns(nth: number): Reading {
  const all = [...getReadings(0), ...getReadings(1)];
  return all[nth % all.length] ?? [readAll, 'oldestFirst'];
}

/**
 * How the nth query of a data set is read; in a run that is not full from one end, by turns.
 *
 * Going over from pages to the rest differs from both only where more than a page is there, and a cursor that is left;
 * newest first none is followed.
 */
export function getReadingsOfSet(set: string, nth: number): readonly Reading[] {
  const goesOver = nth % 2 === 0 && (set === 'uneven' || set === 'dense');
  const readings = byTurns(getReadings(nth), 2, Math.floor(nth / 2) + placeOf(set));
  return goesOver ? [...readings, [readPageThenRest, 'oldestFirst']] : readings;
}

/** Of a data set among all. */
function placeOf(set: string): number {
  return Object.keys(dataSets).indexOf(set);
}

/** Whether blocks of the data set are empty, full, over a page, or of a fork. */
export function hasAllKinds(set: string): boolean {
  return set === 'uneven' || set === 'dense' || set === 'forked';
}
