import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { formatUnitsGrouped } from '../../src/core/index.ts';
import { environment } from './support/environment.ts';
import { useWorkbench } from './support/workbench.ts';

describe('Addresses view', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: {
          name: 'Test Explorer',
          chainId: 31337,
          rpcUrl: environment().localnet.rpcUrl,
          symbol: 'ETH',
        },
      },
    },
  }));
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const question = /^Address of an account/;

  it('looks an address up with its exact balance and tokens, and watches it over a restart', async () => {
    const { node, chain, explorer } = environment().localnet;
    const { alice } = chain.accounts;
    const short = `${alice.slice(0, 6)}…${alice.slice(-4)}`;
    const balance = BigInt((await node.call('eth_getBalance', [alice, 'latest'])) as string);
    const field = workbench().page.locator('.quick-input-widget');
    await workbench().openView('Chainside');
    await workbench().runCommand('Chainside: Look Up Address…', workbench().question(question));
    explorer.forgetRequests();
    await workbench().fillInput('0x1234');
    await workbench().page.keyboard.press('Enter');
    await field.getByText('expected 0x and 40 hex digits').waitFor();
    await workbench().fillInput('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD');
    await field.getByText(/Invalid EIP-55 checksum/).waitFor();
    assert.ok(!explorer.requests.some(({ body }) => body.includes('eth_getBalance')));
    await workbench().fillInput(alice);
    await workbench().page.keyboard.press('Enter');
    await row(`${formatUnitsGrouped(balance, 18)} ETH, native`).waitFor();
    await row(/^\$[\d,.]+ in total, not counted: 1 without a price, NFTs$/).waitFor();
    await row(/^[\d,.]+( M)? HUSD, \$[\d,.]+ at \$1\.00 each$/).waitFor();
    await workbench().screenshot('addresses-no-key');

    await workbench().runCommand('Chainside: Watch Address', workbench().question(question));
    await workbench().answer(question, alice);
    await row(/^Watched, 1$/).waitFor();
    await workbench().keeps(alice.toLowerCase());
    await workbench().reload();
    await workbench().openView('Chainside');
    await row(/^Watched, 1$/).waitFor();
    await row(new RegExp(`^${short}, [\\d,.]+ ETH$`)).waitFor();
  });
});
