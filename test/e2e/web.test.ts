import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('in a worker of the browser', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'remote.extensionKind': { 'chainside.chainside': ['web'] },
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
  }));
  const page = () => workbench().page;

  /** Whether a worker of the page has fetched the entry for browsers. */
  async function isInWorker(): Promise<boolean> {
    const fetched = await Promise.all(
      page()
        .workers()
        .map((worker) =>
          worker.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
        ),
    );
    return fetched.flat().some((url) => url.includes('web.cjs'));
  }

  it('connects to this machine after a click, and shows the latest block and the rows of a query', async () => {
    const { explorer } = environment().localnet;
    explorer.forgetRequests();
    await workbench().openView('Chainside');
    const connect = page().getByRole('treeitem', { name: /^Retry/ });
    await connect.waitFor();
    await waitUntil('a worker of the page has fetched the entry for browsers', isInWorker);
    assert.equal(explorer.requestCount, 0);
    await connect.click();
    await page()
      .getByRole('treeitem', { name: /^Network: Local Explorer, Latest block: [\d,]+/ })
      .waitFor();
    const view = page().locator('.pane', { hasText: 'Addresses' }).first();
    await view.hover();
    const panel = await logPanelShownBy(workbench(), () =>
      view.getByRole('button', { name: 'Query Logs…' }).click(),
    );
    await panel.field('Event or topic').fill('Transfer(address,address,uint256)');
    await panel.button('Run Query').click();
    await waitForText(panel.status, /^(Complete|Partial)/);
    await panel.cell(0, 'block').waitFor();
    await workbench().screenshot('web-rows');
    // Node sends no origin: an extension in the server's own host would be seen by that.
    assert.deepEqual(
      explorer.requests.filter(({ headers }) => headers.origin === undefined),
      [],
    );
  });
});
