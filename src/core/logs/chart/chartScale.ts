/** What bars stand over: block numbers, or milliseconds since the Unix epoch. */
export type ChartUnit = 'block' | 'time';

/** From the first to the last one, both counted. */
export interface ChartSpan {
  readonly first: number;
  readonly last: number;
}

/** Bars of one width, which begin at multiples of it. */
export interface ChartScale extends ChartSpan {
  /** In blocks or milliseconds: 1, 2 or 5 of a power of ten, or a usual part of a minute, an hour or a day. */
  readonly width: number;
  readonly bars: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIMES: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
];

/**
 * The narrowest bars of a round width of which no more than `most` stand over a span.
 *
 * @param most 1 or more.
 * @example chartScale({ first: 0, last: 545 }, { most: 100, unit: 'block' }).width // 10
 */
export function chartScale(
  { first, last }: ChartSpan,
  { most, unit }: { readonly most: number; readonly unit: ChartUnit },
): ChartScale {
  for (const width of widths(unit)) {
    const bars = Math.floor(last / width) - Math.floor(first / width) + 1;
    // Over a multiple of every width there are two bars at the least.
    if (bars <= Math.max(2, most)) return { first, last, width, bars };
  }
  throw new RangeError(`There are no bars from ${first} to ${last}.`);
}

function* widths(unit: ChartUnit): Generator<number> {
  if (unit === 'time') yield* TIMES;
  const one = unit === 'time' ? DAY : 1;
  for (let ten = one; ten <= Number.MAX_SAFE_INTEGER; ten *= 10) yield* [ten, 2 * ten, 5 * ten];
}

/**
 * What a bar stands over, as far as the scale goes.
 *
 * @example spanOfBar(chartScale({ first: 7, last: 42 }, { most: 5, unit: 'block' }), 0).last // 9
 */
export function spanOfBar({ first, last, width }: ChartScale, bar: number): ChartSpan {
  const start = (Math.floor(first / width) + bar) * width;
  return { first: Math.max(first, start), last: Math.min(last, start + width - 1) };
}
