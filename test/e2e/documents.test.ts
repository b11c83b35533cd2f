import assert from 'node:assert/strict';
import { environment, useWorkbench } from './support/workbench.ts';

describe('documents of transactions and decoded data', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, portal } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl },
          portal: { name: 'Local Portal', chainId: 31337, rpcUrl: portal.rpcUrl },
        },
      },
    };
  });

  const shows = (text: string) =>
    workbench().page.locator('.view-line').filter({ hasText: text }).first().waitFor();
  const tab = (name: RegExp) => workbench().page.getByRole('tab', { name });
  /** How often a transaction was asked for. */
  const lookUps = () =>
    environment().localnet.explorer.requests.filter(({ body }) => body.includes('eth_getTransactionByHash'))
      .length;

  it('come back with the window, and ask their own network once they are in sight', async () => {
    const { node, explorer } = environment().localnet;
    const block = (await node.call('eth_getBlockByNumber', ['0x20', false])) as { transactions: string[] };
    const [hash = assert.fail('The block has no transaction.')] = block.transactions;
    await workbench().page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench().page.evaluate('navigator.clipboard.writeText("0xa9059cbb")');
    await workbench().runCommand('Chainside: Decode…');
    await shows('Selector of function transfer');
    await workbench().runCommand('Chainside: Show Transaction…');
    await workbench().answer(/Hash of a transaction on Local Explorer/, hash);
    await shows('Status: Success');
    // Without *with BOM*.
    await workbench()
      .page.locator('.statusbar-item')
      .filter({ hasText: /^UTF-8$/ })
      .waitFor();
    await tab(/^Decoded 0x/).click();
    await shows('Selector of function transfer');
    explorer.forgetRequests();
    await workbench().reloadWindow();
    await shows('Selector of function transfer');
    assert.equal(lookUps(), 0);
    await tab(/^Transaction 0x/).click();
    await shows('Status: Success');
    assert.ok(lookUps() > 0);
    await workbench().updateSettings({ 'chainside.network': 'portal' });
    explorer.forgetRequests();
    await workbench().reloadWindow();
    await shows('Select Local Explorer to load the transaction here.');
    assert.equal(lookUps(), 0);
    await workbench().screenshot('documents-other-network');
    await workbench().selectNetwork('Local Explorer');
    await shows('Status: Success');
  });
});
