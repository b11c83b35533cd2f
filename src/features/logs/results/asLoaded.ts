import type { LogArrangement } from '../../../core/index.ts';

/** The rows as they came. */
export const asLoaded: LogArrangement = { filter: '' };

export function isAsLoaded({ filter, sort }: LogArrangement): boolean {
  return filter.trim() === '' && sort === undefined;
}

export function isSameArrangement(a: LogArrangement, b: LogArrangement): boolean {
  return (
    a.filter === b.filter && a.sort?.column === b.sort?.column && a.sort?.descending === b.sort?.descending
  );
}
