import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type Anvil, startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { compileSolidity } from '../../localnet/chain/solidity.ts';
import { encodeParameters, parseAbiItem } from '../../src/core/index.ts';
import { ledgerSource } from '../support/ledger.ts';
import { useWorkbench } from './support/workbench.ts';

describe('watched values in the Addresses view', () => {
  let anvil: Anvil;
  let node: NodeRpc;
  let sender = '';
  let ledger = '';
  let abi: unknown;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    node = createNodeRpc(anvil.url);
    const { contracts } = await compileSolidity({ 'Ledger.sol': { content: ledgerSource } }, [
      'abi',
      'evm.bytecode.object',
    ]);
    const compiled = contracts.find(({ name }) => name === 'Ledger') ?? assert.fail();
    abi = compiled.abi;
    [sender = ''] = (await node.call('eth_accounts', [])) as string[];
    const hash = await node.call('eth_sendTransaction', [{ from: sender, data: compiled.bytecode }]);
    await node.call('evm_mine', []);
    const receipt = (await node.call('eth_getTransactionReceipt', [hash])) as { contractAddress: string };
    ledger = receipt.contractAddress;
  });
  after(() => anvil.stop());

  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'node',
      'chainside.poll.seconds': 2,
      'chainside.networks': {
        node: { name: 'Test Node', chainId: 31337, symbol: 'ETH', rpcUrl: anvil.url },
      },
    },
    async fillFolder(folder) {
      const files = {
        'deployments/local/.chainId': '31337',
        'deployments/local/Ledger.json': JSON.stringify({ address: ledger, abi }),
        'src/Ledger.sol': ledgerSource,
        '.chainside/labels.json': JSON.stringify({ labels: [{ address: sender, name: 'Treasury' }] }),
      };
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), content);
      }
    },
  }));
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });

  async function add(by: bigint): Promise<void> {
    const item = parseAbiItem('function add(uint256 by)');
    assert.ok(item?.kind === 'function');
    const data = item.selector + encodeParameters(item.inputs, [by]).slice(2);
    await node.call('eth_sendTransaction', [{ from: sender, to: ledger, data }]);
    await node.call('evm_mine', []);
  }

  it('come from the panel, follow the chain, survive a reload, and go again', async () => {
    await workbench().openView('Chainside');
    const question = /^Address of a contract/;
    const frame = await workbench().webviewShownBy(async () => {
      await workbench().runCommand('Chainside: Read Contract…', workbench().question(question));
      await workbench().answer(question, ledger);
    });
    await frame.getByRole('row', { name: /count/ }).hover();
    await frame.getByRole('button', { name: 'Watch in the Addresses view: count' }).click();
    await row(/^count = 0, Ledger$/).waitFor();
    const form = frame.locator('details.callable').filter({ hasText: /^amounts/ });
    await form.locator('summary').first().click();
    await form.getByLabel('[0]').fill('Treasury');
    await form.getByLabel('[1]').fill('Sell');
    await form.getByRole('button', { name: 'Read' }).click();
    await form.getByRole('button', { name: 'Watch' }).click();
    await row(/^amounts\(Treasury, Sell\) = 0, Ledger$/).waitFor();
    await row(/^Watched Values, 2$/).waitFor();

    await add(5n);
    await row(/^count = 5, up by 5, Ledger$/).waitFor();
    await row(/^amounts\(Treasury, Sell\) = 5, up by 5, Ledger$/).waitFor();
    await workbench().screenshot('watched-values');

    await workbench().closeEditors();
    await workbench().reloadWindow();
    await workbench().openView('Chainside');
    const amounts = row(/^amounts\(Treasury, Sell\) = 5, Ledger$/);
    const opened = await workbench().webviewShownBy(() => amounts.click());
    await opened
      .locator('details.callable')
      .filter({ hasText: /^amounts/ })
      .getByText('5', { exact: true })
      .waitFor();
    await row(/^count = 5, Ledger$/).click();
    await opened.locator('th:focus').filter({ hasText: 'count' }).waitFor();
    await workbench().screenshot('watched-value-shown');
    await workbench().openFile('src/Ledger.sol');
    const again = await workbench().webviewShownBy(() => amounts.click());
    await again.locator('input:focus').and(again.getByLabel('[0]')).waitFor();
    await amounts.hover();
    await amounts.getByRole('button', { name: 'Stop Watching Value' }).click();
    await row(/^Watched Values, 1$/).waitFor();
    await row(/^count = 5, Ledger$/).waitFor();
  });
});
