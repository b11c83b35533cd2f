import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import { run, startProcess, stopProcess } from '../childProcess.ts';
import { hold, removeFolder } from '../script.ts';
import { downloadDesktop, writeUserData } from '../workbench/desktop.ts';
import type { Demo } from './startInWorkbench.ts';

/** Starts a downloaded desktop VS Code with folders of its own and the packaged extension installed. */
export async function startOnDesktop(resources: AsyncDisposableStack, demo: Demo): Promise<void> {
  const executable = await downloadDesktop('stable');
  const folder = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-desktop-')), removeFolder);
  const folders = [
    `--user-data-dir=${join(folder, 'user')}`,
    `--extensions-dir=${join(folder, 'extensions')}`,
  ];
  await writeUserData(join(folder, 'user'), demo.settings);
  const [cli, ...cliArgs] = resolveCliArgsFromVSCodeExecutablePath(executable, { reuseMachineInstall: true });
  if (cli === undefined) throw new Error('The downloaded VS Code has no command line.');
  const shell = process.platform === 'win32';
  await run(cli, [...cliArgs, ...folders, '--install-extension', demo.vsix], { shell });
  const window = startProcess(executable, [demo.workspace, ...folders, '--disable-workspace-trust'], {
    stdio: 'ignore',
  });
  resources.defer(() => stopProcess(window));
  console.log('VS Code is open with Chainside, until Ctrl-C.');
}
