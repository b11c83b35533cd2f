import { globSync } from 'node:fs';
import { matchesGlob, relative } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import Mocha from 'mocha';
import { countLine, loadAndRunMocha, sumRuns, type TestRun } from '../../test/support/runMocha.ts';
import { fromRoot, projectRoot } from './paths.ts';
import { FAILED_MARK } from './stage.ts';

/** After which a test is taken for one without end, also on a machine with much other work. */
const PATIENCE_MS = 300_000;

export interface TestSelection {
  /** Runs only tests whose full title matches. */
  readonly grep: string | undefined;
  readonly files: readonly string[];
}

/**
 * Reads `[--grep PATTERN] [FILE…]` and whatever else `others` names. A file is said by its path, a part of that, or a
 * glob; without one all that `pattern` finds are meant.
 */
export function selectTests<T extends ParseArgsOptionsConfig>(pattern: string, others: T = {} as T) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...others, grep: { type: 'string' } },
  });
  const all = globSync(pattern, { cwd: projectRoot })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  const files =
    positionals.length > 0 ? [...new Set(positionals.flatMap((wanted) => filesFor(wanted, all)))] : all;
  const { grep } = values as { readonly grep?: string };
  return { grep, files: files.map((file) => fromRoot(file)), values };
}

/** Those of `all` that a person means by a path, a part of one, or a glob. */
export function filesFor(wanted: string, all: readonly string[]): readonly string[] {
  const path = wanted.replaceAll('\\', '/').replace(/^\.\//, '');
  const meant = all.filter((file) => file === path);
  const found =
    meant.length > 0 ? meant : all.filter((file) => file.includes(path) || matchesGlob(file, path));
  if (found.length === 0) throw new Error(`No test file is called ${wanted}, nor has that in its path.`);
  return found;
}

/** Runs test files in this process and ends with the line of counts; returns the exit code. */
export async function runTestFiles(selection: TestSelection, timeout: number): Promise<number> {
  return report(await countTests(selection, { timeout }));
}

/** Runs test files in this process. */
export function countTests(selection: TestSelection, options: Mocha.MochaOptions): Promise<TestRun> {
  return loadAndRunMocha(createMocha(selection, options));
}

/**
 * As {@link runTestFiles}, but the hooks of `unitSetup.ts` follow each file. All files run in this process and in a fixed
 * order: what they share, a chain for example, is made once, and is in the same state in each run.
 */
export async function runEachTestFile({ files, grep }: TestSelection): Promise<number> {
  const { mochaHooks: rootHooks } = await import('../../test/support/unitSetup.ts');
  const runs: TestRun[] = [];
  for (const file of files) {
    runs.push(await countTests({ files: [file], grep }, { timeout: PATIENCE_MS, rootHooks }));
  }
  return report(sumRuns(runs));
}

function createMocha({ files, grep }: TestSelection, options: Mocha.MochaOptions): Mocha {
  const mocha = new Mocha(options);
  if (grep !== undefined) mocha.grep(new RegExp(grep));
  for (const file of files) mocha.addFile(file);
  return mocha;
}

/** Prints a line for each failure, and the counts; returns the exit code. */
export function report(run: TestRun): number {
  for (const { file, test, error } of run.failures)
    console.log(`${FAILED_MARK}${relative(projectRoot, file)} › ${test} (${error})`);
  console.log(countLine(run));
  return run.failed === 0 && run.passed > 0 ? 0 : 1;
}
