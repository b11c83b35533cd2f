import type { IndexedLog } from '../index/explorerIndex.ts';
import type { LogFilter } from './logFilter.ts';

/** The order in which a database happens to find rows for a query that names none. */
export type RowOrder = 'ascending' | 'descending' | 'scattered';

export type PlannerOrder = (filter: LogFilter) => RowOrder;

/** Since v7 the index of logs by address is descending, which makes newest first the likely order. */
export const newestFirst: PlannerOrder = () => 'descending';

export function orderRows(logs: readonly IndexedLog[], order: RowOrder): readonly IndexedLog[] {
  if (order === 'ascending') return logs;
  if (order === 'descending') return logs.toReversed();
  return logs.toSorted((a, b) => scatter(a) - scatter(b));
}

/** The same place for the same log on every call, with neighbours far apart. */
function scatter({ blockNumber, logIndex }: IndexedLog): number {
  const mixed = Math.imul(blockNumber ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(logIndex + 1, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
