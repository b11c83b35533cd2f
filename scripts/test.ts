import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { countLine } from '../test/support/runMocha.ts';
import { formatCosts } from './support/costTable.ts';
import { cacheFolder } from './support/paths.ts';
import { runScript } from './support/script.ts';
import {
  FAILED_MARK,
  fileOf,
  runStage,
  runWithRetry,
  type Stage,
  type StageResult,
  stageName,
} from './support/stage.ts';

const { all } = parseArgs({ options: { all: { type: 'boolean', default: false } } }).values;

/** End to end tests of the main path: first launch to first rows, source to rows to transaction, and a browser. */
const journeys = ['firstLaunch', 'inSource', 'web'];
/** Those that also run in the worker host of a browser: none reads files of the host, or needs a node before a click. */
const webJourneys =
  'journey queries queryFiles terminal verified documents german inSource sideBar.test watchedValues'.split(
    ' ',
  );

const endToEnd = { script: 'testE2e', budget: 45, perTest: 10, isRetried: true } as const;
/** All end to end tests, and those that also run in other kinds of window. */
const windows: readonly Stage[] = [
  endToEnd,
  { ...endToEnd, options: ['--host', 'web'], files: webJourneys },
  { ...endToEnd, options: ['--vscode', 'floor'], files: ['web'] },
];
const attacks: Stage = { script: 'attack', options: ['--short'], budget: 300 };

/**
 * Sequences run side by side: two keep two cores busy, more would only wait for each other. Whatever opens windows or
 * pages is in the second. Budgets are for the short run.
 */
const sequences: readonly (readonly Stage[])[] = [
  [
    { script: 'package', budget: 15 },
    { script: 'testUnit', budget: 110, perTest: 0.005 },
    { script: 'testIntegration', budget: 150, perTest: 0.3 },
  ],
  [
    { script: 'installWindows', budget: 30 },
    { script: 'lint', budget: 15 },
    { script: 'types', budget: 40 },
    { script: 'testComponent', budget: 75, perTest: 0.3, isRetried: true },
    {
      ...{ script: 'testHost', options: all ? [] : ['--vscode', 'newest'] },
      ...{ budget: 40, perTest: 0.5, isRetried: true },
    },
    ...(all ? [...windows, attacks] : [{ ...endToEnd, files: journeys }]),
  ],
];

/** More flaky files fail a run. */
const MAX_FLAKY_FILES = 2;

/** `[--all]`: runs every sequence up to its first stage that fails; `--all` is what a release needs. */
await runScript(async (resources) => {
  const started = performance.now();
  const results: StageResult[] = [];
  // They take their time, and nobody looks at them here.
  process.env.CHAINSIDE_PICTURES = 'none';
  if (all) process.env.CHAINSIDE_RUNS = 'full';

  /** Up to the first stage that fails. */
  async function runSequence(stages: readonly Stage[]): Promise<void> {
    for (const stage of stages) {
      const result = await runWithRetry(stage, (some) => runStage(some, resources));
      results.push(result);
      if (result.code !== 0) return;
    }
  }
  await Promise.all(sequences.map(runSequence));
  const left = sequences
    .flat()
    .filter((stage) => !results.some((result) => stageName(result.stage) === stageName(stage)));
  if (left.length > 0) console.log(`Not run: ${left.map(stageName).join(', ')}`);
  const seconds = (performance.now() - started) / 1000;
  console.log(`\n${formatCosts(results, seconds)}`);
  // At the end: who reads only the last lines of a long output must find it there.
  for (const line of results.flatMap(({ failures }) => failures)) console.log(FAILED_MARK + line);
  const flaky = results.flatMap((result) => result.flaky ?? []);
  for (const line of flaky) console.log(`FLAKY: ${line}`);
  await writeJson('flaky.json', flaky);
  await writeJson(join('logs', 'costs.json'), { seconds, results });
  const flakyFiles = new Set(flaky.map(fileOf)).size;
  if (flakyFiles > MAX_FLAKY_FILES)
    console.log(`${flakyFiles} files are flaky; a run with more than ${MAX_FLAKY_FILES} fails.`);
  const passed = results.reduce((sum, { counts }) => sum + counts.passed, 0);
  const failed = results.reduce((sum, { counts }) => sum + counts.failed, 0);
  const total = { passed, failed: failed + (flakyFiles > MAX_FLAKY_FILES ? flakyFiles : 0) };
  console.log(countLine(total));
  return total.failed === 0 ? 0 : 1;
});

async function writeJson(name: string, value: unknown): Promise<void> {
  const file = join(cacheFolder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
