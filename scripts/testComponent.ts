import { startLocalnet } from '../localnet/start.ts';
import { provideEnvironment } from '../test/component/support/environment.ts';
import { buildAll } from './support/build.ts';
import { hold, runScript } from './support/script.ts';
import { runTestFiles, selectTests } from './support/testFiles.ts';
import { launchBrowser } from './support/workbench/browser.ts';

/** After which a test is taken for one without end, also on a machine with much other work. */
const PATIENCE_MS = 120_000;

/** `[--grep PATTERN] [FILE…]` */
await runScript(async (resources) => {
  const selection = selectTests('test/component/**/*.test.ts');
  const { extension } = await buildAll();
  const [localnet, browser] = await Promise.all([
    hold(resources, startLocalnet(), (started) => started.stop()),
    hold(resources, launchBrowser({ isShortLived: true }), (started) => started.close()),
  ]);
  provideEnvironment({ browser, extension, localnet });
  return runTestFiles(selection, PATIENCE_MS);
});
