import type { Clock } from '../../base/clock.ts';
import { createTimeSlices, mergeInSlices, sortInSlices, type TimeSlices } from '../../base/timeSlices.ts';
import { createArgumentComparator, createArgumentReader } from './argument.ts';
import type { RowKnowledge } from './fieldTest.ts';
import type { LogSortKey, LogStore } from './logStore.ts';
import { parseRowFilter } from './rowFilter.ts';

/** The column of an argument, by its index in the event, from 0. */
export type ArgumentColumn = `argument${number}`;

export interface LogSort {
  readonly column: LogSortKey | ArgumentColumn;
  readonly descending: boolean;
}

/** Which rows of a store are visible, and in which order. */
export interface LogArrangement {
  /** As `parseRowFilter` reads it; empty passes every row. */
  readonly filter: string;
  /** Default: the order of the store. */
  readonly sort?: LogSort | undefined;
  /** A further test that a row must pass, such as that it is in a group. */
  readonly within?: ((row: number) => boolean) | undefined;
}

/** Rows of a store by their numbers, arranged: 4 bytes a row. */
export interface LogView {
  readonly rows: Uint32Array;
  /** Number of rows of the store, from the first one, that have been filtered. */
  readonly seen: number;
}

export const emptyLogView: LogView = { rows: new Uint32Array(), seen: 0 };

interface ExtendOptions {
  readonly arrangement: LogArrangement;
  /** Rows before this one are added. */
  readonly through: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** What is known of the events and addresses of the rows; without it, arguments cannot be sorted or filtered. */
  readonly knowledge?: RowKnowledge | undefined;
}

/**
 * Whether rows that the store gains always come last in a view.
 *
 * @example isAppendOnly({ sort: { column: 'data', descending: false } }, { order: 'newestFirst' }) // false
 */
export function isAppendOnly(
  { sort }: Pick<LogArrangement, 'sort'>,
  { order, upwardsFrom }: Pick<LogStore, 'order'> & { readonly upwardsFrom?: number | undefined },
): boolean {
  if (sort?.column !== 'block') return sort === undefined;
  return order === 'newestFirst' ? sort.descending && upwardsFrom === undefined : !sort.descending;
}

/**
 * Adds further rows of the store to a view, in their places. Works in slices of 8 ms, so that a million rows do not
 * block the thread. The store may grow meanwhile. Rows with equal sort values stay in the order of the store.
 *
 * @throws the signal's reason when it aborts; `view` stays valid.
 *
 * @example
 * const arrangement = { filter: '0xddf2', sort: { column: 'data', descending: true } } as const;
 * const view = await extendLogView(emptyLogView, store, { arrangement, through: store.length, clock });
 */
export async function extendLogView(
  view: LogView,
  store: LogStore,
  { arrangement, through, clock, signal, knowledge }: ExtendOptions,
): Promise<LogView> {
  const slices = createTimeSlices(clock);
  const newRows = await filterRows(store, {
    arrangement,
    from: view.seen,
    through,
    slices,
    signal,
    knowledge,
  });
  const { sort } = arrangement;
  const compareRows =
    sort && !isAppendOnly(arrangement, store)
      ? createComparator(sort, store, { from: view.seen, through, knowledge })
      : undefined;
  if (compareRows === undefined) return { rows: concatRows(view.rows, newRows), seen: through };
  const compare = (a: number, b: number) => compareRows(a, b) || a - b;
  const sorted = await sortInSlices(newRows, compare, { slices, signal });
  const rows =
    view.rows.length === 0
      ? sorted
      : await mergeInSlices({ many: view.rows, few: sorted }, compare, { slices, signal });
  return { rows, seen: through };
}

/** Compares two rows; undefined if the sorted argument is unknown. */
function createComparator(
  { column, descending }: LogSort,
  store: LogStore,
  { from, through, knowledge }: Pick<ScanOptions, 'from' | 'through' | 'knowledge'>,
): ((a: number, b: number) => number) | undefined {
  const sign = descending ? -1 : 1;
  if (!isArgumentColumn(column)) return (a, b) => sign * store.compare(column, a, b);
  const argument = knowledge?.argumentAt(Number(column.slice('argument'.length)));
  return (
    argument &&
    createArgumentComparator(createArgumentReader(store.columns, argument), { from, through, sign })
  );
}

function isArgumentColumn(column: LogSort['column']): column is ArgumentColumn {
  return column.startsWith('argument');
}

interface ScanOptions {
  readonly arrangement: Pick<LogArrangement, 'filter' | 'within'>;
  readonly from: number;
  readonly through: number;
  readonly slices: TimeSlices;
  readonly signal: AbortSignal | undefined;
  readonly knowledge: RowKnowledge | undefined;
}

async function filterRows(
  store: LogStore,
  { arrangement: { filter, within }, from, through, slices, signal, knowledge }: ScanOptions,
): Promise<Uint32Array> {
  const passes = parseRowFilter(filter, knowledge)?.(store);
  const rows = new Uint32Array(through - from);
  let count = 0;
  for (let row = from; row < through; row++) {
    if ((!within || within(row)) && (!passes || passes(row))) rows[count++] = row;
    if (row % 64 === 0 && slices.isOver()) await slices.rest({ signal });
  }
  // A subarray would retain the entire buffer.
  return count === rows.length ? rows : rows.slice(0, count);
}

function concatRows(first: Uint32Array, second: Uint32Array): Uint32Array {
  if (first.length === 0) return second;
  const rows = new Uint32Array(first.length + second.length);
  rows.set(first);
  rows.set(second, first.length);
  return rows;
}
