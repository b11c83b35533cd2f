import { startLocalnet } from '../localnet/start.ts';
import { provideEnvironment } from '../test/e2e/support/environment.ts';
import { hold, runScript } from './support/script.ts';
import { runTestFiles, selectTests } from './support/testFiles.ts';
import { packageExtension } from './support/vsix.ts';
import { launchBrowser } from './support/workbench/browser.ts';
import { installWorkbench } from './support/workbench/install.ts';
import { workbenchVersions } from './support/workbench/versions.ts';

await runScript(async (resources) => {
  const selection = selectTests('test/e2e/**/*.test.ts');
  const vsix = await packageExtension();
  const workbench = await installWorkbench(workbenchVersions.newest);
  const localnet = await hold(resources, startLocalnet(), (started) => started.stop());
  const browser = await hold(resources, launchBrowser(), (started) => started.close());
  provideEnvironment({ browser, workbench, vsix, localnet });
  return runTestFiles(selection, 60_000);
});
