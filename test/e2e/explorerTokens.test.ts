import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type Theme, themes, unfold } from '../../scripts/support/workbench/driver.ts';
import { environment } from './support/environment.ts';
import { isReadable } from './support/themeLook.ts';
import { useWorkbench } from './support/workbench.ts';

describe('tokens from the explorer, without a key', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl, symbol: 'ETH' },
          indexing: { name: 'Indexing Explorer', chainId: 31338, rpcUrl, symbol: 'ETH' },
        },
      },
    };
  });
  const alice = () => environment().localnet.chain.accounts.alice;
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name }).first();
  const field = () => workbench().page.locator('.quick-input-widget');
  const choices = () => field().locator('.monaco-list-row');

  async function lookUp(address: string): Promise<void> {
    const question = /^Address of an account/;
    await workbench().runCommand('Chainside: Look Up Address…', workbench().question(question));
    await workbench().answer(question, address);
    await row(/^[\d,]+\.\d+ ETH, native$/).waitFor();
  }

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.explorer.setRest({}));

  it('are shown with their value, and NFTs with their ids, and the data API is asked nothing', async () => {
    const { dataApi } = environment().localnet;
    dataApi.forgetRequests();
    await lookUp(alice());
    await row(/^\$[\d,.]+ in total/).waitFor();
    await row(/^[\d,.]+( M)? TIDE, no price$/).waitFor();
    await row(/^[\d,.]+( M)? HUSD, \$[\d,.]+ at \$1\.00 each$/).waitFor();
    await unfold(row(/^.+, [\d,]+ NFTs?$/), row(/^#\d+/));
    assert.equal(await row(/^Something held/).count(), 0);
    assert.equal(dataApi.requestCount, 0);
    await workbench().screenshot('explorer-tokens');
  });

  it('lists transfers newest first; the one that is chosen shows its transaction', async () => {
    const { page } = workbench();
    const question = /transfers?, from http.* A choice shows its transaction\./;
    const first = choices().first();
    for (const theme of ['dark', 'highContrast', 'highContrastLight', 'light'] as const) {
      await page.keyboard.press('Escape');
      await workbench().setTheme(theme);
      await row(/^[\d,]+\.\d+ ETH, native$/).click();
      await workbench().runCommand('Chainside: Show Transfers…', workbench().question(question));
      await first.filter({ hasText: /[+−±][\d,.]+( M)? (HUSD|TIDE)|[+−±].+ #\d+/ }).waitFor();
      await workbench().screenshot(`explorer-transfers-${theme}`);
    }
    const hash = /0x[0-9a-f]{64}/.exec((await first.textContent()) ?? '')?.[0] ?? '';
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Transaction' }).waitFor();
    await page.locator('.view-line', { hasText: `Transaction ${hash} on Test Explorer` }).waitFor();
    await workbench().closeEditors();
  });

  it('lists the balance of each day, and copies the one that is chosen', async () => {
    const { page } = workbench();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await row(/^[\d,]+\.\d+ ETH, native$/).click();
    await workbench().runCommand(
      'Chainside: Show Balance over Time…',
      workbench().question(/^By day in UTC, from http/),
    );
    const first = choices().first();
    await first.filter({ hasText: /[\d,]+(\.\d+)? ETH\s*\d{4}-\d\d-\d\d/ }).waitFor();
    await workbench().screenshot('explorer-balances');
    const balance = /[\d,.]+/.exec((await first.textContent()) ?? '')?.[0] ?? '';
    await page.keyboard.press('Enter');
    await page
      .getByText(`Copied ${balance.replaceAll(',', '')}`, { exact: true })
      .first()
      .waitFor();
  });

  it('say what may be missing while the explorer has not indexed every block', async () => {
    environment().localnet.explorer.setRest({ indexedBlocks: 0.5 });
    await workbench().selectNetwork('Indexing Explorer');
    // What is looked up before the network has changed goes with the old one.
    await row(/^Network: Indexing Explorer\b/).waitFor();
    await lookUp(alice());
    const note = row(/^Something held may be missing, The explorer has indexed 50\s?% of the blocks\.$/);
    await note.waitFor();
    await row(/^[\d,.]+( M)? HUSD, /).waitFor();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`explorer-indexing-${theme}`);
      await isReadable(workbench().page, theme);
    }
  });
});
