import {
  type BlockField,
  type ChartScale,
  type ChartSpan,
  type ChartUnit,
  type Clock,
  countBars,
  createChartScale,
  createTimeSlices,
  findBarStarts,
  getBarSpan,
  type LogStore,
  rowFromOldest,
  type Verdict,
} from '../../../core/index.ts';
import type { Language } from '../../../host/l10n.ts';
import { getReadBlocks } from '../panel/formatStatus.ts';
import type { ChartOffer, ChartRequest, OutsideBars, WireBar, WireChart } from '../protocol/grid.ts';
import type { LogResults } from './logResults.ts';
import type { RowView } from './rowView.ts';

interface ChartInputs extends ChartLanguage {
  readonly results: Pick<LogResults, 'resultId' | 'rows' | 'sequence' | 'verdict'>;
  readonly rows: Pick<RowView, 'passing'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly blockField: BlockField;
}

export function createChartOffer(results: ChartInputs['results']): ChartOffer | undefined {
  const { verdict } = results;
  const rows = getChartedRows(results);
  const logs = getRowsSpan(rows);
  if (!logs) return undefined;
  const { before, after } = getChartRange(logs, verdict);
  const hasUnread = before?.kind === 'unread' || after?.kind === 'unread';
  return { hasTimes: rows.isTimed, hasUnread, readThrough: verdict?.readThrough?.toString() };
}

/** The loaded rows as bars, with the count of those that pass the filter. Sends no requests. */
export async function createChart(
  { unit: requestedUnit, most }: ChartRequest,
  inputs: ChartInputs,
): Promise<WireChart | undefined> {
  const { results } = inputs;
  const { verdict, resultId } = results;
  const store = getChartedRows(results);
  const logs = getRowsSpan(store);
  if (!logs) return undefined;
  const unit = requestedUnit === 'time' && store.isTimed ? 'time' : 'block';
  const range = getChartRange(logs, verdict);
  const scale = createChartScale(unit === 'time' ? getTimeSpan(store) : range, { most, unit });
  const starts = findBarStarts({ store, unit }, scale);
  const shown = await countPassingRows(scale, unit, inputs);
  const labels = createChartLabels(unit, inputs);
  const bars = Array.from({ length: scale.bars }, (_, bar): WireBar => {
    const span = getBarSpan(scale, bar);
    const [start = 0, end = 0] = [starts[bar], starts[bar + 1]];
    const blocks = unit === 'block' ? span : getBlockSpan(store, start, end);
    const loaded = end - start;
    return { ...blocks, ...labels.bar(span), loaded, shown: shown?.[bar] ?? loaded };
  });
  const visibleRange = unit === 'time' ? keepUnreadOnly(range) : range;
  return {
    resultId,
    unit,
    bars,
    blockField: inputs.blockField,
    title: labels.title,
    isFiltered: shown !== undefined,
    from: labels.end(scale.first),
    to: labels.end(scale.last),
    before: visibleRange.before && labels.outside(visibleRange.before),
    after: visibleRange.after && labels.outside(visibleRange.after),
    summary: labels.summary(bars),
  };
}

/** The rows per bar that pass the filter; undefined without a filter. */
async function countPassingRows(
  scale: ChartScale,
  unit: ChartUnit,
  { results, rows, clock, signal }: ChartInputs,
): Promise<ArrayLike<number> | undefined> {
  const passing = rows.passing(results.rows);
  if (!passing) return undefined;
  const counted = { store: results.rows, unit, rows: passing.rows };
  if (!passing.isInOrder) return countBars(counted, scale, { slices: createTimeSlices(clock), signal });
  const starts = findBarStarts(counted, scale);
  return starts.subarray(1).map((end, bar) => end - (starts[bar] ?? 0));
}

function getTimeSpan(store: ChartedRows) {
  const timeAt = (place: number) => store.timeAt(rowFromOldest(store, place)) ?? 0;
  return { first: timeAt(0), last: Math.max(timeAt(0), timeAt(store.length - 1)) };
}

/**
 * The blocks of rows `start` to `end`, counted from the oldest; `last` is below `first` if there are no rows.
 */
function getBlockSpan(store: ChartedRows, start: number, end: number) {
  const blockAt = (place: number) =>
    store.blockNumberAt(rowFromOldest(store, Math.min(place, store.length - 1)));
  const first = blockAt(start);
  return { first, last: end > start ? blockAt(end - 1) : first - 1 };
}

/** Over time the bars begin and end with logs: only unread blocks are outside of them. */
function keepUnreadOnly({ before, after, ...range }: ChartRange): ChartRange {
  const unread = (range: ChartRange['before']) => (range?.kind === 'unread' ? range : undefined);
  return { ...range, before: unread(before), after: unread(after) };
}

/** The blocks of the bars, and those left and right of them. */
interface ChartRange extends ChartSpan {
  readonly before: OutsideRange | undefined;
  readonly after: OutsideRange | undefined;
}

