import assert from 'node:assert/strict';
import { nftTransfersOnNode } from '../support/nftTransfersOnNode.ts';
import { leavesNoError } from './support/consoleErrors.ts';
import { environment } from './support/environment.ts';
import { openNftTransfers } from './support/nftPanel.ts';
import { says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

describe('NFT panel without a key', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, dataApi } = environment().localnet;
    const network = { name: 'Test Explorer', chainId: 31337, rpcUrl, dataApiUrl: dataApi.url };
    return {
      settings: { 'chainside.network': 'explorer', 'chainside.networks': { explorer: network } },
    };
  });

  it('shows the history of a token from logs, and the token from its contract, asking nobody else', async () => {
    const { dataApi, chain } = environment().localnet;
    const { address } = chain.contracts.badge;
    const truth = await nftTransfersOnNode(environment().localnet, address, 6n);
    dataApi.forgetRequests();
    const opened = await openNftTransfers(workbench(), address, '6');
    const { frame } = opened;
    const count = truth.length === 1 ? '1 transfer' : `${truth.length} transfers`;
    await says(
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
    await frame.getByText('Test Explorer, chain id 31337').waitFor();

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
});
