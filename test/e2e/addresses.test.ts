import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { environment } from './support/environment.ts';
import { isReadable, themeFindings } from './support/themeLook.ts';
import { useWorkbench } from './support/workbench.ts';

const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
const NOBODY = '0x00000000000000000000000000000000000000AA';

describe('Addresses view', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, anvilUrl, dataApi } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl, dataApiUrl: dataApi.url, symbol: 'ETH' },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl, symbol: 'NODE' },
        },
      },
      fillFolder: writeFiles,
    };
  });
  const accounts = () => environment().localnet.chain.accounts;
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });

  async function writeFiles(folder: string): Promise<void> {
    const { alice, bob } = environment().localnet.chain.accounts;
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src', 'Pay.sol'), `// pays\naddress alice = ${alice};\n`);
    await writeFile(join(folder, 'hashes.txt'), `0x${'ab'.repeat(32)}\n`);
    const many = Array.from(
      { length: 10_000 },
      (_, i) => `0x${(i + 2 ** 32).toString(16).padStart(40, '1')}`,
    );
    await writeFile(join(folder, 'src', 'z-many.json'), JSON.stringify([bob, ...many]));
  }

  async function lookUp(text: string): Promise<void> {
    await workbench().runCommand(
      'Chainside: Look Up Address…',
      workbench().question(/^Address of an account/),
    );
    await workbench().answer(/^Address of an account/, text);
  }

  async function selectNetwork(name: string): Promise<void> {
    await workbench().selectNetwork(name);
    await row(`Network: ${name}`).waitFor();
  }

  /**
   * Takes an entry of the context menu of `target`, until what it does is `done`. VS Code runs it without the row where
   * that is drawn anew in this moment, so that it asks for an address: then once more.
   */
  async function choose(
    target: Locator,
    name: string,
    { done, page = workbench().page }: { readonly done: Locator; readonly page?: Page },
  ): Promise<void> {
    const asked = driver.questionAsked(page, /^Address of an account/);
    for (;;) {
      await driver.chooseEntry(page, { target, name, done });
      await done.or(asked).first().waitFor();
      if (await done.isVisible()) return;
      await page.keyboard.press('Escape');
      await asked.waitFor({ state: 'hidden' });
    }
  }

  /** The box goes where it loses the focus, as it may when the menu closes that it was chosen from: then once more. */
  async function label(target: Locator, text: string): Promise<void> {
    const question = /^Label for 0x/;
    const box = workbench().page.locator('.quick-input-widget').getByText(question);
    for (;;) {
      await choose(target, 'Label Address…', { done: box });
      try {
        return await workbench().answer(question, text);
      } catch (error) {
        if (await box.isVisible()) throw error;
      }
    }
  }

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.explorer.setIntercept(undefined));

  it('looks an address up and shows its exact balance and, by the explorer, its tokens without a key', async () => {
    await lookUp(accounts().alice);
    await row(/^[\d,]+\.\d+ ETH, native$/).waitFor();
    await row(/^\$[\d,.]+ in total, not counted: 1 without a price, NFTs$/).waitFor();
    await row(/^[\d,.]+( M)? HUSD, \$[\d,.]+ at \$1\.00 each$/).waitFor();
    await row(new RegExp(`^${short(accounts().alice)}, [\\d,.]+ ETH`)).waitFor();
    await workbench().screenshot('addresses-no-key');
  });

  it('says at the field what is no address, before any request', async () => {
    const { explorer } = environment().localnet;
    await workbench().runCommand(
      'Chainside: Look Up Address…',
      workbench().question(/^Address of an account/),
    );
    const field = workbench().page.locator('.quick-input-widget');
    explorer.forgetRequests();
    await workbench().fillInput('0x1234');
    await workbench().page.keyboard.press('Enter');
    await field.getByText('expected 0x and 40 hex digits').waitFor();
    await workbench().fillInput('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD');
    await field.getByText(/Invalid EIP-55 checksum/).waitFor();
    await workbench().page.keyboard.press('Escape');
    assert.deepEqual(
      explorer.requests.filter(({ body }) => body.includes('eth_getBalance')),
      [],
    );
  });

  it('shows tokens with their value once a key is set', async () => {
    await workbench().runCommand('Chainside: Set Data API Key…', workbench().question(/^Key for http/));
    await workbench().answer(/^Key for http/, environment().localnet.dataApi.keys.classic);
    await row(/^\$[\d,.]+ in total, not counted: 1 without a price, NFTs$/).waitFor();
    await row(/^[\d,.]+( M)? TIDE, no price$/).waitFor();
    await row(/^[\d,.]+( M)? HUSD, \$[\d,.]+ at \$1\.00 each$/).waitFor();
    await row(/^.+, [\d,]+ NFTs?$/).click();
    await row(/^#\d+/).first().waitFor();
    await workbench().screenshot('addresses-tokens');
  });

  it('tells unknown, zero and failed apart', async () => {
    await lookUp(NOBODY);
    await row(/^Unknown balance, no balance on record at this explorer$/).waitFor();
    environment().localnet.explorer.setIntercept(({ body }) =>
      body.includes('eth_getBalance') ? { kind: 'respond', status: 500, body: '' } : undefined,
    );
    await lookUp('0x00000000000000000000000000000000000000ab');
    await row(/^Balance not read, failed \(HTTP 500\)$/).waitFor();
    await workbench().screenshot('addresses-unknown-failed');
    environment().localnet.explorer.setIntercept(undefined);
    await workbench().runCommand('Chainside: Refresh');
    await row(/^Balance not read/).waitFor({ state: 'hidden' });
    await selectNetwork('Test Node');
    await lookUp(NOBODY);
    await row(/^0 NODE, native$/).waitFor();
    await row(/^No token data, neither a data API nor an explorer lists them · Watch Token…$/).waitFor();
  });

  it('shows nothing of the old network on the new one', async () => {
    assert.equal(await row(/ ETH/).count(), 0);
    assert.equal(await row(new RegExp(short(accounts().alice))).count(), 0);
    await selectNetwork('Test Explorer');
    await row(new RegExp(`^${short(accounts().alice)}`)).waitFor();
    assert.equal(await row(/ NODE/).count(), 0);
  });

  it('watches and labels, and keeps both over a restart', async () => {
    const { alice } = accounts();
    await choose(row(new RegExp(`^${short(alice)}`)), 'Watch Address', {
      done: row(/^Watched, 1$/),
    });
    await label(row(new RegExp(`^${short(alice)}`)), 'Treasury');
    await row(/^Treasury, /).waitFor();
    await workbench().keeps(alice.toLowerCase(), 'Treasury');
    await workbench().reload();
    await workbench().openView('Chainside');
    await row(new RegExp(`^Treasury, [\\d,.]+ ETH, ${short(alice)}$`)).waitFor();
  });

  it('finds the addresses of the workspace by file, however many, and goes to their places, without a request', async () => {
    const { explorer } = environment().localnet;
    const { page } = workbench();
    const press = (key: string) => () => page.keyboard.press(key);
    const more = (left: string) => row(new RegExp(`^Show 200 more…, ${left} not shown$`));
    const unfold = (name: RegExp, child: RegExp) => driver.unfold(row(name), row(child).first());
    await unfold(/^In This Workspace$/, /^Pay\.sol, src · 1$/);
    await unfold(/^Pay\.sol, src · 1$/, /Pay\.sol:2/);
    explorer.forgetRequests();
    await unfold(/^z-many\.json, src · 10,001$/, / z-many\.json:1/);
    await driver.actUntil(press('End'), more('9,801'));
    await more('9,801').click();
    await more('9,801').waitFor({ state: 'detached' });
    await driver.actUntil(press('End'), more('9,601'));
    assert.deepEqual(
      explorer.requests.filter(({ body }) => body.includes('eth_getBalance')),
      [],
    );
    // Figures that come meanwhile have the list drawn anew, which scrolls it to where it was.
    await driver.actUntil(
      async () => {
        await press('Home')();
        if (await row(/Pay\.sol:2/).isVisible())
          await row(/Pay\.sol:2/)
            .click({ timeout: 3000 })
            .catch(() => undefined);
      },
      page.getByRole('tab', { name: 'Pay.sol' }),
    );
    await page.locator('.statusbar').getByText('Ln 2, Col 1').waitFor();
    await workbench().closeEditors();
    await workbench().runCommand('Chainside: Focus on Addresses View');
    await page.locator('.pane', { hasText: 'Addresses' }).locator('.monaco-list:focus').waitFor();
    const first = page.locator('.monaco-list:focus .monaco-list-row.focused[data-index="0"]');
    await driver.actUntil(press('Home'), first);
  });

  it('opens the log form of an address from its row', async () => {
    await workbench().page.keyboard.press('Home');
    await row(/^Treasury, /)
      .first()
      .click();
    const queryLogs = row(/^Treasury, /).getByRole('button', { name: 'Query Logs…' });
    const frame = await workbench().webviewShownBy(() => queryLogs.click());
    await frame.getByLabel('Address', { exact: true }).waitFor();
    assert.equal(await frame.getByLabel('Address', { exact: true }).inputValue(), accounts().alice);
    await workbench().closeEditors();
  });

  it('acts on the address under a right click in an editor', async () => {
    await workbench().openFile('src/Pay.sol');
    const line = workbench().page.locator('.view-line', { hasText: 'ALICE' });
    const address = line.getByText(accounts().alice.slice(2, 20));
    await (await driver.menuEntry(workbench().page, address, 'Chainside')).hover();
    await workbench().screenshot('editor-menu');
    const { page } = workbench();
    await driver.takeEntry(page, page.getByRole('menuitem', { name: 'Look Up Address…', exact: true }));
    await row(/^Treasury, /)
      .and(workbench().page.locator('[aria-selected=true], .selected'))
      .first()
      .waitFor();
  });

  it('has in each window what either watches, a moment after', async () => {
    const first = workbench().page;
    const second = await first.context().newPage();
    try {
      await second.goto(first.url());
      await driver.workbenchReady(second);
      await driver.openView(second, 'Chainside');
      // With the cursor on an address, looking one up asks for none.
      for (const page of [first, second]) await driver.runCommand(page, 'View: Close All Editors');
      // The first, as the view may show the row of a group a second time above what is scrolled.
      const rowIn = (page: Page, name: RegExp) => page.getByRole('treeitem', { name }).first();
      for (const [page, other, digit] of [
        [second, first, 1],
        [first, second, 2],
      ] as const) {
        const address = `0x${String(digit).repeat(40)}`;
        await page.bringToFront();
        const question = driver.questionAsked(page, /^Address of an account/);
        await driver.runCommandAsking(page, 'Chainside: Look Up Address…', question);
        await driver.answerInput(page, question, address);
        const watched = new RegExp(`^Watched, ${digit + 1}$`);
        const added = rowIn(page, new RegExp(`^${short(address)}`));
        await choose(added, 'Watch Address', { done: rowIn(page, watched), page });
        await rowIn(other, watched).waitFor();
      }
    } finally {
      await second.close();
    }
  });

  for (const theme of Object.keys(themes) as Theme[]) {
    it(`can be read in the theme ${theme}`, async () => {
      await workbench().setTheme(theme);
      await workbench().screenshot(`addresses-${theme}`);
      await isReadable(workbench().page, theme);
    });
  }

  it('would not pass as readable in another theme, or with a label that is as pale as its background', async () => {
    const { page } = workbench();
    await workbench().setTheme('light');
    await isReadable(page, 'light');
    assert.match(
      (await themeFindings(page, 'highContrast')).join('\n'),
      /drawn as vs.*\n.*bright\nnothing parts/,
    );
    await page.addStyleTag({ content: '.part.sidebar .label-name { color: #ccc !important }' });
    assert.match((await themeFindings(page, 'light')).join('\n'), /^label “.*” has a contrast of 1\.\d\d$/m);
  });
});
