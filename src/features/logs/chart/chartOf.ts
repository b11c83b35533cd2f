import {
  type BlockField,
  type ChartScale,
  type ChartUnit,
  type Clock,
  countBars,
  createChartScale,
  createTimeSlices,
  findBarStarts,
  getBarSpan,
  rowFromOldest,
} from '../../../core/index.ts';
import type { ChartOffer, ChartQuestion, WireBar, WireChart } from '../protocol/chart.ts';
import type { ArrangedRows } from '../results/arrangedRows.ts';
import type { LogResults } from '../results/logResults.ts';
import { type ChartedRows, chartedRows } from './chartedRows.ts';
import { blocksOfRows, type ChartRange, chartRange } from './chartRange.ts';
import { type ChartLanguage, chartWords } from './chartWords.ts';

interface ChartSource extends ChartLanguage {
  readonly results: Pick<LogResults, 'answer' | 'rows' | 'sequence' | 'verdict'>;
  readonly rows: Pick<ArrangedRows, 'passing'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly blockField: BlockField;
}

/** Whether there is something to draw, and over what. */
export function chartOffer(results: ChartSource['results']): ChartOffer | undefined {
  const { verdict } = results;
  const rows = chartedRows(results);
  if (!blocksOfRows(rows)) return undefined;
  return { hasTimes: rows.isTimed, readThrough: verdict?.readThrough?.toString() };
}

/** The loaded rows in bars, and of these those that pass the filter. Asks nothing of anybody. */
export async function chartOf(
  { unit: wanted, most }: ChartQuestion,
  source: ChartSource,
): Promise<WireChart | undefined> {
  const { results } = source;
  const { verdict, answer } = results;
  const store = chartedRows(results);
  const logs = blocksOfRows(store);
  if (!logs) return undefined;
  const unit = wanted === 'time' && store.isTimed ? 'time' : 'block';
  const range = chartRange(logs, verdict);
  const scale = createChartScale(unit === 'time' ? timesOfRows(store) : range, { most, unit });
  const starts = findBarStarts({ store, unit }, scale);
  const shown = await shownIn(scale, unit, source);
  const words = chartWords(unit, source);
  const bars = Array.from({ length: scale.bars }, (_, bar): WireBar => {
    const span = getBarSpan(scale, bar);
    const [start = 0, end = 0] = [starts[bar], starts[bar + 1]];
    const blocks = unit === 'block' ? span : blocksBetween(store, start, end);
    const loaded = end - start;
    return { ...blocks, ...words.bar(span), loaded, shown: shown?.[bar] ?? loaded };
  });
  const told = unit === 'time' ? withoutEmpty(range) : range;
  return {
    ...{
      answer,
      unit,
      bars,
      blockField: source.blockField,
      title: words.title,
      isFiltered: shown !== undefined,
    },
    ...{ from: words.end(scale.first), to: words.end(scale.last) },
    before: told.before && words.beside(told.before),
    after: told.after && words.beside(told.after),
    summary: words.summary(bars),
  };
}

/** Of each bar the rows that pass the filter; undefined without one. */
async function shownIn(
  scale: ChartScale,
  unit: ChartUnit,
  { results, rows, clock, signal }: ChartSource,
): Promise<ArrayLike<number> | undefined> {
  const passing = rows.passing(results.rows);
  if (!passing) return undefined;
  const counted = { store: results.rows, unit, rows: passing.rows };
  if (!passing.isInOrder) return countBars(counted, scale, { slices: createTimeSlices(clock), signal });
  const starts = findBarStarts(counted, scale);
  return starts.subarray(1).map((end, bar) => end - (starts[bar] ?? 0));
}

function timesOfRows(store: ChartedRows) {
  const timeAt = (place: number) => store.timeAt(rowFromOldest(store, place)) ?? 0;
  return { first: timeAt(0), last: Math.max(timeAt(0), timeAt(store.length - 1)) };
}

/** The blocks of the rows at these places from the oldest; no block where there is no row. */
function blocksBetween(store: ChartedRows, start: number, end: number) {
  const blockAt = (place: number) =>
    store.blockNumberAt(rowFromOldest(store, Math.min(place, store.length - 1)));
  const first = blockAt(start);
  return { first, last: end > start ? blockAt(end - 1) : first - 1 };
}

/** Over time the bars begin and end with logs: only the blocks that are not read are beside them. */
function withoutEmpty({ before, after, ...range }: ChartRange): ChartRange {
  const unread = (beside: ChartRange['before']) => (beside?.kind === 'unread' ? beside : undefined);
  return { ...range, before: unread(before), after: unread(after) };
}
