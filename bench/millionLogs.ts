import { run } from '../scripts/support/childProcess.ts';
import { fromRoot } from '../scripts/support/paths.ts';
import type { ArrangeTimes } from './support/arrangeRows.ts';
import { atMost, type Benchmark, type Row, type Section } from './support/benchmark.ts';
import type { ChartTimes } from './support/chartRows.ts';
import type { LoadedMillion } from './support/loadMillion.ts';
import { serveChain } from './support/serverProcess.ts';
import { milliseconds } from './support/timings.ts';

const LOGS = 1_000_000;
const BYTES_A_LOG = 140;
const LOOP_DELAY_MS = 25;
/** A name is looked for besides the text that it is. */
const NAME_RATIO = 1.5;
/** A row of the store is looked up in four lists. */
const NO_ORDER_RATIO = 10;

/** A million logs from the server into the store of the log panel. */
export const millionLogs: Benchmark = {
  name: 'million',
  isSlow: true,
  async run(resources) {
    const { address, urlAt } = await serveChain(resources, LOGS, [0]);
    const program = fromRoot('bench', 'support', 'loadMillion.ts');
    const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', program, urlAt(0), address];
    const loaded: LoadedMillion = JSON.parse(await run(process.execPath, args));
    if (loaded.rows !== LOGS || loaded.state !== 'complete') {
      throw new Error(`Loaded ${loaded.rows} of ${LOGS} logs: ${loaded.state}.`);
    }
    const { loadMs, rawMs, appendMs, bytesPerLog, loopDelayP50Ms, loopDelayP99Ms, loopDelayMostMs } = loaded;
    const rate = (ms: number) => `${Math.round(LOGS / ms).toLocaleString('en')} logs/ms`;
    return [
      {
        title: `${LOGS.toLocaleString('en')} logs into the store`,
        how:
          'In a process of its own. Memory is heap and array buffers after a collection, less what was there before.\n' +
          'The delay of the event loop is sampled each millisecond while all is loaded and stored.',
        columns: ['', 'measured', 'note'],
        rows: [
          {
            cells: [
              'load and store',
              milliseconds(loadMs),
              `${(loadMs / rawMs).toFixed(2)}× the same requests, fetch + parse`,
            ],
            figures: { what: 'load and store', ms: loadMs, rawMs, ratio: loadMs / rawMs },
          },
          {
            cells: ['of which append', milliseconds(appendMs), rate(appendMs)],
            figures: { what: 'append', ms: appendMs },
          },
          {
            cells: [
              'memory held for each log',
              `${bytesPerLog.toFixed(0)} bytes`,
              'three topics, one word of data',
            ],
            figures: { what: 'bytes per log', bytes: bytesPerLog },
            budget: atMost(bytesPerLog, BYTES_A_LOG, 'bytes', true),
          },
          {
            cells: [
              'delay of the event loop, p99',
              milliseconds(loopDelayP99Ms),
              `p50 ${milliseconds(loopDelayP50Ms)}, most ${milliseconds(loopDelayMostMs)}`,
            ],
            figures: { what: 'event loop delay', loopDelayP50Ms, loopDelayP99Ms, loopDelayMostMs },
            budget: atMost(loopDelayP99Ms, LOOP_DELAY_MS, 'ms', false),
          },
        ],
      },
      arrangedSection(loaded.arranged),
      chartSection(loaded.charted),
    ];
  },
};

/** The panel asks again at every change of the rows, so that the bars must cost next to nothing. */
function chartSection({ floor, inOrder, inNoOrder, rows }: ChartTimes): Section {
  const row = (what: string, ms: number, most?: number): Row => ({
    cells: [what, milliseconds(ms), ms === floor ? '' : `${(ms / floor).toFixed(2)}×`],
    figures: { what, ms, ratio: ms / floor },
    ...(most === undefined ? {} : { budget: atMost(Number((ms / floor).toFixed(2)), most, '×', false) }),
  });
  return {
    title: `Bars of ${rows.toLocaleString('en')} logs for the chart`,
    how: 'Beside a loop over the block numbers alone, in one array. Rows in the order of the store are not gone through.',
    columns: ['', 'measured', 'of the loop'],
    rows: [
      row('loop over an array of block numbers', floor),
      row('in the order of the store', inOrder, 1),
      row('in no order, in slices of 8 ms', inNoOrder, NO_ORDER_RATIO),
    ],
  };
}

/** What logs say takes no longer to sort by than what they are made of. */
function arrangedSection(times: ArrangeTimes): Section {
  const row = (what: string, ms: number, raw: number, most = 1): Row => ({
    cells: [what, milliseconds(ms), ms === raw ? '' : `${(ms / raw).toFixed(2)}×`],
    figures: { what, ms, ratio: ms / raw },
    ...(ms === raw ? {} : { budget: atMost(Number((ms / raw).toFixed(2)), most, '×', false) }),
  });
  const { sortByData, filterByHex } = times;
  return {
    title: `${LOGS.toLocaleString('en')} transfers, sorted and filtered`,
    how: 'All rows at once, in slices of 8 ms as in the editor. By arguments beside raw data and a piece of hex.',
    columns: ['', 'measured', 'of the raw one'],
    rows: [
      row('sort by raw data', sortByData, sortByData),
      row('sort by value', times.sortByAmount, sortByData),
      row('sort by to', times.sortByAddress, sortByData),
      row('filter by hex', filterByHex, filterByHex),
      row('filter value>=1,250.5, in units', times.filterByAmount, filterByHex),
      row('filter by the name of an address', times.filterByName, filterByHex, NAME_RATIO),
    ],
  };
}
