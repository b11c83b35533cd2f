import type { LogArrangement, LogStore, RowSequence } from '../../../core/index.ts';

interface Presented {
  readonly store: Pick<LogStore, 'length' | 'upwardsFrom'>;
  readonly sequence: Pick<RowSequence, 'length' | 'newestOnTop' | 'placeOf'>;
  readonly sort: LogArrangement['sort'];
}

/**
 * The rows of a view as they are shown: without those that are gone, and where the newest come first and nothing sorts
 * them, those that following brought on top.
 */
export function presentedRows(
  rows: Uint32Array,
  { store: { length, upwardsFrom }, sequence, sort }: Presented,
): Uint32Array {
  if (upwardsFrom === undefined) return rows;
  const there = sequence.length === length ? rows : rows.filter((row) => sequence.placeOf(row) !== undefined);
  if (sort !== undefined || !sequence.newestOnTop) return there;
  const split = there.findIndex((row) => row >= upwardsFrom);
  if (split < 0) return there;
  const shown = new Uint32Array(there.length);
  shown.set(there.subarray(split).toReversed());
  shown.set(there.subarray(0, split), there.length - split);
  return shown;
}
