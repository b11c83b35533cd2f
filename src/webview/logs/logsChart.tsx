import { computed } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { WireChart } from '../../features/logs/protocol/grid.ts';
import { drawsFilteredAlone, findCursorAfterKey, getCursorRange } from './chartBars.ts';
import {
  filterByBars,
  findFilteredBars,
  findHighlightedBars,
  formatBarRange,
  formatReadout,
  showAllBlocks,
  syncChart,
} from './chartModel.ts';
import { arrangeRows } from './logsActions.ts';
import type { ChartPanel, LogsState } from './logsState.ts';
import type { LoadPlot, Plot } from './plot.lazy.ts';

function loadPlot() {
  ensureValidLanguage();
  return import('./plot.lazy.ts');
}

/** How many logs the answer has where. */
export function LogsChart({ state }: { readonly state: LogsState }) {
  const { chart, strings, snapshot, arrangement } = state;
  const onFilter = (typed: string) => arrangeRows(state, { ...arrangement.value, filter: typed });
  const { filter } = arrangement.value;
  const offer = snapshot.value.chart;
  const panel = { chart, strings, locale: document.documentElement.lang, offer, filter, onFilter };
  return <Chart panel={panel} loadPlot={loadPlot} />;
}

/** Keeps the chart as the rows are. */
export function syncChartWithRows({ chart, snapshot, host }: LogsState): void {
  const known = computed(() => {
    const { answer, order, rows, loaded, arrangement, chart: offer } = snapshot.value;
    return offer && JSON.stringify([answer, order, rows, loaded, arrangement.filter, offer]);
  });
  syncChart(chart, {
    version: known,
    async fetch(question) {
      const told = await host.request('chart', question).catch(() => undefined);
      return told?.answer === snapshot.value.answer ? told : undefined;
    },
  });
}

/**
 * Gives the page a language that `Intl` takes. uPlot makes a format of the browser's as it is loaded, which is
 * `en-US@posix` where the system has none.
 */
function ensureValidLanguage(): void {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: document.documentElement.lang });
  }
}

/** Pixels of a bar with what is between two. */
const BAR_WIDTH_PX = 8;
const MAX_BARS = 200;

interface ChartProps {
  readonly panel: ChartPanel;
  readonly loadPlot: LoadPlot;
}

/** How many logs there are where: over blocks, or over time. */
function Chart(props: ChartProps) {
  const { panel } = props;
  const { chart, offer, strings } = panel;
  if (!offer || !chart.isShown.value) return null;
  return (
    <section class="chart" aria-label={strings.chart}>
      <Bars {...props} />
      <ChartCaption panel={panel} />
      {chart.isTableOpen.value && chart.data.value && <ChartTable panel={panel} told={chart.data.value} />}
    </section>
  );
}

function Bars({ panel, loadPlot }: ChartProps) {
  const { chart, strings } = panel;
  const box = useRef<HTMLDivElement>(null);
  const plot = usePlot({ panel, loadPlot }, box);
  const told = chart.data.value;
  const cursor = chart.cursor.value;
  const marked = chart.pointed.value ?? cursor?.bar;
  const selected = told && findHighlightedBars(panel, told);
  useLayoutEffect(() => {
    if (told) plot.current?.show({ chart: told, marked, selected });
  });
  const last = (told?.bars.length ?? 1) - 1;
  return (
    <div
      ref={box}
      class="bars"
      role="slider"
      tabIndex={0}
      aria-label={told?.title ?? strings.chart}
      aria-roledescription={strings.chartRole}
      aria-describedby="chart-keys"
      aria-valuemin={1}
      aria-valuemax={last + 1}
      aria-valuenow={(cursor?.bar ?? last) + 1}
      aria-valuetext={told && (cursor ? formatReadout(panel, told, getCursorRange(cursor)) : told.summary)}
      onFocus={() => {
        // By the keyboard: it begins at the newest logs.
        if (told && !chart.cursor.value && box.current?.matches(':focus-visible'))
          chart.cursor.value = { bar: last };
      }}
      onBlur={() => {
        chart.cursor.value = undefined;
      }}
      onKeyDown={(event) => handleChartKey(panel, event)}
    />
  );
}

/** Draws as soon as the program that draws has been loaded, which is when a chart is first shown. */
function usePlot({ panel, loadPlot }: ChartProps, box: { readonly current: HTMLDivElement | null }) {
  const { chart } = panel;
  const now = useRef(panel);
  now.current = panel;
  const plot = useRef<Plot>(undefined);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let isGone = false;
    const measure = () => {
      chart.maxBars.value = Math.min(MAX_BARS, Math.max(10, Math.floor(element.clientWidth / BAR_WIDTH_PX)));
    };
    const sized = new ResizeObserver(measure);
    const recolored = new MutationObserver(() => plot.current?.recolor());
    measure();
    sized.observe(element);
    void loadPlot().then(({ createPlot }) => {
      if (isGone) return;
      plot.current = createPlot(element, {
        onPoint: (bar) => {
          chart.pointed.value = bar;
        },
        onSelect: (bars) => filterByBars(now.current, bars),
      });
      recolored.observe(document.body, { attributes: true });
      recolored.observe(document.documentElement, { attributes: true });
      const told = chart.data.value;
      if (told)
        plot.current.show({
          chart: told,
          marked: undefined,
          selected: findHighlightedBars(now.current, told),
        });
    });
    return () => {
      isGone = true;
      sized.disconnect();
      recolored.disconnect();
      plot.current?.dispose();
      chart.pointed.value = undefined;
    };
  }, [box, chart, loadPlot]);
  return plot;
}

