import { countLine, parseCounts, type TestCounts } from '../test/support/runMocha.ts';
import { startProcess, stopProcess } from './support/childProcess.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';

/** Scripts, each with its arguments. */
const stages = [['lint'], ['types'], ['testUnit'], ['testHost'], ['testE2e'], ['attack', '--short']] as const;

/** Runs every stage up to the first that fails, and ends with the sum of all tests that ran. */
await runScript(async () => {
  let total: TestCounts = { passed: 0, failed: 0 };
  for (const stage of stages) {
    const started = Date.now();
    const name = stage.join(' ');
    console.log(`\n▶ ${name}`);
    const { code, counts } = await runStage(stage);
    console.log(`${code === 0 ? '✔' : '✘'} ${name} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
    total = { passed: total.passed + counts.passed, failed: total.failed + counts.failed };
    // A stage can also fail without a failed test: a lint finding, a crash. That must not read as success.
    if (code !== 0 && counts.failed === 0) total = { ...total, failed: total.failed + 1 };
    if (code !== 0) {
      const left = stages.slice(stages.indexOf(stage) + 1).map(([script]) => script);
      if (left.length > 0) console.log(`Not run: ${left.join(', ')}.`);
      break;
    }
  }
  console.log(`\n${countLine(total)}`);
  return total.failed === 0 ? 0 : 1;
});

async function runStage([script, ...options]: readonly [string, ...string[]]): Promise<{
  readonly code: number;
  readonly counts: TestCounts;
}> {
  const args = ['--disable-warning=ExperimentalWarning', fromRoot('scripts', `${script}.ts`), ...options];
  const child = startProcess(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  await stopProcess(child);
  return { code, counts: parseCounts(output) ?? { passed: 0, failed: 0 } };
}
