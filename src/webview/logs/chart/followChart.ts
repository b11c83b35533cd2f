import { effect, type ReadonlySignal } from '@preact/signals';
import type { ChartQuestion, WireChart } from '../../../features/logs/protocol/chart.ts';
import { oneAtATime } from '../../kit/latest.ts';
import type { ChartState } from './chartState.ts';

/** To count takes the host no more than this share of the time, however many rows there are. */
const SHARE = 0.1;
/** Longer than this nobody waits, where it is others that keep the host busy. */
const MOST_REST_MS = 500;
/** Rows are shown first. */
const AFTER_ROWS_MS = 300;

/** What the bars are of. */
interface Followed {
  /** Other than before where the bars may be; undefined where there are none. */
  readonly known: ReadonlySignal<string | undefined>;
  readonly ask: (question: ChartQuestion) => Promise<WireChart | undefined>;
}

/** Keeps the bars as the rows are, one question at a time. */
export function followChart(chart: ChartState, followed: Followed): void {
  const ask = oneAtATime(async () => {
    await rowsAreShown();
    const most = chart.room.value;
    if (most === undefined || !chart.isShown.value) return;
    const begun = performance.now();
    const told = await followed.ask({ unit: chart.unit.value, most });
    const took = performance.now() - begun;
    if (told) take(chart, told);
    await new Promise((resolve) => setTimeout(resolve, Math.min(MOST_REST_MS, took / SHARE - took)));
  });
  effect(() => {
    // Read, so that a change of any asks anew.
    const [rows] = [followed.known.value, chart.isShown.value, chart.unit.value, chart.room.value];
    if (rows === undefined) chart.told.value = undefined;
    else void ask();
  });
}

function rowsAreShown(): Promise<unknown> {
  return new Promise((resolve) => {
    // Not every browser that VS Code runs in has it.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve, { timeout: AFTER_ROWS_MS });
    else setTimeout(resolve, AFTER_ROWS_MS);
  });
}

/** Other bars mean other places: the keyboard stays where it was as far as there is such a bar. */
function take(chart: ChartState, told: WireChart): void {
  const { bar } = chart.cursor.value ?? {};
  const isSame = told.bars.length === chart.told.value?.bars.length;
  if (bar !== undefined && !isSame) chart.cursor.value = { bar: Math.min(bar, told.bars.length - 1) };
  chart.told.value = told;
}
