import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { type LoopbackServer, startLoopbackServer } from '../support/loopbackServer.ts';
import { writeFiles } from '../support/writeFiles.ts';
import { showHoverAt } from './support/hover.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('Restricted Mode', () => {
  const reached: string[] = [];
  let hostile: LoopbackServer;
  before(async () => {
    hostile = await startLoopbackServer((request, response) => {
      reached.push(request.url ?? '');
      response.end();
    });
  });
  after(() => hostile.close());
  const workbench = useWorkbench(() => ({
    workspaceTrust: true,
    settings: {
      // It asks nobody whether to trust its folder.
      'security.workspace.trust.startupPrompt': 'never',
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
    fillFolder,
  }));

  async function fillFolder(folder: string): Promise<void> {
    const { accounts, contracts } = environment().localnet.chain;
    const network = { name: 'Hostile', chainId: 31337, rpcUrl: hostile.url, dataApiUrl: hostile.url };
    const settings = {
      'chainside.network': 'hostile',
      'chainside.networks': { hostile: network, explorer: network },
      'chainside.poll.seconds': 2,
    };
    const query = (address: string) => JSON.stringify({ chainId: 31337, address, toBlock: 5 });
    await writeFiles(folder, {
      '.vscode/settings.json': JSON.stringify(settings),
      'foundry.toml': `[profile.default]\n\n[labels]\n${accounts.alice} = "Harbormaster"\n${contracts.usd.address} = "Dollar"\n`,
      'src/Lighthouse.sol': 'contract Lighthouse {\n    event Lit(uint256 hour);\n}\n',
      'out/Bad.sol/Bad.json': '{"abi": [',
      'Pay.sol': `address constant ALICE = ${accounts.alice};\n`,
      'usd.chainlog.json': query(contracts.usd.address),
      'named.chainlog.json': query('Dollar'),
    });
  }

  const restricted = () =>
    workbench().page.getByText('Trust this workspace to read contracts from its files.');
  const contract = () => workbench().page.getByRole('treeitem', { name: /^Lighthouse/ });

  /** What the extension has written down: of files that it has read, and of those that it could not. */
  function traces() {
    const stored = globSync('**/chainside.chainside/contracts.ndjson', {
      cwd: dirname(dirname(dirname(workbench().storage))),
    });
    const logs = globSync('**/*.log', { cwd: workbench().logs });
    const logged = logs.filter((log) =>
      readFileSync(join(workbench().logs, log), 'utf8').includes('Bad.sol/Bad.json'),
    );
    return { isStored: stored.length > 0, isLogged: logged.length > 0 };
  }

  it('lets a workspace neither choose where requests go nor make one leave by what it shows', async () => {
    const { page } = workbench();
    const { explorer } = environment().localnet;
    await workbench().openFile('src/Lighthouse.sol');
    await workbench().openFile('Pay.sol');
    // Shown as soon as the extension runs.
    await page.locator('.statusbar-item').filter({ hasText: 'Test Explorer' }).waitFor();
    explorer.forgetRequests();
    await showHoverAt(page, 1, 40);
    const hover = page
      .locator('.monaco-hover')
      .filter({ hasText: 'Trust this workspace to see balances here.' });
    await hover.getByText(/^anvil #1 · Test Explorer$/).waitFor();
    await workbench().screenshot('restricted-mode');
    assert.doesNotMatch(await hover.innerText(), /Harbormaster/);
    assert.equal(explorer.requestCount, 0);
    await page.keyboard.press('Escape');
    await workbench().openView('Chainside');
    await page.getByRole('treeitem', { name: 'Network: Test Explorer' }).waitFor();
    await restricted().waitFor();
    await page.getByRole('treeitem', { name: /responds in \d+ ms/ }).waitFor();
    assert.deepEqual(reached, []);
    await workbench().closeEditors();
  });

  it('runs a query file when it is told to, on a network of the user, and reads no names for it', async () => {
    const { page } = workbench();
    const { explorer } = environment().localnet;
    const run = page.locator('.codelens-decoration').getByRole('button', { name: 'Run on Test Explorer' });
    explorer.forgetRequests();
    await workbench().openFile('named.chainlog.json');
    await run.click();
    await workbench().notification('Trust this workspace to use the names of the project').waitFor();
    assert.equal(await page.locator('.squiggly-error').count(), 0);
    await workbench().closeEditors();
    await workbench().openFile('usd.chainlog.json');
    await run.waitFor();
    const hasAskedForLogs = () => explorer.requests.some(({ body }) => body.includes('eth_getLogs'));
    assert.equal(hasAskedForLogs(), false);
    const panel = await logPanelShownBy(workbench(), () => run.click());
    await waitForText(panel.status, /^Complete\b/);
    assert.equal(hasAskedForLogs(), true);
    await workbench().closeEditors();
  });

  it('keeps the contracts and names of a workspace unread until it is trusted, and reads them then', async () => {
    const { page } = workbench();
    assert.equal(await contract().count(), 0);
    assert.deepEqual(traces(), { isStored: false, isLogged: false });

    await page.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await contract().waitFor();
    assert.equal(await restricted().count(), 0);
    await waitUntil('what was read is stored, and what could not be is logged', async () => {
      const { isStored, isLogged } = traces();
      return isStored && isLogged;
    });
    await workbench().screenshot('restricted-mode-trusted');
    assert.deepEqual(reached, []);
  });
});
