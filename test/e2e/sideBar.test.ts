import type { Locator } from 'playwright-core';
import { formatUnitsGrouped } from '../../src/core/index.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('the Addresses view', () => {
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
  const question = /^Address of an account/;

  before(() => workbench().openView('Chainside'));

  it('looks an address up with its exact balance and tokens, and watches it over a restart', async () => {
    const { node, chain } = environment().localnet;
    const { alice } = chain.accounts;
    const short = `${alice.slice(0, 6)}…${alice.slice(-4)}`;
    const balance = BigInt((await node.call('eth_getBalance', [alice, 'latest'])) as string);
    await workbench().runCommand('Chainside: Look Up Address…', workbench().question(question));
    await workbench().answer(question, alice);
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
