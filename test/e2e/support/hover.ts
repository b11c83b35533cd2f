import type { Page } from 'playwright-core';
import * as driver from '../../../scripts/support/workbench/driver.ts';

/** Shows the hover at a place of the file in front, by the keyboard. */
export async function showHoverAt(page: Page, line: number, column: number): Promise<void> {
  // Where an input box above the pointer closes, the editor sees the pointer move, and closes its hover.
  await page.locator('.statusbar').hover();
  await page.keyboard.press('Control+G');
  await driver.fillInput(page, `:${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.locator('.statusbar').getByText(`Ln ${line}, Col ${column}`).waitFor();
  await page.locator('.monaco-editor.focused').waitFor();
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
}
