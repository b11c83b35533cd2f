import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../scripts/support/childProcess.ts';
import { cacheFolder, fromRoot } from '../scripts/support/paths.ts';
import type { StageResult } from '../scripts/support/stage.ts';
import { atMost, type Benchmark } from './support/benchmark.ts';

const MAX_PROCESSOR_SECONDS = 560;
const MAX_SECONDS = 300;

/** What `npm test` costs. */
export const testRun: Benchmark = {
  name: 'testRun',
  isSlow: true,
  async run() {
    await run(process.execPath, [fromRoot('scripts', 'run.mjs'), 'test']);
    const costs = JSON.parse(await readFile(join(cacheFolder, 'logs', 'costs.json'), 'utf8')) as {
      readonly seconds: number;
      readonly results: readonly StageResult[];
    };
    const processorSeconds = costs.results.reduce((sum, result) => sum + result.processorSeconds, 0);
    const tests = costs.results.reduce((sum, { counts }) => sum + counts.passed, 0);
    const row = (what: string, value: number, limit: number) => ({
      cells: [what, `${Math.round(value)} s`, `${tests.toLocaleString('en')}`],
      figures: { what, seconds: value, tests },
      budget: atMost(value, limit, 's', false),
    });
    return [
      {
        title: 'npm test',
        how: 'One run of all its stages on this machine, with what the cache holds. Its own table has each stage.',
        columns: ['', 'time', 'tests'],
        rows: [
          row('from start to end', costs.seconds, MAX_SECONDS),
          row('processor time', processorSeconds, MAX_PROCESSOR_SECONDS),
        ],
      },
    ];
  },
};
