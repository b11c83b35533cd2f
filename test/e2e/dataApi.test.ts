import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { lastLogLines } from '../../scripts/support/workbench/describeWindow.ts';
import { nftTransfersOnNode } from '../support/nftTransfersOnNode.ts';
import { leavesNoError } from './support/consoleErrors.ts';
import { openNftTransfers } from './support/nftPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('a network with a data API', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, dataApi } = environment().localnet;
    const network = { name: 'Test Explorer', chainId: 31337, rpcUrl, dataApiUrl: dataApi.url };
    return {
      settings: { 'chainside.network': 'explorer', 'chainside.networks': { explorer: network } },
    };
  });

  const row = (name: string): Locator => workbench().page.getByRole('treeitem', { name });

  async function enter(key: string): Promise<void> {
    await workbench().fillInput(key);
    await workbench().page.keyboard.press('Enter');
  }

  it('shows, without a key, the history of an NFT from logs, and the token from its contract, asking nobody else', async () => {
    const { dataApi, chain } = environment().localnet;
    const { address } = chain.contracts.badge;
    const truth = await nftTransfersOnNode(environment().localnet, address, 6n);
    dataApi.forgetRequests();
    const opened = await openNftTransfers(workbench(), address, '6');
    const { frame } = opened;
    const count = truth.length === 1 ? '1 transfer' : `${truth.length} transfers`;
    await waitForText(
      opened.status,
      new RegExp(
        `^Complete\\. ${count} of token 6 on Test Explorer in blocks 0 to [\\d,]+, from the chain's logs, because no data API key is set\\.$`,
      ),
    );
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), String(truth.length + 1));
    for (const [row, { blockNumber, transactionHash }] of truth.entries()) {
      await opened
        .cell(row, 'block')
        .filter({ hasText: BigInt(blockNumber).toString() })
        .waitFor();
      await opened.cell(row, 'transaction').filter({ hasText: transactionHash }).waitFor();
      await opened
        .cell(row, 'time')
        .filter({ hasText: /\d:\d\d/ })
        .waitFor();
    }
    await opened
      .cell(truth.length - 1, 'kind')
      .filter({ hasText: 'Mint' })
      .waitFor();
    await frame.getByRole('heading', { name: 'Harbor Badge (BADGE)' }).waitFor();
    await frame.getByText('ERC-165, ERC-721').waitFor();
    await frame.getByText('Test Explorer, chain ID 31337').waitFor();

    await frame.getByText('Token 6. Read from the contract at the latest block.').waitFor();
    await frame.getByText('Harbor Badge #6', { exact: true }).waitFor();
    await frame.getByText('Drawn by the contract on the local network.').waitFor();
    const owner = new RegExp(`^0x${truth[0]?.topics[2]?.slice(-40)}$`, 'i');
    await frame.getByText(owner).first().waitFor();
    const picture = frame.getByRole('img', { name: 'Picture of token 6' });
    await picture.waitFor();
    const width = (await picture.boundingBox())?.width ?? 0;
    assert.ok(width > 120, `The picture is ${width} pixels wide.`);
    assert.equal(dataApi.requestCount, 0);
  });

  leavesNoError(workbench);

  it('has its key typed unseen, tried by a real call in no URL, refused at the field or saved, and stands in no log', async () => {
    const { dataApi } = environment().localnet;
    const { page } = workbench();
    const field = page.locator('.quick-input-widget');
    await workbench().openView('Chainside');
    await row('Network: ').waitFor();
    await workbench().runCommand('Chainside: Set Data API Key…', workbench().question(/^Key for http/));
    await field.locator('input[type=password]').waitFor();
    dataApi.forgetRequests();
    await enter('ckey_nobodys');
    await field.getByText('does not accept this key').waitFor();
    // The second call has no key: by its answer it shows that the first one's was looked at.
    assert.deepEqual(
      dataApi.requests.map(({ headers }) => headers.authorization),
      ['Bearer ckey_nobodys', undefined],
    );
    assert.ok(dataApi.requests.every(({ url }) => !url.includes('key=')));
    await workbench().screenshot('api-key-wrong');
    await enter(dataApi.keys.classic);
    await row('Token data: key set').waitFor();

    await workbench().runCommand('Chainside: Show Output');
    const output = page.locator('.part.panel .view-line');
    await output
      .filter({ hasText: /GET\s+http/ })
      .first()
      .waitFor();
    const shown = await page.locator('body').textContent();
    const logged = await lastLogLines(workbench().logs, 1000);
    assert.match(logged, / GET http/);
    for (const key of [dataApi.keys.classic, 'ckey_nobodys']) {
      assert.ok(!shown?.includes(key) && !logged.includes(key));
    }
  });
});
