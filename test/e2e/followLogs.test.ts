import assert from 'node:assert/strict';
import { notification } from '../../scripts/support/workbench/driver.ts';
import { leavesNoError } from './support/consoleErrors.ts';
import { environment } from './support/environment.ts';
import { type LogPanel, logPanelShownBy, openLogPanel, runLogQuery } from './support/logPanel.ts';
import { TRANSFER } from './support/logWindow.ts';
import { says } from './support/panel.ts';
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
  const head = async () => Number(await environment().localnet.node.call('eth_blockNumber', []));
  const number = (value: number) => value.toLocaleString('en');

  const firstBlockIs = (panel: LogPanel, block: number) =>
    panel
      .cell(0, 'block')
      .filter({ hasText: new RegExp(`^${number(block)}$`) })
      .waitFor();

  it('brings new logs in by themselves, and tells of them elsewhere when asked to', async () => {
    const { page } = workbench();
    const { mine, chain } = environment().localnet;
    const panel = await runLogQuery(workbench(), {
      Address: chain.contracts.usd.address,
      'Event or topic': TRANSFER,
    });
    const isFollowing = async () =>
      says(panel.status, new RegExp(`^Following · complete to block ${number(await head())}\\b`));
    await panel.button('Follow').click();
    await isFollowing();
    await page.keyboard.press('Control+Shift+L');
    await says(panel.status, /^Complete · /);
    await page.keyboard.press('Control+Shift+L');
    await isFollowing();
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
  });

  leavesNoError(workbench);
});
