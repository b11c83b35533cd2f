import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import { startServices } from '../localnet/services.ts';
import { run, startProcess, stopProcess } from './support/childProcess.ts';
import { startWithSample } from './support/demo/sampleWorkspace.ts';
import { type Demo, startInWorkbench, takePicture } from './support/demo/startInWorkbench.ts';
import { packageExtension } from './support/packages.ts';
import { doing, reportProgress } from './support/progress.ts';
import { hold, removeFolder, runScript } from './support/script.ts';
import { downloadDesktop, writeUserData } from './support/workbench/desktop.ts';
import { localnetSettings } from './support/workbench/localnetSettings.ts';
import { workbenchAddress } from './support/workbench/page.ts';

const blockSeconds = 5;

/** `[--once]`: shows the extension on the local network until Ctrl-C, or once and leaves a picture. */
await runScript(async (resources) => {
  const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
  const progress = resources.use(reportProgress());
  const folder = await hold(resources, mkdtemp(join(tmpdir(), 'chainside-sample-')), removeFolder);
  const workspace = join(folder, 'rewards');
  const [localnet, vsix] = await Promise.all([
    hold(resources, startWithSample(workspace, { blockSeconds }), (started) => started.stop()),
    packageExtension(),
  ]);
  const services = await hold(
    resources,
    doing('Starting an explorer and other services of the chain', () => startServices(localnet)),
    (started) => started.stop(),
  );
  // In the place of services on the internet, which the demonstration is not to ask.
  const instead = {
    'chainside.sources.sourcifyUrl': services.sourcify.url,
    'chainside.sources.signaturesUrl': services.signatures.url,
  };
  const settings = { ...localnetSettings(localnet), ...instead, 'workbench.startupEditor': 'readme' };
  const demo = { vsix, workspace, settings };
  const { chain, rpcUrl, dataApi } = localnet;
  console.log(`Local network: chain ${chain.chainId} at ${rpcUrl}, a block every ${blockSeconds} seconds`);
  console.log(`Data API key, for Chainside: Set Data API Key…: ${dataApi.keys.current}`);
  if (process.platform === 'linux') {
    const server = await startInWorkbench(resources, demo);
    if (values.once) {
      console.log(`Picture: ${await takePicture(resources, server, demo)}`);
      return 0;
    }
    progress[Symbol.dispose]();
    const address = workbenchAddress(server, demo);
    console.log(`VS Code with Chainside, until Ctrl-C:\n\n  ${styleText('bold', address)}\n`);
    showAddress(address);
  } else {
    await startOnDesktop(resources, demo);
    progress[Symbol.dispose]();
    if (values.once) return 0;
  }
  return new Promise<never>(() => {});
});

/** Opens an address in the browser of the person at this machine; does nothing where there is no display. */
function showAddress(address: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (DISPLAY === undefined && WAYLAND_DISPLAY === undefined) return;
  const opener = spawn('xdg-open', [address], { stdio: 'ignore', detached: true });
  opener.once('error', () => console.log('No browser could be opened; open the address yourself.'));
  opener.unref();
}

/** Starts a downloaded desktop VS Code with folders of its own and the packaged extension installed. */
async function startOnDesktop(resources: AsyncDisposableStack, demo: Demo): Promise<void> {
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
  await doing('Installing the extension into VS Code', () =>
    run(cli, [...cliArgs, ...folders, '--install-extension', demo.vsix], { shell }),
  );
  const window = startProcess(executable, [demo.workspace, ...folders, '--disable-workspace-trust'], {
    stdio: 'ignore',
  });
  resources.defer(() => stopProcess(window));
  console.log('VS Code is open with Chainside, until Ctrl-C.');
}
