import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseEntry, notification, type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { BESIDE_CODE } from '../component/support/panelPage.ts';
import { themeColors } from '../component/support/themes.ts';
import { leavesNoError } from './support/consoleErrors.ts';
import {
  exportFile,
  type LogPanel,
  logPanelShownBy,
  openLogPanel,
  runLogQuery,
  waitForLogs,
} from './support/logPanel.ts';
import { waitForFocus, waitForText } from './support/panel.ts';
import { environment, failureReport, useWorkbench } from './support/workbench.ts';

const TRANSFER = 'Transfer(address,address,uint256)';

describe('log panels', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.poll.seconds': 2,
        'chainside.networks': { explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl } },
      },
    };
  });
  afterEach(async () => {
    environment().localnet.explorer.setIntercept(undefined);
    await workbench().closeEditors();
  });
  const openPanel = () => openLogPanel(workbench());
  const openAndRun = (form: Readonly<Record<string, string>> = { 'Event or topic': TRANSFER }) =>
    runLogQuery(workbench(), form);
  const panelOfTab = (name: RegExp) =>
    logPanelShownBy(workbench(), () => workbench().page.getByRole('tab', { name }).click());
  /** How often the explorer was asked for logs. */
  const logRequests = () =>
    environment().localnet.explorer.requests.filter(({ body }) => body.includes('eth_getLogs')).length;
  const head = async () => Number(await environment().localnet.node.call('eth_blockNumber', []));
  const number = (value: number) => value.toLocaleString('en');

  const firstBlockIs = (panel: LogPanel, block: number) =>
    panel
      .cell(0, 'block')
      .filter({ hasText: new RegExp(`^${number(block)}$`) })
      .waitFor();

  it('export, copy by a key, and have a menu on each row', async () => {
    const { page, folder } = workbench();
    const opened = await openAndRun();
    const loaded = await waitForLogs(opened, 'Partial');
    await opened.button('Load Next Page').click();
    const both = await waitForLogs(opened, 'Partial', loaded);
    const file = join(folder, 'loaded.ndjson');
    await exportFile(page, file, ['NDJSON', `All loaded rows (${number(both)})`]);
    await workbench()
      .notification(/Exported [\d,]+ logs to loaded\.ndjson\./)
      .waitFor();
    assert.equal((await readFile(file, 'utf8')).trimEnd().split('\n').length, both);

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The first row of the second page has the focus since it came.
    const cell = opened.cell(loaded, 'transaction').filter({ hasText: '0x' });
    await cell.click();
    await page.keyboard.press('Control+C');
    const transaction = await cell.textContent();
    await waitUntil('the transaction is copied', async () => {
      return (await page.evaluate('navigator.clipboard.readText()')) === transaction;
    });
    const done = opened.frame.getByText(/^[\d,]+ of [\d,]+ match$/);
    await chooseEntry(page, { target: cell, name: 'Filter by This Transaction', done });
    await done.waitFor();
    assert.ok((await opened.field('Filter rows').inputValue()).includes(transaction ?? 'nothing'));
    await opened
      .cell(0, 'transaction')
      .filter({ hasText: transaction ?? 'nothing' })
      .click();
    await waitForFocus(opened, 0, 'transaction');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Filter by This Transaction', exact: true }).waitFor();
  });

  it('keep their rows behind another editor and their form over a reload, and ask nothing by themselves', async () => {
    const form = { 'Event or topic': TRANSFER, 'To block': '123' };
    const loaded = await waitForLogs(await openAndRun(form), 'Partial');
    environment().localnet.explorer.forgetRequests();
    await openPanel();
    const again = await panelOfTab(/^Transfer/);
    assert.equal(await waitForLogs(again, 'Partial'), loaded);
    await again.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    const restored = await logPanelShownBy(workbench(), () => workbench().reloadWindow());
    await waitForText(restored.status, /^Query restored\. Run it to reload the logs from Local Explorer\./);
    for (const [name, value] of Object.entries(form)) {
      assert.equal(await restored.field(name).inputValue(), value);
    }
    assert.equal(logRequests(), 0);
  });

  it('are told in words, with all that is around it, when a test fails', async () => {
    await workbench().openView('Chainside');
    await workbench().runCommand('Chainside: Set Data API Key…');
    await workbench().notification('Local Explorer has no data API').waitFor();
    await workbench().runCommand('Notifications: Clear All Notifications');
    const opened = await openAndRun();
    // Of logs alone: the latest block is still told.
    environment().localnet.explorer.setIntercept(({ body }) =>
      body.includes('eth_getLogs') ? { kind: 'respond', status: 404, body: '' } : undefined,
    );
    // A page may have been read ahead.
    await opened.button('Load All').click();
    const loaded = (await waitForLogs(opened, 'Stopped by an error')).toLocaleString('en');
    const report = await failureReport(workbench(), 'a failed test');
    const said = (part: string, words: string) =>
      new RegExp(`^ {2}${part}:\\n(?: {4}.*\\n)*? {4}.*${words}`, 'm');
    for (const [part, words] of [
      ['Side bar', 'Local Explorer'],
      ['Tabs', 'Transfer'],
      ['Status bar', 'Local Explorer \\d+'],
      ['Panel', `Stopped by an error · ${loaded} logs`],
      ['Last messages', 'Local Explorer has no data API'],
      ['Output of the extension', '\\[warn\\].* POST http://127\\.0\\.0\\.1:\\d+ 404 '],
    ] as const) {
      assert.match(report, said(part, words));
    }
    assert.match(report, /^On the screen when it failed: a failed test\n {2}Picture: .*\.png$/m);
  });

  it('bring new logs in by themselves, and tell of them elsewhere when asked to', async () => {
    const { page } = workbench();
    const { mine, chain } = environment().localnet;
    const panel = await runLogQuery(workbench(), {
      Address: chain.contracts.usd.address,
      'Event or topic': TRANSFER,
    });
    const isFollowing = async () =>
      waitForText(panel.status, new RegExp(`^Following · complete to block ${number(await head())}\\b`));
    await panel.button('Follow').click();
    await isFollowing();
    await page.keyboard.press('Control+K');
    await page.keyboard.press('y');
    await waitForText(panel.status, /^Complete · /);
    await page.keyboard.press('Control+K');
    await page.keyboard.press('y');
    await isFollowing();
    const item = page.locator('.statusbar-item', { hasText: /new logs?$/ });
    await panel.button('Notify of New Logs…').focus();
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-list-row', { hasText: 'a Notification for the First' }).click();
    await panel.frame.getByRole('button', { name: 'Notify of New Logs…', pressed: true }).waitFor();
    await mine(1);
    await firstBlockIs(panel, await head());
    assert.equal(await item.count(), 0, 'told of what is in sight');
    await openLogPanel(workbench());
    await mine(1);
    await item.filter({ hasText: /1 new log$/ }).waitFor();
    await notification(page, /1 new log in ‘Transfer/).waitFor();
    await mine(1);
    await item.filter({ hasText: /2 new logs$/ }).waitFor();
    assert.equal(
      await notification(page, /new logs? in ‘Transfer/).count(),
      1,
      'The first one is told of alone.',
    );
    await workbench().screenshot('follow-notify');
    await firstBlockIs(await logPanelShownBy(workbench(), () => item.click()), await head());
    await item.waitFor({ state: 'detached' });
  });

  leavesNoError(workbench);

  it('have the colours that component tests give them', async () => {
    const opened = await openPanel();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      const { kind, variables } = themeColors[theme];
      const body = opened.frame.locator(`body[data-vscode-theme-kind="${kind}"]`);
      const style = (await body.locator('xpath=..').getAttribute('style')) ?? '';
      const given = new Map(
        Array.from(style.matchAll(/(--[\w-]+): *([^;]*);/g), ([, name, value]) => [name, value]),
      );
      const expected = Object.fromEntries(
        Object.keys(variables).map((name) => [name, given.get(name)?.trim()]),
      );
      assert.deepEqual(variables, expected, theme);
    }
  });

  it('have the room beside the code that component tests give them, and the mark of a screen reader', async () => {
    await workbench().page.setViewportSize({ width: 1000, height: 700 });
    await workbench().runCommand('File: New Untitled Text File');
    const { frame } = await openPanel();
    await waitUntil(`a panel has ${Object.values(BESIDE_CODE).join(' by ')} beside the code`, () =>
      frame.locator('body').evaluate((_, { width, height }) => {
        const view = globalThis as unknown as { innerWidth: number; innerHeight: number };
        return view.innerWidth >= width && view.innerWidth < 500 && view.innerHeight >= height;
      }, BESIDE_CODE),
    );
    await workbench().updateSettings({ 'editor.accessibilitySupport': 'on' });
    await frame.locator('body.vscode-using-screen-reader').waitFor();
  });
});
