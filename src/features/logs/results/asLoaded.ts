import type { LogArrangement } from '../../../core/index.ts';

/** The rows as they came. */
export const asLoaded: LogArrangement = { filter: '' };

export function isAsLoaded({ filter, sort }: LogArrangement): boolean {
  return filter.trim() === '' && sort === undefined;
}
