import type { ChartPanel } from './chartState.ts';

/** Shows the chart, or hides it: for this panel, until it is pressed again. */
export function ChartButton({ chart, strings, offer }: Pick<ChartPanel, 'chart' | 'strings' | 'offer'>) {
  if (!offer) return null;
  return (
    <button
      type="button"
      class="toggle chart-button"
      aria-pressed={chart.isShown.value}
      aria-label={strings.chart}
      title={strings.chartHint}
      onClick={() => {
        chart.isWanted.value = !chart.isShown.value;
      }}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M2 14V8h3v6ZM6.5 14V3h3v11ZM11 14V6h3v8Z" fill="currentColor" />
      </svg>
    </button>
  );
}
