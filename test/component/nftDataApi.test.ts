import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { waitForFocus, waitForText } from '../e2e/support/panel.ts';
import { NFT_TRANSFER_TOPIC0, nftTransfersOnNode } from '../support/nftTransfersOnNode.ts';
import { environment } from './support/environment.ts';
import { useNftPanels } from './support/nftPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

describe('NFT panel with a key', () => {
  const { editor, openTransfers, openContract, panelShownBy } = useNftPanels(() => {
    const { rpcUrl, dataApi } = environment().localnet;
    const network = { name: 'Test Explorer', chainId: 31337, rpcUrl, dataApiUrl: dataApi.url };
    const key = [`apiKey:${new URL(dataApi.url).origin}`, dataApi.keys.classic] as const;
    return {
      settings: { 'chainside.network': 'explorer', 'chainside.networks': { explorer: network } },
      storage: { global: new Map(), workspace: new Map(), secrets: new Map([key]) },
    };
  });
  const dataApi = () => environment().localnet.dataApi;
  const contracts = () => environment().localnet.chain.contracts;

  afterEach(() => dataApi().setIntercept(undefined));

  /** A response of the data API with one transfer of token 5 in each of `count` blocks. */
  function longHistory(contract: string, count: number): string {
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
    const transactions = Array.from({ length: count }, (_, index) => ({
      ...{ block_height: index + 1, tx_hash: word(index + 1), successful: true },
      log_events: [
        {
          ...{ sender_address: contract, log_offset: 0, raw_log_data: null },
          raw_log_topics: [NFT_TRANSFER_TOPIC0, word(1), word(2), word(5)],
        },
      ],
    }));
    const item = { contract_address: contract, supports_erc: ['erc721'], nft_transactions: transactions };
    return JSON.stringify({ data: { items: [item] }, error: false });
  }

  it('tells the price in the box where the token is asked for, then reads the data API', async () => {
    const truth = await nftTransfersOnNode(environment().localnet, contracts().badge.address, 6n);
    const opened = await openTransfers(contracts().badge.address, '6');
    assert.match(editor().user.prompts.at(-1) ?? '', /It costs 0\.1 credits of your key for each entry/);
    await waitForText(
      opened.status,
      new RegExp(`^${truth.length} transfers? of token 6 on Test Explorer from the data API, as of `),
    );
    for (const [row, { transactionHash }] of truth.entries()) {
      await opened.cell(row, 'transaction').filter({ hasText: transactionHash }).waitFor();
      await opened
        .cell(row, 'time')
        .filter({ hasText: /\d:\d\d/ })
        .waitFor();
    }
  });

  it('asks nothing that costs credits before its price stands beside the button', async () => {
    dataApi().forgetRequests();
    const opened = await openContract(contracts().items.address);
    await opened.frame.getByText('ERC-165, ERC-1155').waitFor();
    await opened.frame.getByText(/It costs 0\.1 credits of your key for each entry/).waitFor();
    await opened.tokenId.fill('2');
    assert.equal(dataApi().requestCount, 0);
    await opened.button('Load Transfers').click();
    await waitForText(opened.status, /^\d+ transfers of token 2 on Test Explorer from the data API/);
    await opened.button('Read Logs Instead').click();
    await waitForText(opened.status, /^Complete\. \d+ transfers of token 2 .* because you chose the logs\.$/);
  });

  it('opens from a token of the Addresses view, with the price beside the button', async () => {
    const row = { contract: contracts().badge.address, tokenId: 6n };
    const opened = await panelShownBy(() => editor().runCommand('chainside.showNftTransfers', row, [row]));
    await waitForText(opened.status, /^The transfers of token 6 on Test Explorer are not loaded/);
    assert.equal(await opened.tokenId.inputValue(), '6');
    await opened.frame.getByText(/It costs 0\.1 credits of your key for each entry/).waitFor();
    await opened.button('Load Transfers').click();
    await waitForText(opened.status, /^\d+ transfers? of token 6 on Test Explorer from the data API/);
  });

  it('shows metadata when it is asked for, with the picture that is in it', async () => {
    const opened = await openContract(contracts().badge.address);
    await opened.tokenId.fill('7');
    await opened.button('Show Metadata').click();
    await opened.frame.getByText('A token of the local network.').waitFor();
    await opened.frame.getByText('Token 7, from the data API.').waitFor();
    const picture = opened.frame.getByRole('img', { name: 'Picture of token 7' });
    await picture.waitFor();
    assert.ok(((await picture.boundingBox())?.height ?? 0) > 20, 'The picture is not drawn.');
  });

  it('does what its buttons do by the commands in the title of the editor', async () => {
    const run = async (id: string, isOffered: string) => {
      const { contextKeys } = editor();
      await waitUntil(`${id} is in the title`, () => contextKeys.get(`chainside.nfts.${isOffered}`) === true);
      await editor().runCommand(`chainside.nfts.${id}`);
    };
    const opened = await openContract(contracts().badge.address);
    await opened.tokenId.fill('7');
    await run('loadToken', 'canLoadToken');
    await opened.frame.getByText('Token 7, from the data API.').waitFor();
    await opened.frame.getByRole('img', { name: 'Picture of token 7' }).waitFor();
    await run('loadTransfers', 'canLoadTransfers');
    await waitForText(opened.status, /of token 7 on Test Explorer/);
  });

  it('asks which gateway a picture on IPFS is to come through', async () => {
    const { user } = editor();
    const opened = await openContract(contracts().items.address);
    await opened.tokenId.fill('1');
    await opened.button('Show Metadata').click();
    await opened.frame.getByText('The file is on IPFS. You choose a gateway first.').waitFor();
    user.picks.push('Another…');
    user.types.push('http://127.0.0.1/');
    await opened.button('Show Picture').click();
    await waitUntil('a gateway is refused', () => user.problems.length > 0);
    assert.ok(user.lists.at(-1)?.labels.includes('https://ipfs.io'));
    assert.match(user.prompts.at(-1) ?? '', /^HTTPS URL of the gateway/);
    assert.match(user.problems[0] ?? '', /^Not a gateway/);
    await opened.button('Show Picture').waitFor();
  });

  it('reads the contract instead, which takes no key', async () => {
    const opened = await openContract(contracts().badge.address);
    await opened.tokenId.fill('7');
    dataApi().forgetRequests();
    await opened.button('Read from Contract').click();
    await opened.frame.getByText('Token 7. Read from the contract at the latest block.').waitFor();
    await opened.frame.getByRole('img', { name: 'Picture of token 7' }).waitFor();
    assert.equal(dataApi().requestCount, 0);
  });

  it('turns to another token, and says of one that it is not known', async () => {
    const opened = await openContract(contracts().badge.address);
    await opened.tokenId.fill('7');
    await opened.button('Show Metadata').click();
    await opened.frame.getByText('Harbor Badge #7').waitFor();
    await opened.tokenId.fill('123456');
    await opened.button('Show Metadata').click();
    await opened.frame.getByText('Token 123456 is not indexed by the data API. Check the network.').waitFor();
    assert.equal(await opened.frame.getByText('Harbor Badge #7').count(), 0);
  });

  it('goes from end to end of a history of 50,000 transfers', async () => {
    const { address } = contracts().badge;
    dataApi().setIntercept(() => ({ kind: 'respond', status: 200, body: longHistory(address, 50_000) }));
    const opened = await openTransfers(address, '5');
    await waitForText(opened.status, /^50,000 transfers of token 5/);
    await opened.cell(0, 'block').filter({ hasText: '50000' }).waitFor();
    await opened.cell(0, 'block').click();
    await opened.page.keyboard.press('Control+End');
    await opened.cell(49_999, 'transaction').filter({ hasText: '0x' }).waitFor();
    await opened.page.keyboard.press('Control+Home');
    await waitForFocus(opened, 0, 'kind');
  });

  it('says that the credits are used up, and goes on by logs', async () => {
    dataApi().setIntercept(() => ({ kind: 'respond', status: 402, body: '{}' }));
    const opened = await openContract(contracts().badge.address);
    await opened.tokenId.fill('8');
    await opened.button('Load Transfers').click();
    await waitForText(opened.frame.getByRole('alert'), /the credits of the key are used up/);
    await opened.frame.getByRole('alert').getByRole('button', { name: 'Set Data API Key…' }).waitFor();
    await opened.button('Read Logs Instead').click();
    await waitForText(opened.status, /^Complete\. \d+ transfers? of token 8/);
  });

  it('is readable by everyone in every theme', async () => {
    const opened = await openTransfers(contracts().items.address, '3');
    await waitForText(opened.status, /^\d+ transfers/);
    await opened.button('Show Metadata').click();
    await opened.frame.getByText('A token of the local network.').waitFor();
    await opened.cell(1, 'to').click();
    await opened.tokenId.fill('x');
    await opened.button('Reload Transfers').click();
    await opened.frame.getByText(/^Not a token ID/).waitFor();
    await isReadableInEveryTheme(opened.page, 'nfts');
  });

  it('asks the explorer where the data API has retired the route, and says so', async () => {
    dataApi().setIntercept(() => ({ kind: 'respond', status: 404, body: '404 page not found' }));
    const opened = await openTransfers(contracts().badge.address, '9');
    await waitForText(opened.status, /^\d+ transfers? of token 9 on Test Explorer from http:/);
    const transfers = opened.frame.getByRole('region', { name: 'Transfers' });
    await transfers.getByText(/^From http:/).waitFor();
    assert.equal(await transfers.getByText(/^From the data API\. /).count(), 0, 'it is offered no more');
  });
});