function handleChartKey(panel: ChartPanel, event: KeyboardEvent): void {
  const { chart } = panel;
  const told = chart.data.value;
  if (!told || event.altKey || event.ctrlKey || event.metaKey) return;
  const cursor = chart.cursor.value ?? { bar: told.bars.length - 1 };
  if (event.key === 'Enter' || event.key === ' ') {
    filterByBars(panel, getCursorRange(cursor));
  } else if (event.key === 'Escape') {
    if (cursor.anchor !== undefined) chart.cursor.value = { bar: cursor.bar };
    else showAllBlocks(panel);
  } else {
    const next = findCursorAfterKey(event, cursor, told.bars.length);
    if (!next) return;
    chart.cursor.value = next;
  }
  event.preventDefault();
}

/** Below the bars: where they begin and end, what is pointed at, and what the chart can be told. */
function ChartCaption({ panel }: { readonly panel: ChartPanel }) {
  const { chart, strings } = panel;
  const told = chart.data.value;
  return (
    <div class="caption">
      <span class="end">{told?.from}</span>
      <span class="now">{told && formatCaption(panel, told)}</span>
      <span class="end">{told?.to}</span>
      <span id="chart-keys" class="unseen">
        {[told?.before?.label, told?.after?.label, strings.chartKeys].filter(Boolean).join('. ')}
      </span>
      <span class="tools">
        {told && findFilteredBars(panel.filter, told.bars) && (
          <button type="button" class="plain" onClick={() => showAllBlocks(panel)}>
            {strings.allBlocks}
          </button>
        )}
        <UnitButton panel={panel} />
        <button
          type="button"
          class="plain"
          aria-expanded={chart.isTableOpen.value}
          aria-controls={chart.isTableOpen.value ? 'chart-table' : undefined}
          onClick={() => {
            chart.isTableOpen.value = !chart.isTableOpen.value;
          }}
        >
          {strings.chartTable}
        </button>
      </span>
    </div>
  );
}

/** Goes over from blocks to time and back; over time only where the logs came with it, since nothing is asked. */
function UnitButton({ panel }: { readonly panel: ChartPanel }) {
  const { chart, strings, offer } = panel;
  const hasTimes = offer?.hasTimes === true;
  const isOverTime = hasTimes && chart.unit.value === 'time';
  return (
    <button
      type="button"
      class="plain toggle"
      aria-pressed={isOverTime}
      aria-disabled={!hasTimes}
      title={hasTimes ? strings.overTimeHint : strings.noTimes}
      onClick={() => {
        if (hasTimes) chart.unit.value = isOverTime ? 'block' : 'time';
      }}
    >
      {strings.overTime}
    </button>
  );
}

function formatCaption(panel: ChartPanel, told: WireChart): string {
  const { chart, strings, filter } = panel;
  const pointed = chart.pointed.value;
  const cursor = chart.cursor.value;
  if (pointed !== undefined) return formatReadout(panel, told, [pointed, pointed]);
  if (cursor) return formatReadout(panel, told, getCursorRange(cursor));
  const bars = findFilteredBars(filter, told.bars);
  if (bars) return formatReadout(panel, told, bars);
  const filtered = drawsFilteredAlone(told) ? strings.filteredAlone : strings.filteredOverAll;
  const beside = [told.before, told.after].map((part) => part?.label);
  return [...beside, told.isFiltered ? filtered : undefined]
    .filter((words) => words !== undefined)
    .join(' · ');
}

/** The bars as a table, for whom a picture says nothing. */
function ChartTable({ panel, told }: { readonly panel: ChartPanel; readonly told: WireChart }) {
  const { strings, locale } = panel;
  const rows = told.bars.flatMap((bar, index) => (bar.loaded > 0 ? [{ ...bar, index }] : []));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div id="chart-table" class="chart-table" role="region" aria-label={told.title} tabIndex={0}>
      <table>
        <caption class="unseen">{told.title}</caption>
        <thead>
          <tr>
            <th scope="col">{strings.chartPart}</th>
            <th scope="col">{strings.chartLogs}</th>
            {told.isFiltered && <th scope="col">{strings.chartFiltered}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ index, loaded, shown }) => (
            <tr key={index}>
              <th scope="row">
                <button type="button" class="plain" onClick={() => filterByBars(panel, [index, index])}>
                  {formatBarRange(panel, told, [index, index])}
                </button>
              </th>
              <td>{loaded.toLocaleString(locale)}</td>
              {told.isFiltered && <td>{shown.toLocaleString(locale)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
