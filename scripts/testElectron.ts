import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { startLocalnet } from '../localnet/start.ts';
import { localnetToEnv } from '../test/support/localnetAddresses.ts';
import { run } from './support/childProcess.ts';
import { bundleHostTests } from './support/hostTests/bundle.ts';
import { localnetSettings } from './support/localnetSettings.ts';
import { cacheFolder, fromRoot, projectRoot } from './support/paths.ts';
import { hold, runScript } from './support/script.ts';
import type { Settings } from './support/workbench/server.ts';

/** `[VERSION]`: the host tests in a desktop VS Code of that version (stable), which is downloaded. */
await runScript(async (resources) => {
  const vscodeExecutablePath = await downloadDesktop(process.argv[2] ?? 'stable');
  await run(process.execPath, [fromRoot('esbuild.mjs')]);
  const runner = await bundleHostTests();
  const localnet = await hold(resources, startLocalnet(), (started) => started.stop());
  const folder = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-desktop-')), removeFolder);
  const userData = await createUserData(folder, localnetSettings(localnet));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  return runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: projectRoot,
    extensionTestsPath: runner,
    extensionTestsEnv: localnetToEnv(localnet),
    launchArgs: [
      workspace,
      '--disable-extensions',
      '--disable-workspace-trust',
      `--user-data-dir=${userData}`,
    ],
  });
});

async function downloadDesktop(version: string): Promise<string> {
  try {
    return await downloadAndUnzipVSCode({ version, cachePath: join(cacheFolder, 'vscode-desktop') });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `VS Code ${version} could not be downloaded from update.code.visualstudio.com (${why}).\n` +
        'Where that host is out of reach, npm run test:host runs the same tests in VS Code from npm.',
    );
  }
}

async function createUserData(folder: string, settings: Settings): Promise<string> {
  const userData = join(folder, 'user');
  await mkdir(join(userData, 'User'), { recursive: true });
  await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify(settings));
  return userData;
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
