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
        },
      },
    };
  });
  const contracts = () => environment().localnet.chain.contracts;
  const requestsFor = (methods: RegExp) =>
    environment().localnet.explorer.requests.filter(({ body }) => methods.test(body)).length;

  it('names the host that a button would ask, and asks none once the button is no longer there', async () => {
    const opened = await openTransfers(contracts().items.address, '2');
    await opened.button('Load Metadata from metadata.example.com').waitFor();
    await opened.frame.getByText('This host sees your IP address.').waitFor();
    assert.equal(await opened.frame.locator('img').count(), 0);
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

  it('keeps what is loaded through a wait, a cancel and an error, and goes on', async () => {
    const { explorer } = environment().localnet;
    const opened = await openTransfers(contracts().badge.address, '6');
    await waitForText(opened.status, /^Complete\./);
    const refusal = { kind: 'respond', status: 429, body: '{}', headers: { 'retry-after': '50' } } as const;
    explorer.setIntercept(({ body }) => (body.includes('eth_getLogs') ? refusal : undefined));
    await opened.button('Reload Transfers').click();
    await waitForText(
      opened.status,
      /^Reading the transfers .*… The server requested a pause\. Retrying at [\d:]+\.$/,
    );
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    explorer.setIntercept(({ body }) => (body.includes('eth_getLogs') ? { kind: 'hang' } : undefined));
    await opened.button('Retry Now').click();
    await opened.button('Cancel').click();
    await waitForText(opened.status, /^Cancelled\. \d+ transfers?/);
    explorer.setIntercept(() => ({ kind: 'respond', status: 404, body: '<html>' }));
    await opened.button('Reload Transfers').click();
    await waitForText(opened.frame.getByRole('alert'), /not found \(HTTP 404\)/);
    await waitForText(opened.status, /^Stopped by an error\. \d+ transfers?/);
    explorer.setIntercept(undefined);
    await opened.button('Retry').click();
    await waitForText(opened.status, /^Complete\./);
    assert.equal(await opened.frame.getByRole('alert').count(), 0);
  });

  it('says of an address that is no NFT contract that it is none, and at the prompt what is no token id', async () => {
    const { user } = editor();
    environment().localnet.explorer.forgetRequests();
    user.types.push('0x12', contracts().badge.address, (2n ** 256n).toString());
    await editor().runCommand('chainside.showNftTransfers');
    assert.deepEqual(
      user.problems.map((problem) => problem.replace(/[.:] .*/s, '')),
      ['Not an address', 'Not a token ID'],
    );
    assert.equal(requestsFor(/eth_(getLogs|call)/), 0);
    const opened = await openContract(contracts().usd.address);
    await opened.frame.getByText(/reports neither ERC-721 nor ERC-1155/).waitFor();
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
