import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { nftPanelIn } from '../e2e/support/nftPanel.ts';
import { waitForFocus, waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { useNftPanels } from './support/nftPanels.ts';

describe('NFT panel without a key', () => {
  const { editor, openTransfers, openContract, reload } = useNftPanels(() => {
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
  const selectNetwork = (network: string) => editor().updateSettings({ 'chainside.network': network });
  const requestsFor = (methods: RegExp) =>
    environment().localnet.explorer.requests.filter(({ body }) => methods.test(body)).length;

  afterEach(() => {
    environment().localnet.explorer.setRest({});
    selectNetwork('explorer');
  });

  it('reads single and batch transfers of an ERC-1155 token', async () => {
    const opened = await openTransfers(contracts().items.address, '0x3');
    await waitForText(opened.status, /^Complete\. \d+ transfers of token 3 on Test Explorer/);
    await opened.cell(0, 'amount').filter({ hasText: /^\d+$/ }).waitFor();
    await opened.frame.getByText('ERC-165, ERC-1155').waitFor();
  });

  it('says of a token that its contract does not know that there is none', async () => {
    const opened = await openTransfers(contracts().badge.address, '12');
    await opened.frame.getByText('Token 12. Read from the contract at the latest block.').waitFor();
    await opened.tokenId.fill('4321');
    await opened.tokenId.press('Enter');
    await opened.frame
      .getByText('The contract has no token 4321. It was never minted, or was burned.')
      .waitFor();
    assert.equal(await opened.frame.locator('img').count(), 0);
  });

  it('loads metadata from a host only by a button that names it', async () => {
    const opened = await openTransfers(contracts().items.address, '2');
    await opened.frame.getByText('Token 2. Read from the contract at the latest block.').waitFor();
    await opened.button('Load Metadata from metadata.example.com').waitFor();
    await opened.frame.getByText('This host sees your IP address.').waitFor();
    assert.equal(await opened.frame.locator('img').count(), 0);
  });

  it('asks no host for a button that was pressed when it was no longer there', async () => {
    const opened = await openTransfers(contracts().items.address, '2');
    await opened.button('Load Metadata from metadata.example.com').waitFor();
    const panel = editor().panels[0] ?? assert.fail('No panel is open.');
    const { fetch } = globalThis;
    const hosts: string[] = [];
    globalThis.fetch = async (input, init) => {
      const { host } = new URL(String(input));
      hosts.push(host);
      if (host.endsWith('example.com')) throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    try {
      const title = 'Load Metadata from other.example.com';
      const params = { action: 'metadata', tokenId: '2', title };
      panel.receive({ kind: 'request', id: 'late', method: 'load', params });
      await opened.tokenId.fill('1');
      await opened.tokenId.press('Enter');
      await opened.frame.getByText('Token 1. Read from the contract at the latest block.').waitFor();
      assert.deepEqual(
        hosts.filter((host) => host.endsWith('example.com')),
        [],
      );
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it('has a token from the explorer where no contract can be read, and else offers to set a key', async () => {
    const { explorer } = environment().localnet;
    const error = { code: -32601, message: 'the method eth_call does not exist' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
    explorer.setIntercept((request) =>
      request.body.includes('eth_call') ? { kind: 'respond', status: 200, body } : undefined,
    );
    // Another network, of which nothing is cached.
    selectNetwork('other');
    const opened = await openTransfers(contracts().badge.address, '6');
    await opened.frame.getByText(/^Token 6, from http:/).waitFor();
    await opened.frame.getByText('Harbor Badge #6', { exact: true }).waitFor();
    explorer.setRest({ off: true });
    const withoutToken = await openTransfers(contracts().badge.address, '7');
    await withoutToken.frame
      .getByText(/^Cannot read the token: the endpoint does not support eth_call/)
      .waitFor();
    await withoutToken.button('Set Data API Key…').first().click();
    await waitUntil('the input box of the key is open', () =>
      editor().user.prompts.some((prompt) => prompt.startsWith('Key for http')),
    );
  });

  it('says what is wrong with a token id where it is typed, before any request', async () => {
    const { user } = editor();
    environment().localnet.explorer.forgetRequests();
    user.types.push('0x12', contracts().badge.address, (2n ** 256n).toString());
    await editor().runCommand('chainside.showNftTransfers');
    assert.deepEqual(
      user.prompts.slice(-2).map((prompt) => prompt.replace(/[ ,].*/, '')),
      ['Address', 'Token'],
    );
    const [ofAddress, ofToken, ...others] = user.problems;
    assert.equal(ofAddress, 'Not an address. Write 0x and 40 hex digits.');
    assert.match(ofToken ?? '', /^Not a token ID/);
    assert.deepEqual([others, requestsFor(/eth_(getLogs|call)/)], [[], 0]);

    const opened = await openContract(contracts().badge.address);
    await opened.frame.getByRole('heading', { name: 'Harbor Badge (BADGE)' }).waitFor();
    environment().localnet.explorer.forgetRequests();
    await opened.tokenId.fill('six');
    await opened.button('Load Transfers').click();
    await opened.frame.getByText(/^Not a token ID/).waitFor();
    assert.equal(await opened.tokenId.getAttribute('aria-invalid'), 'true');
    assert.equal(await opened.frame.locator('[aria-invalid=true]:focus').count(), 1);
    assert.equal(requestsFor(/eth_getLogs/), 0);
  });

  it('says of an address that is no NFT contract that it is none', async () => {
    const opened = await openContract(contracts().usd.address);
    await opened.frame.getByText(/reports neither ERC-721 nor ERC-1155/).waitFor();
  });

  it('keeps what is loaded through a cancel and an error, and goes on', async () => {
    const { explorer } = environment().localnet;
    const opened = await openTransfers(contracts().badge.address, '6');
    await waitForText(opened.status, /^Complete\./);
    explorer.setIntercept(({ body }) => (body.includes('eth_getLogs') ? { kind: 'hang' } : undefined));
    await opened.button('Reload Transfers').click();
    await opened.button('Cancel').click();
    await waitForText(opened.status, /^Cancelled\. \d+ transfers?/);
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    explorer.setIntercept(() => ({ kind: 'respond', status: 404, body: '<html>' }));
    await opened.button('Reload Transfers').click();
    await waitForText(opened.frame.getByRole('alert'), /not found \(HTTP 404\)/);
    await waitForText(opened.status, /^Stopped by an error\. \d+ transfers?/);
    explorer.setIntercept(undefined);
    await opened.button('Retry').click();
    await waitForText(opened.status, /^Complete\./);
    assert.equal(await opened.frame.getByRole('alert').count(), 0);
  });

  it('says until when it waits for a server that asks for it, and asks at once when told to', async () => {
    const { explorer } = environment().localnet;
    const opened = await openTransfers(contracts().badge.address, '6');
    await waitForText(opened.status, /^Complete\./);
    explorer.setIntercept(({ body }) =>
      body.includes('eth_getLogs')
        ? { kind: 'respond', status: 429, body: '{}', headers: { 'retry-after': '50' } }
        : undefined,
    );
    await opened.button('Reload Transfers').click();
    await waitForText(
      opened.status,
      /^Reading the transfers .*… The server requested a pause\. Retrying at [\d:]+\.$/,
    );
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    await opened.button('Cancel').waitFor();
    explorer.setIntercept(undefined);
    await opened.button('Retry Now').click();
    await waitForText(opened.status, /^Complete\./);
    await opened.button('Retry Now').waitFor({ state: 'detached' });
  });

  it('is moved in and copied from by keyboard alone', async () => {
    const opened = await openTransfers(contracts().items.address, '1');
    const { keyboard } = opened.page;
    const clipboardHas = (...texts: readonly string[]) =>
      waitUntil(`the clipboard has ${texts.join(' and ')}`, () =>
        texts.every((text) => editor().clipboard.includes(text)),
      );
    await waitForText(opened.status, /^Complete\./);
    await opened.button('Open Transaction in Explorer').focus();
    await keyboard.press('Tab');
    await waitForFocus(opened, 0, 'kind');
    await keyboard.press('ArrowDown');
    await keyboard.press('End');
    await waitForFocus(opened, 1, 'transaction');
    const transaction = (await opened.cell(1, 'transaction').textContent()) ?? '';
    await keyboard.press('Control+C');
    await clipboardHas(transaction);
    assert.equal(editor().clipboard, transaction);
    await opened.button('Copy as JSON').focus();
    await keyboard.press('Enter');
    await clipboardHas('"tokenId": "1"', transaction);
  });

  it('shows nothing of the old network after another is selected', async () => {
    const opened = await openTransfers(contracts().badge.address, '6');
    await waitForText(opened.status, /^Complete\./);
    selectNetwork('other');
    await waitForText(opened.status, /^The transfers of token 6 on Other Network are not loaded\./);
    await opened.frame.getByText('Other Network, chain ID 31338').waitFor();
    assert.equal(await opened.frame.getByText('Harbor Badge').count(), 0);
    assert.equal(await opened.frame.locator('.rows [data-row]').count(), 0);
    await opened.button('Load Transfers').click();
    await waitForText(opened.status, /^Complete\. .* on Other Network/);
    selectNetwork('explorer');
    await waitForText(opened.status, /on Test Explorer are not loaded\./);
  });

  it('brings back contract and token after a reload of the window, not the requests', async () => {
    const opened = await openTransfers(contracts().badge.address, '6');
    await waitForText(opened.status, /^Complete\./);
    await waitUntil('the page has stored its token', () =>
      JSON.stringify(editor().panels[0]?.state ?? '').includes('"6"'),
    );
    environment().localnet.explorer.forgetRequests();
    const restored = nftPanelIn(await reload(opened.page));
    await waitForText(restored.status, /^The transfers of token 6 on Test Explorer are not loaded\./);
    assert.equal(await restored.tokenId.inputValue(), '6');
    assert.equal(requestsFor(/eth_(getLogs|call)/), 0);
    await restored.button('Load Transfers').click();
    await waitForText(restored.status, /^Complete\./);
    await restored.button('Show Contract').click();
    await restored.frame.getByRole('heading', { name: 'Harbor Badge (BADGE)' }).waitFor();
  });
});
