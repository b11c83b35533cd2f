import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chooseEntry, menuEntry } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from './support/accessibility.ts';
import { leavesNoError } from './support/consoleErrors.ts';
import { environment } from './support/environment.ts';
import { logsLoaded } from './support/logPanel.ts';
import { TRANSFER, TRANSFER_TOPIC0, tide, useLogWindow } from './support/logWindow.ts';
import { focusIsOn } from './support/panel.ts';

describe('rows of logs', () => {
  const { workbench, openAndRun } = useLogWindow();

  async function copiedTextIs(text: string): Promise<void> {
    await workbench().page.waitForFunction(
      `navigator.clipboard.readText().then((copied) => copied === '${text}')`,
    );
  }

  it('is moved in, read and copied from by keyboard alone', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const opened = await openAndRun();
    await opened.button('Table').focus();
    await page.keyboard.press('Tab');
    await focusIsOn(opened, 0, 'block');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await focusIsOn(opened, 1, 'address');
    await page.keyboard.press('Control+End');
    await focusIsOn(opened, (await logsLoaded(opened, 'Partial')) - 1, 'index');
    await page.keyboard.press('Control+Home');
    for (let column = 0; column < 5; column++) await page.keyboard.press('ArrowRight');
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    const transaction = (await opened.cell(0, 'transaction').textContent()) ?? '';
    await page.keyboard.press('Control+C');
    await copiedTextIs(transaction);

    await page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.getByText(transaction).waitFor();
    await details.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await focusIsOn(opened, 0, 'transaction');
  });

  it('shows what logs say, filters and sorts by it, and gives the exact value, by keyboard alone', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    await opened
      .cell(0, 'argument2')
      .filter({ hasText: /^[\d,]+\.\d\d.* TIDE$/ })
      .waitFor();
    await opened.button('Load all').press('Enter');
    await logsLoaded(opened, 'Complete');
    await opened.field('Filter rows').focus();
    await page.keyboard.type('value<1');
    await opened.frame.getByText(/^[\d,]+ of [\d,]+ loaded$/).waitFor();
    await opened.columnName('value').focus();
    await page.keyboard.press('Enter');
    await opened
      .cell(0, 'argument2')
      .filter({ hasText: /^0\.\d+ TIDE$/ })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await focusIsOn(opened, 0, 'argument2');
    const shown = (await opened.cell(0, 'argument2').textContent()) ?? '';
    await page.keyboard.press('Control+C');
    await waitUntil('the exact amount is copied', async () => {
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      return /^\d{1,18}$/.test(copied) && shown.startsWith(`0.${copied.padStart(18, '0').slice(0, 2)}`);
    });
    await page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.getByText('Known from: bundled list ERC-20').waitFor();
    await details.getByRole('button', { name: 'Raw topics and data' }).press('Enter');
    await details.getByText(TRANSFER_TOPIC0).waitFor();
    await opened.button('Raw').press('Space');
    await opened.columnName('Topics').waitFor();
    await opened.cell(0, 'topics').filter({ hasText: TRANSFER_TOPIC0 }).waitFor();
  });

  it('selects rows as lists of the editor do, and copies them by keyboard and from the menu', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    const selected = opened.grid.locator('[role=row][aria-selected=true]');
    const isSelected = (...rows: readonly number[]) =>
      waitUntil(`the rows ${rows} are selected`, async () => {
        const found = await selected.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
        return found.join() === rows.join();
      });
    const copied = async () => String(await page.evaluate('navigator.clipboard.readText()'));
    await opened.cell(1, 'block').click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await focusIsOn(opened, 3, 'block');
    await isSelected(1, 2, 3);
    await opened.frame.getByText('3 rows selected').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+C');
    const shownBlock = (await opened.cell(1, 'block').textContent()) ?? '';
    await waitUntil('the rows are copied as a table', async () => {
      const [header, first, ...others] = (await copied()).trimEnd().split('\r\n');
      const isFirst =
        first?.startsWith(`${shownBlock}\t20`) === true && /Z\t0x/.test(first) && /\t\d{18,}\t0x/.test(first);
      return header === 'Block\tTime\tfrom\tto\tvalue\tTransaction\tIndex' && isFirst && others.length === 2;
    });
    await opened.cell(6, 'block').click({ modifiers: ['ControlOrMeta'] });
    await isSelected(1, 2, 3, 6);
    await chooseEntry(page, { target: opened.cell(6, 'argument0'), name: 'Copy as Markdown' });
    await waitUntil('the rows are copied as Markdown', async () => {
      const lines = (await copied()).trimEnd().split('\n');
      return lines.length === 6 && lines[1] === '| ---: | --- | --- | --- | ---: | --- | ---: |';
    });
    await opened.cell(9, 'argument0').click();
    await isSelected(9);
    await page.keyboard.press('Control+A');
    const all = (await logsLoaded(opened, 'Partial')).toLocaleString('en');
    await opened.frame.getByText(`${all} rows selected`).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await isSelected(9);
    // The menu by keyboard is that of the cell.
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Filter by This Transaction', exact: true }).waitFor();
    await page.getByRole('menuitem', { name: 'Query Logs of This Address', exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('filters by the value of a cell, and looks up its address', async () => {
    const { page } = workbench();
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    const done = opened.frame.getByText(/^[\d,]+ of [\d,]+ loaded$/);
    await chooseEntry(page, { target: opened.cell(2, 'argument1'), name: 'Filter by This Value', done });
    await done.waitFor();
    assert.match(await opened.field('Filter rows').inputValue(), /^to:0x[0-9a-fA-F]{40}$/);
    await opened.field('Filter rows').fill('');
    await done.waitFor({ state: 'detached' });
    const entry = await menuEntry(page, opened.cell(0, 'argument1'), 'Look Up Address');
    await page.keyboard.press('Escape');
    await entry.waitFor({ state: 'hidden' });
  });

  it('tells events in words where several are asked for', async () => {
    const { tide, usd, badge } = environment().localnet.chain.contracts;
    const opened = await openAndRun({
      Address: [tide, usd, badge].map(({ address }) => address).join(' '),
      'To block': '60',
    });
    await opened
      .cell(0, 'event')
      .filter({ hasText: /^(Transfer|OwnershipTransferred|Approval) /i })
      .waitFor();
    await opened.field('Filter rows').fill('event:transfer');
    await opened.frame.getByText(/^[\d,]+ of [\d,]+ loaded$/).waitFor();
    await opened
      .cell(0, 'event')
      .filter({ hasText: /^Transfer from 0x\w{4}…\w{4} to 0x\w{4}…\w{4} {2}[\d,.]+ [A-Z]+$/ })
      .waitFor();
    await workbench().screenshot('logs-words');
    assert.deepEqual(await accessibilityFindings(opened.frame), []);
  });

  it('draws many more rows for a screen reader than are in view', async () => {
    await workbench().updateSettings({ 'editor.accessibilitySupport': 'on' });
    const opened = await openAndRun();
    await opened.cell(200, 'transaction').filter({ hasText: '0x' }).waitFor({ state: 'attached' });
    await workbench().updateSettings({ 'editor.accessibilitySupport': 'off' });
  });

  describe('in a small window', () => {
    const size = { width: 1280, height: 800 };
    afterEach(() => workbench().page.setViewportSize(size));

    const box = async (element: Locator) => (await element.boundingBox()) ?? assert.fail('It is not seen.');

    it('has room for 18 rows beside the code', async () => {
      const { page } = workbench();
      await page.setViewportSize({ width: 1000, height: 700 });
      await workbench().runCommand('File: New Untitled Text File');
      const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
      const grid = await box(opened.grid);
      assert.ok(grid.width < 500 && grid.x > 400, `It is ${grid.width} wide, at ${grid.x}.`);
      const last = await box(opened.frame.locator('[data-row="17"]'));
      assert.ok(last.y + last.height <= grid.y + grid.height + 0.5, JSON.stringify({ last, grid }));
    });

    it('has the details beside the rows, or below them where it is narrow or zoomed in', async () => {
      const { page } = workbench();
      const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
      const details = opened.frame.getByRole('region', { name: /^Details of log/ });
      await opened.cell(1, 'block').click();
      await page.keyboard.press('Enter');
      await details.and(opened.frame.locator(':focus')).waitFor();
      const grid = await box(opened.grid);
      assert.ok((await box(details)).x >= grid.x + grid.width - 1);
      await page.keyboard.press('Escape');
      await focusIsOn(opened, 1, 'block');
      // A window of 1000 by 700 at a zoom of 150 %.
      await page.setViewportSize({ width: 667, height: 467 });
      await page.keyboard.press('Enter');
      await details.and(opened.frame.locator(':focus')).waitFor();
      const shown = await box(details);
      const row = await box(opened.frame.locator('[data-row="1"]'));
      assert.ok(shown.y > row.y && shown.y + 60 < 467 - 22, JSON.stringify({ shown, row }));
      assert.ok(shown.height >= 100, `${shown.height} high`);
    });
  });

  it('tells of a column where the keyboard is, until Escape', async () => {
    const { page } = workbench();
    const opened = await openAndRun();
    await opened.cell(0, 'index').click();
    await page.keyboard.press('ArrowUp');
    const hint = opened.frame.getByRole('tooltip');
    await hint.filter({ hasText: 'Place of the log in its block. Enter sorts by this column.' }).waitFor();
    assert.equal(
      await opened.columnName('Index').getAttribute('aria-describedby'),
      await hint.getAttribute('id'),
    );
    await page.keyboard.press('Escape');
    await hint.waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowLeft');
    await hint.filter({ hasText: /^Enter sorts by this column/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await hint.waitFor({ state: 'detached' });
  });

  it('keeps borders, focus and selection where the system chooses the colours', async () => {
    const { page } = workbench();
    const opened = await openAndRun();
    await page.emulateMedia({ forcedColors: 'active' });
    await opened.cell(1, 'address').click();
    await workbench().screenshot('logs-forcedColors');
    const background = (row: number) =>
      opened.frame.locator(`[data-row="${row}"]`).evaluate((element) => {
        const page = globalThis as unknown as { getComputedStyle(of: unknown): { backgroundColor: string } };
        return page.getComputedStyle(element).backgroundColor;
      });
    const chosen = await background(1);
    const other = await background(2);
    await page.emulateMedia({ forcedColors: null });
    assert.notEqual(chosen, other);
  });

  it('changes column widths by mouse and by keyboard', async () => {
    const { page } = workbench();
    const opened = await openAndRun();
    const header = opened.grid.getByRole('columnheader', { name: 'Block' });
    const before = (await header.boundingBox()) ?? assert.fail('The header is not seen.');
    await page.mouse.move(before.x + before.width - 3, before.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + before.width + 57, before.y + 10, { steps: 4 });
    await page.mouse.up();
    await widthIs(header, before.width + 60);
    await header.focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await widthIs(header, before.width + 44);
  });

  async function widthIs(element: Locator, width: number): Promise<void> {
    await waitUntil(
      `the column is ${width} wide`,
      async () => Math.abs(((await element.boundingBox())?.width ?? 0) - width) <= 1,
    );
  }

  leavesNoError(workbench);
});
