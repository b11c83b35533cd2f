import type { LogOrder } from '../../src/core/index.ts';
import { type QueryJson, readAll, readPages, readPageThenRest, type Way } from './logReading.ts';

type Filters = Readonly<Record<string, QueryJson>>;

/** Queries of every kind: with their rows all over the data sets, and with topics that only some rows have. */
export interface ConformanceFilters {
  readonly plain: Filters;
  readonly byTopics: Filters;
}

/** What topics are asked for is nothing to how many rows a block has: those queries go by the sets of all kinds of blocks. */
export function filtersFor(
  set: string,
  { plain, byTopics }: ConformanceFilters,
): readonly [string, QueryJson][] {
  return Object.entries(hasAllKinds(set) ? { ...plain, ...byTopics } : plain);
}

/**
 * Going over from pages to the rest differs from both only where more than a page is there, and a cursor that is left;
 * newest first none is followed.
 */
export function waysFor(set: string, order: LogOrder): readonly Way[] {
  const goesOver = order === 'oldestFirst' && (set === 'uneven' || set === 'dense');
  return goesOver ? [readPages, readAll, readPageThenRest] : [readPages, readAll];
}

/** Whether blocks of the data set are empty, full, over a page, or of a fork. */
export function hasAllKinds(set: string): boolean {
  return set === 'uneven' || set === 'dense' || set === 'forked';
}
