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

  const chainRows = () =>
    workbench()
      .page.locator('.pane', { hasText: /^Chain/ })
      .first()
      .getByRole('treeitem');
  const head = async () => BigInt((await environment().localnet.node.call('eth_blockNumber', [])) as string);

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.explorer.setIntercept(undefined));

  async function selectNetwork(name: string): Promise<void> {
    await workbench().selectNetwork(name);
    await row(`Network: ${name}`).waitFor();
  }

  it('shows the network with its latest block, age and latency in one row, the rest below it', async () => {
    await row(/^Network: Test Explorer, Latest block: [\d,]+, .+, answers in \d+ ms$/).waitFor();
    await workbench().page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await row('Token data: no key').waitFor();
    assert.equal(await chainRows().count(), 2);
    await workbench().screenshot('chain-view');
    await row('Network: Test Explorer').locator('.monaco-tl-twistie').click();
    await row('Chain ID: 31337').waitFor();
    await row('Endpoint: http://127.0.0.1').waitFor();
    await row(/^Latest block: [\d,]+ · /).click();
    const copied = await head();
    await workbench().page.waitForFunction(
      `navigator.clipboard.readText().then((text) => text === '${copied}')`,
    );
    await row('Network: Test Explorer').locator('.monaco-tl-twistie').click();
    await row('Chain ID: 31337').waitFor({ state: 'hidden' });
  });

  it('shows the latest block by its command, to copy', async () => {
    await workbench().runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench().runCommand('Chainside: Show Latest Block');
    const told = workbench().notification(/Latest block of Test Explorer: [\d,]+/);
    await told.waitFor();
    await row(/^Latest block: [\d,]+ · /).waitFor();
    await told.getByRole('button', { name: 'Copy' }).click();
    await row('Network: Test Explorer').locator('.monaco-tl-twistie').click();
  });

  it('says what would fill the Contracts view, once it is known that nothing does', async () => {
    await workbench()
      .page.getByText(/^No contracts yet\. /)
      .waitFor();
  });

  it('follows the chain, and so does the status item', async () => {
    await environment().localnet.mine(2);
    const block = await head();
    await row(new RegExp(`Latest block: ${block}, `)).waitFor();
    await statusItem()
      .filter({ hasText: `Test Explorer ${block}` })
      .waitFor();
  });

  it('counts the age up', async () => {
    const age = async () => {
      const words = await row(/Latest block: .* \d+ s ago/).textContent();
      return Number(words?.match(/(\d+) s ago/)?.[1]);
    };
    const before = await age();
    await waitUntil(`the age is above ${before} s`, async () => (await age()) > before);
  });

  it('says what is wrong, keeps the last block, and recovers by itself', async () => {
    const { explorer } = environment().localnet;
    explorer.setIntercept(() => ({ kind: 'respond', status: 503, body: 'down' }));
    await row(/^Not available at the moment \(HTTP 503\)/).waitFor();
    await row('Try Again').waitFor();
    await row('Choose Another Network…').waitFor();
    await row(/^Network: Test Explorer, Latest block: [\d,]+/).waitFor();
    await workbench()
      .page.locator('.statusbar-item.warning-kind')
      .filter({ hasText: 'Test Explorer' })
      .waitFor();
    await workbench().screenshot('chain-view-failing');
    explorer.setIntercept(undefined);
    await row(/answers in \d+ ms$/).waitFor();
    await row('Try Again').waitFor({ state: 'hidden' });
  });

  it('says that an endpoint is of another chain', async () => {
    await workbench().updateSettings({ 'chainside.network': 'node' });
    await row('The endpoint is of chain 31337, not 31338').waitFor();
    await workbench().updateSettings({ 'chainside.network': 'explorer' });
    await row(/^Network: Test Explorer, Latest block/).waitFor();
  });

  it('offers networks with chain id and key, and changes everything with the network', async () => {
    await workbench().runCommand('Chainside: Select Network…', workbench().quickPickRow('Palm'));
    await workbench()
      .quickPickRow('Palm')
      .filter({ hasText: 'chain 11297108109 · no data API key' })
      .waitFor();
    await workbench().quickPickRow('Test Node').filter({ hasText: 'no data API' }).click();
    await row('Network: Test Node').waitFor();
    await row('Token data: none on this network').waitFor();
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

  it('tells of settings that it cannot use, and asks nothing of a network that is not there', async () => {
    await workbench().updateSettings({ 'chainside.poll.seconds': 'often', 'chainside.network': 'nowhere' });
    await row(/^chainside\.poll\.seconds: must be a number from 2 to 3600$/).waitFor();
    await row(/^chainside\.network: names a network that is not defined: nowhere$/).waitFor();
    await row('Choose a Network…').waitFor();
    await workbench().screenshot('chain-view-problems');
    await workbench().updateSettings({ 'chainside.poll.seconds': 2, 'chainside.network': 'explorer' });
    await row(/^chainside\./)
      .first()
      .waitFor({ state: 'hidden' });
  });
});
