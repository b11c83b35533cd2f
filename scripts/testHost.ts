import { startLocalnet } from '../localnet/start.ts';
import { localnetToEnv } from '../test/support/localnetAddresses.ts';
import { sumRuns } from '../test/support/runMocha.ts';
import { bundleHostTests } from './support/hostTests/bundle.ts';
import { runHostTestsInWorkbench } from './support/hostTests/inWorkbench.ts';
import { hold, runScript } from './support/script.ts';
import { report, selectTests } from './support/testFiles.ts';
import { launchBrowser } from './support/workbench/browser.ts';
import { localnetSettings } from './support/workbench/localnetSettings.ts';
import { workbenchVersions } from './support/workbench/versions.ts';

/** `[--grep PATTERN] [--vscode newest|floor] [FILE…]` */
await runScript(async (resources) => {
  const { files, grep, values } = selectTests('test/host/**/*.test.ts', { vscode: { type: 'string' } });
  const versions = Object.entries(workbenchVersions).filter(([name]) => name === (values.vscode ?? name));
  const { extension, runner } = await bundleHostTests(files);
  const localnet = await hold(resources, startLocalnet(), (started) => started.stop());
  const browser = await hold(resources, launchBrowser({ isShortLived: true }), (started) => started.close());
  const env = { ...localnetToEnv(localnet), ...(grep === undefined ? {} : { CHAINSIDE_GREP: grep }) };
  const settings = localnetSettings(localnet);

  // Side by side: each has a server, a window and a report of its own.
  const runs = versions.map(([, version]) =>
    runHostTestsInWorkbench({ extension, version, browser, runner, files, env, settings }),
  );
  return report(sumRuns(await Promise.all(runs)));
});
