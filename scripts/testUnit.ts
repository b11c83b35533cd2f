import { runScript } from './support/script.ts';
import { runTestFilesInParallel, selectTests } from './support/testFiles.ts';

/** `[--grep PATTERN] [FILE…]` */
await runScript(() => runTestFilesInParallel(selectTests('test/unit/**/*.test.ts')));
