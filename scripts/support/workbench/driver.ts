import { basename } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { failedWait, PATIENCE_MS, waitFor } from './waitUntil.ts';

/** Waits until the workbench is drawn and takes keys. */
export async function workbenchReady(page: Page): Promise<void> {
  const drawn = page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: PATIENCE_MS });
  await waitFor('the workbench is drawn', drawn);
}

/** Runs a command by its title in the palette, as `Chainside: Refresh`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await pick(page, 'F1', `>${title}`, title);
}

/** Runs a command again whose question, of which `asked` is a part, closed because another part took the focus back. */
export async function runCommandAsking(page: Page, title: string, asked: Locator): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const input = page.locator('.quick-input-widget');
  for (;;) {
    await runCommand(page, title);
    try {
      return await asked.waitFor({ timeout: 5000 });
    } catch (error) {
      const isOpen = await input.isVisible();
      if (isOpen) return await waitFor(`“${title}” asks`, asked.waitFor());
      if (Date.now() > deadline) throw failedWait(`“${title}” asks`, error);
    }
  }
}

/** Does again what the workbench did not take, as rows that it draws anew at that moment do: what may be done twice. */
export async function actUntil(act: () => Promise<unknown>, shown: Locator): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    await act();
    try {
      return await shown.waitFor({ timeout: 3000 });
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Unfolds a row of a tree. One that is drawn anew at that moment takes the click and stays folded. */
export async function unfold(row: Locator, child: Locator): Promise<void> {
  await actUntil(async () => {
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.locator('.monaco-tl-twistie').click();
  }, child);
}

/** Opens a file of the workspace by its path in it. */
export async function openFile(page: Page, path: string): Promise<void> {
  await pick(page, 'Control+P', path, basename(path));
  await page.getByRole('tab', { name: basename(path) }).waitFor();
}

/** Types into the quick input that `key` opens, and clicks the row `label`. */
async function pick(page: Page, key: string, text: string, label: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await page.keyboard.press(key);
      await page.locator('.quick-input-widget input[type=text]').fill(text, { timeout: 5000 });
      const row = quickPickRow(page, label);
      await row.waitFor({ timeout: 1000 });
      // Long enough that a click never counts as failed that has landed: the second one would hit what it has opened.
      await row.click({ timeout: 5000 });
      return;
    } catch (error) {
      // A palette that was opened before the workbench has read its extensions never shows their commands, and
      // one that was opened while another part took the focus closes again.
      if (Date.now() > deadline) throw failedWait(`the palette offers “${label}”`, error);
      await page.keyboard.press('Escape');
    }
  }
}

interface MenuChoice {
  readonly target: Locator;
  /** Of the entry. */
  readonly name: string;
  /** What is there once the entry has been taken: then it is looked for no more. */
  readonly done?: Locator | undefined;
}

/**
 * Opens the context menu of `target`, again where the entry is missing: what depends on a condition that an extension
 * sets comes a moment after the condition holds, and an open menu stays as it is. Undefined once all is done.
 */
async function findEntry(page: Page, { target, name, done }: MenuChoice): Promise<Locator | undefined> {
  const entry = page.getByRole('menuitem', { name, exact: true });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    if (await done?.isVisible()) return undefined;
    await target.click({ button: 'right' });
    try {
      await entry.waitFor({ timeout: 1000 });
      return entry;
    } catch (error) {
      if (Date.now() > deadline) throw failedWait(`the context menu has “${name}”`, error);
      await page.keyboard.press('Escape');
    }
  }
}

/** Takes an entry of an open menu, by keyboard: a menu takes no click in the first moment that it is open. */
async function takeEntry(page: Page, entry: Locator): Promise<void> {
  await entry.hover({ timeout: 5000 });
  // The last: the entry of a menu that another menu hangs on has the focus too.
  const focused = page.locator('.monaco-menu .action-item.focused').filter({ has: entry }).last();
  await waitFor('the entry of the menu has the focus', focused.waitFor({ timeout: 5000 }));
  await page.keyboard.press('Enter');
  await waitFor('the menu closes', entry.waitFor({ state: 'hidden' }));
}

