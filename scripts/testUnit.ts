import { bundleCli } from './support/bundleCli.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';
import { runTestFilesInParallel, selectTests } from './support/testFiles.ts';

/** After which a test is taken for one without end, also on a machine with much other work. */
const PATIENCE_MS = 300_000;

await runScript(async () => {
  const selection = selectTests('test/unit/**/*.test.ts');
  // Some two hundred tests start it.
  await bundleCli();
  const setup = fromRoot('test', 'support', 'unitSetup.ts');
  return runTestFilesInParallel(selection, { timeout: PATIENCE_MS, setup });
});
