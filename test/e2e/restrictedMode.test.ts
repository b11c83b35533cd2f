import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { startLoopbackServer } from '../support/loopbackServer.ts';
import { environment } from './support/environment.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { startWorkbench } from './support/workbench.ts';

/** Of a window that asks nobody whether to trust its folder. */
const untrusted = (rpcUrl: string) => ({
  'security.workspace.trust.startupPrompt': 'never',
  'chainside.network': 'explorer',
  'chainside.networks': { explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl } },
});

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
        settings: untrusted(rpcUrl),
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
      await page
        .locator('.monaco-hover')
        .getByText(/^0x7099…79C8 · Test Explorer$/)
        .waitFor();
      await workbench.screenshot('restricted-mode');
      assert.equal(explorer.requestCount, 0);
      await workbench.openView('Chainside');
      await page.getByRole('treeitem', { name: 'Network: Test Explorer' }).waitFor();
      await page
        .getByText('Contracts are read from the files of this workspace once you trust it.')
        .waitFor();
      await page.getByRole('treeitem', { name: /answers in \d+ ms/ }).waitFor();
      assert.deepEqual(reached, []);
    } finally {
      await hostile.close();
    }
  });

  it('runs a query file when it is told to, on a network of the user, and reads no names for it', async () => {
    const { rpcUrl, explorer, chain } = environment().localnet;
    const { address } = chain.contracts.usd;
    const query = (asked: string) => JSON.stringify({ chainId: 31337, address: asked, toBlock: 5 });
    await using workbench = await startWorkbench({
      workspaceTrust: true,
      settings: untrusted(rpcUrl),
      fillFolder: async (folder) => {
        await writeFile(join(folder, 'foundry.toml'), `[labels]\n${address} = "Dollar"\n`);
        await writeFile(join(folder, 'usd.chainlog.json'), query(address));
        await writeFile(join(folder, 'named.chainlog.json'), query('Dollar'));
      },
    });
    const { page } = workbench;
    const run = page.locator('.codelens-decoration').getByRole('button', { name: 'Run on Test Explorer' });
    explorer.forgetRequests();
    await workbench.openFile('named.chainlog.json');
    await run.click();
    await workbench.notification('is known once you trust this workspace').waitFor();
    assert.equal(await page.locator('.squiggly-error').count(), 0);
    await workbench.closeEditors();
    await workbench.openFile('usd.chainlog.json');
    await run.waitFor();
    const isOfLogs = () =>
      explorer.requests.some((request) => JSON.stringify(request).includes('eth_getLogs'));
    assert.equal(isOfLogs(), false);
    const panel = await logPanelShownBy(workbench, () => run.click());
    await says(panel.status, /^Complete\b/);
    assert.equal(isOfLogs(), true);
  });

  it('keeps the contracts and names of a workspace unread until it is trusted, and reads them then', async () => {
    const { rpcUrl, chain } = environment().localnet;
    const broken = '{"abi": [';
    const files: Readonly<Record<string, string>> = {
      'foundry.toml': `[profile.default]\n\n[labels]\n${chain.accounts.alice} = "Harbormaster"\n`,
      'src/Lighthouse.sol': 'contract Lighthouse {\n    event Lit(uint256 hour);\n}\n',
      'out/Bad.sol/Bad.json': broken,
      'Pay.sol': `address constant ALICE = ${chain.accounts.alice};\n`,
    };
    await using workbench = await startWorkbench({
      workspaceTrust: true,
      settings: untrusted(rpcUrl),
      fillFolder: async (folder) => {
        for (const [path, text] of Object.entries(files)) {
          await mkdir(dirname(join(folder, path)), { recursive: true });
          await writeFile(join(folder, path), text);
        }
      },
    });
    const { page } = workbench;
    const contract = page.getByRole('treeitem', { name: /^Lighthouse/ });
    /** What the extension has written down: of files that it has read, and of those that it could not. */
    const traces = () => {
      const kept = globSync('**/chainside.chainside/contracts.ndjson', {
        cwd: dirname(dirname(dirname(workbench.storage))),
      });
      const logs = globSync('**/*.log', { cwd: workbench.logs });
      const told = logs.filter((log) =>
        readFileSync(join(workbench.logs, log), 'utf8').includes('Bad.sol/Bad.json'),
      );
      return { isKept: kept.length > 0, isTold: told.length > 0 };
    };
    await workbench.openFile('src/Lighthouse.sol');
    await workbench.openFile('Pay.sol');
    await workbench.openView('Chainside');
    const restricted = page.getByText(
      'Contracts are read from the files of this workspace once you trust it.',
    );
    await restricted.waitFor();
    await page.getByRole('treeitem', { name: /answers in \d+ ms/ }).waitFor();
    await page.locator('.view-line').getByText(chain.accounts.alice.slice(2, 20)).click();
    await workbench.runCommand('Show or Focus Hover');
    const hover = page.locator('.monaco-hover').filter({ hasText: 'once you trust this workspace' });
    await hover.waitFor();
    assert.doesNotMatch(await hover.innerText(), /Harbormaster/);
    await page.keyboard.press('Escape');
    assert.equal(await contract.count(), 0);
    assert.deepEqual(traces(), { isKept: false, isTold: false });

    await page.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await contract.waitFor();
    assert.equal(await restricted.count(), 0);
    await waitUntil('what was read is kept, and what could not be is told', async () => {
      const { isKept, isTold } = traces();
      return isKept && isTold;
    });
    await workbench.screenshot('restricted-mode-trusted');
  });
});
