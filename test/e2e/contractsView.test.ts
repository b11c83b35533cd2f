import type { Locator } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { environment } from './support/environment.ts';
import { writeHarborDollarProject } from './support/harborDollarProject.ts';
import { useWorkbench } from './support/workbench.ts';

describe('Contracts view', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, anvilUrl } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl, symbol: 'ETH' },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl, symbol: 'NODE' },
        },
      },
      fillFolder: writeHarborDollarProject,
    };
  });
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });

  it('leads from a contract to its deployments, and to the logs of an event', async () => {
    const { page } = workbench();
    await workbench().openView('Chainside');
    await row(/^HarborDollar, 2 deployments · src\/HarborDollar\.sol$/).click();
    await row(/^Test Explorer, 0x.{4}….{4} · block 1 · abcdef0$/).waitFor();
    await row(/^Ethereum Sepolia, 0x5e5E…5e5e · block 7,654,321/i).waitFor();
    await row(/^More, \d+$/).waitFor();
    await workbench().screenshot('contracts-dark');
    const deployment = row(/^Test Explorer, 0x/);
    const question = page.locator('.quick-input-widget').getByPlaceholder('Choose an event');
    await driver.chooseEntry(page, { target: deployment, name: 'Query Logs of Event…', done: question });
    await workbench().screenshot('contracts-events');
    const log = await workbench().webviewShownBy(() => workbench().quickPickRow('Transfer').click());
    await log
      .getByText(/Complete|logs/)
      .first()
      .waitFor();
    await workbench().screenshot('contracts-logs');
  });
});
