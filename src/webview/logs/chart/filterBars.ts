import { parseFilteredBlocks, replaceFilteredBlocks } from '../../../core/index.ts';
import { LONGEST_FILTER } from '../../../features/logs/protocol/arrangement.ts';
import type { WireChart } from '../../../features/logs/protocol/chart.ts';
import { type BarRange, barsOfBlocks, blocksOfBars } from './barRange.ts';
import { selectedBars } from './chartKeys.ts';
import type { ChartPanel } from './chartState.ts';

/** The bars that are being selected, else those that the rows are filtered by. */
export function selectedNow({ chart, filter }: ChartPanel, { bars }: WireChart): BarRange | undefined {
  const cursor = chart.cursor.value;
  if (cursor?.anchor !== undefined) return selectedBars(cursor);
  return filteredBars(filter, bars);
}

/** The bars that the rows are filtered by; undefined where they are not filtered by blocks. */
export function filteredBars(filter: string, bars: WireChart['bars']): BarRange | undefined {
  const blocks = parseFilteredBlocks(filter);
  return blocks && barsOfBlocks(bars, blocks);
}

/** Narrows the rows to the blocks of bars, in place of others: all else that they are filtered by stays. */
export function filterBars({ chart, filter, onFilter }: ChartPanel, range: BarRange): void {
  const { bars, blockField } = chart.told.value ?? {};
  const blocks = bars && blocksOfBars(bars, range);
  if (!blocks) return;
  const narrowed = replaceFilteredBlocks(filter, blocks, blockField);
  if (narrowed.length <= LONGEST_FILTER) onFilter(narrowed);
}

/** Narrows the rows to no blocks any more. */
export function showAllBlocks({ filter, onFilter }: ChartPanel): void {
  if (parseFilteredBlocks(filter)) onFilter(replaceFilteredBlocks(filter, undefined));
}
