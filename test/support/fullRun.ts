/** Whether every case is tested, or a slice with cases of each kind. */
export const isFullRun = process.env.CHAINSIDE_RUNS === 'full';

/** How often to test a property that a full run tests `full` times. */
export function runs(full: number): number {
  return isFullRun ? full : Math.min(full, Math.max(10, Math.ceil(full / 50)));
}

/**
 * All cases in a full run; otherwise one of each `every` neighbours, at least one in all. Turns that follow one another
 * have different ones.
 */
export function byTurns<T>(cases: readonly T[], every: number, turn: number): readonly T[] {
  if (isFullRun) return cases;
  return cases.filter((_, index) => {
    const start = index - (index % every);
    const neighbours = Math.min(every, cases.length - start);
    return index === start + (turn % neighbours);
  });
}

/** As `describe`, in a full run only: for tests that install programs or build whole projects first. */
export function describeInFullRun(title: string, body: (this: Mocha.Suite) => void): void {
  if (isFullRun) describe(title, body);
}
