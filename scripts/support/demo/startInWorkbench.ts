import { join } from 'node:path';
import { cacheFolder } from '../paths.ts';
import { hold } from '../script.ts';
import { launchBrowser } from '../workbench/browser.ts';
import { openFile, openView } from '../workbench/driver.ts';
import { installWorkbench } from '../workbench/install.ts';
import { openWorkbench } from '../workbench/page.ts';
import { type Settings, startWorkbenchServer, type WorkbenchServer } from '../workbench/server.ts';
import { workbenchVersions } from '../workbench/versions.ts';

export interface Demo {
  readonly vsix: string;
  readonly workspace: string;
  readonly settings: Settings;
}

/** Starts the VS Code that npm carries, with the packaged extension installed. */
export async function startInWorkbench(
  resources: AsyncDisposableStack,
  demo: Demo,
): Promise<WorkbenchServer> {
  const workbench = await installWorkbench(workbenchVersions.newest);
  const starting = startWorkbenchServer(workbench, { extensions: [demo.vsix], settings: demo.settings });
  return hold(resources, starting, async (started) => started[Symbol.asyncDispose]());
}

/** Takes a picture of the workbench once it shows the latest block, and what is deployed; returns its path. */
export async function takePicture(
  resources: AsyncDisposableStack,
  server: WorkbenchServer,
  demo: Demo,
): Promise<string> {
  const browser = await hold(resources, launchBrowser(), (started) => started.close());
  const page = await openWorkbench(browser, server, demo);
  await openFile(page, 'src/Rewards.sol');
  await openView(page, 'Chainside');
  await page.getByRole('treeitem', { name: /Latest block: [\d,.]+/ }).waitFor();
  await page
    .locator('.codelens-decoration', { hasText: /logs?.*Query…/ })
    .first()
    .waitFor();
  const path = join(cacheFolder, 'screenshots', 'start.png');
  await page.screenshot({ path });
  return path;
}
