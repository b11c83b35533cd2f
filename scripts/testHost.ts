import { parseArgs } from 'node:util';
import { startLocalnet } from '../localnet/start.ts';
import { localnetToEnv } from '../test/support/localnetAddresses.ts';
import { countLine } from '../test/support/runMocha.ts';
import { run } from './support/childProcess.ts';
import { bundleHostTests } from './support/hostTests/bundle.ts';
import { runHostTestsInWorkbench } from './support/hostTests/inWorkbench.ts';
import { fromRoot } from './support/paths.ts';
import { hold, runScript } from './support/script.ts';
import { launchBrowser } from './support/workbench/browser.ts';
import { localnetSettings } from './support/workbench/localnetSettings.ts';
import { workbenchVersions } from './support/workbench/versions.ts';

/** `[--grep PATTERN] [--vscode newest|floor]` */
await runScript(async (resources) => {
  const { values } = parseArgs({ options: { grep: { type: 'string' }, vscode: { type: 'string' } } });
  const versions = Object.entries(workbenchVersions).filter(([name]) => name === (values.vscode ?? name));
  await run(process.execPath, [fromRoot('esbuild.mjs')]);
  const runner = await bundleHostTests();
  const localnet = await hold(resources, startLocalnet(), (started) => started.stop());
  const browser = await hold(resources, launchBrowser(), (started) => started.close());

  // Side by side: each has a server, a window and a report of its own.
  const all = await Promise.all(
    versions.map(([, version]) =>
      runHostTestsInWorkbench({
        version,
        browser,
        runner,
        env: {
          ...localnetToEnv(localnet),
          ...(values.grep === undefined ? {} : { CHAINSIDE_GREP: values.grep }),
        },
        settings: localnetSettings(localnet),
      }),
    ),
  );
  const passed = all.reduce((sum, counts) => sum + counts.passed, 0);
  const failed = all.reduce((sum, counts) => sum + counts.failed, 0);
  console.log(countLine({ passed, failed }));
  return failed === 0 && passed > 0 ? 0 : 1;
});
