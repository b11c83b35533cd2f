import { prepareEndToEnd } from './support/endToEnd.ts';
import { runScript } from './support/script.ts';
import { runTestFiles, selectTests } from './support/testFiles.ts';

await runScript(async (resources) => {
  const selection = selectTests('test/e2e/**/*.test.ts');
  await prepareEndToEnd(resources);
  return runTestFiles(selection, 60_000);
});
