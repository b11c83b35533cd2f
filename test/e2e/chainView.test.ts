import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { environment } from './support/environment.ts';
import { useWorkbench } from './support/workbench.ts';

describe('Chain view', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, anvilUrl, dataApi } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.poll.seconds': 2,
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl, dataApiUrl: dataApi.url },
          // Stands in for the default network, which is used when another one cannot be.
          mainnet: { rpcUrl },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl },
        },
      },
    };
  });
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const statusItem = () =>
    workbench()
      .page.locator('.statusbar-item')
      .filter({ hasText: /^\s*Test / });

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.explorer.setIntercept(undefined));

  async function selectNetwork(name: string): Promise<void> {
    await workbench().runCommand('Chainside: Select Network…');
    await workbench().quickPickRow(name).click();
    await row(`Network: ${name}`).waitFor();
  }

  it('shows network, chain id, latest block with its age, and health', async () => {
    await row('Network: Test Explorer').waitFor();
    await row('Chain ID: 31337').waitFor();
    await row(/^Latest block: [\d,]+ · seen /).waitFor();
    await row(/^Health: answers in \d+ ms$/).waitFor();
    await row('Data API: no key').waitFor();
    await workbench().screenshot('chain-view');
  });

  it('says what would fill the Contracts view, once it is known that nothing does', async () => {
    await workbench()
      .page.getByText(/^No contracts yet\. /)
      .waitFor();
  });

  it('follows the chain, and so does the status item', async () => {
    await environment().localnet.mine(2);
    const head = BigInt((await environment().localnet.node.call('eth_blockNumber', [])) as string);
    await row(new RegExp(`^Latest block: ${head} · seen `)).waitFor();
    await statusItem()
      .filter({ hasText: `Test Explorer ${head}` })
      .waitFor();
  });

  it('counts the age up', async () => {
    const age = async () => {
      const words = await row(/^Latest block: .* seen \d+ s ago$/).textContent();
      return Number(words?.match(/(\d+) s ago/)?.[1]);
    };
    const before = await age();
    await waitUntil(`the age is above ${before} s`, async () => (await age()) > before);
  });

  it('says what is wrong, keeps the last block, and recovers by itself', async () => {
    const { explorer } = environment().localnet;
    explorer.setIntercept(() => ({ kind: 'respond', status: 503, body: 'down' }));
    await row(/^Health: not available/).waitFor();
    await row(/^Latest block: [\d,]+ · seen /).waitFor();
    await workbench()
      .page.locator('.statusbar-item.warning-kind')
      .filter({ hasText: 'Test Explorer' })
      .waitFor();
    await workbench().screenshot('chain-view-failing');
    explorer.setIntercept(undefined);
    await row(/^Health: answers in/).waitFor();
  });

  it('offers networks with chain id and key, and changes everything with the network', async () => {
    await workbench().runCommand('Chainside: Select Network…');
    await workbench()
      .quickPickRow('Palm')
      .filter({ hasText: 'chain 11297108109 · no data API key' })
      .waitFor();
    await workbench().quickPickRow('Test Node').filter({ hasText: 'no data API' }).click();
    await row('Network: Test Node').waitFor();
    await row('Chain ID: 31338').waitFor();
    await row('Data API: none on this network').waitFor();
    await statusItem().filter({ hasText: 'Test Node' }).waitFor();
    assert.equal(await row(/Test Explorer/).count(), 0);
    await selectNetwork('Test Explorer');
  });

  it('opens the choice of networks from the status item', async () => {
    await statusItem().click();
    await workbench().quickPickRow('Test Node').waitFor();
    await workbench().page.keyboard.press('Escape');
  });

  it('stops asking when nothing that shows the block is in sight', async () => {
    const { explorer } = environment().localnet;
    await workbench().updateSettings({ 'chainside.statusBar.enabled': false });
    await statusItem().waitFor({ state: 'hidden' });
    await workbench().runCommand('View: Toggle Primary Side Bar Visibility');
    await row('Network: Test Explorer').waitFor({ state: 'hidden' });
    explorer.forgetRequests();
    // Of what does not come there is no sign: two rounds of asking would have been in this time.
    await workbench().page.waitForTimeout(4500);
    assert.equal(explorer.requestCount, 0);
    await workbench().runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench().updateSettings({ 'chainside.statusBar.enabled': true });
    await statusItem().waitFor();
  });

  it('tells of settings that it cannot use, and what is used instead', async () => {
    await workbench().updateSettings({ 'chainside.poll.seconds': 'often', 'chainside.network': 'nowhere' });
    await row(/^chainside\.poll\.seconds: must be a number from 2 to 3600$/).waitFor();
    await row(/^chainside\.network: names a network that is not defined: nowhere$/).waitFor();
    await workbench().screenshot('chain-view-problems');
    await workbench().updateSettings({ 'chainside.poll.seconds': 2, 'chainside.network': 'explorer' });
    await row(/^chainside\./)
      .first()
      .waitFor({ state: 'hidden' });
  });
});
