import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { lastLogLines } from '../../scripts/support/workbench/describeWindow.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('a network with a data API', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, dataApi } = environment().localnet;
    const network = { name: 'Test Explorer', chainId: 31337, rpcUrl, dataApiUrl: dataApi.url };
    return {
      settings: { 'chainside.network': 'explorer', 'chainside.networks': { explorer: network } },
    };
  });

  const row = (name: string): Locator => workbench().page.getByRole('treeitem', { name });

  async function enter(key: string): Promise<void> {
    await workbench().fillInput(key);
    await workbench().page.keyboard.press('Enter');
  }

  it('has its key typed unseen, tried by a real call in no URL, refused at the field or saved, and stands in no log', async () => {
    const { dataApi } = environment().localnet;
    const { page } = workbench();
    const field = page.locator('.quick-input-widget');
    await workbench().openView('Chainside');
    await row('Network: ').waitFor();
    await workbench().runCommand('Chainside: Set Data API Key…', workbench().question(/^Key for http/));
    await field.locator('input[type=password]').waitFor();
    dataApi.forgetRequests();
    await enter('ckey_nobodys');
    await field.getByText('does not accept this key').waitFor();
    // The second call has no key: by its answer it shows that the first one's was looked at.
    assert.deepEqual(
      dataApi.requests.map(({ headers }) => headers.authorization),
      ['Bearer ckey_nobodys', undefined],
    );
    assert.ok(dataApi.requests.every(({ url }) => !url.includes('key=')));
    await workbench().screenshot('api-key-wrong');
    await enter(dataApi.keys.classic);
    await row('Token data: key set').waitFor();

    await workbench().runCommand('Chainside: Show Output');
    const output = page.locator('.part.panel .view-line');
    await output
      .filter({ hasText: /GET\s+http/ })
      .first()
      .waitFor();
    const shown = await page.locator('body').textContent();
    const logged = await lastLogLines(workbench().logs, 1000);
    assert.match(logged, / GET http/);
    for (const key of [dataApi.keys.classic, 'ckey_nobodys']) {
      assert.ok(!shown?.includes(key) && !logged.includes(key));
    }
  });
});
