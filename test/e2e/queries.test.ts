import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type Localnet, startLocalnet } from '../../localnet/start.ts';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { accessibilityFindings, isReadableInEveryTheme } from './support/accessibility.ts';
import { type LogPanel, logPanelIn, runLogQuery } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { isReadable } from './support/themeLook.ts';
import { useWorkbench } from './support/workbench.ts';

const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';

describe('Queries view', () => {
  let localnet: Localnet;
  // Of its own: its chain is reorganised.
  before(async () => {
    localnet = await startLocalnet();
  });
  after(() => localnet.stop());
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'node',
      'chainside.networks': {
        node: { name: 'Test Node', chainId: 31337, rpcUrl: localnet.anvilUrl },
        other: { name: 'Other Node', chainId: 31337, rpcUrl: localnet.rpcUrl },
      },
    },
  }));
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const usd = () => localnet.chain.contracts.usd.address;

  /** The panel that comes to the front when a row is run. */
  async function panelShownBy(show: () => Promise<unknown>): Promise<LogPanel> {
    return logPanelIn(await workbench().webviewShownBy(show));
  }
  /** Runs a query of all that the token did, in a panel of its own. */
  async function runTransfers(toBlock = ''): Promise<LogPanel> {
    const opened = await runLogQuery(workbench(), {
      Address: usd(),
      'Event or topic': TRANSFER,
      'From block': '0',
      'To block': toBlock,
    });
    const isPartial = /^Partial/.test((await opened.status.textContent()) ?? '');
    if (isPartial) await opened.button('Load all').click();
    await says(opened.status, /^Complete/);
    return opened;
  }
  /** Moves to a row of the view by keyboard, and presses a key there. */
  async function pressOn(target: Locator, key: string): Promise<void> {
    const { page } = workbench();
    await workbench().runCommand('Chainside: Focus on Queries View');
    await page.keyboard.press('Home');
    const isThere = () => target.and(page.locator('.focused')).isVisible();
    for (let rows = 0; !(await isThere()); rows++) {
      assert.ok(rows < 10, 'The arrow keys do not reach the row.');
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press(key);
  }

  it('says how to come by queries while there are none', async () => {
    // It is folded at first: the other views have the room.
    await workbench().runCommand('Chainside: Focus on Queries View');
    await workbench()
      .page.getByText(/^No queries yet\./)
      .waitFor();
    await workbench().screenshot('queries-none');
  });

  it('keeps what ran, with what it gave, and runs it again after its tab and the window are gone', async () => {
    await runTransfers('60');
    const kept = row(/^Transfer · 0x.{4}….{4}, \d+ logs, complete to 60 · (just now|\d+ s ago)$/);
    await kept.waitFor();
    await workbench().closeEditors();
    await workbench().reloadWindow();
    await workbench().openView('Chainside');
    await kept
      .or(row(/^Transfer · .* complete to 60 · /))
      .first()
      .waitFor();
    const again = await panelShownBy(() => row(/^Transfer · .* complete to 60 · /).click());
    await says(again.status, /^Complete · \d+ logs to block 60/);
    assert.equal(await row(/^Transfer · /).count(), 1, 'A query is kept once.');
    await workbench().screenshot('queries-run');
  });

  it('saves a query by name, renames it and takes it away, by keyboard', async () => {
    const { page } = workbench();
    await workbench().runCommand('Chainside: Save Query…', workbench().question(/^A name for the query/));
    await workbench().answer(/^A name for the query/, 'Dollar moves');
    const saved = row(/^Dollar moves, \d+ logs, complete to 60 · /);
    await saved.waitFor();
    assert.equal(await row(/^Recent$/).count(), 0, 'What is saved does not stand among the recent ones too.');
    await pressOn(saved, 'F2');
    await workbench().answer(/^A name for the query/, 'Dollar transfers');
    const renamed = row(/^Dollar transfers, /);
    await renamed.waitFor();
    await workbench().screenshot('queries-saved');
    await pressOn(renamed, 'Delete');
    await row(/^Saved$/).waitFor({ state: 'detached' });
    await row(/^Transfer · .* complete to 60 · /).waitFor();
    await page.keyboard.press('Escape');
  });

  it('finds a query in a list by its event and its network, and opens it without running it', async () => {
    await workbench().closeEditors();
    await workbench().runCommand('Chainside: Open Query…', workbench().question(/^Choose a query to run/));
    await workbench().fillInput('Test Node');
    const found = workbench().page.locator('.quick-input-widget .monaco-list-row').first();
    await found.filter({ hasText: TRANSFER.slice(0, 30) }).waitFor();
    await workbench().screenshot('queries-list');
    await found.hover();
    const opened = await panelShownBy(() =>
      found.getByRole('button', { name: 'Open Without Running' }).click(),
    );
    await says(opened.status, /^Run the query to ask Test Node/);
    assert.equal(await opened.field('To block').inputValue(), '60');
  });

  it('runs a query on the network that it ran on, whichever is active', async () => {
    await workbench().closeEditors();
    await workbench().selectNetwork('Other Node');
    const elsewhere = row(/^Transfer · .* complete to 60 · .* · Test Node$/);
    await elsewhere.waitFor();
    const opened = await panelShownBy(() => elsewhere.click());
    await says(opened.status, /^Complete · \d+ logs to block 60/);
    await opened.frame.getByText('Active network: Other Node').first().waitFor();
    await workbench().selectNetwork('Test Node');
  });

  it('tells what is new since the last run, and shows it', async () => {
    await workbench().closeEditors();
    await runTransfers();
    await localnet.mine(3);
    const opened = await activePanel();
    await workbench().runCommand('Chainside: Compare with Last Run');
    await says(opened.status, /^Complete · .* same as the last run, \d+ new since$/);
    const lines = workbench().page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: /New\ssince\sthe\slast\srun:\s3/ }).waitFor();
    await workbench().screenshot('queries-compare-new');
  });

  it('tells rows that a reorganisation took from rows that are new, also after a reload', async () => {
    await workbench().closeEditors();
    await localnet.node.call('anvil_reorg', [2, []]);
    await localnet.catchUp();
    await localnet.mine(2);
    await workbench().reloadWindow();
    await workbench().openView('Chainside');
    const kept = row(/^Transfer · .* complete to (?!60)/);
    await kept.waitFor();
    const opened = await panelShownBy(() =>
      driver.chooseEntry(workbench().page, { target: kept, name: 'Compare with Last Run' }),
    );
    await says(opened.status, /^Complete · .* other logs than the last run, \d+ new since$/);
    const lines = workbench().page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: /Only\sfrom\sthe\slast\srun:\s\d+/ }).waitFor();
    await lines.filter({ hasText: /the\schain\swas\sreorganised/ }).waitFor();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`queries-compare-${theme}`);
    }
    await opened.button('About this answer').click();
    await isReadableInEveryTheme(workbench(), opened.frame, 'queries-compared');
    assert.deepEqual(await accessibilityFindings(opened.frame), []);
  });

  for (const theme of Object.keys(themes) as Theme[]) {
    it(`can be read in the theme ${theme}`, async () => {
      await workbench().setTheme(theme);
      await workbench().screenshot(`queries-${theme}`);
      await isReadable(workbench().page, theme);
    });
  }

  it('forgets the recent ones once that is confirmed', async () => {
    const { page } = workbench();
    await workbench().runCommand('Chainside: Clear Recent Queries…');
    await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText(/^No queries yet\./).waitFor();
  });

  async function activePanel(): Promise<LogPanel> {
    const frame = workbench().page.locator('iframe.webview.ready').first();
    const name = await frame.getAttribute('name');
    return logPanelIn(
      workbench()
        .page.frameLocator(`iframe.webview.ready[name="${name}"]`)
        .frameLocator('iframe#active-frame'),
    );
  }
});
