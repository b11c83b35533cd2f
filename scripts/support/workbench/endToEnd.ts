import { startLocalnet } from '../../../localnet/start.ts';
import { provideEnvironment } from '../../../test/e2e/support/workbench.ts';
import { hold } from '../script.ts';
import { launchBrowser } from './browser.ts';
import { linkBuiltIns } from './builtIns.ts';
import { installWorkbench } from './install.ts';
import { installExtensions } from './server.ts';
import { workbenchVersions } from './versions.ts';

/** Makes what tests of the packaged extension in a real browser share, for as long as `resources` are held. */
export async function prepareEndToEnd(resources: AsyncDisposableStack, vsix: string): Promise<void> {
  const workbench = await installWorkbench(
    workbenchVersions[process.env.CHAINSIDE_VSCODE === 'floor' ? 'floor' : 'newest'],
  );
  const [installed, builtIn, localnet, browser] = await Promise.all([
    installExtensions(workbench, [vsix], resources),
    linkBuiltIns(workbench, resources),
    hold(resources, startLocalnet(), (started) => started.stop()),
    hold(resources, launchBrowser(), (started) => started.close()),
  ]);
  provideEnvironment({ browser, workbench, vsix, installed, builtIn, localnet });
}
