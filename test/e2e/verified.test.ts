import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { SignatureServer } from '../../localnet/signatures/server.ts';
import type { SourcifyServer } from '../../localnet/sourcify/server.ts';
import { type Localnet, startLocalnet } from '../../localnet/start.ts';
import { deployUpgrades, type UpgradedContracts } from '../../localnet/upgrades/upgradedContracts.ts';
import { deployVerified, type VerifiedDeployment } from '../../localnet/verified/deployVerified.ts';
import { chooseEntry } from '../../scripts/support/workbench/driver.ts';
import { upgradedProject } from '../support/upgradedProject.ts';
import { startVerifiers } from '../support/verifiers.ts';
import { isReadableInEveryTheme } from './support/accessibility.ts';
import { type LogPanel, runLogQuery } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

const DEPOSITED = 'Deposited(address,address,uint256)';

describe('verified contracts', () => {
  let localnet: Localnet;
  let verified: VerifiedDeployment;
  let upgrades: UpgradedContracts;
  let sourcify: SourcifyServer;
  let signatures: SignatureServer;
  before(async () => {
    localnet = await startLocalnet();
    const { node, verified: registry, chain } = localnet;
    const { chainId } = chain;
    verified = await deployVerified(node, { registry, chainId });
    upgrades = await deployUpgrades(node);
    await localnet.catchUp();
    ({ sourcify, signatures } = await startVerifiers(localnet));
  });
  after(async () => {
    await signatures.stop();
    await sourcify.stop();
    await localnet.stop();
  });
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: localnet.rpcUrl },
        node: { name: 'Local Node', chainId: 31337, rpcUrl: localnet.anvilUrl },
      },
      'chainside.sources.sourcifyUrl': sourcify.url,
      'chainside.sources.signaturesUrl': signatures.url,
    },
    fillFolder: async (folder) => {
      for (const [path, content] of Object.entries(upgradedProject(upgrades))) {
        const file = join(folder, path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    },
  }));
  afterEach(() => workbench().closeEditors());

  /** The details of a row. */
  async function detailsOf(opened: LogPanel, row: number): Promise<Locator> {
    await opened.cell(row, 'block').click();
    await workbench().page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.waitFor();
    return details;
  }
  const line = (text: string): Locator => workbench().page.locator('.view-line').filter({ hasText: text });

  it('decode rows that the workspace does not know, by the explorer of the network alone', async () => {
    const opened = await runLogQuery(workbench(), { Address: verified.harbor });
    await says(opened.status, /^Complete · 2 logs/);
    await opened
      .cell(0, 'event')
      .filter({ hasText: /^Docked / })
      .waitFor();
    const details = await detailsOf(opened, 0);
    await details.getByText(/^Known from: verified Harbor at 127\.0\.0\.1/).waitFor();
    assert.equal(
      await workbench()
        .notification(/verified contracts of/)
        .count(),
      0,
    );
    assert.deepEqual([sourcify.requestCount, signatures.requestCount], [0, 0]);
    await workbench().screenshot('verified-details');
    await details.getByRole('button', { name: /^Go to event/ }).click();
    await workbench()
      .page.getByRole('tab', { name: /^Harbor\.sol/ })
      .waitFor();
    await line('event Docked(address indexed ship').waitFor();
    await workbench().screenshot('verified-event');
  });

  it('are opened from the menu of a row', async () => {
    const opened = await runLogQuery(workbench(), { Address: verified.harbor });
    await says(opened.status, /^Complete · 2 logs/);
    const { page } = workbench();
    const done = page.getByRole('tab', { name: /^Harbor\.sol/ });
    await chooseEntry(page, { target: opened.cell(0, 'block'), name: 'Open Verified Source', done });
    await line('contract Harbor').waitFor();
  });

  it('of Sourcify are asked for only after a question in plain words', async () => {
    await workbench().selectNetwork('Local Node');
    const opened = await runLogQuery(workbench(), { Address: verified.gate });
    const question = workbench().notification(
      /Logs that nothing here explains may be decoded by verified contracts of 127\.0\.0\.1:\d+\. It would be told the chain and the addresses/,
    );
    await question.filter({ hasText: new RegExp(verified.gate, 'i') }).waitFor();
    for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`verified-consent-${theme}`);
    }
    await workbench().setTheme('dark');
    assert.deepEqual([sourcify.requestCount, signatures.requestCount], [0, 0]);
    await question.getByRole('button', { name: 'Allow' }).click();
    const passed = opened.frame.getByRole('gridcell').filter({ hasText: /^Passed / });
    await passed.first().waitFor();
    assert.ok(sourcify.requests.some(({ url }) => url.toLowerCase().includes(verified.gate)));
    await passed.first().click();
    await workbench().page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.getByText(/^Known from: verified Gate at 127\.0\.0\.1/).waitFor();
    await workbench().screenshot('verified-sourcify');
  });

  it('are opened to read, at their contract', async () => {
    await workbench().runCommand(
      'Chainside: Open Verified Source…',
      workbench().question(/^Address of the contract/),
    );
    await workbench().answer(/^Address of the contract/, verified.gate);
    await workbench()
      .page.getByRole('tab', { name: /^Gate\.sol/ })
      .waitFor();
    await line('contract Gate is ERC1967Proxy').waitFor();
    await workbench().screenshot('verified-source');
  });

  it('that were upgraded read each log by the version in force', async () => {
    await workbench().selectNetwork('Local Explorer');
    const { vault } = upgrades.proxies;
    const ofVault = upgrades.truth.filter(({ address }) => address.toLowerCase() === vault.toLowerCase());
    const opened = await runLogQuery(workbench(), { Address: vault, 'Event or topic': DEPOSITED });
    await says(opened.status, /^Complete/);
    assert.ok(ofVault.length > 20);
    const first = await opened.grid.getAttribute('aria-rowcount');
    const details = await detailsOf(opened, Number(first) - 2);
    await details.getByText(/^Implementation: VaultV1 at 0x\w{40}, in force since block \d+$/).waitFor();
    await workbench().page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    const newest = await detailsOf(opened, 0);
    await newest.getByText(/^Implementation: VaultV3 at 0x\w{40}, in force since block \d+$/).waitFor();
    await isReadableInEveryTheme(workbench(), opened.frame, 'verified-version');
    await workbench().setTheme('dark');
  });
});
