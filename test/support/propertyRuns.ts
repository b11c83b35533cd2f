import fc from 'fast-check';
import { runs } from './fullRun.ts';

// A failure prints its seed and path; `fc.assert` with both repeats it.
fc.configureGlobal({ numRuns: runs(1000), includeErrorInReport: true });
