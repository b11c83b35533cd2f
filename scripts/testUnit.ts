import { runScript } from './support/script.ts';
import { runTestFilesInOrder, selectTests } from './support/testFiles.ts';

/** `[--grep PATTERN] [FILE…]` */
await runScript(() => runTestFilesInOrder(selectTests('test/unit/**/*.test.ts')));
