import type { Locator } from 'playwright-core';
import { environment } from './support/environment.ts';
import { useWorkbench } from './support/workbench.ts';

describe('Chain view', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.poll.seconds': 2,
      'chainside.networks': {
        explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
  }));
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const statusItem = (text: string): Locator =>
    workbench().page.locator('.statusbar-item').filter({ hasText: text });

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.explorer.setIntercept(undefined));

  it('follows the chain, and so does the status item', async () => {
    const { node, mine } = environment().localnet;
    await row(/^Network: Test Explorer, Latest block: [\d,]+, .+, answers in \d+ ms$/).waitFor();
    // Beside it stands what would fill the Contracts view, once it is known that nothing does.
    await workbench()
      .page.getByText(/^No contracts yet\. /)
      .waitFor();
    await workbench().screenshot('chain-view');
    await mine(2);
    const block = BigInt((await node.call('eth_blockNumber', [])) as string).toLocaleString('en');
    await row(`Latest block: ${block}, `).waitFor();
    await statusItem(`Test Explorer ${block}`).waitFor();
  });

  it('says what is wrong, keeps the last block, and recovers by itself', async () => {
    const { explorer } = environment().localnet;
    explorer.setIntercept(() => ({ kind: 'respond', status: 503, body: 'down' }));
    await row(/^Not available at the moment \(HTTP 503\)/).waitFor();
    await row('Try Again').waitFor();
    await row('Choose Another Network…').waitFor();
    await row(/^Network: Test Explorer, Latest block: [\d,]+/).waitFor();
    await statusItem('Test Explorer').and(workbench().page.locator('.warning-kind')).waitFor();
    await workbench().screenshot('chain-view-failing');
    explorer.setIntercept(undefined);
    await row(/answers in \d+ ms$/).waitFor();
    await row('Try Again').waitFor({ state: 'hidden' });
  });
});
