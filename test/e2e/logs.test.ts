import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chooseEntry, menuEntry } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings, isReadableInEveryTheme } from './support/accessibility.ts';
import { environment } from './support/environment.ts';
import { failureReport } from './support/failureReport.ts';
import { type LogPanel, logPanelShownBy, logsLoaded, openLogPanel, runLogQuery } from './support/logPanel.ts';
import { focusIsOn, says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

const TRANSFER = 'Transfer(address,address,uint256)';
const TRANSFER_TOPIC0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

describe('log panel', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
        other: { name: 'Other Network', chainId: 31338, rpcUrl: environment().localnet.rpcUrl },
      },
    },
  }));

  afterEach(async () => {
    environment().localnet.explorer.setIntercept(undefined);
    await workbench().closeEditors();
  });

  const openPanel = () => openLogPanel(workbench());
  const openAndRun = (form: Readonly<Record<string, string>> = { 'Event or topic': TRANSFER }) =>
    runLogQuery(workbench(), form);

  function panelOfTab(name: RegExp): Promise<LogPanel> {
    return logPanelShownBy(workbench(), () => workbench().page.getByRole('tab', { name }).click());
  }

  async function copiedTextIs(text: string): Promise<void> {
    await workbench().page.waitForFunction(
      `navigator.clipboard.readText().then((copied) => copied === '${text}')`,
    );
  }

  function tide(): string {
    return environment().localnet.chain.contracts.tide.address;
  }

  function logRequests(): number {
    return environment().localnet.explorer.requests.filter(({ body }) => body.includes('eth_getLogs')).length;
  }

  it('loads page after page until there is no more, and says so', async () => {
    const { node, chain } = environment().localnet;
    const address = chain.contracts.tide.address;
    const filter = { address, topics: [TRANSFER_TOPIC0], fromBlock: '0x0', toBlock: 'latest' };
    const truth = (await node.call('eth_getLogs', [filter])) as {
      blockNumber: string;
      transactionHash: string;
    }[];
    assert.ok(truth.length > 2000, `${truth.length} logs are too few for this test`);

    const opened = await openAndRun({ Address: address, 'Event or topic': TRANSFER });
    await says(opened.status, /^Partial: blocks [\d,]+ to ([\d,]+) of [01] to \1 · [\d,]+ logs/);
    const first = await logsLoaded(opened, 'Partial');
    assert.ok(first >= 500 && first <= 1000, `${first} logs are no first page`);
    while (await opened.button('Load next page').isVisible()) {
      const before = await opened.status.textContent();
      await opened.button('Load next page').click();
      await opened.status.filter({ hasNotText: before ?? '' }).waitFor();
      await says(opened.status, /^(Complete|Partial)\b/);
    }
    await says(opened.status, new RegExp(`^Complete · ${truth.length.toLocaleString('en')} logs to block`));
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), String(truth.length + 1));
    await opened.cell(await firstDrawnRow(opened), 'block').click();
    await workbench().page.keyboard.press('Control+End');
    const last = opened.cell(truth.length - 1, 'transaction');
    await last.filter({ hasText: truth[0]?.transactionHash ?? 'nothing' }).waitFor();
  });

  async function firstDrawnRow(opened: LogPanel): Promise<number> {
    const row = await opened.frame.locator('.rows [data-row]').first().getAttribute('data-row');
    return Number(row) + 12;
  }

  it('goes to the first new row after the next page', async () => {
    const opened = await openAndRun();
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), '-1');
    const loaded = await logsLoaded(opened, 'Partial');
    await opened.button('Load next page').click();
    await logsLoaded(opened, 'Partial', loaded);
    await focusIsOn(opened, loaded, 'block');
    const row = opened.frame.locator(`[data-row="${loaded}"]`);
    assert.equal(await row.getAttribute('aria-rowindex'), String(loaded + 2));
  });

  it('shows topic0 of a signature while it is typed', async () => {
    const opened = await openPanel();
    await opened.field('Event or topic').fill(TRANSFER);
    await opened.frame.getByText(TRANSFER_TOPIC0).waitFor();
  });

  it('tells bad input at its field, before any request', async () => {
    const opened = await openPanel();
    environment().localnet.explorer.forgetRequests();
    await opened.field('Address').fill('0x12');
    await opened.field('Event or topic').fill('Transfer(');
    await opened.field('From block').fill('20');
    await opened.field('To block').fill('ten');
    await opened.button('Run query').click();
    for (const name of ['Address', 'Event or topic', 'To block']) {
      assert.equal(await opened.field(name).getAttribute('aria-invalid'), 'true', name);
    }
    await opened.frame.getByText('Not an address: expected 0x and 40 hex digits.').waitFor();
    await opened.field('Address').and(opened.frame.locator(':focus')).waitFor();

    await opened.field('Address').fill('');
    await opened.field('Event or topic').fill(TRANSFER);
    await opened.field('To block').fill('10');
    await opened.button('Run query').click();
    await opened.frame.getByText('The first block (20) is above the last block (10).').waitFor();

    for (const name of ['Event or topic', 'From block', 'To block']) await opened.field(name).fill('');
    await opened.button('Run query').click();
    await opened.frame
      .getByText('An explorer searches by address or topic0. Give at least one of them.')
      .waitFor();
    assert.equal(await opened.field('Address').getAttribute('aria-invalid'), 'true');
    assert.equal(logRequests(), 0);
  });

  it('keeps what is loaded when the server fails, and goes on from there', async () => {
    const { explorer } = environment().localnet;
    const opened = await openAndRun();
    const loaded = await logsLoaded(opened, 'Partial');
    explorer.setIntercept(() => ({ kind: 'respond', status: 500, body: '<html>' }));
    await opened.button('Load next page').click();
    await says(opened.frame.getByRole('alert'), /failed \(HTTP 500\)/);
    assert.equal(await logsLoaded(opened, 'Stopped by an error'), loaded);
    await opened.cell(0, 'block').waitFor();
    explorer.setIntercept(undefined);
    await opened.button('Try again').click();
    await logsLoaded(opened, 'Partial', loaded);
    assert.equal(await opened.frame.getByRole('alert').count(), 0);
  });

  it('keeps what is loaded when it is cancelled', async () => {
    const opened = await openAndRun();
    const loaded = await logsLoaded(opened, 'Partial');
    environment().localnet.explorer.setIntercept(() => ({ kind: 'hang' }));
    await opened.button('Load next page').click();
    await opened.button('Cancel').click();
    assert.equal(await logsLoaded(opened, 'Cancelled'), loaded);
    await opened.button('Cancel').waitFor({ state: 'detached' });
    environment().localnet.explorer.setIntercept(undefined);
    await opened.button('Load next page').click();
    await logsLoaded(opened, 'Partial', loaded);
  });

  it('is moved in, read and copied from by keyboard alone', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const opened = await openAndRun();
    await opened.button('Second opinion…').focus();
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

  it('runs it again by the button in the title of the editor, once the form is folded', async () => {
    const again = workbench().page.getByRole('button', { name: 'Run Query', exact: true });
    const opened = await openPanel();
    assert.equal(await again.count(), 0);
    await opened.field('Event or topic').fill(TRANSFER);
    await opened.button('Run query').click();
    await logsLoaded(opened, 'Partial');
    environment().localnet.explorer.forgetRequests();
    await again.click();
    await waitUntil('the query is asked again', () => logRequests() > 0);
  });

  it('keeps rows under the query that they are of, whatever is typed', async () => {
    const { page } = workbench();
    const { usd } = environment().localnet.chain.contracts;
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    const line = opened.frame.getByRole('region', { name: 'Query of these rows' });
    const reads = (...parts: readonly RegExp[]) =>
      Promise.all(parts.map((part) => line.getByRole('listitem').filter({ hasText: part }).waitFor()));
    const short = new RegExp(`^${tide().slice(0, 6)}….*$`, 'i');
    await reads(short, /^Transfer/, /^blocks [01] – [\d,]+$/, /^newest first$/);
    await opened.button('Edit query').and(opened.frame.locator(':focus')).waitFor();

    await page.keyboard.press('Enter');
    await opened.field('Address').and(opened.frame.locator(':focus')).waitFor();
    await line.waitFor({ state: 'detached' });
    await opened.field('Address').fill(usd.address);
    await line.getByText('The form was changed; the rows are of this query.').waitFor();
    const loaded = await logsLoaded(opened, 'Partial');
    await opened.button('Load next page').click();
    await logsLoaded(opened, 'Partial', loaded);
    await reads(short);
    await opened
      .cell(loaded, 'argument2')
      .filter({ hasText: / TIDE$/ })
      .waitFor();
    await page.getByRole('tab', { name: new RegExp(`^Transfer · ${tide().slice(0, 6)}`, 'i') }).waitFor();

    await opened.field('Address').press('Escape');
    await opened.field('Address').waitFor({ state: 'detached' });
    await opened.editQuery();
    assert.equal(await opened.field('Address').inputValue(), usd.address);
    await opened.button('Discard changes').click();
    assert.equal((await opened.field('Address').inputValue()).toLowerCase(), tide().toLowerCase());
    await opened.button('Close form').click();
    await opened.field('Address').waitFor({ state: 'detached' });
  });

  it('shows the newest first, or the oldest by choice, and sorts either way', async () => {
    const { node } = environment().localnet;
    const filter = { address: tide(), fromBlock: '0x0', toBlock: '0x140' };
    const truth = (await node.call('eth_getLogs', [filter])) as { readonly blockNumber: string }[];
    const oldest = String(Number(truth[0]?.blockNumber));
    const newest = String(Number(truth.at(-1)?.blockNumber));
    const first = (panel: LogPanel, block: string) =>
      panel
        .cell(0, 'block')
        .filter({ hasText: new RegExp(`^${block}$`) })
        .waitFor();
    const opened = await openAndRun({ Address: tide(), 'To block': '320' });
    await first(opened, newest);
    await opened.button('Load all').click();
    await says(opened.status, /^Complete · [\d,]+ logs to block 320/);
    await opened.columnName('Block').click();
    await first(opened, oldest);
    await opened.editQuery();
    await opened.field('Oldest first').check();
    await opened.button('Run query').click();
    await says(opened.status, /^Partial: blocks [01] to \d+ of (1 to )?320 · 1,000 logs/);
    await opened.frame.getByRole('listitem').filter({ hasText: 'oldest first' }).waitFor();
    await first(opened, oldest);
    await opened.columnName('Block').click();
    await opened.grid.locator('[aria-sort="descending"]').waitFor();
  });

  it('calls a range above the latest block not reached, in place of complete', async () => {
    const opened = await openPanel();
    await opened.field('Address').fill(tide());
    await opened.field('From block').fill('99999999');
    await opened.button('Run query').click();
    await says(opened.status, /^Range not reached yet · latest block [\d,]+$/);
    assert.equal(await opened.frame.locator('.tone.complete').count(), 0);
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

  it('keeps its rows while another editor is in front, without asking again', async () => {
    const loaded = await logsLoaded(await openAndRun(), 'Partial');
    environment().localnet.explorer.forgetRequests();
    await openPanel();
    const again = await panelOfTab(/^Transfer/);
    assert.equal(await logsLoaded(again, 'Partial'), loaded);
    await again.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    assert.equal(logRequests(), 0);
  });

  it('has as many panels as are opened, each with its own answer', async () => {
    const { chain } = environment().localnet;
    const first = await openAndRun({ Address: chain.contracts.badge.address });
    const answer = (await first.status.textContent()) ?? assert.fail('The first panel says nothing.');
    const second = await openAndRun({ 'Event or topic': TRANSFER, 'To block': '0' });
    await says(second.status, /^Complete · 0 logs to block 0/);
    await (await panelOfTab(/^Logs · 0x/)).status.filter({ hasText: answer }).waitFor();
  });

  it('brings back the form after a reload of the window, not the requests', async () => {
    await openAndRun({ 'Event or topic': TRANSFER, 'To block': '123' });
    environment().localnet.explorer.forgetRequests();
    const restored = await logPanelShownBy(workbench(), () => workbench().reloadWindow());
    await says(
      restored.status,
      /^The query was restored, its logs were not\. Run it again to ask Local Explorer\./,
    );
    assert.equal(await restored.field('Event or topic').inputValue(), TRANSFER);
    assert.equal(await restored.field('To block').inputValue(), '123');
    assert.equal(logRequests(), 0);
    await restored.button('Run query').click();
    await says(restored.status, /to block 123\b|of 0 to 123\b/);
    await restored.frame.getByRole('listitem').filter({ hasText: 'blocks 0 – 123' }).waitFor();
  });

  it('keeps its rows and its network when another is selected, until it is moved over', async () => {
    const opened = await openAndRun();
    await workbench().updateSettings({ 'chainside.network': 'other' });
    await opened.frame.getByText('Active network: Other Network').waitFor();
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    const loaded = await logsLoaded(opened, 'Partial');
    await opened.button('Load next page').click();
    await focusIsOn(opened, loaded, 'block');
    await opened.cell(loaded, 'transaction').filter({ hasText: '0x' }).waitFor();
    await workbench().screenshot('logs-other-network');
    assert.deepEqual(await accessibilityFindings(opened.frame), []);
    await opened.button('Move to Other Network').click();
    await says(opened.status, /^Moved to Other Network\./);
    assert.equal(await opened.frame.locator('.rows [data-row]').count(), 0);
    await opened.button('Run query').click();
    await logsLoaded(opened, 'Partial');
    await opened.button('About this answer').press('Enter');
    await opened.frame.getByRole('definition').filter({ hasText: 'Other Network' }).waitFor();
    await workbench().updateSettings({ 'chainside.network': 'explorer' });
    await opened.button('Move to Local Explorer').waitFor();
  });

  it('is readable by everyone in every theme', async () => {
    const opened = await openAndRun();
    await opened.cell(1, 'address').click();
    await workbench().page.keyboard.press('Enter');
    await opened.button('Close').waitFor();
    await opened.editQuery();
    await opened.button('Further topics').click();
    await opened.field('Topic 1').fill('0xzz');
    await opened.button('Run query').click();
    await opened.frame.getByText(/^Not a value of address, uint256/).waitFor();
    await isReadableInEveryTheme(workbench(), opened.frame, 'logs');
  });

  it('is told in words, with all that is around it, when a test fails', async () => {
    await workbench().openView('Chainside');
    await workbench().runCommand('Chainside: Set Data API Key…');
    await workbench().notification('Local Explorer has no data API').waitFor();
    await workbench().runCommand('Notifications: Clear All Notifications');
    const opened = await openAndRun();
    environment().localnet.explorer.setIntercept(() => ({ kind: 'respond', status: 500, body: '' }));
    await opened.button('Load next page').click();
    const loaded = (await logsLoaded(opened, 'Stopped by an error')).toLocaleString('en');
    const report = await failureReport(workbench(), 'a failed test');
    const said = (part: string, words: string) =>
      new RegExp(`^ {2}${part}:\\n(?: {4}.*\\n)*? {4}.*${words}`, 'm');
    for (const [part, words] of [
      ['Side bar', 'Local Explorer'],
      ['Tabs', 'Transfer'],
      ['Status bar', 'Local Explorer \\d+'],
      ['Panel', `Stopped by an error · ${loaded} logs`],
      ['Last messages', 'Local Explorer has no data API'],
      ['Output of the extension', '\\[warn\\].* POST http://127\\.0\\.0\\.1:\\d+ 500 '],
    ] as const) {
      assert.match(report, said(part, words));
    }
    assert.match(report, /^On the screen when it failed: a failed test\n {2}Picture: .*\.png$/m);
  });

  it('leaves no error in the console', () => {
    assert.deepEqual(
      workbench().errors.filter((error) => /webview|chainside|Content Security Policy/i.test(error)),
      [],
    );
  });
});
