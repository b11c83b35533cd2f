import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countLine, parseCounts, type TestCounts } from '../../test/support/runMocha.ts';
import { startProcess, stopProcess } from './childProcess.ts';
import { failureReports } from './failureReports.ts';
import { cacheFolder, fromRoot } from './paths.ts';
import { FAILED_MARK, FLAKY_MARK } from './retry.ts';

/** A script, with its arguments. */
export type Stage = readonly [string, ...string[]];

export interface StageResult {
  readonly name: string;
  readonly code: number;
  readonly counts: TestCounts;
  /** What its failed tests say. */
  readonly failures: readonly string[];
  /** Of files that ran twice. */
  readonly failedTwice: readonly string[];
  readonly flaky: readonly string[];
}

/** Runs a script to its end, and prints what it said if it failed; `.cache/logs` has that of each. */
export async function runStage(
  [script, ...options]: Stage,
  resources: AsyncDisposableStack,
): Promise<StageResult> {
  const name = [script, ...options].join(' ');
  console.log(`▶ ${name}`);
  const started = Date.now();
  const args = ['--disable-warning=ExperimentalWarning', fromRoot('scripts', `${script}.ts`), ...options];
  const child = startProcess(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  resources.defer(() => stopProcess(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  const logs = join(cacheFolder, 'logs');
  await mkdir(logs, { recursive: true });
  await writeFile(join(logs, `${script}.log`), output);
  const found = parseCounts(output);
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  const line = `${code === 0 ? '✔' : '✘'} ${name} (${seconds} s)${found ? `: ${countLine(found)}` : ''}`;
  console.log(code === 0 ? line : `\n${output.trim()}\n\n${line}`);
  const { passed, failed } = found ?? { passed: 0, failed: 0 };
  return {
    name,
    code,
    // A stage can also fail without a failed test: a lint finding, a crash. That must not read as success.
    counts: { passed, failed: code === 0 ? failed : Math.max(failed, 1) },
    failures: code === 0 ? [] : failureReports(output),
    failedTwice: linesWith(FAILED_MARK, output),
    flaky: linesWith(FLAKY_MARK, output),
  };
}

function linesWith(mark: string, output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => line.startsWith(mark));
  return lines.map((line) => line.slice(mark.length));
}
