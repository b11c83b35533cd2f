import { runScript } from './support/script.ts';
import { runTestFiles, selectTests } from './support/testFiles.ts';
import { prepareEndToEnd } from './support/workbench/endToEnd.ts';

await runScript(async (resources) => {
  const selection = selectTests('test/e2e/**/*.test.ts');
  await prepareEndToEnd(resources);
  return runTestFiles(selection, 60_000);
});
