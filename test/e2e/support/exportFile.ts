import type { Page } from 'playwright-core';
import * as driver from '../../../scripts/support/workbench/driver.ts';
import { saveAs } from '../../../scripts/support/workbench/saveDialog.ts';

/** Asks for an export of the panel in front as a person does, by keyboard alone: what is picked, then the file. */
export async function exportFile(page: Page, file: string, picks: readonly string[]): Promise<void> {
  await driver.runCommand(page, 'Chainside: Export Logs…');
  for (const pick of picks) {
    const row = driver.quickPickRow(page, pick);
    await row.waitFor();
    await driver.fillInput(page, pick);
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
  }
  await saveAs(page, file);
}
