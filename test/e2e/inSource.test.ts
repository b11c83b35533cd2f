import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { environment } from './support/environment.ts';
import { logPanelIn } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ledger} from "./Ledger.sol";

contract HarborDollar is Ledger {
    error TooMuch(uint256 have, uint256 wanted);
    event Paused(address by);

    address constant TREASURY = ADDRESS;

    function pay(address to, uint256 value) external {
        if (value > 100) revert TooMuch(100, value);
        emit Transfer(msg.sender, to, value);
    }
}
`;
const LEDGER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

abstract contract Ledger {
    event Transfer(address indexed from, address indexed to, uint256 value);
}
`;

describe('in a source', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: {
          ...{ name: 'Test Explorer', chainId: 31337, symbol: 'ETH' },
          rpcUrl: environment().localnet.rpcUrl,
        },
      },
      'chainside.inlayHints.enabled': true,
    },
    fillFolder: writeProject,
  }));
  const lens = (title: string | RegExp): Locator =>
    workbench().page.locator('.codelens-decoration').getByRole('button', { name: title });
  const line = (text: string): Locator => workbench().page.locator('.view-line').filter({ hasText: text });

  /** A project of Foundry that is deployed, with the addresses of the local network. */
  async function writeProject(folder: string): Promise<void> {
    const { contracts, accounts } = environment().localnet.chain;
    const hash = `0x${'12'.repeat(32)}`;
    const { address } = contracts.usd;
    const created = {
      hash,
      transactionType: 'CREATE',
      contractName: 'HarborDollar',
      contractAddress: address,
    };
    const receipt = { status: '0x1', transactionHash: hash, blockNumber: '0x1', contractAddress: address };
    const run = { transactions: [created], receipts: [receipt], chain: 31337, timestamp: 1_750_000_000 };
    const files: Readonly<Record<string, string>> = {
      'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
      'src/HarborDollar.sol': VAULT.replace('ADDRESS', accounts.alice),
      'src/Ledger.sol': LEDGER,
      'broadcast/Deploy.s.sol/31337/run-latest.json': JSON.stringify(run),
      '.chainside/labels.json': JSON.stringify({ labels: [{ address: accounts.alice, name: 'Treasury' }] }),
    };
    for (const [path, content] of Object.entries(files)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }

  it('leads from an event, also one that is inherited, to its logs where it is deployed', async () => {
    const { page } = workbench();
    await workbench().openFile('src/Ledger.sol');
    await lens('Query logs of Transfer').waitFor();
    await lens(/^topic0 0xddf252ad…$/).waitFor();
    await workbench().screenshot('source-event');
    const there = lens('Query logs · on Test Explorer at HarborDollar');
    const log = await workbench().webviewShownBy(() => there.click());
    await log
      .getByText(/Complete|logs/)
      .first()
      .waitFor();
    await workbench().screenshot('source-logs');
    await driver.runCommand(page, 'View: Close All Editors');
  });

  it('says where a contract is deployed, and copies what stands for an error', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench().openFile('src/HarborDollar.sol');
    await lens(/^Deployed on Test Explorer · 0x.{4}….{4}$/).click();
    for (const action of ['Query Logs', 'Look Up', 'Watch', 'Copy Address']) {
      await workbench().quickPickRow(action).waitFor();
    }
    await workbench().screenshot('source-deployment');
    await page.keyboard.press('Escape');
    await lens(/^selector 0x[0-9a-f]{8}$/).click();
    await page.getByText(/^Copied 0x[0-9a-f]{8}$/).waitFor();
  });

  it('names addresses, and says in a hover what is emitted', async () => {
    const { page } = workbench();
    await line('TREASURY').getByText('Treasury', { exact: true }).waitFor();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      const hover = await hoverOn('emit');
      await hover.getByRole('link', { name: 'Query logs · on Test Explorer at HarborDollar' }).waitFor();
      await workbench().screenshot(`source-${theme}`);
      await page.keyboard.press('Escape');
    }
  });

  /** The hover on a word of the file in front, once it stands. */
  async function hoverOn(word: string): Promise<Locator> {
    const { page } = workbench();
    const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'topic0' });
    // Again where the editor took no notice: it moves its lines while it is loading.
    for (;;) {
      await page.mouse.move(600, 600);
      const box = await line(`${word} Transfer`).getByText(word).first().boundingBox();
      if (!box) throw new Error('The word is not in sight.');
      const indent = box.width > 200 ? 75 : box.width / 2;
      // In steps, as a hand moves: the editor takes no notice of a pointer that jumps.
      await page.mouse.move(box.x + indent, box.y + box.height / 2, { steps: 10 });
      const shown = await hover.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
      if (shown) return hover;
    }
  }

  it('completes an address by its name, in a file of any language', async () => {
    const { page } = workbench();
    await workbench().openFile('foundry.toml');
    await line('out').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('treasury = "0x');
    const suggestion = page.locator('.suggest-widget').getByRole('option', { name: /^Treasury/ });
    await suggestion.waitFor();
    await page.keyboard.type('trea');
    await suggestion.waitFor();
    await workbench().screenshot('source-completion');
    await page.keyboard.press('Enter');
    const { alice } = environment().localnet.chain.accounts;
    await line(alice.slice(0, 42)).waitFor();
    await driver.runCommand(page, 'File: Revert File');
  });

  it('counts on request how often events have fired, and leads to their logs', async () => {
    const { page } = workbench();
    const { explorer } = environment().localnet;
    const asked = () => explorer.requests.filter(({ body }) => body.includes('eth_getLogs')).length;
    const before = asked();
    await workbench().openFile('src/HarborDollar.sol');
    await lens('Count on chain').waitFor();
    assert.equal(asked(), before);
    await lens('Count on chain').click();
    await lens(/^never fired to block [\d,]+ at 1 deployment$/).waitFor();
    await lens('Count again').waitFor();
    await workbench().openFile('src/Ledger.sol');
    await lens('Count on chain').click();
    const figure = lens(/^fired [\d,]+ times, last (?:just now|\d+ (?:s|min|h) ago)$/);
    await figure.waitFor();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`source-count-${theme}`);
    }
    const fired = /fired ([\d,]+) times/.exec((await figure.textContent()) ?? '')?.[1];
    const log = logPanelIn(await workbench().webviewShownBy(() => figure.click()));
    await log.button('Load all').click();
    await says(log.status, new RegExp(`^Complete · ${fired} logs`));
    await driver.runCommand(page, 'View: Close All Editors');
  });

  it('counts all events of the open file from the palette', async () => {
    await workbench().openFile('src/Ledger.sol');
    await workbench().runCommand('Chainside: Count Events on Chain');
    const row = workbench().quickPickRow('Transfer');
    await row.filter({ hasText: /fired [\d,]+ times/ }).waitFor();
    await workbench().screenshot('source-count-palette');
    await workbench().page.keyboard.press('Escape');
  });
});
