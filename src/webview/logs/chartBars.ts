import type { FilteredBlocks } from '../../core/index.ts';
import type { WireBar, WireChart } from '../../features/logs/protocol/grid.ts';

/** From the first to the last bar, both counted. */
export type BarRange = readonly [first: number, last: number];

/** The blocks that bars stand over; undefined where none of them has a block. */
export function findBlocksOfBars(
  bars: readonly WireBar[],
  [first, last]: BarRange,
): FilteredBlocks | undefined {
  const some = bars.slice(first, last + 1).filter((bar) => bar.first <= bar.last);
  const [lowest, highest] = [some[0], some.at(-1)];
  return lowest && highest && { first: lowest.first, last: highest.last };
}

/** The bars that stand over some of the blocks; undefined where none does. */
export function findBarsOfBlocks(
  bars: readonly WireBar[],
  { first, last }: FilteredBlocks,
): BarRange | undefined {
  const isIn = (bar: WireBar) => bar.first <= bar.last && bar.first <= last && bar.last >= first;
  const from = bars.findIndex(isIn);
  return from < 0 ? undefined : [from, bars.findLastIndex(isIn)];
}

/** How many logs stand in bars. */
export function countLogsInBars(
  bars: readonly WireBar[],
  [first, last]: BarRange,
  of: 'loaded' | 'shown',
): number {
  return bars.slice(first, last + 1).reduce((sum, bar) => sum + bar[of], 0);
}

/** The bars of the logs that pass are drawn alone where they would be lower than this share of all. */
const MIN_FILTERED_SHARE = 1 / 12;

/** Whether the logs that pass the filter are so few that they are drawn without the others. */
export function drawsFilteredAlone({ bars, isFiltered }: WireChart): boolean {
  if (!isFiltered) return false;
  const most = (of: 'shown' | 'loaded') => bars.reduce((high, bar) => Math.max(high, bar[of]), 0);
  return most('shown') > 0 && most('shown') < most('loaded') * MIN_FILTERED_SHARE;
}

/** Where the keyboard is in the chart. */
export interface ChartCursor {
  readonly bar: number;
  /** The bar at which the selection began that goes to this one; undefined where nothing is selected. */
  readonly anchor?: number | undefined;
}

interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
}

const PAGE_BARS = 10;

/** Where a key leads; undefined for one that leads nowhere. */
export function findCursorAfterKey(
  { key, shiftKey }: PressedKey,
  { bar, anchor = bar }: ChartCursor,
  bars: number,
): ChartCursor | undefined {
  const to = findBarAfterKey(key, bar, bars - 1);
  if (to === undefined) return undefined;
  const inside = Math.min(bars - 1, Math.max(0, to));
  return shiftKey ? { bar: inside, anchor } : { bar: inside };
}

function findBarAfterKey(key: string, bar: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return bar - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return bar + 1;
    case 'PageDown':
      return bar - PAGE_BARS;
    case 'PageUp':
      return bar + PAGE_BARS;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** The bars from where the selection began to where the keyboard is. */
export function getCursorRange({ bar, anchor = bar }: ChartCursor): BarRange {
  return [Math.min(bar, anchor), Math.max(bar, anchor)];
}
