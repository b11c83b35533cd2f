import { startLocalnet } from '../../../localnet/start.ts';
import { provideEnvironment } from '../../../test/e2e/support/environment.ts';
import { hold } from '../script.ts';
import { launchBrowser } from './browser.ts';
import { installWorkbench } from './install.ts';
import { workbenchVersions } from './versions.ts';

/** Makes what tests of the packaged extension in a real browser share, for as long as `resources` are held. */
export async function prepareEndToEnd(resources: AsyncDisposableStack, vsix: string): Promise<void> {
  const workbench = await installWorkbench(workbenchVersions.newest);
  const [localnet, browser] = await Promise.all([
    hold(resources, startLocalnet(), (started) => started.stop()),
    hold(resources, launchBrowser(), (started) => started.close()),
  ]);
  provideEnvironment({ browser, workbench, vsix, localnet });
}
