import { runScript } from './support/script.ts';
import { runTestFilesInParallel, selectTests } from './support/testFiles.ts';

await runScript(() => runTestFilesInParallel(selectTests('test/unit/**/*.test.ts'), 120_000));
