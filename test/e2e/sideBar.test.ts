import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { formatUnitsGrouped } from '../../src/core/index.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('the Chain and Addresses views', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.poll.seconds': 2,
      'chainside.networks': {
        explorer: {
          ...{ name: 'Test Explorer', chainId: 31337, symbol: 'ETH' },
          rpcUrl: environment().localnet.rpcUrl,
        },
      },
    },
  }));
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const statusItem = (text: string): Locator =>
    workbench().page.locator('.statusbar-item').filter({ hasText: text });

  const question = /^Address of an account/;

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.explorer.setIntercept(undefined));

  it('follow the chain, and so does the status item', async () => {
    const { node, mine } = environment().localnet;
    await row(/^Network: Test Explorer, Latest block: [\d,]+, .+, responds in \d+ ms$/).waitFor();
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

  it('say what is wrong, keep the last block, and recover by themselves', async () => {
    const { explorer } = environment().localnet;
    explorer.setIntercept(() => ({ kind: 'respond', status: 503, body: 'down' }));
    await row(/^Not available at the moment \(HTTP 503\)/).waitFor();
    await row('Retry').waitFor();
    await row('Select Another Network…').waitFor();
    await row(/^Network: Test Explorer, Latest block: [\d,]+/).waitFor();
    await statusItem('Test Explorer').and(workbench().page.locator('.warning-kind')).waitFor();
    await workbench().screenshot('chain-view-failing');
    explorer.setIntercept(undefined);
    await row(/responds in \d+ ms$/).waitFor();
    await row('Retry').waitFor({ state: 'hidden' });
  });

  it('look an address up with its exact balance and tokens, and watch it over a restart', async () => {
    const { node, chain, explorer } = environment().localnet;
    const { alice } = chain.accounts;
    const short = `${alice.slice(0, 6)}…${alice.slice(-4)}`;
    const balance = BigInt((await node.call('eth_getBalance', [alice, 'latest'])) as string);
    const field = workbench().page.locator('.quick-input-widget');
    await workbench().runCommand('Chainside: Look Up Address…', workbench().question(question));
    explorer.forgetRequests();
    await workbench().fillInput('0x1234');
    await workbench().page.keyboard.press('Enter');
    await field.getByText('Write 0x and 40 hex digits').waitFor();
    await workbench().fillInput('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD');
    await field.getByText(/Invalid EIP-55 checksum/).waitFor();
    assert.ok(!explorer.requests.some(({ body }) => body.includes('eth_getBalance')));
    await workbench().fillInput(alice);
    await workbench().page.keyboard.press('Enter');
    await row(`${formatUnitsGrouped(balance, 18)} ETH, native`).waitFor();
    await row(/^\$[\d,.]+ in total, not included: 1 without a price, NFTs$/).waitFor();
    await row(/^[\d,.]+M? HUSD, \$[\d,.]+ at \$1\.00 each$/).waitFor();
    await workbench().screenshot('addresses-no-key');

    await workbench().runCommand('Chainside: Watch Address', workbench().question(question));
    await workbench().answer(question, alice);
    await row(/^Watched, 1$/).waitFor();
    await workbench().keeps(alice.toLowerCase());
    await workbench().reload();
    await workbench().openView('Chainside');
    await row(/^Watched, 1$/).waitFor();
    await row(new RegExp(`^anvil #1, [\\d,.]+ ETH, ${short}$`)).waitFor();
  });
});
