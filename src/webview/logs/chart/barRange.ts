import type { FilteredBlocks } from '../../../core/index.ts';
import type { WireBar, WireChart } from '../../../features/logs/protocol/chart.ts';

/** From the first to the last bar, both counted. */
export type BarRange = readonly [first: number, last: number];

/** The blocks that bars stand over; undefined where none of them has a block. */
export function blocksOfBars(bars: readonly WireBar[], [first, last]: BarRange): FilteredBlocks | undefined {
  const some = bars.slice(first, last + 1).filter((bar) => bar.first <= bar.last);
  const [lowest, highest] = [some[0], some.at(-1)];
  return lowest && highest && { first: lowest.first, last: highest.last };
}

/** The bars that stand over some of the blocks; undefined where none does. */
export function barsOfBlocks(
  bars: readonly WireBar[],
  { first, last }: FilteredBlocks,
): BarRange | undefined {
  const isIn = (bar: WireBar) => bar.first <= bar.last && bar.first <= last && bar.last >= first;
  const from = bars.findIndex(isIn);
  return from < 0 ? undefined : [from, bars.findLastIndex(isIn)];
}

/** How many logs stand in bars. */
export function countOfBars(
  bars: readonly WireBar[],
  [first, last]: BarRange,
  of: 'loaded' | 'shown',
): number {
  return bars.slice(first, last + 1).reduce((sum, bar) => sum + bar[of], 0);
}

/** The bars of the logs that pass are drawn alone where they would be lower than this share of all. */
const LEAST_SHARE = 1 / 12;

/** Whether the logs that pass the filter are so few that they are drawn without the others. */
export function drawsFilteredAlone({ bars, isFiltered }: WireChart): boolean {
  if (!isFiltered) return false;
  const most = (of: 'shown' | 'loaded') => bars.reduce((high, bar) => Math.max(high, bar[of]), 0);
  return most('shown') > 0 && most('shown') < most('loaded') * LEAST_SHARE;
}
