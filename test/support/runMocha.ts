import Mocha from 'mocha';
import { recordFileCost, startCosts } from './costs.ts';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

export interface TestRun extends TestCounts {
  readonly failures: readonly TestFailure[];
}

export interface TestFailure {
  /** Path of the test file; empty if unknown. */
  readonly file: string;
  readonly test: string;
  /** In one line. */
  readonly error: string;
}

/** Of an error, in a list of failures. */
const MAX_ERROR_CHARS = 300;

/** A test that did not run counts as failed: a suite is either run or mended. */
export function runMocha(mocha: Mocha): Promise<TestRun> {
  return new Promise((resolve) => {
    const failures: TestFailure[] = [];
    const runner = mocha.run(() => {
      const { passes, failures: failed, pending } = runner.stats ?? { passes: 0, failures: 1, pending: 0 };
      runner.dispose();
      resolve({ passed: passes, failed: failed + pending, failures });
    });
    const fail = (test: Mocha.Test, error: unknown) =>
      failures.push(toFailure(test.file ?? test.parent?.file ?? '', test.fullTitle(), error));
    runner.on('fail', fail);
    runner.on('pending', (test) => fail(test, 'skipped'));
    startCosts();
    runner.on('suite end', (suite) => {
      if (suite.parent?.root && suite.file) recordFileCost(suite.file, suite.total());
    });
  });
}

/** Loads tests, by default the files of `mocha`, and runs them in this process; what cannot be loaded is a failed test. */
export async function loadAndRunMocha(
  mocha: Mocha,
  load: () => Promise<unknown> = () => mocha.loadFilesAsync(),
): Promise<TestRun> {
  try {
    await load();
  } catch (error) {
    const title = 'can be loaded';
    mocha.grep(title).suite.addTest(
      new Mocha.Test(title, () => {
        throw error;
      }),
    );
  }
  return runMocha(mocha);
}

/** A failure in one line: of a file whose tests did not all run, for example. */
export function toFailure(file: string, test: string, error: unknown): TestFailure {
  return { file, test, error: String(error).replaceAll(/\s+/g, ' ').slice(0, MAX_ERROR_CHARS) };
}

export function sumRuns(runs: readonly TestRun[]): TestRun {
  return {
    passed: runs.reduce((sum, { passed }) => sum + passed, 0),
    failed: runs.reduce((sum, { failed }) => sum + failed, 0),
    failures: runs.flatMap(({ failures }) => failures),
  };
}

export function countLine({ passed, failed }: TestCounts): string {
  return `${passed} passed, ${failed} failed`;
}

/** The counts in the last count line of a run's output. */
export function parseCounts(output: string): TestCounts | undefined {
  const last = output.match(/^\d+ passed, \d+ failed$/gm)?.at(-1);
  if (last === undefined) return undefined;
  const [passed, failed] = last.match(/\d+/g)?.map(Number) ?? [];
  return passed === undefined || failed === undefined ? undefined : { passed, failed };
}
