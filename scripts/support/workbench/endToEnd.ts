import { startLocalnet } from '../../../localnet/start.ts';
import { provideEnvironment } from '../../../test/e2e/support/environment.ts';
import { hold } from '../script.ts';
import { packageExtension } from '../vsix.ts';
import { launchBrowser } from './browser.ts';
import { installWorkbench } from './install.ts';
import { workbenchVersions } from './versions.ts';

/** Makes what tests of the packaged extension in a real browser share, for as long as `resources` are held. */
export async function prepareEndToEnd(resources: AsyncDisposableStack): Promise<void> {
  const vsix = await packageExtension();
  const workbench = await installWorkbench(workbenchVersions.newest);
  const localnet = await hold(resources, startLocalnet(), (started) => started.stop());
  const browser = await hold(resources, launchBrowser(), (started) => started.close());
  provideEnvironment({ browser, workbench, vsix, localnet });
}
