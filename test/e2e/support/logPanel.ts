import type { Locator, Page } from 'playwright-core';
import * as driver from '../../../scripts/support/workbench/driver.ts';
import { failedWait, PATIENCE_MS, waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';
import { type GridPanel, gridPanel, type PanelFrame, waitForText } from './panel.ts';
import type { Workbench } from './workbench.ts';

type Column =
  | 'block'
  | 'time'
  | 'event'
  | `argument${number}`
  | 'index'
  | 'transaction'
  | 'address'
  | 'topics'
  | 'data';

/** A log panel as a person sees it. */
export interface LogPanel extends GridPanel<Column> {
  /** A field of the form, if that is open, or the filter of the rows. */
  field(name: string): Locator;
  /** Opens the form, where the query that ran stands in its place. */
  editQuery(): Promise<void>;
  columnName(name: string): Locator;
  /** Opens the menu of further actions by keyboard, and gives an entry of it. */
  moreAction(name: string): Promise<Locator>;
}

/** The log panel that `show` brings to the front, new or hidden before. */
export async function logPanelShownBy(workbench: Workbench, show: () => Promise<unknown>): Promise<LogPanel> {
  return logPanelIn(await workbench.webviewShownBy(show));
}

/** The log panel in a webview. */
export function logPanelIn(frame: PanelFrame): LogPanel {
  const panel = gridPanel<Column>(frame, 'Logs');
  return {
    ...panel,
    field: (name) => panel.frame.getByLabel(name, { exact: true }),
    async editQuery() {
      const edit = panel.button('Edit Query');
      const run = panel.button('Run Query');
      const opened = panel.frame.getByRole('search').getByRole('button', { name: 'Run Query', exact: true });
      await edit.or(run).first().waitFor();
      if (!(await opened.isVisible())) await edit.click();
      await opened.waitFor();
    },
    columnName: (name) => panel.grid.getByRole('columnheader', { name }),
    async moreAction(name) {
      await panel.button('More Actions…').press('Enter');
      const menu = panel.frame.getByRole('menu', { name: 'More Actions…' });
      return menu.getByText(name, { exact: true });
    },
  };
}

export async function openLogPanel(workbench: Workbench): Promise<LogPanel> {
  const opened = await logPanelShownBy(workbench, () => workbench.runCommand('Chainside: Query Logs…'));
  await opened.button('Run Query').waitFor();
  return opened;
}

/** Opens a panel, fills its form in, and waits for the first page. */
export async function runLogQuery(
  workbench: Workbench,
  form: Readonly<Record<string, string>>,
): Promise<LogPanel> {
  const opened = await openLogPanel(workbench);
  for (const [name, value] of Object.entries(form)) await opened.field(name).fill(value);
  await opened.button('Run Query').click();
  await waitForText(opened.status, /^(Complete|Partial|May be incomplete)\b/);
  return opened;
}

/**
 * How many logs are loaded, once the status begins with these words and there are more than `before`: a page of the newest
 * has half as many logs as one of the server, or more.
 */
export async function waitForLogs(panel: LogPanel, words: string, before = 0): Promise<number> {
  let loaded = 0;
  await waitUntil(`the status begins with ${words}, and tells of more than ${before} logs`, async () => {
    const said = (await panel.status.textContent()) ?? '';
    const count = said.startsWith(words) ? / · ([\d,]+) logs?\b/.exec(said)?.[1] : undefined;
    loaded = Number(count?.replaceAll(',', '') ?? 0);
    return loaded > before;
  });
  return loaded;
}

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

/** Confirms `path` in the editor's own dialog that asks where to save, until it is gone, or asks or refuses in words. */
async function saveAs(page: Page, path: string): Promise<void> {
  const input = page.locator(driver.inputBox);
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
    await driver.fillInput(page, path);
    await input.press('Delete');
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    return (await input.inputValue()) === path;
  });
}
