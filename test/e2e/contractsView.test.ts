import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { environment } from './support/environment.ts';
import { isReadable } from './support/themeLook.ts';
import { useWorkbench } from './support/workbench.ts';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract HarborDollar {
    event Transfer(address indexed from, address indexed to, uint256 value);
}
`;

describe('Contracts view', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, anvilUrl } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl, symbol: 'ETH' },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl, symbol: 'NODE' },
        },
      },
      fillFolder: writeProject,
    };
  });
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });

  /** A project of Foundry as forge leaves it, with the addresses of the local network. */
  async function writeProject(folder: string): Promise<void> {
    const { contracts, accounts } = environment().localnet.chain;
    const abi = [
      {
        ...{ type: 'event', name: 'Transfer', anonymous: false },
        inputs: [
          { name: 'from', type: 'address', indexed: true },
          { name: 'to', type: 'address', indexed: true },
          { name: 'value', type: 'uint256', indexed: false },
        ],
      },
    ];
    const artifact = (name: string, path: string) => ({
      abi,
      bytecode: { object: '0x6001' },
      metadata: { settings: { compilationTarget: { [path]: name } } },
    });
    const run = (address: string, chain: number, block: number) => ({
      transactions: [
        {
          ...{ hash: `0x${'12'.repeat(32)}`, transactionType: 'CREATE', contractName: 'HarborDollar' },
          contractAddress: address,
        },
      ],
      receipts: [
        {
          ...{
            status: '0x1',
            transactionHash: `0x${'12'.repeat(32)}`,
            blockNumber: `0x${block.toString(16)}`,
          },
          contractAddress: address,
        },
      ],
      ...{ chain, commit: 'abcdef0', timestamp: 1_750_000_000 },
    });
    const files: Readonly<Record<string, string | object>> = {
      'foundry.toml': `[profile.default]\nsrc = "src"\nout = "out"\n\n[labels]\n${accounts.bob} = "Bob"\n`,
      'src/HarborDollar.sol': SOURCE,
      'src/Pay.sol': `address constant TOKEN = ${contracts.usd.address};\naddress constant TREASURY = ${accounts.alice};\n`,
      'out/HarborDollar.sol/HarborDollar.json': artifact('HarborDollar', 'src/HarborDollar.sol'),
      'out/IHarbor.sol/IHarbor.json': artifact('IHarbor', 'src/interfaces/IHarbor.sol'),
      'broadcast/Deploy.s.sol/31337/run-latest.json': run(contracts.usd.address, 31337, 1),
      'broadcast/Deploy.s.sol/11155111/run-latest.json': run(`0x${'5e'.repeat(20)}`, 11155111, 7654321),
      '.chainside/labels.json': { labels: [{ address: accounts.alice, name: 'Treasury' }] },
    };
    for (const [path, content] of Object.entries(files)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
    }
  }

  it('leads from a contract to its deployments, and to the logs of an event', async () => {
    const { page } = workbench();
    await workbench().openView('Chainside');
    await row(/^HarborDollar, 2 deployments · src\/HarborDollar\.sol$/).click();
    await row(/^Test Explorer, 0x.{4}….{4} · block 1 · abcdef0$/).waitFor();
    await row(/^Ethereum Sepolia, 0x5e5E…5e5e · block 7,654,321/i).waitFor();
    await row(/^More, \d+$/).waitFor();
    await workbench().screenshot('contracts-dark');
    const deployment = row(/^Test Explorer, 0x/);
    const question = page.locator('.quick-input-widget').getByPlaceholder('Choose an event');
    await driver.chooseEntry(page, { target: deployment, name: 'Query Logs of Event…', done: question });
    await workbench().screenshot('contracts-events');
    const log = await workbench().webviewShownBy(() => workbench().quickPickRow('Transfer').click());
    await log
      .getByText(/Complete|logs/)
      .first()
      .waitFor();
    await workbench().screenshot('contracts-logs');
  });

  it('names addresses in a hover, with a way to the source', async () => {
    const { page } = workbench();
    await workbench().openFile('src/Pay.sol');
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      const hover = await hoverOn(environment().localnet.chain.contracts.usd.address);
      await hover.getByText('Deployed by Deploy.s.sol · block 1 · commit abcdef0').waitFor();
      // At the first look what it holds; from then on what it is.
      await hover
        .getByText(/^[\d,.]+ ETH$|^\s*ERC-20 token contract · Harbor Dollar · HUSD · 6 decimals/)
        .first()
        .waitFor();
      await workbench().screenshot(`contracts-hover-${theme}`);
    }
    await page.locator('.monaco-hover:visible').getByRole('link', { name: 'Source' }).click();
    await page.getByRole('tab', { name: /^HarborDollar\.sol/ }).waitFor();
  });

  it('offers in the open hover, once an address is watched, to stop that', async () => {
    await workbench().openFile('src/Pay.sol');
    const hover = await hoverOn(environment().localnet.chain.accounts.alice);
    const link = (name: string) => hover.getByRole('link', { name, exact: true });
    await link('Watch').click();
    await link('Stop Watching').waitFor();
    await workbench().screenshot('hover-watched');
    await link('Stop Watching').click();
    await link('Watch').waitFor();
  });

  /** The hover on an address of the file in front, once it stands. */
  async function hoverOn(text: string): Promise<Locator> {
    const { page } = workbench();
    const address = page.locator('.view-line').getByText(text.slice(2, 20));
    const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'Look Up' });
    // Again where the editor took no notice: it moves its lines while it is loading.
    for (;;) {
      await page.mouse.move(600, 600);
      const box = await address.boundingBox();
      if (!box) throw new Error('The address is not in sight.');
      // In steps, as a hand moves: the editor takes no notice of a pointer that jumps.
      await page.mouse.move(box.x + box.width - 40, box.y + box.height / 2, { steps: 10 });
      const shown = await hover.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
      if (shown) return hover;
    }
  }

  it('finds an address by its name', async () => {
    await workbench().runCommand(
      'Chainside: Look Up Address…',
      workbench().question(/^Address of an account/),
    );
    await workbench().fillInput('treas');
    await workbench().quickPickRow('Treasury').waitFor();
    await workbench().screenshot('contracts-lookup');
    await workbench().quickPickRow('Treasury').click();
    await row(/^Treasury, [\d,.]+ ETH, 0x/)
      .first()
      .waitFor();
  });

  for (const theme of Object.keys(themes) as Theme[]) {
    it(`can be read in the theme ${theme}`, async () => {
      await workbench().setTheme(theme);
      await workbench().screenshot(`contracts-${theme}`);
      await isReadable(workbench().page, theme);
    });
  }
});
