import { parseArgs } from 'node:util';
import { countLine, sumCounts } from '../test/support/runMocha.ts';
import { reportFailed, reportFlaky } from './support/retry.ts';
import { runScript } from './support/script.ts';
import { runStage, type Stage, type StageResult } from './support/stage.ts';

const { all } = parseArgs({ options: { all: { type: 'boolean', default: false } } }).values;

/**
 * Rows run one after the other, so that unit tests, which use every core, take no time from a window. Stages of a row run
 * at the same time: component and host tests use little more than one core each. Host tests install VS Code for end to
 * end tests too.
 */
const rows: readonly (readonly Stage[])[] = [
  [['lint'], ['types']],
  [['testUnit']],
  [['testComponent'], all ? ['testHost'] : ['testHost', '--vscode', 'newest']],
  [['testE2e']],
  ...(all ? [[['attack', '--short'] as const]] : []),
];

/** `[--all]`: runs every row up to the first that fails; `--all` is what a release needs. */
await runScript(async (resources) => {
  const started = Date.now();
  const results: StageResult[] = [];
  // They take their time, and nobody looks at them here.
  process.env.CHAINSIDE_PICTURES = 'none';
  if (all) process.env.CHAINSIDE_RUNS = 'full';
  for (const row of rows) {
    results.push(...(await Promise.all(row.map((stage) => runStage(stage, resources)))));
    if (results.some(({ code }) => code !== 0)) break;
  }
  const left = rows.flat().slice(results.length);
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
