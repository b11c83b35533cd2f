import { runScript } from './support/script.ts';
import { runTestFiles, selectTests } from './support/testFiles.ts';

await runScript(() => runTestFiles(selectTests('test/unit/**/*.test.ts'), 20_000));
