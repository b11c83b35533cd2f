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
  });
});
