import type { WireChart } from '../../../features/logs/protocol/chart.ts';
import { drawsFilteredAlone } from './barRange.ts';
import { selectedBars } from './chartKeys.ts';
import { readout } from './chartReadout.ts';
import type { ChartPanel } from './chartState.ts';
import { filteredBars, showAllBlocks } from './filterBars.ts';

/** Below the bars: where they begin and end, what is pointed at, and what the chart can be told. */
export function ChartCaption({ panel }: { readonly panel: ChartPanel }) {
  const { chart, strings } = panel;
  const told = chart.told.value;
  return (
    <div class="caption">
      <span class="end">{told?.from}</span>
      <span class="now">{told && wordsNow(panel, told)}</span>
      <span class="end">{told?.to}</span>
      <span id="chart-keys" class="unseen">
        {[told?.before?.words, told?.after?.words, strings.chartKeys].filter(Boolean).join('. ')}
      </span>
      <span class="tools">
        {told && filteredBars(panel.filter, told.bars) && (
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

function wordsNow(panel: ChartPanel, told: WireChart): string {
  const { chart, strings, filter } = panel;
  const pointed = chart.pointed.value;
  const cursor = chart.cursor.value;
  if (pointed !== undefined) return readout(panel, told, [pointed, pointed]);
  if (cursor) return readout(panel, told, selectedBars(cursor));
  const bars = filteredBars(filter, told.bars);
  if (bars) return readout(panel, told, bars);
  const filtered = drawsFilteredAlone(told) ? strings.filteredAlone : strings.filteredOverAll;
  const beside = [told.before, told.after].map((part) => part?.words);
  return [...beside, told.isFiltered ? filtered : undefined]
    .filter((words) => words !== undefined)
    .join(' · ');
}
