import { join } from 'node:path';
import { buildAll } from './support/build.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';
import { runTestFilesInParallel, selectTests } from './support/testFiles.ts';

/** After which a test is taken for one without end, also on a machine with much other work. */
const PATIENCE_MS = 300_000;

await runScript(async () => {
  const selection = selectTests('test/unit/**/*.test.ts');
  process.env.CHAINSIDE_HEADLESS = join((await buildAll()).npm, 'cli.js');
  const setup = fromRoot('test', 'support', 'unitSetup.ts');
  return runTestFilesInParallel(selection, { timeout: PATIENCE_MS, setup });
});
