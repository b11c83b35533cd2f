import { effect, type ReadonlySignal } from '@preact/signals';
import { parseFilteredBlocks, replaceFilteredBlocks } from '../../core/index.ts';
import { type ChartRequest, MAX_FILTER_CHARS, type WireChart } from '../../features/logs/protocol/grid.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { oneAtATime } from '../kit/panelState.ts';
import {
  type BarRange,
  countLogsInBars,
  findBarsOfBlocks,
  findBlocksOfBars,
  getCursorRange,
} from './chartBars.ts';
import type { ChartPanel, ChartState } from './logsState.ts';

/** To count takes the host no more than this share of the time, however many rows there are. */
const MAX_BUSY_SHARE = 0.1;
/** Longer than this nobody waits, where it is others that keep the host busy. */
const MAX_REST_MS = 500;
/** Rows are shown first. */
const IDLE_TIMEOUT_MS = 300;

/** What the bars are of. */
interface ChartRequests {
  /** Other than before where the bars may be; undefined where there are none. */
  readonly version: ReadonlySignal<string | undefined>;
  readonly fetch: (question: ChartRequest) => Promise<WireChart | undefined>;
}

/** Keeps the bars as the rows are, one question at a time. */
export function syncChart(chart: ChartState, followed: ChartRequests): void {
  const ask = oneAtATime(async () => {
    await waitForIdle();
    const most = chart.maxBars.value;
    if (most === undefined || !chart.isShown.value) return;
    const begun = performance.now();
    const told = await followed.fetch({ unit: chart.unit.value, most });
    const took = performance.now() - begun;
    if (told) updateChart(chart, told);
    await new Promise((resolve) => setTimeout(resolve, Math.min(MAX_REST_MS, took / MAX_BUSY_SHARE - took)));
  });
  effect(() => {
    // Read, so that a change of any asks anew.
    const [rows] = [followed.version.value, chart.isShown.value, chart.unit.value, chart.maxBars.value];
    if (rows === undefined) chart.data.value = undefined;
    else void ask();
  });
}

function waitForIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Not every browser that VS Code runs in has it.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS });
    else setTimeout(resolve, IDLE_TIMEOUT_MS);
  });
}

/** Other bars mean other places: the keyboard stays where it was as far as there is such a bar. */
function updateChart(chart: ChartState, told: WireChart): void {
  const { bar } = chart.cursor.value ?? {};
  const isSame = told.bars.length === chart.data.value?.bars.length;
  if (bar !== undefined && !isSame) chart.cursor.value = { bar: Math.min(bar, told.bars.length - 1) };
  chart.data.value = told;
}

/** The bars that are being selected, else those that the rows are filtered by. */
export function findHighlightedBars(
  { chart, filter }: ChartPanel,
  { bars }: WireChart,
): BarRange | undefined {
  const cursor = chart.cursor.value;
  if (cursor?.anchor !== undefined) return getCursorRange(cursor);
  return findFilteredBars(filter, bars);
}

/** The bars that the rows are filtered by; undefined where they are not filtered by blocks. */
export function findFilteredBars(filter: string, bars: WireChart['bars']): BarRange | undefined {
  const blocks = parseFilteredBlocks(filter);
  return blocks && findBarsOfBlocks(bars, blocks);
}

/** Narrows the rows to the blocks of bars, in place of others: all else that they are filtered by stays. */
export function filterByBars({ chart, filter, onFilter }: ChartPanel, range: BarRange): void {
  const { bars, blockField } = chart.data.value ?? {};
  const blocks = bars && findBlocksOfBars(bars, range);
  if (!blocks) return;
  const narrowed = replaceFilteredBlocks(filter, blocks, blockField);
  if (narrowed.length <= MAX_FILTER_CHARS) onFilter(narrowed);
}

/** Narrows the rows to no blocks any more. */
export function showAllBlocks({ filter, onFilter }: ChartPanel): void {
  if (parseFilteredBlocks(filter)) onFilter(replaceFilteredBlocks(filter, undefined));
}

/** What bars stand over, and how many logs that are: `Blocks 480 to 499: 12 of 40 logs`. */
export function formatReadout(
  { strings, locale }: Pick<ChartPanel, 'strings' | 'locale'>,
  told: WireChart,
  [first, last]: BarRange,
): string {
  const { bars, isFiltered } = told;
  const name = formatBarRange({ strings }, told, [first, last]);
  const inDigits = (count: number) => count.toLocaleString(locale);
  const loaded = countLogsInBars(bars, [first, last], 'loaded');
  if (isFiltered) {
    const shown = countLogsInBars(bars, [first, last], 'shown');
    return fillTemplate(strings.barFiltered, name, inDigits(shown), inDigits(loaded));
  }
  return loaded === 1
    ? fillTemplate(strings.barLog, name)
    : fillTemplate(strings.barLogs, name, inDigits(loaded));
}

/** What bars stand over: `Blocks 480 to 499`. */
export function formatBarRange(
  { strings }: Pick<ChartPanel, 'strings'>,
  { bars, unit }: WireChart,
  [first, last]: BarRange,
): string {
  const [start, end] = [bars[first]?.start ?? '', bars[last]?.end ?? ''];
  if (unit === 'time') return fillTemplate(strings.fromTimeTo, start, end);
  return start === end
    ? fillTemplate(strings.oneBlock, start)
    : fillTemplate(strings.fromBlockTo, start, end);
}
