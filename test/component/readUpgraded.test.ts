import type { Page } from 'playwright-core';
import { waitForText } from '../e2e/support/panel.ts';
import { startUpgradedVault, type UpgradedVault } from '../support/upgradedVault.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';
import { usePanelWindow } from './support/panels.ts';

describe('Read panel of a proxy that was upgraded', () => {
  let vault: UpgradedVault;
  before(async () => {
    vault = await startUpgradedVault();
  });
  after(() => vault.stop());
  const { editor, pageShownBy } = usePanelWindow(() => ({
    settings: {
      'chainside.network': 'node',
      'chainside.networks': { node: { name: 'Test Node', chainId: 31337, rpcUrl: vault.url } },
    },
    fillFolder: (folder) => vault.writeProject(folder),
  }));

  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });

  async function readIn(page: Page, block: number, compared: number | ''): Promise<void> {
    await page.getByLabel('Block', { exact: true }).fill(String(block));
    await page.getByLabel('Compare with Block', { exact: true }).fill(String(compared));
    await page.getByLabel('Compare with Block', { exact: true }).press('Enter');
  }

  it('names the versions of both blocks, and functions that one of them does not have', async () => {
    const { created, upgraded, addresses } = vault;
    const page = await pageShownBy(() => editor().runCommand('chainside.readContract', addresses.VaultProxy));
    await waitForText(row(page, 'paused'), /true/);
    await readIn(page, upgraded, created);
    await page
      .getByText(new RegExp(`^A proxy, which runs the code of VaultV2 .* in block ${upgraded}$`))
      .waitFor();
    await page.getByText(`Block ${upgraded} runs VaultV2, block ${created} runs Vault.`).waitFor();
    await waitForText(row(page, 'paused'), new RegExp(`Block ${created} runs Vault, which has no paused\\.`));
    await waitForText(
      row(page, 'legacy'),
      new RegExp(`Block ${upgraded} runs VaultV2, which has no legacy\\.`),
    );
    await isReadableInEveryTheme(page, 'read-contract-upgraded');
    await readIn(page, 1, '');
    await page.getByText('There is no contract at this address in block 1.').waitFor();
    await isReadableInEveryTheme(page, 'read-contract-missing');
  });
});
