import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { deployVerified, type VerifiedDeployment } from '../../localnet/verified/deployVerified.ts';
import { runLogQuery } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('verified contracts', () => {
  let verified: VerifiedDeployment;
  before(async () => {
    const { node, verified: registry, chain, catchUp } = environment().localnet;
    verified = await deployVerified(node, { registry, chainId: chain.chainId });
    await catchUp();
  });
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
  }));

  const line = (text: string): Locator => workbench().page.locator('.view-line').filter({ hasText: text });

  it('decode rows that the workspace does not know, by the explorer of the network alone', async () => {
    const opened = await runLogQuery(workbench(), { Address: verified.harbor });
    await waitForText(opened.status, /^Complete · 2 logs/);
    await opened
      .cell(0, 'event')
      .filter({ hasText: /^Docked / })
      .waitFor();
    await opened.cell(0, 'block').click();
    await workbench().page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.getByText(/^Source: verified Harbor at 127\.0\.0\.1/).waitFor();
    assert.equal(
      await workbench()
        .notification(/decode logs with verified contracts/)
        .count(),
      0,
    );
    await workbench().screenshot('verified-details');
    await details.getByRole('button', { name: /^Go to Event/ }).click();
    await workbench()
      .page.getByRole('tab', { name: /^Harbor\.sol/ })
      .waitFor();
    await line('event Docked(address indexed ship').waitFor();
    await workbench().screenshot('verified-event');
  });
});
