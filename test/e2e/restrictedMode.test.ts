import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startLoopbackServer } from '../support/loopbackServer.ts';
import { environment } from './support/environment.ts';
import { startWorkbench } from './support/workbench.ts';

describe('Restricted Mode', () => {
  it('lets a workspace neither choose where requests go nor make one leave by what it shows', async () => {
    const { rpcUrl, explorer, chain } = environment().localnet;
    const reached: string[] = [];
    const hostile = await startLoopbackServer((request, response) => {
      reached.push(request.url ?? '');
      response.end();
    });
    const network = { name: 'Hostile', chainId: 31337, rpcUrl: hostile.url, dataApiUrl: hostile.url };
    const settings = {
      'chainside.network': 'hostile',
      'chainside.networks': { hostile: network, explorer: network },
      'chainside.poll.seconds': 2,
    };
    try {
      await using workbench = await startWorkbench({
        workspaceTrust: true,
        settings: {
          'security.workspace.trust.startupPrompt': 'never',
          'chainside.network': 'explorer',
          'chainside.networks': { explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl } },
        },
        fillFolder: async (folder) => {
          await mkdir(join(folder, '.vscode'));
          await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
          await writeFile(join(folder, 'Pay.sol'), `address constant ALICE = ${chain.accounts.alice};\n`);
        },
      });
      const { page } = workbench;
      await workbench.openFile('Pay.sol');
      // Shown as soon as the extension runs.
      await page.locator('.statusbar-item').filter({ hasText: 'Test Explorer' }).waitFor();
      explorer.forgetRequests();
      const address = page.locator('.view-line').getByText(chain.accounts.alice.slice(2, 20));
      const hover = page.locator('.monaco-hover').filter({ hasText: 'once you trust this workspace' });
      // Again where the editor took no notice: it moves its lines while it is loading.
      for (let shown = false; !shown; ) {
        await page.mouse.move(600, 600);
        const box = await address.boundingBox();
        assert.ok(box);
        // In steps, as a hand moves: the editor takes no notice of a pointer that jumps.
        await page.mouse.move(box.x + box.width - 60, box.y + box.height / 2, { steps: 10 });
        shown = await hover.waitFor({ timeout: 5000 }).then(
          () => true,
          () => false,
        );
      }
      await page.locator('.monaco-hover').getByText('checksum right').waitFor();
      await workbench.screenshot('restricted-mode');
      assert.equal(explorer.requestCount, 0);
      await workbench.openView('Chainside');
      await page.getByRole('treeitem', { name: 'Network: Test Explorer' }).waitFor();
      await page
        .getByText('Contracts are read from the files of this workspace once you trust it.')
        .waitFor();
      await page.getByRole('treeitem', { name: /^Health: answers in/ }).waitFor();
      assert.deepEqual(reached, []);
    } finally {
      await hostile.close();
    }
  });
});
