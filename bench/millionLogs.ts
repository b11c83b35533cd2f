import { run } from '../scripts/support/childProcess.ts';
import { fromRoot } from '../scripts/support/paths.ts';
import { atMost, type Benchmark } from './support/benchmark.ts';
import type { LoadedMillion } from './support/loadMillion.ts';
import { serveChain } from './support/serverProcess.ts';
import { milliseconds } from './support/timings.ts';

const LOGS = 1_000_000;
const BYTES_A_LOG = 140;
const LOOP_DELAY_MS = 25;

/** A million logs from the server into the store of the log panel. */
export const millionLogs: Benchmark = {
  name: 'million',
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
    ];
  },
};
