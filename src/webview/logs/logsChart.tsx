import { computed, effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { WireChart } from '../../features/logs/protocol/grid.ts';
import { drawsFilteredAlone, findCursorAfterKey, getCursorRange } from './chartBars.ts';
import {
  filterByBars,
  findFilteredBars,
  findHighlightedBars,
  formatBarRange,
  formatReadout,
  reconcileChart,
  showAllBlocks,
  syncChart,
} from './chartModel.ts';
import { arrangeRows } from './logsActions.ts';
import type { ChartPanel, LogsState } from './logsState.ts';
import type { LoadPlot, Plot } from './plot.lazy.ts';

/** The chart of the result: how many logs there are, over blocks or time. */
export function LogsChart({ state }: { readonly state: LogsState }) {
  const { chart, strings, snapshot, arrangement } = state;
  const onFilter = (typed: string) => arrangeRows(state, { ...arrangement.value, filter: typed });
  const { filter } = arrangement.value;
  const offer = snapshot.value.chart;
  const panel = { chart, strings, locale: document.documentElement.lang, offer, filter, onFilter };
  return <Chart panel={panel} loadPlot={loadPlot} />;
}

function loadPlot() {
  ensureValidLanguage();
  return import('./plot.lazy.ts');
}

/**
 * Replaces an invalid language of the page: uPlot creates a number format with `navigator.language` when it is
 * loaded. On a system without a language that is `en-US@posix`, which `Intl` rejects.
 */
function ensureValidLanguage(): void {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: document.documentElement.lang });
  }
}

/** Updates the chart when the rows change. */
export function syncChartWithRows({ chart, snapshot, host }: LogsState): void {
  const version = computed(() => {
    const { resultId, order, rows, loaded, arrangement, chart: offer } = snapshot.value;
    return offer && JSON.stringify([resultId, order, rows, loaded, arrangement.filter, offer]);
  });
  effect(() => {
    const { resultId, chart: offer } = snapshot.value;
    chart.data.value = reconcileChart(chart.data.value, { resultId, offer });
  });
  syncChart(chart, {
    version,
    async fetch(request) {
      const data = await host.request('chart', request).catch(() => undefined);
      return data?.resultId === snapshot.value.resultId ? data : undefined;
    },
  });
}

function Chart(props: ChartProps) {
  const { panel } = props;
  const { chart, offer, strings } = panel;
  if (!offer || !chart.isShown.value) return null;
  return (
    <section
      class={chart.data.value && chart.isDrawn.value ? 'chart' : 'chart pending'}
      aria-label={strings.chart}
      aria-busy={!chart.isCurrent.value}
    >
      <Bars {...props} />
      <ChartCaption panel={panel} />
      {chart.isTableOpen.value && chart.data.value && <ChartTable panel={panel} data={chart.data.value} />}
    </section>
  );
}

interface ChartProps {
  readonly panel: ChartPanel;
  readonly loadPlot: LoadPlot;
}

function Bars({ panel, loadPlot }: ChartProps) {
  const { chart, strings } = panel;
  const box = useRef<HTMLDivElement>(null);
  const plot = usePlot({ panel, loadPlot }, box);
  const data = chart.data.value;
  const cursor = chart.cursor.value;
  const marked = chart.pointed.value ?? cursor?.bar;
  const selected = data && findHighlightedBars(panel, data);
  useLayoutEffect(() => {
    if (!data || !plot.current) return;
    plot.current.show({ chart: data, marked, selected });
    chart.isDrawn.value = true;
  });
  const last = (data?.bars.length ?? 1) - 1;
  return (
    <div
      ref={box}
      class="bars"
      role="slider"
      tabIndex={0}
      aria-label={data?.title ?? strings.chart}
      aria-roledescription={strings.chartRole}
      aria-describedby="chart-keys"
      aria-valuemin={1}
      aria-valuemax={last + 1}
      aria-valuenow={(cursor?.bar ?? last) + 1}
      aria-valuetext={data && (cursor ? formatReadout(panel, data, getCursorRange(cursor)) : data.summary)}
      onFocus={() => {
        // The keyboard starts at the newest logs.
        if (data && !chart.cursor.value && box.current?.matches(':focus-visible'))
          chart.cursor.value = { bar: last };
      }}
      onBlur={() => {
        chart.cursor.value = undefined;
      }}
      onKeyDown={(event) => handleChartKey(panel, event)}
    />
  );
}

