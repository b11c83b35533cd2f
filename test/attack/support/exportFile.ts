import type { Page } from 'playwright-core';
import * as driver from '../../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';

/** Asks for an export of the whole query in the panel in front, by keyboard, up to the name of the file. */
export async function exportFile(page: Page, file: string): Promise<void> {
  await driver.runCommand(page, 'Chainside: Export Logs…');
  const input = page.locator('.quick-input-widget input[type=text]');
  for (const pick of ['CSV', 'Whole query']) {
    const row = driver.quickPickRow(page, pick);
    await row.waitFor();
    await input.fill(pick);
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
  }
  // The dialog fills in a name of its own when it has looked at the folder.
  await page.waitForFunction(
    `document.querySelector('.quick-input-widget input[type=text]').value.includes('logs-hostile-')`,
  );
  // The dialog writes on where another name begins alike, and has that selected.
  await waitUntil(`the dialog has ${file} and nothing behind it`, async () => {
    await input.fill(file);
    await input.press('Delete');
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    return (await input.inputValue()) === file;
  });
  await page.keyboard.press('Enter');
}
