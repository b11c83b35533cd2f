import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ChartCaption } from './chartCaption.tsx';
import { afterKey, selectedBars } from './chartKeys.ts';
import { readout } from './chartReadout.ts';
import type { ChartPanel } from './chartState.ts';
import { ChartTable } from './chartTable.tsx';
import { filterBars, selectedNow, showAllBlocks } from './filterBars.ts';
import type { LoadPlot, Plot } from './plotted.ts';

/** Pixels of a bar with what is between two. */
const BAR = 8;
const MOST_BARS = 200;

interface ChartProps {
  readonly panel: ChartPanel;
  readonly loadPlot: LoadPlot;
}

/** How many logs there are where: over blocks, or over time. */
export function Chart(props: ChartProps) {
  const { panel } = props;
  const { chart, offer, strings } = panel;
  if (!offer || !chart.isShown.value) return null;
  return (
    <section class="chart" aria-label={strings.chart}>
      <Bars {...props} />
      <ChartCaption panel={panel} />
      {chart.isTableOpen.value && chart.told.value && <ChartTable panel={panel} told={chart.told.value} />}
    </section>
  );
}

function Bars({ panel, loadPlot }: ChartProps) {
  const { chart, strings } = panel;
  const box = useRef<HTMLDivElement>(null);
  const plot = usePlot({ panel, loadPlot }, box);
  const told = chart.told.value;
  const cursor = chart.cursor.value;
  const marked = chart.pointed.value ?? cursor?.bar;
  const selected = told && selectedNow(panel, told);
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
      aria-valuetext={told && (cursor ? readout(panel, told, selectedBars(cursor)) : told.summary)}
      onFocus={() => {
        // By the keyboard: it begins at the newest logs.
        if (told && !chart.cursor.value && box.current?.matches(':focus-visible'))
          chart.cursor.value = { bar: last };
      }}
      onBlur={() => {
        chart.cursor.value = undefined;
      }}
      onKeyDown={(event) => pressed(panel, event)}
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
      chart.room.value = Math.min(MOST_BARS, Math.max(10, Math.floor(element.clientWidth / BAR)));
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
        onSelect: (bars) => filterBars(now.current, bars),
      });
      recolored.observe(document.body, { attributes: true });
      recolored.observe(document.documentElement, { attributes: true });
      const told = chart.told.value;
      if (told)
        plot.current.show({ chart: told, marked: undefined, selected: selectedNow(now.current, told) });
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

function pressed(panel: ChartPanel, event: KeyboardEvent): void {
  const { chart } = panel;
  const told = chart.told.value;
  if (!told || event.altKey || event.ctrlKey || event.metaKey) return;
  const cursor = chart.cursor.value ?? { bar: told.bars.length - 1 };
  if (event.key === 'Enter' || event.key === ' ') {
    filterBars(panel, selectedBars(cursor));
  } else if (event.key === 'Escape') {
    if (cursor.anchor !== undefined) chart.cursor.value = { bar: cursor.bar };
    else showAllBlocks(panel);
  } else {
    const next = afterKey(event, cursor, told.bars.length);
    if (!next) return;
    chart.cursor.value = next;
  }
  event.preventDefault();
}
