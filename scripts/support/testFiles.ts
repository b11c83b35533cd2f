import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { countLine, runMocha } from '../../test/support/runMocha.ts';
import { fromRoot, projectRoot } from './paths.ts';

export interface TestSelection {
  /** Runs only tests whose full title matches. */
  readonly grep: string | undefined;
  readonly files: readonly string[];
}

/** Reads `[--grep PATTERN] [FILE…]`; without a file all that `pattern` finds are meant. */
export function selectTests(pattern: string): TestSelection {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string' } },
  });
  const files = positionals.length > 0 ? positionals : globSync(pattern, { cwd: projectRoot }).sort();
  return { grep: values.grep, files: files.map((file) => fromRoot(file)) };
}

/** Runs test files in this process and ends with the line of counts; returns the exit code. */
export async function runTestFiles({ files, grep }: TestSelection, timeout: number): Promise<number> {
  const mocha = new Mocha({ timeout });
  if (grep !== undefined) mocha.grep(new RegExp(grep));
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const counts = await runMocha(mocha);
  console.log(countLine(counts));
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}
