import type { WireChart } from '../../../features/logs/protocol/chart.ts';
import { fill } from '../../../messaging/fill.ts';
import { type BarRange, countOfBars } from './barRange.ts';
import type { ChartPanel } from './chartState.ts';

/** What bars stand over, and how many logs that are: `Blocks 480 to 499: 12 of 40 logs`. */
export function readout(
  { strings, locale }: Pick<ChartPanel, 'strings' | 'locale'>,
  told: WireChart,
  [first, last]: BarRange,
): string {
  const { bars, isFiltered } = told;
  const name = nameOfBars({ strings }, told, [first, last]);
  const inDigits = (count: number) => count.toLocaleString(locale);
  const loaded = countOfBars(bars, [first, last], 'loaded');
  if (isFiltered) {
    const shown = countOfBars(bars, [first, last], 'shown');
    return fill(strings.barFiltered, name, inDigits(shown), inDigits(loaded));
  }
  return loaded === 1 ? fill(strings.barLog, name) : fill(strings.barLogs, name, inDigits(loaded));
}

/** What bars stand over: `Blocks 480 to 499`. */
export function nameOfBars(
  { strings }: Pick<ChartPanel, 'strings'>,
  { bars, unit }: WireChart,
  [first, last]: BarRange,
): string {
  const [start, end] = [bars[first]?.start ?? '', bars[last]?.end ?? ''];
  if (unit === 'time') return fill(strings.fromTimeTo, start, end);
  return start === end ? fill(strings.oneBlock, start) : fill(strings.fromBlockTo, start, end);
}
