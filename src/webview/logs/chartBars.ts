import type { FilteredBlocks } from '../../core/index.ts';
import type { WireBar, WireChart } from '../../features/logs/protocol/grid.ts';

/** Both inclusive. */
export type BarRange = readonly [first: number, last: number];

/** Returns the blocks of bars; undefined if none of them has blocks. */
export function findBlocksOfBars(
  bars: readonly WireBar[],
  [first, last]: BarRange,
): FilteredBlocks | undefined {
  const withBlocks = bars.slice(first, last + 1).filter((bar) => bar.first <= bar.last);
  const [lowest, highest] = [withBlocks[0], withBlocks.at(-1)];
  return lowest && highest && { first: lowest.first, last: highest.last };
}

/** Returns the bars with some of the blocks; undefined if there are none. */
export function findBarsOfBlocks(
  bars: readonly WireBar[],
  { first, last }: FilteredBlocks,
): BarRange | undefined {
  const overlaps = (bar: WireBar) => bar.first <= bar.last && bar.first <= last && bar.last >= first;
  const from = bars.findIndex(overlaps);
  return from < 0 ? undefined : [from, bars.findLastIndex(overlaps)];
}

export function countLogsInBars(
  bars: readonly WireBar[],
  [first, last]: BarRange,
  of: 'loaded' | 'shown',
): number {
  return bars.slice(first, last + 1).reduce((sum, bar) => sum + bar[of], 0);
}

/** Whether so few logs pass the filter that they are drawn without the others. */
export function drawsFilteredAlone({ bars, isFiltered }: WireChart): boolean {
  if (!isFiltered) return false;
  const maxCount = (of: 'shown' | 'loaded') => bars.reduce((highest, bar) => Math.max(highest, bar[of]), 0);
  return maxCount('shown') > 0 && maxCount('shown') < maxCount('loaded') * MIN_FILTERED_SHARE;
}

/** Filtered bars that would be lower than this share of all bars are drawn alone. */
const MIN_FILTERED_SHARE = 1 / 12;

/** The position of the keyboard in the chart. */
export interface ChartCursor {
  readonly bar: number;
  /** The bar where the selection started; undefined if nothing is selected. */
  readonly anchor?: number | undefined;
}

/** Returns the cursor after a key; undefined for keys that do not move it. */
export function findCursorAfterKey(
  { key, shiftKey }: PressedKey,
  { bar, anchor = bar }: ChartCursor,
  bars: number,
): ChartCursor | undefined {
  const to = findBarAfterKey(key, bar, bars - 1);
  if (to === undefined) return undefined;
  const target = Math.min(bars - 1, Math.max(0, to));
  return shiftKey ? { bar: target, anchor } : { bar: target };
}

interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
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

const PAGE_BARS = 10;

/** Returns the bars from the start of the selection to the cursor. */
export function getCursorRange({ bar, anchor = bar }: ChartCursor): BarRange {
  return [Math.min(bar, anchor), Math.max(bar, anchor)];
}

/**
 * Returns the cursor after a change of the bars: at the same blocks. From a bar without blocks, it stays at its number
 * or goes to the last bar.
 */
export function moveCursor(
  cursor: ChartCursor,
  bars: readonly WireBar[],
  next: readonly WireBar[],
): ChartCursor {
  if (next.length === bars.length) return cursor;
  const blocks = findBlocksOfBars(bars, [cursor.bar, cursor.bar]);
  const same = blocks && findBarsOfBlocks(next, blocks);
  return { bar: same ? same[1] : Math.min(cursor.bar, next.length - 1) };
}
