import { runScript } from './support/script.ts';
import { runEachTestFile, selectTests } from './support/testFiles.ts';

/** `[--grep PATTERN] [FILE…]` */
await runScript(() => runEachTestFile(selectTests('test/unit/**/*.test.ts')));
