import type { Locator, Page } from 'playwright-core';
import type { Localnet } from '../../localnet/start.ts';
import {
  answerInput,
  openFile,
  openView,
  quickPickRow,
  runCommand,
  webviewShownBy,
} from './workbench/driver.ts';

export interface Stage {
  readonly page: Page;
  readonly localnet: Localnet;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Sets the window up for a picture; returns the part of it that is shown, if not all. */
type Scene = (stage: Stage) => Promise<Rectangle | undefined>;

const sideBarWidth = 440;

/** What all pictures share: a key, two watched addresses with their names from the project, a wide side bar. */
export async function prepareViews({ page, localnet }: Stage): Promise<void> {
  const { accounts, contracts } = localnet.chain;
  // What only the workbench in a browser has.
  await chooseFromMenu(page, page.getByRole('button', { name: 'Layout: us' }), "Hide 'Keyboard Layout'");
  await chooseFromMenu(page, page.locator('[id="status.forwardedPorts"]'), /^Hide '.*Ports'/);
  await openView(page, 'Chainside');
  await dragSideBar(page, sideBarWidth);
  await row(page, /Latest block: [\d,]+/).waitFor();
  await answerCommand(page, 'Chainside: Set Data API Key…', localnet.dataApi.keys.current);
  await row(page, 'Token data: key set').waitFor();
  await row(page, /^HarborDollar, 1 deployment · /).waitFor();
  await watch(page, accounts.alice, 'Treasury');
  await watch(page, contracts.usd.address, 'HarborDollar');
  await clearNotifications(page);
  await page.locator('.statusbar-item', { hasText: /^Watching / }).waitFor({ state: 'hidden' });
}

async function watch(page: Page, address: string, name: string): Promise<void> {
  await answerCommand(page, 'Chainside: Watch Address', address);
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`;
  await row(page, new RegExp(`^${name}, .*(?:[\\d,.]+ ETH|ERC-20).*, ${short}$`)).waitFor();
}

/** In the order in which they are taken: each starts from the window as the one before left it. */
export const scenes: Readonly<Record<string, Scene>> = {
  async overview({ page, localnet }) {
    await row(page, /^Treasury, /).click();
    await page.keyboard.press('ArrowRight');
    await row(page, /^[\d,.]+M? HUSD, \$[\d,.]+ at /).waitFor();
    // Without a selection no row hides its words behind its buttons.
    await page.keyboard.press('Escape');
    await openFile(page, 'src/Rewards.sol');
    await page
      .locator('.codelens-decoration', { hasText: /logs?.*Query…/ })
      .first()
      .waitFor();
    const treasury = page.locator('.view-line', { hasText: 'TREASURY = ' });
    await treasury.getByText(localnet.chain.accounts.alice.slice(2, 12)).hover();
    await page.locator('.monaco-hover:visible').getByText(/HUSD/).first().waitFor();
    return undefined;
  },

  async networks({ page }) {
    await page.keyboard.press('Escape');
    await runCommand(page, 'Chainside: Select Network…');
    await quickPickRow(page, 'Palm Mainnet').waitFor();
    return around(page, page.locator('.quick-input-widget'), 0);
  },

  async contracts({ page }) {
    await page.keyboard.press('Escape');
    await runCommand(page, 'View: Close All Editors');
    // All the room for the one view.
    for (const name of ['Chain', 'Addresses']) {
      await page.getByRole('button', { name: `${name} Section` }).click();
    }
    await row(page, /^HarborDollar, 1 deployment/).click();
    await row(page, /^Orders, 1 deployment/).click();
    await row(page, /^Local Network, .*block 6 · .*0x5FC8…5707/).hover();
    await row(page, /^Local Network, .*block 1 · .*0x5FbD…0aa3/).waitFor();
    return around(page, page.locator('.part.sidebar'), 0);
  },

  async logs({ page, localnet }) {
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.setViewportSize({ width: 1240, height: 700 });
    const panel = await webviewShownBy(page, () => runCommand(page, 'Chainside: Query Logs…'));
    const fields = {
      Address: localnet.chain.contracts.usd.address,
      'Event or topic': 'event Transfer(address indexed from, address indexed to, uint256 value)',
      'From block': '415',
    };
    for (const [name, text] of Object.entries(fields)) {
      await panel.getByLabel(name, { exact: true }).fill(text);
    }
    await panel.getByRole('button', { name: 'Run Query' }).click();
    await panel
      .getByRole('status')
      .filter({ hasText: /^Complete\b/ })
      .waitFor();
    await panel.locator('[data-row="3"]').getByRole('gridcell').nth(2).click();
    await page.keyboard.press('Enter');
    await panel.getByRole('region', { name: /^Details of log/ }).waitFor();
    return around(page, page.locator('.part.editor'), 0);
  },

  async document({ page }) {
    await runCommand(page, 'View: Close All Editors');
    await page.setViewportSize({ width: 1160, height: 740 });
    await openFile(page, 'payouts.chain.md');
    await page.locator('.codelens-decoration', { hasText: 'Run Query' }).first().waitFor();
    await runCommand(page, 'Chainside: Open as Notebook');
    await page.getByRole('button', { name: 'Run All' }).first().click();
    const outputs = page.frameLocator('iframe.webview.ready').first().frameLocator('iframe#active-frame');
    const status = outputs.getByRole('status').filter({ hasText: /^Complete\b/ });
    await status.nth(1).waitFor();
    await status.first().waitFor();
    const tooltip = page.locator('.monaco-hover:visible');
    await page.getByRole('tab', { name: 'payouts.chain.md' }).last().hover();
    await page.mouse.move(2, 2);
    await tooltip.first().waitFor({ state: 'hidden' });
    return around(page, page.locator('.part.editor'), 0);
  },

  async nfts({ page, localnet }) {
    await runCommand(page, 'View: Close All Editors');
    await page.setViewportSize({ width: 1030, height: 780 });
    await openView(page, 'Chainside');
    const panel = await webviewShownBy(page, () =>
      answerCommand(page, 'Chainside: Show NFT Contract…', localnet.chain.contracts.badge.address),
    );
    const press = (name: string) => panel.getByRole('button', { name, exact: true }).click();
    await panel.getByLabel('Token ID', { exact: true }).fill('12');
    await press('Show Metadata');
    await press('Load Transfers');
    await panel.locator('[data-row="1"]').getByText('Mint').waitFor();
    const picture = panel.getByRole('img', { name: 'Picture of token 12' });
    await picture.waitFor();
    await panel.getByRole('heading', { name: 'Harbor Badge' }).scrollIntoViewIfNeeded();
    return around(page, page.locator('.part.editor'), 0);
  },

  async walkthrough({ page }) {
    await page.setViewportSize({ width: 1030, height: 596 });
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await quickPickRow(page, 'Get Started with Chainside').click();
    await page
      .getByRole('button', { name: /Query event logs from your code/ })
      .first()
      .click();
    return around(page, page.locator('.part.editor'), 0);
  },
};

/** A row of a tree view by its accessible name. */
function row(page: Page, name: string | RegExp): Locator {
  return page.getByRole('treeitem', { name }).first();
}

/** Runs a command that asks for one line under its own title, and answers it. */
async function answerCommand(page: Page, title: string, answer: string): Promise<void> {
  await runCommand(page, title);
  const box = page.locator('.quick-input-widget');
  const question = box.locator('.quick-input-title', { hasText: title.replace(/^.*: |…$/g, '') });
  await answerInput(page, question, answer);
  await box.waitFor({ state: 'hidden' });
}

/** Takes an entry of the context menu of an element. */
async function chooseFromMenu(page: Page, element: Locator, entry: string | RegExp): Promise<void> {
  await element.click({ button: 'right' });
  // The menu takes no click in its first moments.
  await page.getByRole('menuitem', { name: entry }).hover();
  await page.keyboard.press('Enter');
}

async function clearNotifications(page: Page): Promise<void> {
  const toasts = page.locator('.notifications-toasts .notification-list-item');
  while ((await toasts.count()) > 0) {
    await toasts.first().hover();
    await toasts
      .first()
      .getByRole('button', { name: /^Clear Notification/ })
      .click();
  }
}

/** Widens the side bar to `width` pixels from the left edge of the window. */
async function dragSideBar(page: Page, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (!box) throw new Error('There is no side bar.');
  const edge = box.x + box.width;
  const middle = box.y + box.height / 2;
  await page.mouse.move(edge, middle);
  await page.mouse.down();
  await page.mouse.move(width, middle, { steps: 4 });
  await page.mouse.up();
}

/** The rectangle of an element with some room around it, within the window. */
async function around(page: Page, element: Locator, room = 12) {
  const box = await element.boundingBox();
  const window = page.viewportSize();
  if (!box || !window) throw new Error('There is nothing to take a picture of.');
  const x = Math.max(0, Math.floor(box.x - room));
  const y = Math.max(0, Math.floor(box.y - room));
  return {
    x,
    y,
    width: Math.min(window.width, Math.ceil(box.x + box.width + room)) - x,
    height: Math.min(window.height, Math.ceil(box.y + box.height + room)) - y,
  };
}
