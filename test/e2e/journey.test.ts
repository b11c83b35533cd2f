import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { exportFile, type LogPanel, logPanelShownBy } from './support/logPanel.ts';
import { waitForFocus, waitForText } from './support/panel.ts';
import { useSampleWindow } from './support/sampleProject.ts';

/** `event OrderPlaced` in `src/Orders.sol`. */
const EVENT_LINE = 29;

describe('from the code to the chain, and back', () => {
  const { workbench } = useSampleWindow();
  const page = (): Page => workbench().page;
  const row = (name: RegExp): Locator => page().getByRole('treeitem', { name }).first();

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await page().keyboard.press(key);
  }

  /** Runs a command as a hand on the keyboard does: no pointer comes near the palette. */
  async function command(title: string): Promise<void> {
    const label = page().locator('.label-name', { hasText: title });
    const offered = page().locator('.quick-input-widget .monaco-list-row.focused', { has: label });
    // Again where the palette closes for another part of the window that takes the keyboard.
    for (let tries = 1; ; tries++) {
      await press('F1');
      if (await appears(page().locator(driver.inputBox))) await page().keyboard.insertText(title);
      if (await appears(offered)) break;
      assert.ok(tries < 5, `The palette does not offer “${title}”.`);
      await press('Escape');
    }
    await press('Enter');
  }

  /** Again where the editor closes the list, or takes nothing from it, because it draws the lenses anew. */
  async function takeLens(title: string, opened: Locator): Promise<void> {
    for (let tries = 1; ; tries++) {
      await driver.actUntil(
        () => command('Show CodeLens Commands for Current Line'),
        driver.quickPickRow(page(), title),
      );
      await driver.fillInput(page(), title);
      await press('Enter');
      if (await appears(opened, 15_000)) return;
      assert.ok(tries < 3, `“${title}” opens nothing.`);
    }
  }

  /** Whether it comes soon. */
  const appears = (element: Locator, timeout = 2_000): Promise<boolean> =>
    element.waitFor({ timeout }).then(
      () => true,
      () => false,
    );

  async function cursorIsIn(file: string, line: number): Promise<void> {
    await page()
      .getByRole('tab', { name: new RegExp(`^${file}`), selected: true })
      .waitFor();
    await page().locator('.statusbar').getByText(`Ln ${line}, Col`).waitFor();
  }

  const focused = (panel: LogPanel): Locator => panel.frame.locator(':focus');
  const detailsOf = (panel: LogPanel) => panel.frame.getByRole('region', { name: /^Details of log/ });

  /** Goes from stop to stop until one has the focus. */
  async function tabTo(panel: LogPanel, wanted: Locator, key = 'Tab'): Promise<void> {
    const there = wanted.and(focused(panel));
    for (let stops = 0; stops < 40 && !(await there.isVisible()); stops++) await press(key);
    await there.waitFor({ timeout: 1_000 });
  }

  it('shows names, deployments and decoded logs within three clicks of the first launch', async () => {
    let clicks = 0;
    const click = async (target: Locator, shown?: Locator): Promise<void> => {
      clicks++;
      await (shown ? driver.actUntil(() => target.click(), shown) : target.click());
    };
    await click(
      page()
        .locator('.activitybar')
        .getByRole('tab', { name: /^Chainside/ }),
    );
    const orders = page().getByRole('treeitem', { name: /^Orders, 1 deployment · src\/Orders\.sol$/ });
    await orders.waitFor();
    await page()
      .getByRole('treeitem', { name: /^Reading the workspace/ })
      .waitFor({ state: 'detached' });
    await orders.hover();
    const event = driver.quickPickRow(page(), 'OrderFilled');
    await click(orders.getByRole('button', { name: 'Query Logs of Event…' }), event);
    const panel = await logPanelShownBy(workbench(), () => click(event));
    await panel.cell(0, 'argument1').filter({ hasText: 'Dave' }).waitFor();
    await page().getByRole('tab', { name: 'Orders OrderFilled' }).waitFor();
    await workbench().screenshot('journey-first-launch');
    assert.equal(clicks, 3);
    await workbench().closeEditors();
  });

  it('goes from the code to the chain and back by keyboard alone', async () => {
    const panel = await queryFromLine();
    await filterAndSort(panel);
    await goToDeclaration(panel);
    await exportRows(panel);
    await queryFromContractsView();
  });

  /** Queries the logs of an event from its line; the rows have the focus at once. */
  async function queryFromLine(): Promise<LogPanel> {
    await press('Control+P');
    await driver.fillInput(page(), 'src/Orders.sol');
    await driver.quickPickRow(page(), 'Orders.sol').waitFor();
    await press('Enter');
    await cursorIsIn('Orders.sol', 1);
    await press('Control+G');
    await driver.fillInput(page(), `:${EVENT_LINE}`);
    await press('Enter');
    await cursorIsIn('Orders.sol', EVENT_LINE);
    const lens = 'Query…';
    await page()
      .locator('.codelens-decoration', { hasText: /4 logs.*Query…/ })
      .waitFor();
    const opened = page().getByRole('tab', { name: 'Orders OrderPlaced' });
    const panel = await logPanelShownBy(workbench(), () => takeLens(lens, opened));
    await waitForText(panel.status, /^Complete · 4 logs to block/);
    await waitForFocus(panel, 0, 'block');
    return panel;
  }

  /** Reads names and tuples in the sentence of a row, filters by a value and sorts by the block. */
  async function filterAndSort(panel: LogPanel): Promise<void> {
    await panel
      .cell(0, 'event')
      .filter({
        hasText: /^OrderPlaced {2}.*hash 0x.*\{maker: [A-Z]\w+, side: \w+, give: \{token: \w+, amount: /,
      })
      .waitFor();
    await tabTo(panel, panel.field('Filter rows'), 'Shift+Tab');
    await page().keyboard.type('Carol');
    await panel.frame.getByText('2 of 4 match').waitFor();
    await tabTo(panel, panel.cell(0, 'block'));
    await press('ArrowUp');
    await panel.columnName('Block').and(focused(panel)).waitFor();
    // Beside the code a row is one sentence, before its time.
    await press('ArrowRight');
    await panel.columnName('Event').and(focused(panel)).waitFor();
    await press('ArrowLeft');
    await press('Enter');
    await panel.columnName('Block').and(panel.frame.locator('[aria-sort=ascending]')).waitFor();
    // The heading says at once how the rows are to be sorted; they come a moment after.
    await waitUntil('the rows are sorted by the block', async () => {
      const [first = 0, second = 0] = await Promise.all(
        [0, 1].map(async (each) => Number(await panel.cell(each, 'block').textContent())),
      );
      return first < second;
    });
  }

  /** Opens the details, the tuple in them, and the declaration of the event. */
  async function goToDeclaration(panel: LogPanel): Promise<void> {
    await press('ArrowDown');
    await waitForFocus(panel, 0, 'block');
    await press('Enter');
    const details = detailsOf(panel);
    await details.getByText(/^Source: deployment of Orders in src\/Orders\.sol/).waitFor();
    const goToEvent = details.getByRole('button', { name: 'Go to Event Orders.sol:29' });
    await tabTo(panel, details.locator('summary', { hasText: 'order' }));
    await press('Enter');
    await details
      .getByRole('listitem')
      .filter({ hasText: /^maker address\s+Carol/ })
      .waitFor();
    await tabTo(panel, goToEvent, 'Shift+Tab');
    await workbench().screenshot('journey-details');
    await press('Enter');
    await cursorIsIn('Orders.sol', EVENT_LINE);
  }

  /** Comes back to the rows and their details, and exports what they say. */
  async function exportRows(panel: LogPanel): Promise<void> {
    await detailsOf(panel)
      .getByText(/^Source: deployment of Orders/)
      .waitFor();
    await press('Control+2');
    await detailsOf(panel).locator(':focus').waitFor();
    await press('Escape');
    await waitForFocus(panel, 0, 'block');
    const file = join(workbench().folder, 'orders.csv');
    await exportFile(page(), file, ['CSV', 'Filtered rows (2)']);
    await workbench()
      .notification(/Exported 2 logs to orders\.csv\./)
      .waitFor();
    const [header = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    assert.match(header, /event.*memo.*order/);
    assert.equal(lines.length, 2);
    for (const line of lines) assert.match(line, /OrderPlaced.*""maker"":""0x90F79bf6/);
    const names = await readdir(workbench().folder);
    assert.deepEqual(
      names.filter((name) => name.startsWith('orders')),
      ['orders.csv'],
    );
    await command('Notifications: Clear All Notifications');
  }

  /** Queries the logs of a deployment from the Contracts view. */
  async function queryFromContractsView(): Promise<void> {
    await command('View: Close All Editors');
    await command('Chainside: Focus on Contracts View');
    await row(/^HarborDollar, 1 deployment/).waitFor();
    // A view that was empty when it was opened has no rows to give the keyboard to.
    await command('Chainside: Focus on Contracts View');
    const list = page().locator('.monaco-list:focus');
    await list.and(page().getByRole('tree', { name: 'Contracts' })).waitFor();
    await page().keyboard.type('HarborD');
    await list.locator('.monaco-list-row.focused', { hasText: 'HarborDollar' }).waitFor();
    // A row that is drawn anew at that moment takes no key. The verdict on its code may be before the address.
    await driver.actUntil(() => press('ArrowRight'), row(/^Local Network, .*block 1 · .*0x5FbD…0aa3/));
    const deployment = list.locator('.monaco-list-row.focused', { hasText: 'Local Network' });
    await driver.actUntil(() => press('ArrowRight'), deployment);
    await press('Shift+F10');
    await page().getByRole('menuitem', { name: 'Query Logs of Event…' }).waitFor();
    await press('ArrowDown');
    await page().locator('.monaco-menu .action-item.focused', { hasText: 'Query Logs of Event…' }).waitFor();
    await press('Enter');
    await page().locator('.quick-input-widget').getByPlaceholder('Choose an event').waitFor();
    await driver.fillInput(page(), 'Transfer');
    const panel = await logPanelShownBy(workbench(), () => press('Enter'));
    await waitForText(panel.status, /^(Complete|Partial)\b/);
    await waitForFocus(panel, 0, 'block');
    await panel
      .cell(0, 'argument2')
      .filter({ hasText: /^[\d,]+\.\d\d HUSD$/ })
      .waitFor();
    await panel
      .cell(0, 'argument1')
      .filter({ hasText: /^[A-Z]\w+$/ })
      .waitFor();
  }
});
