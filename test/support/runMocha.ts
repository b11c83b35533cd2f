import type Mocha from 'mocha';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** A test that did not run counts as failed: a suite is either run or mended. */
export function runMocha(mocha: Mocha): Promise<TestCounts> {
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      const { passes, failures, pending } = runner.stats ?? { passes: 0, failures: 1, pending: 0 };
      runner.dispose();
      resolve({ passed: passes, failed: failures + pending });
    });
  });
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
