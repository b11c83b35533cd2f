import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { useNftPanels } from './support/nftPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

describe('NFT panel with a key', () => {
  const { editor, openTransfers, openContract } = useNftPanels(() => {
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

  it('shows metadata and a picture by its buttons, and by the commands in the title of the editor', async () => {
    const run = async (id: string, isOffered: string) => {
      const { contextKeys } = editor();
      await waitUntil(`${id} is in the title`, () => contextKeys.get(`chainside.nfts.${isOffered}`) === true);
      await editor().runCommand(`chainside.nfts.${id}`);
    };
    const opened = await openContract(contracts().badge.address);
    await opened.tokenId.fill('7');
    dataApi().forgetRequests();
    await opened.button('Read from Contract').click();
    await opened.frame.getByText('Token 7. Read from the contract at the latest block.').waitFor();
    const picture = opened.frame.getByRole('img', { name: 'Picture of token 7' });
    await picture.waitFor();
    assert.ok(((await picture.boundingBox())?.height ?? 0) > 20, 'The picture is not drawn.');
    assert.equal(dataApi().requestCount, 0);

    await opened.tokenId.fill('123456');
    await opened.button('Show Metadata').click();
    await opened.frame.getByText('Token 123456 is not indexed by the data API. Check the network.').waitFor();
    assert.equal(await opened.frame.getByText('Harbor Badge #7').count(), 0);
    await opened.tokenId.fill('7');
    await run('loadToken', 'canLoadToken');
    await opened.frame.getByText('Token 7, from the data API.').waitFor();
    await opened.frame.getByText('A token of the local network.').waitFor();
    await picture.waitFor();
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

  it('is readable by everyone in every theme', async () => {
    const opened = await openTransfers(contracts().items.address, '3');
    await waitForText(opened.status, /^\d+ transfers/);
    await opened.button('Show Metadata').click();
    await opened.frame.getByText('A token of the local network.').waitFor();
    await opened.cell(1, 'to').click();
    await opened.tokenId.fill('x');
    await opened.button('Reload Transfers').click();
    await opened.frame.getByText(/^Not a token ID/).waitFor();
    assert.equal(await opened.tokenId.getAttribute('aria-invalid'), 'true');
    assert.equal(await opened.frame.locator('[aria-invalid=true]:focus').count(), 1);
    await isReadableInEveryTheme(opened.page, 'nfts');
  });
});
