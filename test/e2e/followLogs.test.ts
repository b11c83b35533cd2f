import assert from 'node:assert/strict';
import { notification, type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from './support/accessibility.ts';
import { environment } from './support/environment.ts';
import { type LogPanel, logPanelShownBy, openLogPanel, runLogQuery } from './support/logPanel.ts';
import { logRequests, TRANSFER } from './support/logWindow.ts';
import { focusIsOn, says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

describe('following logs', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.poll.seconds': 2,
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
  }));
  afterEach(() => workbench().closeEditors());

  const { mine } = {
    mine: (blocks: number) => environment().localnet.mine(blocks),
  };
  const head = async () => Number(await environment().localnet.node.call('eth_blockNumber', []));
  const number = (value: number) => value.toLocaleString('en');

  const openUsd = () =>
    runLogQuery(workbench(), {
      Address: environment().localnet.chain.contracts.usd.address,
      'Event or topic': TRANSFER,
    });

  async function followed(panel: LogPanel): Promise<void> {
    await panel.button('Follow').click();
    await says(panel.status, new RegExp(`^Following · complete to block ${number(await head())}\\b`));
  }

  const firstBlockIs = (panel: LogPanel, block: number) =>
    panel
      .cell(0, 'block')
      .filter({ hasText: new RegExp(`^${number(block)}$`) })
      .waitFor();

  it('brings new logs in by themselves on top, marked, by one request for logs a block at most', async () => {
    const panel = await openUsd();
    await followed(panel);
    assert.equal(await panel.button('Follow').getAttribute('aria-pressed'), 'true');
    // The first look goes over the last blocks once more.
    await mine(1);
    await firstBlockIs(panel, await head());
    const before = logRequests();
    await mine(1);
    await firstBlockIs(panel, await head());
    await panel.grid.locator('.row.fresh[data-row="0"]').waitFor();
    await says(panel.status, new RegExp(`^Following · complete to block ${number(await head())}\\b`));
    assert.equal(logRequests() - before, 1);
    assert.equal(await panel.status.getAttribute('aria-live'), 'off');
    assert.deepEqual(await accessibilityFindings(panel.frame), []);
    await workbench().screenshot('follow-new-rows');
  });

  it('keeps the place of someone who has scrolled away, the selection and the details', async () => {
    const panel = await openUsd();
    await followed(panel);
    await panel.cell(30, 'block').click();
    const transaction = (await panel.cell(30, 'transaction').textContent()) ?? '';
    await workbench().page.keyboard.press('Shift+ArrowDown');
    const top = await panel.cell(30, 'block').boundingBox();
    await mine(2);
    const moved = panel.cell(32, 'transaction').filter({ hasText: transaction });
    await moved.waitFor();
    await focusIsOn(panel, 33, 'block');
    const selected = panel.grid.locator('[role=row][aria-selected=true]');
    const rows = await selected.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
    assert.deepEqual(rows, ['32', '33']);
    const now = await panel.cell(32, 'block').boundingBox();
    assert.equal(now?.y, top?.y);
  });

  it('takes the rows of a reorg back: struck through for a moment, then gone', async () => {
    const { node, catchUp } = environment().localnet;
    const panel = await openUsd();
    await followed(panel);
    const snapshot = await node.call('evm_snapshot', []);
    const last = await head();
    await mine(2);
    await firstBlockIs(panel, last + 2);
    await node.call('evm_revert', [snapshot]);
    await node.call('evm_mine', []);
    await catchUp();
    await panel.grid.locator('.row.struck').first().waitFor();
    await workbench().screenshot('follow-struck-rows');
    await panel.grid.locator('.row.struck').first().waitFor({ state: 'detached' });
    await says(panel.status, new RegExp(`^Following · complete to block ${number(last + 1)}\\b`));
    await panel
      .cell(0, 'block')
      .filter({ hasText: new RegExp(`^${number(last)}$|^${number(last - 1)}$`) })
      .waitFor();
    await mine(1);
    await firstBlockIs(panel, last + 2);
  });

  it('is turned off and on by one key, and keeps a sort and a filter', async () => {
    const panel = await openUsd();
    await followed(panel);
    await panel.columnName('value').click();
    await panel.columnName('value').click();
    await panel.grid.locator('[aria-sort=descending]').waitFor();
    const count = async () =>
      Number(/ · ([\d,]+) logs/.exec((await panel.status.textContent()) ?? '')?.[1]?.replaceAll(',', ''));
    const before = await count();
    await mine(1);
    await waitUntil('a log more is there', async () => (await count()) === before + 1);
    await panel.grid.locator('[aria-sort=descending]').waitFor();
    await workbench().page.keyboard.press('Control+Shift+L');
    await panel.frame.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
    await says(panel.status, /^Complete · /);
    await workbench().page.keyboard.press('Control+Shift+L');
    await panel.frame.getByRole('button', { name: 'Follow', pressed: true }).waitFor();
  });

  it('tells of new logs elsewhere only when asked to', async () => {
    const { page } = workbench();
    const panel = await openUsd();
    await followed(panel);
    const item = page.locator('.statusbar-item', { hasText: /new logs?$/ });
    await panel.button('Notify me…').focus();
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-list-row', { hasText: 'a Message for the First' }).click();
    await panel.frame.getByRole('button', { name: 'Notify me…', pressed: true }).waitFor();
    await mine(1);
    await firstBlockIs(panel, await head());
    assert.equal(await item.count(), 0, 'told of what is in sight');
    await openLogPanel(workbench());
    await mine(1);
    await item.filter({ hasText: /1 new log$/ }).waitFor();
    await notification(page, /1 new log: Transfer/).waitFor();
    await mine(1);
    await item.filter({ hasText: /2 new logs$/ }).waitFor();
    assert.equal(
      await notification(page, /new logs?: Transfer/).count(),
      1,
      'The first one is told of alone.',
    );
    await workbench().screenshot('follow-notify');
    await firstBlockIs(await logPanelShownBy(workbench(), () => item.click()), await head());
    await item.waitFor({ state: 'detached' });
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('tells of nothing where nobody asked for it', async () => {
    const { page } = workbench();
    const panel = await openUsd();
    await followed(panel);
    await openLogPanel(workbench());
    await mine(1);
    const shown = await logPanelShownBy(workbench(), () =>
      page.getByRole('tab', { name: /Transfer/ }).click(),
    );
    await says(shown.status, new RegExp(`^Following · complete to block ${number(await head())}\\b`));
    assert.equal(await page.locator('.statusbar-item', { hasText: /new logs?$/ }).count(), 0);
    assert.equal(await notification(page, /new logs?/).count(), 0);
  });

  it('does not follow by itself what an end was given to, and offers to go on without', async () => {
    const panel = await openLogPanel(workbench());
    await panel.field('Event or topic').fill(TRANSFER);
    await panel.field('To block').fill('100');
    await panel.button('Run query').click();
    await says(panel.status, /^(Complete|Partial)/);
    await panel.button('Follow').click();
    const offer = notification(workbench().page, /ends at a fixed block/);
    await offer.getByRole('button', { name: 'Follow to the Latest Block' }).click();
    await says(panel.status, /^Following · complete to block/);
  });

  for (const theme of Object.keys(themes) as Theme[]) {
    it(`can be read in the theme ${theme}`, async () => {
      await workbench().setTheme(theme);
      const panel = await openUsd();
      await followed(panel);
      await mine(2);
      await panel.grid.locator('.row.fresh').first().waitFor();
      await workbench().screenshot(`follow-${theme}`);
      assert.deepEqual(await accessibilityFindings(panel.frame), []);
    });
  }
});
