import type { Clock } from '../../base/clock.ts';
import { createTimeSlices, mergeInSlices, sortInSlices, type TimeSlices } from '../../base/timeSlices.ts';
import { createArgumentComparator, createArgumentReader } from './argument.ts';
import type { RowKnowledge } from './fieldTest.ts';
import type { LogSortKey, LogStore } from './logStore.ts';
import { parseRowFilter } from './rowFilter.ts';

/** The column of an argument, by its place in the event, from 0. */
export type ArgumentColumn = `argument${number}`;

export interface LogSort {
  readonly column: LogSortKey | ArgumentColumn;
  readonly descending: boolean;
}

/** Which rows of a store to show and in which order. */
export interface LogArrangement {
  /** As `parseRowFilter` reads it; empty lets every row pass. */
  readonly filter: string;
  /** The order of the store if left out. */
  readonly sort?: LogSort | undefined;
}

/** Rows of a store by their numbers, arranged: 4 bytes a row, no copy of any. */
export interface LogView {
  readonly rows: Uint32Array;
  /** Rows of the store that were looked at, from its first on. */
  readonly seen: number;
}

export const emptyLogView: LogView = { rows: new Uint32Array(), seen: 0 };

interface ExtendOptions {
  readonly arrangement: LogArrangement;
  /** Looks at the rows before this one. */
  readonly through: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** What is known of the events and addresses of the rows; without it there are no arguments to sort and filter by. */
  readonly knowledge?: RowKnowledge | undefined;
}

/**
 * Whether rows that a view of the store gains always come after those that it has.
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
 * The view with further rows of the store in their places. Works in slices of 8 ms, so that the thread stays free
 * for others with a million rows. The store may grow meanwhile. Rows that are alike in the sorted column stay in the
 * order of the store.
 *
 * @throws the signal's reason when it aborts; `view` holds as it was.
 *
 * @example
 * const arrangementSchema = { filter: '0xddf2', sort: { column: 'data', descending: true } } as const;
 * const view = await extendLogView(emptyLogView, store, { arrangementSchema, through: store.length, clock });
 */
export async function extendLogView(
  view: LogView,
  store: LogStore,
  { arrangement, through, clock, signal, knowledge }: ExtendOptions,
): Promise<LogView> {
  const slices = createTimeSlices(clock);
  const fresh = await passingRows(store, {
    filter: arrangement.filter,
    from: view.seen,
    through,
    slices,
    signal,
    knowledge,
  });
  const { sort } = arrangement;
  const order =
    sort && !isAppendOnly(arrangement, store)
      ? orderBy(sort, store, { from: view.seen, through, knowledge })
      : undefined;
  if (order === undefined) return { rows: joined(view.rows, fresh), seen: through };
  const compare = (a: number, b: number) => order(a, b) || a - b;
  const sorted = await sortInSlices(fresh, compare, { slices, signal });
  const rows =
    view.rows.length === 0
      ? sorted
      : await mergeInSlices({ many: view.rows, few: sorted }, compare, { slices, signal });
  return { rows, seen: through };
}

/** How two rows are compared; undefined where no argument is known by which they were to be. */
function orderBy(
  { column, descending }: LogSort,
  store: LogStore,
  { from, through, knowledge }: Pick<ScanOptions, 'from' | 'through' | 'knowledge'>,
): ((a: number, b: number) => number) | undefined {
  const sign = descending ? -1 : 1;
  if (!isArgument(column)) return (a, b) => sign * store.compare(column, a, b);
  const argument = knowledge?.argumentAt(Number(column.slice('argument'.length)));
  return (
    argument &&
    createArgumentComparator(createArgumentReader(store.columns, argument), { from, through, sign })
  );
}

function isArgument(column: LogSort['column']): column is ArgumentColumn {
  return column.startsWith('argument');
}

interface ScanOptions {
  readonly filter: string;
  readonly from: number;
  readonly through: number;
  readonly slices: TimeSlices;
  readonly signal: AbortSignal | undefined;
  readonly knowledge: RowKnowledge | undefined;
}

async function passingRows(
  store: LogStore,
  { filter, from, through, slices, signal, knowledge }: ScanOptions,
): Promise<Uint32Array> {
  const passes = parseRowFilter(filter, knowledge)?.(store);
  const rows = new Uint32Array(through - from);
  let count = 0;
  for (let row = from; row < through; row++) {
    if (!passes || passes(row)) rows[count++] = row;
    if (row % 64 === 0 && slices.isOver()) await slices.rest({ signal });
  }
  // A view onto the front would keep the whole of it in memory.
  return count === rows.length ? rows : rows.slice(0, count);
}

function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  if (first.length === 0) return second;
  const rows = new Uint32Array(first.length + second.length);
  rows.set(first);
  rows.set(second, first.length);
  return rows;
}
