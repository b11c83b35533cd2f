import { globSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { startLocalnet } from '../localnet/start.ts';
import { localnetToEnv } from '../test/support/localnetAddresses.ts';
import { bundleHostTests, hostTestsToEnv } from './support/hostTests/bundle.ts';
import { fromRoot } from './support/paths.ts';
import { hold, removeFolder, runScript } from './support/script.ts';
import { downloadDesktop, writeUserData } from './support/workbench/desktop.ts';
import { localnetSettings } from './support/workbench/localnetSettings.ts';
import { testSettings } from './support/workbench/testSettings.ts';

/** `[VERSION]`: the host tests in a desktop VS Code of that version (stable), which is downloaded. */
await runScript(async (resources) => {
  const vscodeExecutablePath = await downloadDesktop(process.argv[2] ?? 'stable');
  const files = globSync(fromRoot('test/host/**/*.test.ts'));
  const { extension, runner } = await bundleHostTests(files);
  const localnet = await hold(resources, startLocalnet(), (started) => started.stop());
  const folder = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-desktop-')), removeFolder);
  const workspace = join(folder, 'workspace');
  const userData = join(folder, 'user');
  await mkdir(workspace);
  await writeUserData(userData, { ...testSettings, ...localnetSettings(localnet) });
  return runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: extension,
    extensionTestsPath: runner,
    extensionTestsEnv: { ...localnetToEnv(localnet), ...hostTestsToEnv(files) },
    launchArgs: [
      workspace,
      '--disable-extensions',
      '--disable-workspace-trust',
      `--user-data-dir=${userData}`,
    ],
  });
});
