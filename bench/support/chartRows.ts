import {
  countBars,
  createChartScale,
  createTimeSlices,
  findBarStarts,
  type LogStore,
  systemClock,
} from '../../src/core/index.ts';
import { timed } from './stats.ts';

const BARS = 120;

/** Milliseconds that the bars of all rows take. */
export interface ChartTimes {
  /** A loop over the block numbers in one array, into as many bars. */
  readonly floor: number;
  readonly inOrder: number;
  /** In slices of time, as in the editor. */
  readonly inNoOrder: number;
  readonly rows: number;
}

/** Counts the rows of a store in bars over its blocks: in the order of the store, and as if they were sorted otherwise. */
export async function chartTimes(store: LogStore): Promise<ChartTimes> {
  const blocks = Float64Array.from({ length: store.length }, (_, row) => store.blockNumberAt(row));
  const ends = [blocks[0] ?? 0, blocks.at(-1) ?? 0];
  const scale = createChartScale(
    { first: Math.min(...ends), last: Math.max(...ends) },
    { most: BARS, unit: 'block' },
  );
  const rows = Uint32Array.from(blocks.keys()).reverse();
  const counts = new Uint32Array(scale.bars);
  const base = Math.floor(scale.first / scale.width);
  const floor = await timed(async () => {
    for (const block of blocks) {
      const bar = Math.floor(block / scale.width) - base;
      counts[bar] = (counts[bar] ?? 0) + 1;
    }
  });
  const inOrder = await timed(async () => findBarStarts({ store, unit: 'block' }, scale));
  let counted: Uint32Array = new Uint32Array();
  const inNoOrder = await timed(async () => {
    const slices = createTimeSlices(systemClock);
    counted = await countBars({ store, unit: 'block', rows }, scale, { slices });
  });
  if (counted.join() !== counts.join()) throw new Error('Bars have other counts than the rows.');
  return { floor, inOrder, inNoOrder, rows: counted.reduce((sum, count) => sum + count, 0) };
}
