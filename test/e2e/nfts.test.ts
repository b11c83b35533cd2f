import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { accessibilityFindings } from './support/accessibility.ts';
import { environment } from './support/environment.ts';
import { useWorkbench } from './support/workbench.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const columns = ['time', 'block', 'from', 'to', 'amount', 'transaction'] as const;
type Column = (typeof columns)[number];

/** An NFT panel as a person sees it. */
interface Panel {
  readonly frame: FrameLocator;
  readonly status: Locator;
  readonly grid: Locator;
  readonly tokenId: Locator;
  button(name: string): Locator;
  cell(row: number, column: Column): Locator;
}

describe('NFT panel', () => {
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

  afterEach(async () => {
    environment().localnet.explorer.setIntercept(undefined);
    environment().localnet.dataApi.setIntercept(undefined);
    await workbench().runCommand('View: Close All Editors');
  });

  function panel(): Panel {
    const frame = workbench().page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    return {
      frame,
      status: frame.getByRole('status'),
      grid: frame.getByRole('grid', { name: 'Transfers' }),
      tokenId: frame.getByLabel('Token id', { exact: true }),
      button: (name) => frame.getByRole('button', { name, exact: true }),
      cell: (row, column) =>
        frame.locator(`[data-row="${row}"]`).getByRole('gridcell').nth(columns.indexOf(column)),
    };
  }

  /** Types into the input box that is open with this prompt. */
  async function type(prompt: RegExp, text: string): Promise<void> {
    await workbench().page.locator('.quick-input-widget').getByText(prompt).waitFor();
    await workbench().page.keyboard.type(text);
    await workbench().page.keyboard.press('Enter');
  }

  async function openTransfers(contract: string, tokenId: string): Promise<Panel> {
    await workbench().runCommand('Chainside: Show NFT Transfers…');
    await type(/^Address of an NFT contract/, contract);
    await type(/^Token id, decimal/, tokenId);
    return panel();
  }

  async function openContract(contract: string): Promise<Panel> {
    await workbench().runCommand('Chainside: Show NFT Contract…');
    await type(/^Address of an NFT contract/, contract);
    return panel();
  }

  async function says(element: Locator, words: RegExp): Promise<void> {
    await element.filter({ hasText: words }).waitFor({ timeout: 25_000 });
  }

  async function setKey(key: string): Promise<void> {
    await workbench().runCommand('Chainside: Set Data API Key…');
    await type(/^Key for http/, key);
    await workbench().page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  async function focusIsOn(opened: Panel, row: number, column: Column): Promise<void> {
    await opened.cell(row, column).and(opened.frame.locator(':focus')).waitFor();
  }

  /** Transfers of an ERC-721 token as the node itself tells them, newest first. */
  async function truthOf(contract: string, tokenId: bigint) {
    const topic3 = `0x${tokenId.toString(16).padStart(64, '0')}`;
    const filter = { address: contract, topics: [TRANSFER, null, null, topic3], fromBlock: '0x0' };
    const logs = (await environment().localnet.node.call('eth_getLogs', [filter])) as {
      blockNumber: string;
      transactionHash: string;
    }[];
    return logs.reverse();
  }

  /** An answer of the data API with one transfer of token 5 in each of `count` blocks. */
  function longHistory(contract: string, count: number): string {
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
    const transactions = Array.from({ length: count }, (_, index) => ({
      ...{ block_height: index + 1, tx_hash: word(index + 1), successful: true },
      log_events: [
        {
          ...{ sender_address: contract, log_offset: 0, raw_log_data: null },
          raw_log_topics: [TRANSFER, word(1), word(2), word(5)],
        },
      ],
    }));
    const item = { contract_address: contract, supports_erc: ['erc721'], nft_transactions: transactions };
    return JSON.stringify({ data: { items: [item] }, error: false });
  }

  describe('without a key', () => {
    it('reads the history of an ERC-721 token out of logs, and says so', async () => {
      const { address } = contracts().badge;
      const truth = await truthOf(address, 6n);
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
        await opened.cell(row, 'time').filter({ hasText: 'not told' }).waitFor();
      }
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

    it('offers to set a key where metadata needs one', async () => {
      const opened = await openContract(contracts().badge.address);
      await opened.frame.getByText('Metadata comes from the data API, which asks for a key.').waitFor();
      await opened.button('Set Data API Key…').click();
      await workbench()
        .page.locator('.quick-input-widget')
        .getByText(/^Key for http/)
        .waitFor();
      await workbench().page.keyboard.press('Escape');
    });

    it('tells bad input where it is typed, before any request', async () => {
      const { explorer } = environment().localnet;
      const box = workbench().page.locator('.quick-input-widget');
      await workbench().runCommand('Chainside: Show NFT Transfers…');
      await box.getByText(/^Address of an NFT contract/).waitFor();
      explorer.forgetRequests();
      await workbench().page.keyboard.type('0x12');
      await box.getByText('Not an address: it takes 0x and 40 hex digits.').waitFor();
      await workbench().page.keyboard.press('Control+A');
      await workbench().page.keyboard.type(contracts().badge.address);
      await workbench().page.keyboard.press('Enter');
      await box.getByText(/^Token id, decimal/).waitFor();
      await workbench().page.keyboard.type((2n ** 256n).toString());
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
      await opened.frame.getByText(/does not claim ERC-721 or ERC-1155/).waitFor();
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

    it('is moved in and copied from by keyboard alone', async () => {
      const { page } = workbench();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const opened = await openTransfers(contracts().items.address, '1');
      await says(opened.status, /^Complete\./);
      await opened.button('Open transaction in explorer').focus();
      await page.keyboard.press('Tab');
      await focusIsOn(opened, 0, 'time');
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
      const loaded = workbench().page.waitForEvent('load');
      await workbench().runCommand('Developer: Reload Window');
      await loaded;
      await says(panel().status, /^The transfers of token 6 on Test Explorer are not loaded\./);
      assert.equal(await panel().tokenId.inputValue(), '6');
      const { requests } = environment().localnet.explorer;
      assert.equal(requests.filter(({ body }) => /eth_(getLogs|call)/.test(body)).length, 0);
      await panel().button('Load transfers').click();
      await says(panel().status, /^Complete\./);
      await panel().button('Show contract').click();
      await panel().frame.getByRole('heading', { name: 'Harbor Badge (BADGE)' }).waitFor();
    });
  });

  describe('with a key', () => {
    const dataApi = () => environment().localnet.dataApi;
    before(() => setKey(dataApi().keys.classic));

    it('tells the price in the box where the token is asked for, then reads the data API', async () => {
      const truth = await truthOf(contracts().badge.address, 6n);
      await workbench().runCommand('Chainside: Show NFT Transfers…');
      await type(/^Address of an NFT contract/, contracts().badge.address);
      await type(/It costs 0\.1 credits of your key for each entry/, '6');
      const opened = panel();
      await says(
        opened.status,
        new RegExp(`^${truth.length} transfers? of token 6 on Test Explorer from the data API, as of `),
      );
      for (const [row, { transactionHash }] of truth.entries()) {
        await opened.cell(row, 'transaction').filter({ hasText: transactionHash }).waitFor();
        await opened
          .cell(row, 'time')
          .filter({ hasText: /\d:\d\d:\d\d/ })
          .waitFor();
      }
      await workbench().screenshot('nfts-erc721-data-api');
    });

    it('asks nothing that costs credits before its price stands beside the button', async () => {
      dataApi().forgetRequests();
      const opened = await openContract(contracts().items.address);
      await opened.frame.getByText('ERC-165, ERC-1155').waitFor();
      await opened.frame.getByText(/It costs 0\.1 credits of your key for each entry/).waitFor();
      await opened.tokenId.fill('2');
      assert.equal(dataApi().requestCount, 0);
      await opened.button('Load transfers').click();
      await says(opened.status, /^\d+ transfers of token 2 on Test Explorer from the data API/);
      await opened.button('Read logs instead').click();
      await says(opened.status, /^Complete\. \d+ transfers of token 2 .* because you chose them\.$/);
    });

    it('opens from a token of the Addresses view, with the price beside the button', async () => {
      const { page } = workbench();
      const row = (name: RegExp) => page.getByRole('treeitem', { name }).first();
      await workbench().openView('Chainside');
      await workbench().runCommand('Chainside: Look Up Address…');
      await type(/^Address of an account/, environment().localnet.chain.accounts.alice);
      await row(/^NFT Collections/).click();
      await row(/ERC-1155/).click();
      const token = row(/^#\d+/);
      const tokenId = /^#(\d+)/.exec((await token.getAttribute('aria-label')) ?? '')?.[1];
      await token.click({ button: 'right' });
      const entry = page.getByRole('menuitem', { name: 'Show NFT Transfers…', exact: true });
      await entry.hover();
      await page.waitForTimeout(500);
      await entry.click();
      const opened = panel();
      await says(
        opened.status,
        new RegExp(`^The transfers of token ${tokenId} on Test Explorer are not loaded`),
      );
      assert.equal(await opened.tokenId.inputValue(), tokenId);
      await opened.frame.getByText(/It costs 0\.1 credits of your key for each entry/).waitFor();
      await opened.button('Load transfers').click();
      await says(
        opened.status,
        new RegExp(`^\\d+ transfers? of token ${tokenId} on Test Explorer from the data API`),
      );
    });

    it('shows metadata and picture, each when it is asked for', async () => {
      const opened = await openContract(contracts().badge.address);
      await opened.tokenId.fill('7');
      await opened.button('Show metadata').click();
      await opened.frame.getByText('A token of the local network.').waitFor();
      await opened.frame.getByText('Token 7, by the word of the data API.').waitFor();
      await opened.frame.getByText('It came with the metadata: nobody is asked.').waitFor();
      assert.equal(await opened.frame.locator('img').count(), 0);
      await opened.button('Show picture').click();
      const picture = opened.frame.getByRole('img', { name: 'Picture of token 7' });
      await picture.waitFor();
      assert.ok(((await picture.boundingBox())?.height ?? 0) > 20, 'The picture is not drawn.');
      await workbench().screenshot('nfts-picture');
    });

    it('asks which gateway a picture on IPFS is to come through', async () => {
      const opened = await openContract(contracts().items.address);
      await opened.tokenId.fill('1');
      await opened.button('Show metadata').click();
      await opened.frame.getByText('It is on IPFS: you choose a gateway first.').waitFor();
      await opened.button('Show picture').click();
      await workbench().quickPickRow('https://ipfs.io').waitFor();
      await workbench().quickPickRow('Another…').click();
      const box = workbench().page.locator('.quick-input-widget');
      await box.getByText(/^The https address that/).waitFor();
      await workbench().page.keyboard.type('http://127.0.0.1/');
      await box.getByText(/^Not a gateway/).waitFor();
      await workbench().page.keyboard.press('Escape');
      await opened.button('Show picture').waitFor();
    });

    it('turns to another token, and says of one that it is not known', async () => {
      const opened = await openContract(contracts().badge.address);
      await opened.tokenId.fill('7');
      await opened.button('Show metadata').click();
      await opened.frame.getByText('Harbor Badge #7').waitFor();
      await opened.tokenId.fill('123456');
      await opened.button('Show metadata').click();
      await opened.frame.getByText('The data API knows no token 123456 of this contract.').waitFor();
      assert.equal(await opened.frame.getByText('Harbor Badge #7').count(), 0);
    });

    it('goes from end to end of a history of 50,000 transfers', async () => {
      const { address } = contracts().badge;
      dataApi().setIntercept(() => ({ kind: 'respond', status: 200, body: longHistory(address, 50_000) }));
      const opened = await openTransfers(address, '5');
      await says(opened.status, /^50,000 transfers of token 5/);
      await opened.cell(0, 'block').filter({ hasText: '50000' }).waitFor();
      await opened.cell(0, 'block').click();
      await workbench().page.keyboard.press('Control+End');
      await opened.cell(49_999, 'transaction').filter({ hasText: '0x' }).waitFor();
      await workbench().page.keyboard.press('Control+Home');
      await focusIsOn(opened, 0, 'time');
    });

    it('says that the credits are used up, and goes on by logs', async () => {
      dataApi().setIntercept(() => ({ kind: 'respond', status: 402, body: '{}' }));
      const opened = await openContract(contracts().badge.address);
      await opened.tokenId.fill('8');
      await opened.button('Load transfers').click();
      await says(opened.frame.getByRole('alert'), /the credits of the key are used up/);
      await opened.frame.getByRole('alert').getByRole('button', { name: 'Set Data API Key…' }).waitFor();
      await opened.button('Read logs instead').click();
      await says(opened.status, /^Complete\. \d+ transfers? of token 8/);
    });

    it('reads logs where the data API has retired the route, and says so', async () => {
      dataApi().setIntercept(() => ({ kind: 'respond', status: 404, body: '404 page not found' }));
      const opened = await openTransfers(contracts().badge.address, '9');
      await says(opened.status, /^Complete\. .*, because the data API does not serve this\.$/);
    });

    for (const theme of Object.keys(themes) as Theme[]) {
      it(`is readable by everyone in the theme ${theme}`, async () => {
        await workbench().setTheme(theme);
        const opened = await openTransfers(contracts().items.address, '3');
        await says(opened.status, /^\d+ transfers/);
        await opened.button('Show metadata').click();
        await opened.frame.getByText('A token of the local network.').waitFor();
        await opened.cell(1, 'to').click();
        await opened.tokenId.fill('x');
        await opened.button('Load transfers again').click();
        await opened.frame.getByText(/^Not a token id/).waitFor();
        await workbench().screenshot(`nfts-${theme}`);
        assert.deepEqual(await accessibilityFindings(opened.frame), []);
      });
    }
  });

  describe('after all of it', () => {
    it('leaves no error in the console', () => {
      assert.deepEqual(
        workbench().errors.filter((error) => /webview|chainside|Content Security Policy/i.test(error)),
        [],
      );
    });
  });
});
