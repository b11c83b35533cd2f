import { run } from '../scripts/support/childProcess.ts';
import { fromRoot } from '../scripts/support/paths.ts';
import { atMost, type Benchmark } from './support/benchmark.ts';
import type { ListedHolders } from './support/listHolders.ts';
import { serveChain } from './support/serverProcess.ts';
import { milliseconds } from './support/timings.ts';

const LOGS = 1_000_000;
const LOAD_RATIO = 1.5;
/** Each holder has a key and an amount, and no log is stored. */
const BYTES_A_HOLDER = 1000;

/** The holders of a token of a million transfers. */
export const holders: Benchmark = {
  name: 'holders',
  isSlow: true,
  async run(resources) {
    const { address, urlAt } = await serveChain(resources, LOGS, [0]);
    const program = fromRoot('bench', 'support', 'listHolders.ts');
    const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', program, urlAt(0), address];
    const listed: ListedHolders = JSON.parse(await run(process.execPath, args));
    const { rows, loadMs, holdersMs, bytes } = listed;
    const ratio = holdersMs / loadMs;
    return [
      {
        title: `Holders of ${LOGS.toLocaleString('en')} transfers`,
        how:
          'In a process of its own, beside loading the same logs and dropping them, by turns. Least of three rounds. Memory is\n' +
          'heap and array buffers after a collection, less what was there before.',
        columns: ['', 'measured', 'ratio'],
        rows: [
          { cells: ['load the logs', milliseconds(loadMs), ''], figures: { what: 'load', ms: loadMs } },
          {
            cells: [
              `list ${rows.toLocaleString('en')} holders`,
              milliseconds(holdersMs),
              `${ratio.toFixed(2)}×`,
            ],
            figures: { what: 'holders', ms: holdersMs, ratio, rows },
            budget: atMost(ratio, LOAD_RATIO, '×', false),
          },
          {
            cells: ['memory for each holder', `${(bytes / rows).toFixed(0)} bytes`, ''],
            figures: { what: 'bytes per holder', bytes: bytes / rows },
            budget: atMost(bytes / rows, BYTES_A_HOLDER, 'bytes', true),
          },
        ],
      },
    ];
  },
};