/** Takes an entry of the context menu of `target`, unless all is done. */
export async function chooseEntry(page: Page, choice: MenuChoice): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const entry = await findEntry(page, choice);
    if (!entry) return;
    try {
      return await takeEntry(page, entry);
    } catch (error) {
      // A menu that the window closed by itself, as it does when it loses the focus, is opened again.
      if (Date.now() > deadline || (await entry.isVisible())) throw error;
    }
  }
}

/** Types into the input box that `question` is a part of, and confirms. */
export async function answerInput(page: Page, question: Locator, text: string): Promise<void> {
  await waitFor('an input box asks the question', question.waitFor());
  await fillInput(page, text);
  await page.locator(inputBox).press('Enter');
}

/** The question of an input box, or of a list to pick from, which has it in its field. */
export function questionAsked(page: Page, prompt: RegExp): Locator {
  const box = page.locator('.quick-input-widget');
  return box.getByText(prompt).or(box.getByPlaceholder(prompt));
}

/** Of the quick input that is open, or was last. */
export const inputBox = '.quick-input-widget input.input';

/** Types into the input box itself: what was in front before may take the focus back for a moment. */
export function fillInput(page: Page, text: string): Promise<void> {
  return page.locator(inputBox).fill(text);
}

/** A row of the open quick pick, or of the palette, by its label. */
export function quickPickRow(page: Page, label: string): Locator {
  return page
    .locator('.quick-input-widget .monaco-list-row')
    .filter({ has: page.locator('.label-name', { hasText: exactly(label) }) })
    .first();
}

/** Brings a view container of the activity bar to the front. */
export async function openView(page: Page, container: string): Promise<void> {
  // The name of a tab goes on with its key binding and its badge.
  const tab = page
    .locator('.activitybar')
    .getByRole('tab', { name: new RegExp(`^${escapePattern(container)}( [(-]|$)`) });
  const title = page.locator('.sidebar .composite.title', { hasText: exactly(container) });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    try {
      await title.waitFor({ timeout: 2000 });
      return;
    } catch (error) {
      // A click that comes just before a loading workbench brings the container back hides it.
      if (Date.now() > deadline) throw failedWait(`the view container “${container}” is in front`, error);
    }
  }
}

export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
}

/**
 * The document of the webview panel that `show` brings to the front. It is told from the one in front before by the
 * name of its frame: the workbench shows that one for as long as the extension takes to open another, which is longer
 * than a click takes. A webview that was hidden comes back in a frame of a new name.
 */
export async function webviewShownBy(page: Page, show: () => Promise<unknown>): Promise<FrameLocator> {
  const frames = page.locator('iframe.webview.ready');
  const names = () =>
    frames.evaluateAll((elements) => elements.map((element) => element.getAttribute('name')));
  const before = await names();
  await show();
  const others = before.map((name) => `:not([name="${name}"])`).join('');
  const shown = page.locator(`iframe.webview.ready${others}`);
  const name = await waitFor('another webview panel comes to the front', shown.getAttribute('name'));
  return page.frameLocator(`iframe.webview.ready[name="${name}"]`).frameLocator('iframe#active-frame');
}

/** Identifiers of the themes that VS Code comes with, and the kind that each sets on the workbench and on webviews. */
export const themes = {
  light: { id: 'Light 2026', kind: 'vs', webviewKind: 'vscode-light' },
  dark: { id: 'Dark 2026', kind: 'vs-dark', webviewKind: 'vscode-dark' },
  highContrast: { id: 'Default High Contrast', kind: 'hc-black', webviewKind: 'vscode-high-contrast' },
  highContrastLight: {
    id: 'Default High Contrast Light',
    kind: 'hc-light',
    webviewKind: 'vscode-high-contrast-light',
  },
} as const;

export type Theme = keyof typeof themes;

function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${escapePattern(text)}\\s*$`, 'i');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
