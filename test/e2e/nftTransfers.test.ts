import assert from 'node:assert/strict';
import { leavesNoError } from './support/consoleErrors.ts';
import { environment } from './support/environment.ts';
import { nftPanelShownBy, openNftContract, openNftTransfers } from './support/nftPanel.ts';
import { nftTransfersOnNode } from './support/nftTruth.ts';
import { focusIsOn, says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

describe('NFT panel without a key', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, dataApi } = environment().localnet;
    const network = { chainId: 31337, rpcUrl, dataApiUrl: dataApi.url };
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', ...network, explorerUrl: 'https://explorer.example' },
          other: { name: 'Other Network', ...network, chainId: 31338 },
        },
      },
    };
  });
  const contracts = () => environment().localnet.chain.contracts;
  const openTransfers = (contract: string, tokenId: string) =>
    openNftTransfers(workbench(), contract, tokenId);
  const openContract = (contract: string) => openNftContract(workbench(), contract);

  afterEach(async () => {
    environment().localnet.explorer.setIntercept(undefined);
    environment().localnet.explorer.setRest({});
    await workbench().closeEditors();
  });

  it('reads the history of an ERC-721 token out of logs, and says so', async () => {
    const { address } = contracts().badge;
    const truth = await nftTransfersOnNode(address, 6n);
    const opened = await openTransfers(address, '6');
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
    await opened.frame.getByRole('heading', { name: 'Harbor Badge (BADGE)' }).waitFor();
    await opened.frame.getByText('ERC-165, ERC-721').waitFor();
    await opened.frame.getByText('Test Explorer, chain id 31337').waitFor();
    await workbench().screenshot('nfts-erc721-logs');
  });

  it('reads single and batch transfers of an ERC-1155 token', async () => {
    const opened = await openTransfers(contracts().items.address, '0x3');
    await says(opened.status, /^Complete\. \d+ transfers of token 3 on Test Explorer/);
    await opened.cell(0, 'amount').filter({ hasText: /^\d+$/ }).waitFor();
    await opened.frame.getByText('ERC-165, ERC-1155').waitFor();
  });

  it('shows picture, owner and metadata of a token out of its contract, asking nobody else', async () => {
    const { badge } = contracts();
    const { dataApi } = environment().localnet;
    const [last] = await nftTransfersOnNode(badge.address, 12n);
    dataApi.forgetRequests();
    const opened = await openTransfers(badge.address, '12');
    const { frame } = opened;
    await frame.getByText('Token 12. Read from the contract at the latest block.').waitFor();
    await frame.getByText('Harbor Badge #12', { exact: true }).waitFor();
    await frame.getByText('Drawn by the contract on the local network.').waitFor();
    const owner = new RegExp(`^0x${last?.topics[2]?.slice(-40)}$`, 'i');
    await frame.getByText(owner).first().waitFor();
    const picture = frame.getByRole('img', { name: 'Picture of token 12' });
    await picture.waitFor();
    const width = (await picture.boundingBox())?.width ?? 0;
    assert.ok(width > 120, `The picture is ${width} pixels wide.`);
    assert.equal(dataApi.requestCount, 0);
    await opened.tokenId.fill('4321');
    await opened.tokenId.press('Enter');
    await frame.getByText('The contract has no token 4321: never minted, or burned.').waitFor();
    assert.equal(await frame.locator('img').count(), 0);
  });

  it('loads metadata from a host only by a button that names it', async () => {
    const opened = await openTransfers(contracts().items.address, '2');
    await opened.frame.getByText('Token 2. Read from the contract at the latest block.').waitFor();
    await opened.button('Load metadata from metadata.example.com').waitFor();
    await opened.frame.getByText('It then sees your IP address.').waitFor();
    assert.equal(await opened.frame.locator('img').count(), 0);
  });

  it('has a token from the explorer where no contract can be read, and else offers to set a key', async () => {
    const { explorer } = environment().localnet;
    const error = { code: -32601, message: 'the method eth_call does not exist' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
    explorer.setIntercept((request) =>
      request.body.includes('eth_call') ? { kind: 'respond', status: 200, body } : undefined,
    );
    // Another network, of which nothing is known yet.
    await workbench().selectNetwork('Other Network');
    const told = await openTransfers(contracts().badge.address, '6');
    await told.frame.getByText(/^Token 6, from http:/).waitFor();
    await told.frame.getByText('Harbor Badge #6', { exact: true }).waitFor();
    await workbench().screenshot('nfts-explorer');
    explorer.setRest({ off: true });
    const opened = await openTransfers(contracts().badge.address, '7');
    await opened.frame.getByText(/^Provider does not support eth_call, which reads the token/).waitFor();
    await opened.button('Set Data API Key…').first().click();
    const question = workbench()
      .page.locator('.quick-input-widget')
      .getByText(/^Key for http/);
    await question.waitFor();
    await workbench().page.keyboard.press('Escape');
    await workbench().selectNetwork('Test Explorer');
  });

  it('tells bad input where it is typed, before any request', async () => {
    const { explorer } = environment().localnet;
    const box = workbench().page.locator('.quick-input-widget');
    await workbench().runCommand('Chainside: Show NFT Transfers…');
    await box.getByText(/^Address of an NFT contract/).waitFor();
    explorer.forgetRequests();
    await workbench().fillInput('0x12');
    await box.getByText('Not an address: expected 0x and 40 hex digits.').waitFor();
    await workbench().fillInput(contracts().badge.address);
    await workbench().page.keyboard.press('Enter');
    await box.getByText(/^Token id, decimal/).waitFor();
    await workbench().fillInput((2n ** 256n).toString());
    await box.getByText(/^Not a token id/).waitFor();
    await workbench().page.keyboard.press('Escape');
    assert.equal(explorer.requests.filter(({ body }) => /eth_(getLogs|call)/.test(body)).length, 0);

    const opened = await openContract(contracts().badge.address);
    await opened.frame.getByRole('heading', { name: 'Harbor Badge (BADGE)' }).waitFor();
    explorer.forgetRequests();
    await opened.tokenId.fill('six');
    await opened.button('Load transfers').click();
    await opened.frame.getByText(/^Not a token id/).waitFor();
    assert.equal(await opened.tokenId.getAttribute('aria-invalid'), 'true');
    assert.equal(explorer.requests.filter(({ body }) => body.includes('eth_getLogs')).length, 0);
  });

  it('says of an address that is no NFT contract that it is none', async () => {
    const opened = await openContract(contracts().usd.address);
    await opened.frame.getByText(/supports neither ERC-721 nor ERC-1155/).waitFor();
  });

  it('keeps what is loaded through a cancel and an error, and goes on', async () => {
    const { explorer } = environment().localnet;
    const opened = await openTransfers(contracts().badge.address, '6');
    await says(opened.status, /^Complete\./);
    explorer.setIntercept(({ body }) => (body.includes('eth_getLogs') ? { kind: 'hang' } : undefined));
    await opened.button('Load transfers again').click();
    await opened.button('Cancel').click();
    await says(opened.status, /^Cancelled\. \d+ transfers?/);
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    explorer.setIntercept(() => ({ kind: 'respond', status: 500, body: '<html>' }));
    await opened.button('Load transfers again').click();
    await says(opened.frame.getByRole('alert'), /failed \(HTTP 500\)/);
    await says(opened.status, /^Stopped by an error\. \d+ transfers?/);
    explorer.setIntercept(undefined);
    await opened.button('Try again').click();
    await says(opened.status, /^Complete\./);
    assert.equal(await opened.frame.getByRole('alert').count(), 0);
  });

  it('says until when it waits for a server that asks for it, and asks at once when told to', async () => {
    const { explorer } = environment().localnet;
    const opened = await openTransfers(contracts().badge.address, '6');
    await says(opened.status, /^Complete\./);
    explorer.setIntercept(({ body }) =>
      body.includes('eth_getLogs')
        ? { kind: 'respond', status: 429, body: '{}', headers: { 'retry-after': '50' } }
        : undefined,
    );
    await opened.button('Load transfers again').click();
    await says(
      opened.status,
      /^Reading the transfers .*… Waiting until [\d:]+\s[AP]M, as the server requests\.$/,
    );
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    await opened.button('Cancel').waitFor();
    await workbench().screenshot('nfts-waiting');
    explorer.setIntercept(undefined);
    await opened.button('Ask now').click();
    await says(opened.status, /^Complete\./);
    await opened.button('Ask now').waitFor({ state: 'detached' });
  });

  it('is moved in and copied from by keyboard alone', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const opened = await openTransfers(contracts().items.address, '1');
    await says(opened.status, /^Complete\./);
    await opened.button('Open transaction in explorer').focus();
    await page.keyboard.press('Tab');
    await focusIsOn(opened, 0, 'kind');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await focusIsOn(opened, 1, 'transaction');
    const transaction = (await opened.cell(1, 'transaction').textContent()) ?? '';
    await page.keyboard.press('Control+C');
    await page.waitForFunction(
      `navigator.clipboard.readText().then((copied) => copied === '${transaction}')`,
    );
    await opened.button('Copy as JSON').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      `navigator.clipboard.readText().then((copied) => copied.includes('"tokenId": "1"') && copied.includes('${transaction}'))`,
    );
  });

  it('shows nothing of the old network after another is selected', async () => {
    const opened = await openTransfers(contracts().badge.address, '6');
    await says(opened.status, /^Complete\./);
    await workbench().updateSettings({ 'chainside.network': 'other' });
    await says(opened.status, /^The transfers of token 6 on Other Network are not loaded\./);
    await opened.frame.getByText('Other Network, chain id 31338').waitFor();
    assert.equal(await opened.frame.getByText('Harbor Badge').count(), 0);
    assert.equal(await opened.frame.locator('.rows [data-row]').count(), 0);
    await opened.button('Load transfers').click();
    await says(opened.status, /^Complete\. .* on Other Network/);
    await workbench().updateSettings({ 'chainside.network': 'explorer' });
    await says(opened.status, /on Test Explorer are not loaded\./);
  });

  it('brings back the question after a reload of the window, not the requests', async () => {
    await says((await openTransfers(contracts().badge.address, '6')).status, /^Complete\./);
    environment().localnet.explorer.forgetRequests();
    const restored = await nftPanelShownBy(workbench(), () => workbench().reloadWindow());
    await says(restored.status, /^The transfers of token 6 on Test Explorer are not loaded\./);
    assert.equal(await restored.tokenId.inputValue(), '6');
    const { requests } = environment().localnet.explorer;
    assert.equal(requests.filter(({ body }) => /eth_(getLogs|call)/.test(body)).length, 0);
    await restored.button('Load transfers').click();
    await says(restored.status, /^Complete\./);
    await restored.button('Show contract').click();
    await restored.frame.getByRole('heading', { name: 'Harbor Badge (BADGE)' }).waitFor();
  });

  leavesNoError(workbench);
});
