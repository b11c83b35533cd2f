import type { Locator, Page } from 'playwright-core';
import { answerInput, runCommand } from '../workbench/driver.ts';

/** A row of a tree view by its accessible name. */
export function row(page: Page, name: string | RegExp): Locator {
  return page.getByRole('treeitem', { name }).first();
}

/** Runs a command that asks for one line under its own title, and answers it. */
export async function answerCommand(page: Page, title: string, answer: string): Promise<void> {
  await runCommand(page, title);
  await answerQuestion(page, title.replace(/^.*: |…$/g, ''), answer);
}

/** Types the answer into the input box of that title, once it stands. */
export async function answerQuestion(page: Page, title: string, answer: string): Promise<void> {
  const box = page.locator('.quick-input-widget');
  await answerInput(page, box.locator('.quick-input-title', { hasText: title }), answer);
  await box.waitFor({ state: 'hidden' });
}

/** Takes an entry of the context menu of an element. */
export async function chooseFromMenu(page: Page, element: Locator, entry: string | RegExp): Promise<void> {
  await element.click({ button: 'right' });
  // The menu takes no click in its first moments.
  await page.getByRole('menuitem', { name: entry }).hover();
  await page.keyboard.press('Enter');
}

export async function clearNotifications(page: Page): Promise<void> {
  const toasts = page.locator('.notifications-toasts .notification-list-item');
  while ((await toasts.count()) > 0) {
    await toasts.first().hover();
    await toasts
      .first()
      .getByRole('button', { name: /^Clear Notification/ })
      .click();
  }
}

/** Widens the side bar to `width` pixels from the left edge of the window. */
export async function dragSideBar(page: Page, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (!box) throw new Error('There is no side bar.');
  const edge = box.x + box.width;
  const middle = box.y + box.height / 2;
  await page.mouse.move(edge, middle);
  await page.mouse.down();
  await page.mouse.move(width, middle, { steps: 4 });
  await page.mouse.up();
}

/** The rectangle of an element with some room around it, within the window. */
export async function around(page: Page, element: Locator, room = 12) {
  const box = await element.boundingBox();
  const window = page.viewportSize();
  if (!box || !window) throw new Error('There is nothing to take a picture of.');
  const x = Math.max(0, Math.floor(box.x - room));
  const y = Math.max(0, Math.floor(box.y - room));
  return {
    x,
    y,
    width: Math.min(window.width, Math.ceil(box.x + box.width + room)) - x,
    height: Math.min(window.height, Math.ceil(box.y + box.height + room)) - y,
  };
}
