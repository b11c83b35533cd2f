import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { failedRun, sumCounts, type TestCounts, type TestRun } from '../../test/support/runMocha.ts';
import { cacheFolder, projectRoot } from './paths.ts';
import { report } from './testFiles.ts';

/** What lines of a report begin with, for who reads them from its output. */
export const FAILED_MARK = 'FAILED: ';
export const FLAKY_MARK = 'FLAKY: ';

/** More flaky files fail a run. */
const MAX_FLAKY_FILES = 2;

export interface FileRun extends TestRun {
  /** Path of the test file. */
  readonly file: string;
}

export interface RetriedRun extends TestCounts {
  /** A line for each failure, of both runs, in the files that failed twice. */
  readonly failures: readonly string[];
  /** A line for each failure in the files that passed when they ran again. */
  readonly flaky: readonly string[];
}

/**
 * Runs test files, and once more, in a fresh window, those that failed or that a crash of another kept from running.
 * `runFiles` returns what came of each file that ran.
 */
export async function runWithRetry(
  files: readonly string[],
  runFiles: (files: readonly string[]) => Promise<readonly FileRun[]>,
): Promise<RetriedRun> {
  const first = byFile(await runFiles(files));
  const again = files.filter((file) => first.get(file)?.failed !== 0);
  if (again.length > 0) console.log(`\nOnce more in a fresh window: ${again.map(fromProject).join(', ')}`);
  const second = byFile(again.length > 0 ? await runFiles(again) : []);

  const sum = { passed: 0, failed: 0, failures: [] as string[], flaky: [] as string[] };
  for (const file of files) {
    const before = first.get(file) ?? neverRan;
    const last = again.includes(file) ? (second.get(file) ?? neverRan) : before;
    sum.passed += last.passed;
    sum.failed += last.failed;
    if (last.failed > 0)
      sum.failures.push(...failureLines(file, { 'first run': before, 'second run': last }));
    else if (before !== neverRan) sum.flaky.push(...failureLines(file, { 'first run': before }));
  }
  return sum;
}

/** Prints and writes which files failed twice and which are flaky, then the counts; returns the exit code. */
export async function reportRetried(runs: readonly RetriedRun[]): Promise<number> {
  const flaky = runs.flatMap((run) => run.flaky);
  reportFailed(runs.flatMap((run) => run.failures));
  const tooMany = await reportFlaky(flaky);
  const { passed, failed } = sumCounts(runs);
  return report({ passed, failed: failed + tooMany });
}

export function reportFailed(failures: readonly string[]): void {
  for (const line of failures) console.log(FAILED_MARK + line);
}

/** Prints the flaky tests, and writes them for other programs; returns how many failures they count for. */
export async function reportFlaky(flaky: readonly string[]): Promise<number> {
  for (const line of flaky) console.log(FLAKY_MARK + line);
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(join(cacheFolder, 'flaky.json'), `${JSON.stringify(flaky, undefined, 2)}\n`);
  const failed = flakyFailures(flaky);
  if (failed > 0) console.log(`${failed} files are flaky; a run with more than ${MAX_FLAKY_FILES} fails.`);
  return failed;
}

/** The number of flaky files, where there are too many. */
export function flakyFailures(flaky: readonly string[]): number {
  const files = new Set(flaky.map((line) => line.split(' › ')[0])).size;
  return files > MAX_FLAKY_FILES ? files : 0;
}

const neverRan = failedRun('did not run', 'its process or window ended before');

function byFile(runs: readonly FileRun[]): ReadonlyMap<string, FileRun> {
  return new Map(runs.map((run) => [run.file, run]));
}

function failureLines(file: string, runs: Readonly<Record<string, TestRun>>): readonly string[] {
  return Object.entries(runs).flatMap(([name, { failures }]) =>
    failures.map(({ test, error }) => `${fromProject(file)} › ${test} (${name}: ${error})`),
  );
}

function fromProject(file: string): string {
  return relative(projectRoot, file);
}
