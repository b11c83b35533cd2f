import { parseArgs } from 'node:util';
import { countLine, sumCounts } from '../test/support/runMocha.ts';
import { packagedVsix } from './support/packages.ts';
import { reportFailed, reportFlaky } from './support/retry.ts';
import { runScript } from './support/script.ts';
import { runStage, type Stage, type StageResult } from './support/stage.ts';

const { all } = parseArgs({ options: { all: { type: 'boolean', default: false } } }).values;

/** End to end tests of what a user meets from the first launch on; `--all` runs the others, too. */
const journeys = 'firstLaunch inSource logPanels queryFiles dataApi restrictedMode verified web'.split(' ');
/** Those that also run in the worker host of a browser: none reads files of the host, or needs a node before a click. */
const webJourneys =
  'journey queries queryFiles terminal verified documents german inSource sideBar.test watchedValues'.split(
    ' ',
  );

/**
 * Rows run one after the other: unit tests use every core and would slow windows down. The sequences of a row run side by
 * side, each on little more than one core. End to end tests get a VSIX that is packed before, as host tests build into
 * `dist` meanwhile.
 */
const rows: readonly (readonly (readonly Stage[])[])[] = [
  [[['lint'], ['package']], [['types']]],
  [[['testUnit']]],
  [
    [
      ['testComponent'],
      ['testE2e', '--lanes', '1', '--vsix', packagedVsix, ...(all ? [] : journeys)],
      ...(all ? [['testE2e', '--host', 'web', '--vsix', packagedVsix, ...webJourneys] as const] : []),
      ...(all ? [['testE2e', '--vscode', 'floor', '--vsix', packagedVsix, 'web'] as const] : []),
    ],
    [all ? ['testHost'] : ['testHost', '--vscode', 'newest']],
  ],
  ...(all ? [[[['attack', '--short'] as const]]] : []),
];

/** `[--all]`: runs every row up to the first that fails; `--all` is what a release needs. */
await runScript(async (resources) => {
  const started = Date.now();
  const results: StageResult[] = [];
  // They take their time, and nobody looks at them here.
  process.env.CHAINSIDE_PICTURES = 'none';
  if (all) process.env.CHAINSIDE_RUNS = 'full';
  /** Up to the first stage that fails. */
  async function runSequence(stages: readonly Stage[]): Promise<readonly StageResult[]> {
    const ended: StageResult[] = [];
    for (const stage of stages) {
      if (ended.some(({ code }) => code !== 0)) break;
      ended.push(await runStage(stage, resources));
    }
    return ended;
  }
  for (const row of rows) {
    results.push(...(await Promise.all(row.map(runSequence))).flat());
    if (results.some(({ code }) => code !== 0)) break;
  }
  const left = rows.flat(2).filter((stage) => !results.some(({ name }) => name === stage.join(' ')));
  if (left.length > 0) console.log(`Not run: ${left.map((stage) => stage.join(' ')).join(', ')}`);
  console.log(`\nAll took ${((Date.now() - started) / 1000).toFixed(0)} s.`);
  // At the end: who reads only the last lines of a long output must find it there.
  for (const { name, failures } of results) {
    for (const failure of failures) console.log(`\nFailed in ${name}:\n  ${failure}`);
  }
  reportFailed(results.flatMap(({ failedTwice }) => failedTwice));
  const tooManyFlaky = await reportFlaky(results.flatMap(({ flaky }) => flaky));
  const { passed, failed } = sumCounts(results.map(({ counts }) => counts));
  const total = { passed, failed: failed === 0 ? tooManyFlaky : failed };
  console.log(countLine(total));
  return total.failed === 0 ? 0 : 1;
});
