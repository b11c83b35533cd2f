import Mocha from 'mocha';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

export interface TestRun extends TestCounts {
  readonly failures: readonly TestFailure[];
}

export interface TestFailure {
  readonly test: string;
  /** In one line. */
  readonly error: string;
}

/** Of an error, in a list of failures. */
const MAX_ERROR_CHARS = 200;

/** A test that did not run counts as failed: a suite is either run or mended. */
export function runMocha(mocha: Mocha): Promise<TestRun> {
  return new Promise((resolve) => {
    const failures: TestFailure[] = [];
    const runner = mocha.run(() => {
      const { passes, failures: failed, pending } = runner.stats ?? { passes: 0, failures: 1, pending: 0 };
      runner.dispose();
      resolve({ passed: passes, failed: failed + pending, failures });
    });
    runner.on('fail', (test, error) => failures.push(testFailure(test.fullTitle(), error)));
    runner.on('pending', (test) => failures.push(testFailure(test.fullTitle(), 'skipped')));
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

/** Of a file whose tests did not all run. */
export function failedRun(test: string, error: unknown): TestRun {
  return { passed: 0, failed: 1, failures: [testFailure(test, error)] };
}

function testFailure(test: string, error: unknown): TestFailure {
  const line = String(error).replaceAll(/\s+/g, ' ');
  return { test, error: line.slice(0, MAX_ERROR_CHARS) };
}

export function sumCounts(runs: readonly TestCounts[]): TestCounts {
  return {
    passed: runs.reduce((sum, { passed }) => sum + passed, 0),
    failed: runs.reduce((sum, { failed }) => sum + failed, 0),
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
