import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';
import { runs } from './fullRun.ts';

// A failure prints its seed and path; `fc.assert` with both repeats it.
fc.configureGlobal({ numRuns: runs(1000), includeErrorInReport: true });

// Once a process has compiled many regular expressions, as an extension host may, V8 no longer optimizes them, and long
// texts overflow their stack sooner. Tests always run in that state.
setFlagsFromString('--no-regexp-optimization');
