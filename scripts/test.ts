import { countLine, type TestCounts } from '../test/support/runMocha.ts';
import { bundleHeadless } from './support/bundleHeadless.ts';
import { runScript } from './support/script.ts';
import { runStage, type Stage, type StageResult } from './support/stage.ts';
import { packageExtension } from './support/vsix.ts';

/** Checks that take seconds; the extension is packed meanwhile. */
const checks: readonly Stage[] = [['lint'], ['types']];
/** One after the other, as they fill the machine; attacks hold what they take against its pace. */
const inWindows: readonly (readonly Stage[])[] = [[['testE2e']], [['testHost'], ['attack', '--short']]];
/** Beside them, at a lower priority. */
const patient: Stage = ['testUnit'];

/** Runs every stage up to the first that fails, and ends with the sum of all tests that ran. */
await runScript(async (resources) => {
  const started = Date.now();
  const results: StageResult[] = [];
  const failing = new AbortController();
  const run = async (stage: Stage, priority?: 'low') => {
    if (failing.signal.aborted) return;
    const result = await runStage(stage, { resources, signal: failing.signal, priority });
    results.push(result);
    if (result.code !== 0) failing.abort();
  };
  // They take their time, and nobody looks at them here.
  process.env.CHAINSIDE_PICTURES = 'none';
  const packed = packageExtension();
  await Promise.all(checks.map((stage) => run(stage)));
  if (!failing.signal.aborted) process.env.CHAINSIDE_VSIX = await packed;
  await bundleHeadless();
  const beside = run(patient, 'low');
  for (const stages of inWindows) await Promise.all(stages.map((stage) => run(stage)));
  await beside;
  const ended = results.filter(({ state }) => state === 'ended').map(({ name }) => name);
  const left = [...checks, ...inWindows.flat(), patient]
    .map((stage) => stage.join(' '))
    .filter((name) => !ended.includes(name));
  if (left.length > 0) console.log(`Not run to the end: ${left.join(', ')}.`);
  console.log(`\nAll took ${((Date.now() - started) / 1000).toFixed(0)} s.`);
  // Once more at the end: who reads only the last lines of a long output must find it there.
  for (const { name, failures } of results) {
    for (const failure of failures) console.log(`\nFailed in ${name}:\n  ${failure}`);
  }
  const total = sumOf(results);
  console.log(countLine(total));
  return total.failed === 0 ? 0 : 1;
});

/** A stage can also fail without a failed test: a lint finding, a crash. That must not read as success. */
function sumOf(results: readonly StageResult[]): TestCounts {
  const passed = results.reduce((sum, { counts }) => sum + counts.passed, 0);
  const failed = results.reduce((sum, { counts }) => sum + counts.failed, 0);
  const silent = results.filter(
    ({ code, counts, state }) => state === 'ended' && code !== 0 && counts.failed === 0,
  );
  return { passed, failed: failed + silent.length };
}
