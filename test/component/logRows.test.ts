import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForFocus } from '../e2e/support/panel.ts';
import { menuOpenedBy } from './support/contextMenu.ts';
import { type ShownLogPanel, TRANSFER, TRANSFER_TOPIC0, tide, useLogPanels } from './support/logPanels.ts';
import { BESIDE_CODE, takePicture } from './support/panelPage.ts';

describe('rows of logs', () => {
  const { editor, openPanel, openAndRun } = useLogPanels();

  const isCopied = (what: string, holds: (text: string) => boolean) =>
    waitUntil(`${what} is copied`, () => holds(editor().clipboard));
  const detailsIn = ({ frame }: ShownLogPanel) => frame.getByRole('region', { name: /^Details of log/ });
  const openMenu = ({ page }: ShownLogPanel, cell: Locator) =>
    menuOpenedBy(editor(), page, () => cell.click({ button: 'right' }));
  const transfers = () => ({ Address: tide(), 'Event or topic': TRANSFER });

  it('is moved in, read and copied from by keyboard alone', async () => {
    const opened = await openAndRun();
    const { keyboard } = opened.page;
    await opened.button('Table').focus();
    await keyboard.press('Tab');
    await waitForFocus(opened, 0, 'block');
    await keyboard.press('ArrowDown');
    await keyboard.press('End');
    await keyboard.press('ArrowLeft');
    await waitForFocus(opened, 1, 'address');
    await keyboard.press('Control+End');
    await waitForFocus(opened, (await waitForLogs(opened, 'Partial')) - 1, 'index');
    await keyboard.press('Control+Home');
    for (let column = 0; column < 5; column++) await keyboard.press('ArrowRight');
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    const transaction = (await opened.cell(0, 'transaction').textContent()) ?? '';
    await keyboard.press('Control+C');
    await isCopied('the transaction', (text) => text === transaction);

    await keyboard.press('Enter');
    const details = detailsIn(opened);
    await details.getByText(transaction).waitFor();
    await details.getByRole('button', { name: 'Close' }).focus();
    await keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await waitForFocus(opened, 0, 'transaction');
  });

  it('shows what logs say, filters and sorts by it, and gives the exact value, by keyboard alone', async () => {
    const opened = await openAndRun(transfers());
    const { keyboard } = opened.page;
    await opened
      .cell(0, 'argument2')
      .filter({ hasText: /^[\d,]+\.\d\d.* TIDE$/ })
      .waitFor();
    await opened.button('Load All').press('Enter');
    await waitForLogs(opened, 'Complete');
    await opened.field('Filter rows').focus();
    await keyboard.type('value<1');
    await opened.frame.getByText(/^[\d,]+ of [\d,]+ match$/).waitFor();
    const first = opened.cell(0, 'argument2').filter({ hasText: /^0\.\d+ TIDE$/ });
    const newest = (await first.textContent()) ?? '';
    await opened.columnName('value').focus();
    await keyboard.press('Enter');
    await first.filter({ hasNotText: newest }).waitFor();
    await keyboard.press('ArrowDown');
    await waitForFocus(opened, 0, 'argument2');
    const shown = (await opened.cell(0, 'argument2').textContent()) ?? '';
    await keyboard.press('Control+C');
    await isCopied(
      'the exact amount',
      (text) => /^\d{1,18}$/.test(text) && shown.startsWith(`0.${text.padStart(18, '0').slice(0, 2)}`),
    );
    await keyboard.press('Enter');
    const details = detailsIn(opened);
    await details.getByText('Source: bundled list ERC-20').waitFor();
    await details.getByRole('button', { name: 'Raw Topics and Data' }).press('Enter');
    await details.getByText(TRANSFER_TOPIC0).waitFor();
    await (await opened.moreAction('Raw Topics and Data')).press('Space');
    await opened.columnName('Topics').waitFor();
    await opened.cell(0, 'topics').filter({ hasText: TRANSFER_TOPIC0 }).waitFor();
  });

  it('selects rows as lists of the editor do, and copies them by keyboard and from the menu', async () => {
    const opened = await openAndRun(transfers());
    const { keyboard } = opened.page;
    const selected = opened.grid.locator('[role=row][aria-selected=true]');
    const isSelected = (...rows: readonly number[]) =>
      waitUntil(`the rows ${rows} are selected`, async () => {
        const found = await selected.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
        return found.join() === rows.join();
      });
    await opened.cell(1, 'block').click();
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    await waitForFocus(opened, 3, 'block');
    await isSelected(1, 2, 3);
    await opened.frame.getByText('3 rows selected').waitFor({ state: 'attached' });
    await keyboard.press('Control+C');
    const shownBlock = (await opened.cell(1, 'block').textContent()) ?? '';
    await isCopied('a table of the rows', (text) => {
      const [header, first, ...others] = text.trimEnd().split('\r\n');
      const isFirst =
        first?.startsWith(`${shownBlock}\t20`) === true && /Z\t0x/.test(first) && /\t\d{18,}\t0x/.test(first);
      return header === 'Block\tTime\tfrom\tto\tvalue\tTransaction\tIndex' && isFirst && others.length === 2;
    });
    await opened.cell(6, 'block').click({ modifiers: ['ControlOrMeta'] });
    await isSelected(1, 2, 3, 6);
    await (await openMenu(opened, opened.cell(6, 'argument0'))).choose('Copy as Markdown');
    await isCopied('Markdown of the rows', (text) => {
      const lines = text.trimEnd().split('\n');
      return lines.length === 6 && lines[1] === '| ---: | --- | --- | --- | ---: | --- | ---: |';
    });
    await opened.cell(9, 'argument0').click();
    await isSelected(9);
    await keyboard.press('Control+A');
    const all = (await waitForLogs(opened, 'Partial')).toLocaleString('en');
    await opened.frame.getByText(`${all} rows selected`).waitFor({ state: 'attached' });
    await keyboard.press('Escape');
    await isSelected(9);
    // The menu by keyboard is that of the cell.
    const menu = await menuOpenedBy(editor(), opened.page, () => keyboard.press('Shift+F10'));
    for (const entry of ['Look Up Address', 'Query Logs of This Address', 'Use as a Deployment of…'])
      assert.ok(menu.entries.includes(entry), menu.entries.join());
    await menu.choose('Open Verified Source');
    assert.match(editor().user.told.at(-1) ?? '', /verified source/);
    await menu.choose('Filter by This Value');
    await opened.frame.getByText(/^[\d,]+ of [\d,]+ match$/).waitFor();
    assert.match(await opened.field('Filter rows').inputValue(), /^from:0x[0-9a-fA-F]{40}$/);
    await (await openMenu(opened, opened.cell(0, 'argument0'))).choose('Show Transaction');
    await waitUntil('the transaction is shown', () =>
      /^.+\nTransaction 0x\w{64} on Local Explorer\n/.test(editor().texts.at(-1) ?? ''),
    );
  });

  it('draws many more rows for a screen reader than are in view', async () => {
    const opened = await openPanel();
    // As the editor marks its webviews while it supports a screen reader.
    const mark = "document.body.classList.add('vscode-using-screen-reader')";
    const content = `document.addEventListener('readystatechange', () => ${mark}, { once: true })`;
    await using _marking = await opened.page.addInitScript({ content });
    await opened.page.reload();
    await opened.field('Event or topic').fill(TRANSFER);
    await opened.button('Run Query').click();
    await opened.cell(200, 'transaction').filter({ hasText: '0x' }).waitFor({ state: 'attached' });
  });

  describe('in a small window', () => {
    const box = async (element: Locator) => (await element.boundingBox()) ?? assert.fail('It is not seen.');

    it('has room for 18 rows beside the code', async () => {
      const opened = await openPanel();
      await opened.page.setViewportSize(BESIDE_CODE);
      for (const [name, value] of Object.entries(transfers())) await opened.field(name).fill(value);
      await opened.button('Run Query').click();
      await waitForLogs(opened, 'Partial');
      await opened.field('Address').waitFor({ state: 'detached' });
      const grid = await box(opened.grid);
      const last = await box(opened.frame.locator('[data-row="17"]'));
      assert.ok(last.y + last.height <= grid.y + grid.height + 0.5, JSON.stringify({ last, grid }));
      assert.ok(grid.y + grid.height <= BESIDE_CODE.height, JSON.stringify(grid));
    });

    it('has one sentence for a log, and columns in a wide one, with selection and place kept', async () => {
      const opened = await openAndRun(transfers());
      const { page } = opened;
      const names = () => opened.grid.getByRole('columnheader').allTextContents();
      const isTopRow = (row: number) =>
        waitUntil(`row ${row} is in view`, async () => {
          const [grid, shown] = [
            await box(opened.grid),
            await box(opened.frame.locator(`[data-row="${row}"]`)),
          ];
          return shown.y >= grid.y && shown.y < grid.y + grid.height;
        });
      const frame = opened.frame.locator('.grid-frame');
      await opened.cell(0, 'argument2').filter({ hasText: 'TIDE' }).waitFor();
      await opened.cell(0, 'argument2').click();
      await page.keyboard.press('PageDown');
      await page.keyboard.press('PageDown');
      await page.keyboard.press('Shift+ArrowDown');
      const selected = opened.grid.locator('[role=row][aria-selected=true]');
      await waitUntil('two rows are selected', async () => (await selected.count()) === 2);
      const row = Number(await selected.last().getAttribute('data-row'));

      await page.setViewportSize({ width: 460, height: 720 });
      await waitUntil(
        'rows are sentences',
        async () => (await names()).slice(0, 3).join() === 'Block,Event,Time',
      );
      assert.equal(await selected.count(), 2);
      await opened
        .cell(row, 'event')
        .filter({ hasText: /^Transfer from .* to .* TIDE$/ })
        .waitFor();
      await opened.grid.locator(`[data-row="${row}"] :focus`).waitFor();
      await isTopRow(row);
      await page.keyboard.press('End');
      await page.locator('.grid-frame.more-left:not(.more-right)').waitFor();
      await page.keyboard.press('Home');
      await page.locator('.grid-frame.more-right:not(.more-left)').waitFor();
      assert.ok(await frame.getByText('⋯').isVisible());

      await page.setViewportSize({ width: 300, height: 720 });
      const amounts = opened.grid.locator('.row [data-column="1"] .end');
      await amounts.first().filter({ hasText: 'TIDE' }).waitFor();
      for (const amount of await amounts.all()) {
        const shown = await box(amount);
        assert.ok(shown.x + shown.width <= 300, JSON.stringify(shown));
        assert.ok(await amount.evaluate((element) => element.scrollWidth <= element.clientWidth));
      }
      const sentence = opened.cell(row, 'event');
      assert.equal(await sentence.getAttribute('title'), await sentence.textContent());

      await page.setViewportSize({ width: 1000, height: 720 });
      await waitUntil('rows have columns', async () => (await names()).includes('value'));
      assert.equal(await selected.count(), 1);
      await opened.grid.locator(`[data-row="${row}"] :focus`).waitFor();
      await isTopRow(row);
    });

    it('has the details beside the rows, or below them where it is narrow or zoomed in', async () => {
      const opened = await openAndRun(transfers());
      const { page } = opened;
      const details = detailsIn(opened);
      await opened.cell(1, 'block').click();
      await page.keyboard.press('Enter');
      await details.and(opened.frame.locator(':focus')).waitFor();
      const grid = await box(opened.grid);
      assert.ok((await box(details)).x >= grid.x + grid.width - 1);
      await page.keyboard.press('Escape');
      await waitForFocus(opened, 1, 'block');
      // What a panel has in a window of 1000 by 700 at a zoom of 150 %.
      await page.setViewportSize({ width: 309, height: 365 });
      await page.keyboard.press('Enter');
      await details.and(opened.frame.locator(':focus')).waitFor();
      const shown = await box(details);
      const row = await box(opened.frame.locator('[data-row="1"]'));
      assert.ok(shown.y > row.y && shown.y + 60 < 365, JSON.stringify({ shown, row }));
      assert.ok(shown.height >= 100, `${shown.height} high`);
    });
  });

  it('tells of a column where the keyboard is, keeps selection without colours, and changes widths', async () => {
    const opened = await openAndRun();
    const { keyboard } = opened.page;
    await opened.cell(0, 'index').click();
    await keyboard.press('ArrowUp');
    const hint = opened.frame.getByRole('tooltip');
    await hint
      .filter({ hasText: 'Position of the log in its block. Press Enter to sort by this column.' })
      .waitFor();
    assert.equal(
      await opened.columnName('Index').getAttribute('aria-describedby'),
      await hint.getAttribute('id'),
    );
    await keyboard.press('Escape');
    await hint.waitFor({ state: 'detached' });
    await keyboard.press('ArrowLeft');
    await hint.filter({ hasText: /^Press Enter to sort by this column/ }).waitFor();
    await keyboard.press('ArrowDown');
    await hint.waitFor({ state: 'detached' });

    await opened.page.emulateMedia({ forcedColors: 'active' });
    await opened.cell(1, 'address').click();
    await takePicture(opened.page, 'logs-forcedColors');
    const background = (row: number) =>
      opened.frame.locator(`[data-row="${row}"]`).evaluate((element) => {
        const page = globalThis as unknown as { getComputedStyle(of: unknown): { backgroundColor: string } };
        return page.getComputedStyle(element).backgroundColor;
      });
    assert.notEqual(await background(1), await background(2));

    const { mouse } = opened.page;
    const header = opened.grid.getByRole('columnheader', { name: 'Block' });
    const before = (await header.boundingBox()) ?? assert.fail('The header is not seen.');
    await mouse.move(before.x + before.width - 3, before.y + 10);
    await mouse.down();
    await mouse.move(before.x + before.width + 57, before.y + 10, { steps: 4 });
    await mouse.up();
    await widthIs(header, before.width + 60);
    await header.focus();
    await keyboard.press('Shift+ArrowLeft');
    await widthIs(header, before.width + 44);
  });

  async function widthIs(element: Locator, width: number): Promise<void> {
    await waitUntil(
      `the column is ${width} wide`,
      async () => Math.abs(((await element.boundingBox())?.width ?? 0) - width) <= 1,
    );
  }
});