interface OutsideRange extends ChartSpan {
  readonly kind: 'unread' | 'none';
}

/**
 * Read blocks without logs at an end are left out above this share, so that the logs do not crowd in a
 * corner.
 */
const MAX_EMPTY_SHARE = 0.5;
/** The margin that remains, as a share of the blocks with logs. */
const MARGIN_SHARE = 0.05;

type BlockRows = Pick<LogStore, 'length' | 'order' | 'blockNumberAt'>;

/** The first and the last block of the rows; undefined if they are the same. */
function getRowsSpan(rows: BlockRows): ChartSpan | undefined {
  if (rows.length < 2) return undefined;
  const first = rows.blockNumberAt(rowFromOldest(rows, 0));
  const last = rows.blockNumberAt(rowFromOldest(rows, rows.length - 1));
  return first < last ? { first, last } : undefined;
}

/** Read blocks are drawn to scale, including logs of partly read blocks. Unread blocks never look empty. */
function getChartRange(logs: ChartSpan, verdict: Verdict | undefined): ChartRange {
  const read = verdict && getReadBlocks(verdict);
  const low = Math.min(logs.first, read ? Number(read.first) : logs.first);
  const high = Math.max(logs.last, read ? Number(read.last) : logs.last);
  const trimmed = trimEmptyEnds(logs, { first: low, last: high });
  const from = Number(verdict?.fromBlock ?? low);
  const to = Number(verdict?.toBlock ?? high);
  const isDownward = verdict?.order === 'newestFirst';
  return {
    ...trimmed,
    before:
      isDownward && from < low
        ? { kind: 'unread', first: from, last: low - 1 }
        : createEmptyRange(low, trimmed.first - 1),
    after:
      verdict && !isDownward && to > high
        ? { kind: 'unread', first: high + 1, last: to }
        : createEmptyRange(trimmed.last + 1, high),
  };
}

function createEmptyRange(first: number, last: number): OutsideRange | undefined {
  return first <= last ? { kind: 'none', first, last } : undefined;
}

function trimEmptyEnds(logs: ChartSpan, read: ChartSpan): ChartSpan {
  const maxEmpty = (read.last - read.first) * MAX_EMPTY_SHARE;
  const margin = Math.ceil((logs.last - logs.first) * MARGIN_SHARE);
  return {
    first: logs.first - read.first > maxEmpty ? logs.first - margin : read.first,
    last: read.last - logs.last > maxEmpty ? logs.last + margin : read.last,
  };
}

/** `time` formats a time for the user. */
interface ChartLanguage extends Language {
  readonly time: (time: number) => string;
}

interface ChartLabels {
  readonly title: string;
  bar(span: ChartSpan): Pick<WireBar, 'start' | 'end'>;
  end(value: number): string;
  outside(outside: ChartSpan & Pick<OutsideBars, 'kind'>): OutsideBars;
  summary(bars: readonly WireBar[]): string;
}

function createChartLabels(unit: ChartUnit, { l10n, locale, time }: ChartLanguage): ChartLabels {
  const number = (value: number) => value.toLocaleString(locale);
  const write = unit === 'time' ? time : number;
  const blocks = ({ first, last }: ChartSpan) =>
    first === last
      ? l10n.t('Block {0}', number(first))
      : l10n.t('Blocks {0} to {1}', number(first), number(last));
  return {
    title: unit === 'time' ? l10n.t('Logs over time') : l10n.t('Logs by block'),
    bar: ({ first, last }) => ({ start: write(first), end: write(last) }),
    end: write,
    outside: ({ kind, ...span }) => ({
      kind,
      label:
        kind === 'unread' ? l10n.t('{0}: not read yet', blocks(span)) : l10n.t('{0}: no logs', blocks(span)),
    }),
    summary(bars) {
      const highest = bars.reduce((most, bar) => (bar.shown > most.shown ? bar : most));
      return l10n.t(
        '{0} to {1} in {2} bars. The highest bar has {3}, from {4} to {5}.',
        bars[0]?.start ?? '',
        bars.at(-1)?.end ?? '',
        number(bars.length),
        highest.shown === 1 ? l10n.t('1 log') : l10n.t('{0} logs', number(highest.shown)),
        highest.start,
        highest.end,
      );
    },
  };
}

/** By places in the order of the result. */
type ChartedRows = Pick<LogStore, 'blockNumberAt' | 'isTimed' | 'length' | 'order' | 'timeAt'>;

/** The current rows: following adds rows on top, and a reorg removes some. */
function getChartedRows({ rows, sequence }: Pick<LogResults, 'rows' | 'sequence'>): ChartedRows {
  if (rows.upwardsFrom === undefined) return rows;
  const { length, numberAt, blockNumberAt } = sequence.now();
  return {
    length,
    blockNumberAt,
    isTimed: rows.isTimed,
    order: sequence.newestOnTop ? 'newestFirst' : 'oldestFirst',
    timeAt: (place) => rows.timeAt(numberAt(place)),
  };
}
