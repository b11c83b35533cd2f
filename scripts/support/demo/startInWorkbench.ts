import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { cacheFolder } from '../paths.ts';
import { doing } from '../progress.ts';
import { hold } from '../script.ts';
import { launchBrowser } from '../workbench/browser.ts';
import { actUntil, webviewShownBy } from '../workbench/driver.ts';
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

/** Does what the README of the sample says, which is open, and takes a picture of the rows; returns its path. */
export async function takePicture(
  resources: AsyncDisposableStack,
  server: WorkbenchServer,
  demo: Demo,
): Promise<string> {
  const browser = await hold(resources, launchBrowser(), (started) => started.close());
  const page = await doing('Opening VS Code in a browser', () => openWorkbench(browser, server, demo));
  await doing('Following the README of the sample', async () => {
    const readme = await webviewShownBy(page, async () => undefined);
    await readme.getByRole('link', { name: 'src/Rewards.sol' }).click();
    const panel = await openRewardsQuery(page);
    await panel.locator('[data-row="0"]').getByRole('gridcell').nth(1).click();
    await page.keyboard.press('Enter');
    await panel.getByRole('region', { name: /^Details of log/ }).waitFor();
  });
  const path = join(cacheFolder, 'screenshots', 'start.png');
  await page.screenshot({ path });
  return path;
}

/** Runs the query of the first event of the source in front, the payments of the sample, until it is complete. */
export async function openRewardsQuery(page: Page): Promise<FrameLocator> {
  const lens = page.locator('.codelens-decoration', { hasText: /\d logs?.*Query…/ }).first();
  // Again where the editor draws its lenses anew at that moment.
  const opened = page.getByRole('tab', { name: 'Rewards Paid' });
  const panel = await webviewShownBy(page, () =>
    actUntil(async () => {
      if (!(await opened.isVisible())) await lens.getByText('Query…').click();
    }, opened),
  );
  await panel
    .getByRole('status')
    .filter({ hasText: /^Complete\b/ })
    .waitFor();
  return panel;
}
