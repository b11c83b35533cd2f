import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { deployUpgrades, type UpgradedContracts } from '../../localnet/upgrades/upgradedContracts.ts';
import { deployVerified, type VerifiedDeployment } from '../../localnet/verified/deployVerified.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { logPanelIn } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { upgradedProject } from '../support/upgradedContracts.ts';
import { writeFiles } from '../support/writeFiles.ts';
import { menuOpenedBy } from './support/contextMenu.ts';
import { environment } from './support/environment.ts';
import type { ShownLogPanel } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';
import { usePanelWindow } from './support/panels.ts';

const DEPOSITED = 'Deposited(address,address,uint256)';

describe('rows of contracts that are verified or were upgraded', () => {
  let verified: VerifiedDeployment;
  let upgrades: UpgradedContracts;
  before(async () => {
    const { node, verified: registry, chain, catchUp } = environment().localnet;
    verified = await deployVerified(node, { registry, chainId: chain.chainId });
    upgrades = await deployUpgrades(node);
    await catchUp();
  });
  const { editor, pageShownBy } = usePanelWindow(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
    fillFolder: (folder) => writeFiles(folder, upgradedProject(upgrades)),
  }));

  async function openAndRun(address: string, event?: string): Promise<ShownLogPanel> {
    const query = { address, ...(event && { event }), run: true };
    const page = await pageShownBy(() => editor().runCommand('chainside.queryLogs', query));
    const opened = { ...logPanelIn(page), page };
    await waitForText(opened.status, /^Complete/);
    return opened;
  }

  async function detailsOf(opened: ShownLogPanel, row: number): Promise<Locator> {
    await opened.cell(row, 'block').click();
    await opened.page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.waitFor();
    return details;
  }

  async function chooseOnRow(opened: ShownLogPanel, entry: string): Promise<void> {
    const cell = opened.cell(0, 'block');
    await cell.click();
    const menu = await menuOpenedBy(editor(), opened.page, () => cell.click({ button: 'right' }));
    await menu.choose(entry);
  }

  it('open the verified source from their menu', async () => {
    const opened = await openAndRun(verified.harbor);
    await chooseOnRow(opened, 'Open Verified Source');
    assert.match(editor().texts.at(-1) ?? '', /contract Harbor\b/);
  });

  it('show their transaction from their menu', async () => {
    const opened = await openAndRun(verified.harbor);
    await chooseOnRow(opened, 'Show Transaction');
    await waitUntil('the transaction is shown', () =>
      /^Transaction 0x\w{64} on Local Explorer\n\nStatus: Success\n/.test(editor().texts.at(-1) ?? ''),
    );
  });

  it('read each log by the version in force, in details that are readable in every theme', async () => {
    const { vault } = upgrades.proxies;
    const ofVault = upgrades.truth.filter(({ address }) => address.toLowerCase() === vault.toLowerCase());
    assert.ok(ofVault.length > 20);
    const opened = await openAndRun(vault, DEPOSITED);
    const count = Number(await opened.grid.getAttribute('aria-rowcount')) - 1;
    const oldest = await detailsOf(opened, count - 1);
    await oldest.getByText(/^Implementation: VaultV1 at 0x\w{40}, active since block \d+$/).waitFor();
    await opened.page.keyboard.press('Escape');
    await oldest.waitFor({ state: 'detached' });
    const newest = await detailsOf(opened, 0);
    await newest.getByText(/^Implementation: VaultV3 at 0x\w{40}, active since block \d+$/).waitFor();
    await isReadableInEveryTheme(opened.page, 'log-version');
  });
});
