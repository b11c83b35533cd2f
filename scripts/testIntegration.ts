import { join } from 'node:path';
import { buildAll } from './support/build.ts';
import { runScript } from './support/script.ts';
import { runEachTestFile, selectTests } from './support/testFiles.ts';

/** `[--grep PATTERN] [FILE…]` */
await runScript(async () => {
  process.env.CHAINSIDE_HEADLESS = join((await buildAll()).npm, 'cli.js');
  return runEachTestFile(selectTests('test/integration/**/*.test.ts'));
});
