import fc from 'fast-check';
import { recordFileCost } from './costs.ts';
import { runs } from './fullRun.ts';

// A failure prints its seed and path; `fc.assert` with both repeats it.
fc.configureGlobal({ numRuns: runs(1000), includeErrorInReport: true });

/** Of the processes of a parallel run, which run one file after the other. */
export const mochaHooks: Mocha.RootHookObject = {
  afterAll(this: Mocha.Context) {
    const root = this.test?.parent;
    const file = root?.suites[0]?.file;
    if (root && file) recordFileCost(file, root.total());
  },
};
