import { computed } from '@preact/signals';
import { arrange } from './arranging.ts';
import { Chart } from './chart/chart.tsx';
import { followChart } from './chart/followChart.ts';
import { makeLanguageValid } from './chart/validLanguage.ts';
import type { LogsState } from './state.ts';

function loadPlot() {
  makeLanguageValid();
  return import('./late/plot.ts');
}

/** How many logs the answer has where. */
export function LogsChart({ state }: { readonly state: LogsState }) {
  const { chart, strings, snapshot, arrangement } = state;
  const onFilter = (typed: string) => arrange(state, { ...arrangement.value, filter: typed });
  const { filter } = arrangement.value;
  const offer = snapshot.value.chart;
  const panel = { chart, strings, locale: document.documentElement.lang, offer, filter, onFilter };
  return <Chart panel={panel} loadPlot={loadPlot} />;
}

/** Keeps the chart as the rows are. */
export function followRows({ chart, snapshot, host }: LogsState): void {
  const known = computed(() => {
    const { answer, order, rows, loaded, arrangement, chart: offer } = snapshot.value;
    return offer && JSON.stringify([answer, order, rows, loaded, arrangement.filter, offer]);
  });
  followChart(chart, {
    known,
    async ask(question) {
      const told = await host.request('chart', question).catch(() => undefined);
      return told?.answer === snapshot.value.answer ? told : undefined;
    },
  });
}
