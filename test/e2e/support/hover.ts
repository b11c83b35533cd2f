import type { Locator, Page } from 'playwright-core';
import * as driver from '../../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';

interface Animated {
  getAnimations(): readonly unknown[];
}

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

/**
 * The hover on a text at the end of a line of the file in front, once it says `words`: again where the editor took no
 * notice, as it moves its lines while it is loading, or where what is asked for comes with the next look.
 */
export async function hoverOn(page: Page, text: string, words: RegExp): Promise<Locator> {
  const target = page.locator('.view-line').filter({ hasText: text }).getByText(text).first();
  const hover = page.locator('.monaco-hover:visible').filter({ hasText: words }).first();
  await waitUntil(`the hover on ${text} says ${words}`, async () => {
    await page.mouse.move(900, 10);
    const box = await target.boundingBox();
    if (!box) return false;
    // In steps, as a hand moves: the editor takes no notice of a pointer that jumps.
    await page.mouse.move(box.x + box.width - 40, box.y + box.height / 2, { steps: 10 });
    return hover.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  });
  // It is faded in.
  await waitUntil('the hover is drawn', () =>
    hover.evaluate((element) => (element as unknown as Animated).getAnimations().length === 0),
  );
  return hover;
}