/** Draws as soon as the plot code is loaded, which happens when a chart is first shown. */
function usePlot({ panel, loadPlot }: ChartProps, box: { readonly current: HTMLDivElement | null }) {
  const { chart } = panel;
  const latestPanel = useRef(panel);
  latestPanel.current = panel;
  const plot = useRef<Plot>(undefined);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let isDisposed = false;
    const measure = () => {
      chart.maxBars.value = Math.min(MAX_BARS, Math.max(10, Math.floor(element.clientWidth / BAR_WIDTH_PX)));
    };
    const resizeObserver = new ResizeObserver(measure);
    const themeObserver = new MutationObserver(() => plot.current?.recolor());
    measure();
    resizeObserver.observe(element);
    void loadPlot().then(({ createPlot }) => {
      if (isDisposed) return;
      plot.current = createPlot(element, {
        onPoint: (bar) => {
          chart.pointed.value = bar;
        },
        onSelect: (bars) => filterByBars(latestPanel.current, bars),
      });
      themeObserver.observe(document.body, { attributes: true });
      themeObserver.observe(document.documentElement, { attributes: true });
      const data = chart.data.value;
      if (!data) return;
      plot.current.show({
        chart: data,
        marked: undefined,
        selected: findHighlightedBars(latestPanel.current, data),
      });
      chart.isDrawn.value = true;
    });
    return () => {
      isDisposed = true;
      resizeObserver.disconnect();
      themeObserver.disconnect();
      plot.current?.dispose();
      chart.isDrawn.value = false;
      chart.pointed.value = undefined;
    };
  }, [box, chart, loadPlot]);
  return plot;
}

/** Width of a bar with its gap. */
const BAR_WIDTH_PX = 8;

const MAX_BARS = 200;

function handleChartKey(panel: ChartPanel, event: KeyboardEvent): void {
  const { chart } = panel;
  const data = chart.data.value;
  if (!data || event.altKey || event.ctrlKey || event.metaKey) return;
  const cursor = chart.cursor.value ?? { bar: data.bars.length - 1 };
  if (event.key === 'Enter' || event.key === ' ') {
    filterByBars(panel, getCursorRange(cursor));
  } else if (event.key === 'Escape') {
    if (cursor.anchor !== undefined) chart.cursor.value = { bar: cursor.bar };
    else showAllBlocks(panel);
  } else {
    const next = findCursorAfterKey(event, cursor, data.bars.length);
    if (!next) return;
    chart.cursor.value = next;
  }
  event.preventDefault();
}

/** Below the bars: the ends of their range, a readout of the cursor or pointer, and buttons. */
function ChartCaption({ panel }: { readonly panel: ChartPanel }) {
  const { chart, strings } = panel;
  const data = chart.data.value;
  return (
    <div class="caption">
      <span class="end">{data?.from}</span>
      <span class="now">{data && formatCaption(panel, data)}</span>
      <span class="end">{data?.to}</span>
      <span id="chart-keys" class="unseen">
        {[data?.before?.label, data?.after?.label, strings.chartKeys].filter(Boolean).join('. ')}
      </span>
      <span class="tools">
        {data && findFilteredBars(panel.filter, data.bars) && (
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

/**
 * Switches between blocks and time. Time is only available if the logs came with it, as nothing is fetched for the
 * chart.
 */
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

function formatCaption(panel: ChartPanel, data: WireChart): string {
  const { chart, strings, filter } = panel;
  const pointed = chart.pointed.value;
  const cursor = chart.cursor.value;
  if (pointed !== undefined) return formatReadout(panel, data, [pointed, pointed]);
  if (cursor) return formatReadout(panel, data, getCursorRange(cursor));
  const bars = findFilteredBars(filter, data.bars);
  if (bars) return formatReadout(panel, data, bars);
  const filterNote = drawsFilteredAlone(data) ? strings.filteredAlone : strings.filteredOverAll;
  const notes = [data.before, data.after].map((part) => part?.label);
  return [...notes, data.isFiltered ? filterNote : undefined]
    .filter((text) => text !== undefined)
    .join(' · ');
}

/** The bars as an accessible table. */
function ChartTable({ panel, data }: { readonly panel: ChartPanel; readonly data: WireChart }) {
  const { strings, locale } = panel;
  const rows = data.bars.flatMap((bar, index) => (bar.loaded > 0 ? [{ ...bar, index }] : []));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div id="chart-table" class="chart-table" role="region" aria-label={data.title} tabIndex={0}>
      <table>
        <caption class="unseen">{data.title}</caption>
        <thead>
          <tr>
            <th scope="col">{strings.chartPart}</th>
            <th scope="col">{strings.chartLogs}</th>
            {data.isFiltered && <th scope="col">{strings.chartFiltered}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ index, loaded, shown }) => (
            <tr key={index}>
              <th scope="row">
                <button type="button" class="plain" onClick={() => filterByBars(panel, [index, index])}>
                  {formatBarRange(panel, data, [index, index])}
                </button>
              </th>
              <td>{loaded.toLocaleString(locale)}</td>
              {data.isFiltered && <td>{shown.toLocaleString(locale)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
