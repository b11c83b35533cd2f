import { effect, type ReadonlySignal } from '@preact/signals';
import { parseFilteredBlocks, replaceFilteredBlocks } from '../../core/index.ts';
import {
  type ChartOffer,
  type ChartRequest,
  MAX_FILTER_CHARS,
  type WireChart,
} from '../../features/logs/protocol/grid.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { oneAtATime } from '../kit/panelState.ts';
import {
  type BarRange,
  countLogsInBars,
  findBarsOfBlocks,
  findBlocksOfBars,
  getCursorRange,
  moveCursor,
} from './chartBars.ts';
import type { ChartPanel, ChartState } from './logsState.ts';

/** Fetches the bars when the rows change, one request at a time. */
export function syncChart(chart: ChartState, requests: ChartRequests): void {
  const fetchBars = oneAtATime(async () => {
    await waitForIdle();
    const maxBars = chart.maxBars.value;
    if (maxBars === undefined || !chart.isShown.value) return;
    const version = requests.version.value;
    const unit = chart.unit.value;
    const startedAt = performance.now();
    const data = await requests.fetch({ unit, most: maxBars });
    const durationMs = performance.now() - startedAt;
    if (data) {
      updateChart(chart, data);
      const isSame = unit === chart.unit.value && maxBars === chart.maxBars.value;
      chart.isCurrent.value = isSame && version === requests.version.value;
    }
    await new Promise((resolve) =>
      setTimeout(resolve, Math.min(MAX_REST_MS, durationMs / MAX_BUSY_SHARE - durationMs)),
    );
  });
  effect(() => {
    // Read, so that a change of any fetches again.
    const [rows] = [requests.version.value, chart.isShown.value, chart.unit.value, chart.maxBars.value];
    chart.isCurrent.value = false;
    if (rows === undefined) chart.data.value = undefined;
    else void fetchBars();
  });
}

/**
 * Returns what to draw until newer bars arrive: nothing of another result, and no unread blocks when the status says
 * that all are read.
 */
export function reconcileChart(
  data: WireChart | undefined,
  { resultId, offer }: { readonly resultId: string; readonly offer: ChartOffer | undefined },
): WireChart | undefined {
  if (!data || data.resultId !== resultId) return undefined;
  const { before, after } = data;
  const isOutdated = offer?.hasUnread === false && (before?.kind === 'unread' || after?.kind === 'unread');
  if (!isOutdated) return data;
  const keepRead = (part: WireChart['before']) => (part?.kind === 'unread' ? undefined : part);
  return { ...data, before: keepRead(before), after: keepRead(after) };
}

/** Where the bars come from. */
interface ChartRequests {
  /** Changes when the bars may have changed; undefined if there are none. */
  readonly version: ReadonlySignal<string | undefined>;
  readonly fetch: (request: ChartRequest) => Promise<WireChart | undefined>;
}

/** Counting takes at most this share of the host's time, however many rows there are. */
const MAX_BUSY_SHARE = 0.1;

/** The longest pause, as other work may keep the host busy. */
const MAX_REST_MS = 500;

function waitForIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Not every browser that VS Code runs in has this function.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS });
    else setTimeout(resolve, IDLE_TIMEOUT_MS);
  });
}

/** Waits for rows to be shown first. */
const IDLE_TIMEOUT_MS = 300;

function updateChart(chart: ChartState, next: WireChart): void {
  chart.cursor.value =
    chart.cursor.value && moveCursor(chart.cursor.value, chart.data.value?.bars ?? [], next.bars);
  chart.data.value = next;
}

/** Returns the bars that are being selected, else those of the filter. */
export function findHighlightedBars(
  { chart, filter }: ChartPanel,
  { bars }: WireChart,
): BarRange | undefined {
  const cursor = chart.cursor.value;
  if (cursor?.anchor !== undefined) return getCursorRange(cursor);
  return findFilteredBars(filter, bars);
}

/** Returns the bars that the rows are filtered by; undefined if they are not filtered by blocks. */
export function findFilteredBars(filter: string, bars: WireChart['bars']): BarRange | undefined {
  const blocks = parseFilteredBlocks(filter);
  return blocks && findBarsOfBlocks(bars, blocks);
}

/** Filters the rows by the blocks of bars. Replaces an earlier block filter; other filter terms stay. */
export function filterByBars({ chart, filter, onFilter }: ChartPanel, range: BarRange): void {
  const { bars, blockField } = chart.data.value ?? {};
  const blocks = bars && findBlocksOfBars(bars, range);
  if (!blocks) return;
  const narrowed = replaceFilteredBlocks(filter, blocks, blockField);
  if (narrowed.length <= MAX_FILTER_CHARS) onFilter(narrowed);
}

/** Removes the block filter. */
export function showAllBlocks({ filter, onFilter }: ChartPanel): void {
  if (parseFilteredBlocks(filter)) onFilter(replaceFilteredBlocks(filter, undefined));
}

/** Formats the range of bars and their number of logs: `Blocks 480 to 499: 12 of 40 match`. */
export function formatReadout(
  { strings, locale }: Pick<ChartPanel, 'strings' | 'locale'>,
  data: WireChart,
  [first, last]: BarRange,
): string {
  const { bars, isFiltered } = data;
  const name = formatBarRange({ strings }, data, [first, last]);
  const formatCount = (count: number) => count.toLocaleString(locale);
  const loaded = countLogsInBars(bars, [first, last], 'loaded');
  if (isFiltered) {
    const shown = countLogsInBars(bars, [first, last], 'shown');
    return fillTemplate(strings.barFiltered, name, formatCount(shown), formatCount(loaded));
  }
  return loaded === 1
    ? fillTemplate(strings.barLog, name)
    : fillTemplate(strings.barLogs, name, formatCount(loaded));
}

/** Formats the range of bars: `Blocks 480 to 499`. */
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
