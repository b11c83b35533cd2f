import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { writeHarborDollarProject } from './support/harborDollarProject.ts';
import { runLogQuery } from './support/logPanel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('a repository without a checkout, in a worker of the browser', () => {
  const workbench = useWorkbench(() => ({
    isVirtual: true,
    settings: {
      'remote.extensionKind': { 'chainside.chainside': ['web'] },
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
    async fillFolder(folder) {
      await writeHarborDollarProject(folder);
      // Compiled artifacts are not committed.
      await rm(join(folder, 'out'), { recursive: true });
    },
  }));
  const page = () => workbench().page;
  const row = (name: RegExp) => page().getByRole('treeitem', { name });

  /** Whether a worker of the page has fetched the entry for browsers. */
  async function isInWorker(): Promise<boolean> {
    const fetched = await Promise.all(
      page()
        .workers()
        .map((worker) =>
          worker
            .evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
            // Workers of the editor end at any time.
            .catch((): string[] => []),
        ),
    );
    return fetched.flat().some((url) => url.includes('web.cjs'));
  }

  it('has its contracts, its sources with their logs, and the rows of a query after one click', async () => {
    const { explorer } = environment().localnet;
    explorer.forgetRequests();
    await workbench().openView('Chainside');
    const contract = row(/^HarborDollar, 2 deployments/);
    await driver.unfold(contract, row(/0x5FbD…0aa3/));
    await row(/^Compiled artifacts are not in the repository/).waitFor();
    await waitUntil('a worker of the page has fetched the entry for browsers', isInWorker);
    const connect = row(/^Retry/);
    await connect.waitFor();
    assert.equal(explorer.requestCount, 0);
    await connect.click();
    await row(/^Network: Local Explorer, Latest block: [\d,]+/).waitFor();
    await contract.hover();
    await contract.getByRole('button', { name: 'Open Source' }).click();
    await page()
      .locator('.codelens-decoration', { hasText: /logs.*Query…/ })
      .waitFor();
    await workbench().screenshot('web-source');
    const panel = await runLogQuery(workbench(), { 'Event or topic': 'Transfer(address,address,uint256)' });
    await panel.cell(0, 'block').waitFor();
    await workbench().screenshot('web-rows');
    // Node sends no origin: an extension in the server's own host would be seen by that.
    assert.deepEqual(
      explorer.requests.filter(({ headers }) => headers.origin === undefined),
      [],
    );
  });

  it('goes on after a reload, as the user has chosen the node in this workspace', async () => {
    await workbench().reload();
    await row(/^Network: Local Explorer, Latest block: [\d,]+/).waitFor();
    assert.equal(await row(/^Retry/).count(), 0);
  });
});
