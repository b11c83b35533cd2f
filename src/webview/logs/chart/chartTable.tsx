import type { WireChart } from '../../../features/logs/protocol/chart.ts';
import { nameOfBars } from './chartReadout.ts';
import type { ChartPanel } from './chartState.ts';
import { filterBars } from './filterBars.ts';

/** The bars as a table, for whom a picture says nothing. */
export function ChartTable({ panel, told }: { readonly panel: ChartPanel; readonly told: WireChart }) {
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
                <button type="button" class="plain" onClick={() => filterBars(panel, [index, index])}>
                  {nameOfBars(panel, told, [index, index])}
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
