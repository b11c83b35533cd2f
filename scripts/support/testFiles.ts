import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import Mocha from 'mocha';
import { countLine, runMocha, type TestCounts } from '../../test/support/runMocha.ts';
import { fromRoot, projectRoot } from './paths.ts';

export interface TestSelection {
  /** Runs only tests whose full title matches. */
  readonly grep: string | undefined;
  readonly files: readonly string[];
}

/**
 * Reads `[--grep PATTERN] [FILE…]`; without a file all that `pattern` finds are meant. `others` are options that the
 * tests themselves read.
 */
export function selectTests(pattern: string, others: ParseArgsOptionsConfig = {}): TestSelection {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...others, grep: { type: 'string' } },
  });
  const files = positionals.length > 0 ? positionals : globSync(pattern, { cwd: projectRoot }).sort();
  return { grep: values.grep, files: files.map((file) => fromRoot(file)) };
}

/** Runs test files in this process and ends with the line of counts; returns the exit code. */
export async function runTestFiles(
  selection: TestSelection,
  timeout: number,
  rootHooks?: Mocha.RootHookObject,
): Promise<number> {
  const mocha = createMocha(selection, { timeout, ...(rootHooks && { rootHooks }) });
  await mocha.loadFilesAsync();
  return report(await runMocha(mocha));
}

/** As {@link runTestFiles}, each file in one of as many processes as the machine has cores. */
export async function runTestFilesInParallel(selection: TestSelection, timeout: number): Promise<number> {
  // Tests make much that is thrown away at once: with more room for it, less time goes into collecting it.
  process.execArgv.push('--max-semi-space-size=64');
  const jobs = availableParallelism();
  return report(await runMocha(createMocha(selection, { timeout, parallel: true, jobs })));
}

function createMocha({ files, grep }: TestSelection, options: Mocha.MochaOptions): Mocha {
  const mocha = new Mocha(options);
  if (grep !== undefined) mocha.grep(new RegExp(grep));
  for (const file of files) mocha.addFile(file);
  return mocha;
}

function report(counts: TestCounts): number {
  console.log(countLine(counts));
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}
