import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type Anvil, startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { type Theme, themes, unfold } from '../../scripts/support/workbench/driver.ts';
import { type Address, parseEventSignature } from '../../src/core/index.ts';
import { DAY_SOURCE, type DeploymentDay, startDay } from '../support/deploymentDay.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

describe('a day of deployments', () => {
  let anvil: Anvil;
  let day: DeploymentDay;
  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  });
  after(() => anvil.stop());
  const workbench = useWorkbench(() => ({
    size: { width: 1280, height: 800 },
    settings: {
      'chainside.network': 'day',
      'chainside.networks': { day: { name: 'Day', chainId: 31337, rpcUrl: anvil.url, symbol: 'ETH' } },
      'chainside.poll.seconds': 2,
    },
    fillFolder: async (folder) => {
      day = await startDay(createNodeRpc(anvil.url), 5, async (path, text) => {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      });
    },
  }));
  const lens = (title: string | RegExp): Locator =>
    workbench().page.locator('.codelens-decoration').getByRole('button', { name: title });
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name }).first();

  const find = (name: string): Address => {
    const [address] = [...day.truth].findLast(([, place]) => place.name === name) ?? [];
    if (!address) throw new Error(`${name} is not deployed.`);
    return address;
  };
  async function countLogs(address: Address, event: string): Promise<string> {
    const { topic0 } = parseEventSignature(event);
    const filter = { address, topics: [topic0], fromBlock: '0x0' };
    const { length } = (await createNodeRpc(anvil.url).call('eth_getLogs', [filter])) as readonly unknown[];
    return length === 0 ? 'No logs' : length === 1 ? '1 log' : `${length} logs`;
  }
  async function picture(name: string): Promise<void> {
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`day-${name}-${theme}`);
    }
  }

  it('counts at the proxy, before and after an upgrade', async () => {
    await day.do('call', 'call', 'call', 'call', 'call', 'call');
    await workbench().openFile(DAY_SOURCE);
    const deposits = await countLogs(find('VaultProxy'), 'Deposited(address,uint256)');
    await lens(`${deposits} · through VaultProxy`).waitFor();
    await day.do('upgrade', 'call', 'call', 'call', 'call');
    const later = await countLogs(find('VaultProxy'), 'Deposited(address,uint256)');
    await lens(`${later} · through VaultProxy`).waitFor();
    await picture('lenses');
    const panel = await logPanelShownBy(workbench(), () => lens(`${later} · through VaultProxy`).click());
    await waitForText(panel.status, new RegExp(`^Complete · ${later}`));
    await picture('panel');
  });

  it('names what is there after a restart with an edited script, and hides the rest', async () => {
    await workbench().closeEditors();
    await day.do('restart, edit the script and run', 'call', 'call', 'call');
    await workbench().openView('Chainside');
    await row(/^Not on This Node/).waitFor();
    await unfold(row(/^Token, 1 deployment/), row(/^Day, block [\d,]+ · .* · 0x.{4}….{4} · .*Same code$/));
    await workbench().openFile(DAY_SOURCE);
    await picture('restarted');
    const labels = await workbench()
      .page.getByRole('treeitem', { name: /, \d+ deployments? · / })
      .evaluateAll((rows) => rows.map((each) => each.getAttribute('aria-label') ?? ''));
    const names = [...day.truth.values()].map(({ name }) => name).sort();
    assert.deepEqual(labels.map((label) => label.replace(/,.*/, '')).sort(), [...new Set(names)]);
    await lens(/^Deployed on Day · /)
      .nth(names.length - 1)
      .waitFor();
    assert.equal(await lens(/not on Day/).count(), 0);
    await row(/^Not on This Node/).hover();
    await row(/^Not on This Node/)
      .getByRole('button', { name: 'Hide' })
      .click();
    await row(/^Not on This Node/).waitFor({ state: 'hidden' });
  });
});
