import * as z from 'zod/mini';
import type { BlockField } from '../../../core/index.ts';

/** Bars that are asked for at most: more are thinner than a line on any screen. */
const MOST_BARS = 500;

export const chartUnit = z.enum(['block', 'time']);

/** What the chart is to stand over, and how many bars there is room for. */
export const chartQuestion = z.object({
  unit: chartUnit,
  most: z.int().check(z.minimum(2), z.maximum(MOST_BARS)),
});

export type ChartQuestion = Readonly<z.infer<typeof chartQuestion>>;

/** Whether there is something to draw: logs of two blocks or more. */
export interface ChartOffer {
  /** Every log came with the time of its block. */
  readonly hasTimes: boolean;
  /** The last block that was read, as the verdict has it: with other ones there are other bars. */
  readonly readThrough: string | undefined;
}

/** Block numbers are exact: the store takes none that are not. */
export interface WireBar {
  /** The blocks that it stands over. Over time those of its logs: none where the last is below the first. */
  readonly first: number;
  readonly last: number;
  /** Where it begins and ends, as it is written: block numbers or times. */
  readonly start: string;
  readonly end: string;
  /** Logs that are loaded. */
  readonly loaded: number;
  /** Of these those that pass the filter. */
  readonly shown: number;
}

/** A part of the range beside the bars. */
export interface BesideBars {
  /** `unread`: what is there is not known. `none`: it is read, and there are no logs. */
  readonly kind: 'unread' | 'none';
  readonly words: string;
}

export interface WireChart {
  readonly answer: string;
  readonly unit: ChartQuestion['unit'];
  /** `Logs over blocks`. */
  readonly title: string;
  readonly bars: readonly WireBar[];
  /** By which rows are narrowed to blocks. */
  readonly blockField: BlockField;
  /** Whether a filter is on. */
  readonly isFiltered: boolean;
  /** Where the bars begin and end, in words. */
  readonly from: string;
  readonly to: string;
  readonly before: BesideBars | undefined;
  readonly after: BesideBars | undefined;
  /** What it shows on the whole, in words. */
  readonly summary: string;
}
