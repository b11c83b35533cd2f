import type { Locator, Page } from 'playwright-core';
import { fillInput, inputBox } from './driver.ts';
import { failedWait, PATIENCE_MS, waitUntil } from './waitUntil.ts';

/** Confirms `path` in the editor's own dialog that asks where to save, until it is gone, or asks or refuses in words. */
export async function saveAs(page: Page, path: string): Promise<void> {
  const input = page.locator(inputBox);
  await waitUntil('the dialog has a name of its own', async () => /\/[^/]+$/.test(await input.inputValue()));
  const words = page.locator('.quick-input-widget .quick-input-message:visible').filter({ hasText: /\S/ });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await typePath(page, input, path);
      await input.press('Enter');
      await input.waitFor({ state: 'hidden', timeout: 2000 });
      return;
    } catch (error) {
      if (!(await input.isVisible()) || (await words.isVisible())) return;
      // While it lists the folder that was typed, it takes a confirmation for the wish to go there.
      if (Date.now() > deadline) throw failedWait(`the dialog takes ${path}`, error);
    }
  }
}

/** The dialog writes on where another name begins alike, and has that selected. */
async function typePath(page: Page, input: Locator, path: string): Promise<void> {
  await waitUntil(`the dialog has ${path} and nothing behind it`, async () => {
    await fillInput(page, path);
    await input.press('Delete');
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    return (await input.inputValue()) === path;
  });
}
