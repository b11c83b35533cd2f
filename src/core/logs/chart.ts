import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { LogStore } from './store/logStore.ts';

/** The axis of a chart: block numbers, or milliseconds since the Unix epoch. */
export type ChartUnit = 'block' | 'time';

/** Both ends inclusive. */
export interface ChartSpan {
  readonly first: number;
  readonly last: number;
}

/** Bars of one width, which begin at multiples of it. */
export interface ChartScale extends ChartSpan {
  /** In blocks or milliseconds: 1, 2 or 5 times a power of ten, or a usual part of a minute, an hour or a day. */
  readonly width: number;
  readonly bars: number;
}

/**
 * The narrowest bars of a round width that need at most `most` bars for a span.
 *
 * @param most 1 or more.
 * @example createChartScale({ first: 0, last: 545 }, { most: 100, unit: 'block' }).width // 10
 */
export function createChartScale(
  { first, last }: ChartSpan,
  { most, unit }: { readonly most: number; readonly unit: ChartUnit },
): ChartScale {
  for (const width of iterateWidths(unit)) {
    const bars = Math.floor(last / width) - Math.floor(first / width) + 1;
    // A span that crosses a multiple of every width needs at least two bars.
    if (bars <= Math.max(2, most)) return { first, last, width, bars };
  }
  throw new RangeError(`There are no bars from ${first} to ${last}.`);
}

/**
 * The span of one bar, within the scale.
 *
 * @example getBarSpan(createChartScale({ first: 7, last: 42 }, { most: 5, unit: 'block' }), 0).last // 9
 */
export function getBarSpan({ first, last, width }: ChartScale, bar: number): ChartSpan {
  const start = (Math.floor(first / width) + bar) * width;
  return { first: Math.max(first, start), last: Math.min(last, start + width - 1) };
}

/** The parts of a store that a chart reads. */
type ChartStore = Pick<LogStore, 'order' | 'length' | 'blockNumberAt' | 'timeAt'>;

/** Rows of a store, by their numbers; default: all of them. */
interface CountedRows {
  readonly store: ChartStore;
  readonly unit: ChartUnit;
  readonly rows?: Uint32Array | undefined;
}

/**
 * Where the rows of each bar begin, counted from the oldest row, with the number of rows as one more entry at the
 * end. The rows must be in the order of the store. Uses a binary search, so it reads few of a million rows.
 *
 * @example
 * const starts = findBarStarts({ store, unit: 'block' }, scale);
 * const inFirstBar = starts[1] - starts[0];
 */
export function findBarStarts(counted: CountedRows, { first, width, bars }: ChartScale): Uint32Array {
  const { length } = counted.rows ?? counted.store;
  const valueAt = createReaderFromOldest(counted);
  const starts = new Uint32Array(bars + 1);
  const base = Math.floor(first / width);
  let from = 0;
  for (let bar = 1; bar < bars; bar++) {
    from = findFirstAtLeast((base + bar) * width, { from, length, valueAt });
    starts[bar] = from;
  }
  starts[bars] = length;
  return starts;
}

/**
 * The number of rows in each bar, in any order of rows. Rows outside of the scale count for the first or last bar.
 * Works in slices of time.
 *
 * @throws the signal's reason when it aborts.
 * @example
 * const slices = createTimeSlices(systemClock);
 * const counts = await countBars({ store, unit: 'block', rows: view.rows }, scale, { slices });
 */
export async function countBars(
  { store, unit, rows }: CountedRows,
  { first, width, bars }: ChartScale,
  { slices, signal }: Abortable & { readonly slices: TimeSlices },
): Promise<Uint32Array> {
  const valueAt = createReader(store, unit);
  const { length } = rows ?? store;
  const counts = new Uint32Array(bars);
  const base = Math.floor(first / width);
  for (let index = 0; index < length; index++) {
    const value = valueAt(rows ? (rows[index] ?? 0) : index);
    const bar = Math.min(bars - 1, Math.max(0, Math.floor(value / width) - base));
    counts[bar] = (counts[bar] ?? 0) + 1;
    if (index % 1024 === 0 && slices.isOver()) await slices.rest({ signal });
  }
  return counts;
}

/**
 * The number of the store's row at a position counted from the oldest row.
 *
 * @example rowFromOldest({ order: 'newestFirst', length: 10 }, 0) // 9
 */
export function rowFromOldest({ order, length }: Pick<LogStore, 'order' | 'length'>, place: number): number {
  return order === 'oldestFirst' ? place : length - 1 - place;
}

function createReaderFromOldest({ store, unit, rows }: CountedRows): (place: number) => number {
  const valueAt = createReader(store, unit);
  if (!rows) return (place) => valueAt(rowFromOldest(store, place));
  const { order } = store;
  return (place) => valueAt(rows[rowFromOldest({ order, length: rows.length }, place)] ?? 0);
}

function createReader(store: ChartStore, unit: ChartUnit): (row: number) => number {
  return unit === 'block' ? store.blockNumberAt : (row) => store.timeAt(row) ?? 0;
}

function findFirstAtLeast(
  value: number,
  {
    from,
    length,
    valueAt,
  }: { readonly from: number; readonly length: number; readonly valueAt: (place: number) => number },
): number {
  let low = from;
  let high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (valueAt(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const SECOND = 1000;

const MINUTE = 60 * SECOND;

const HOUR = 60 * MINUTE;

const DAY = 24 * HOUR;

const TIME_WIDTHS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
];

function* iterateWidths(unit: ChartUnit): Generator<number> {
  if (unit === 'time') yield* TIME_WIDTHS;
  const smallest = unit === 'time' ? DAY : 1;
  for (let power = smallest; power <= Number.MAX_SAFE_INTEGER; power *= 10)
    yield* [power, 2 * power, 5 * power];
}
