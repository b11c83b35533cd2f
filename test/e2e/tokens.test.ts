import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { refuseWith } from '../../localnet/dataApi/refusals.ts';
import { actUntil, type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { hostileNames } from '../fixtures/hostileNames.ts';
import { hiddenIn } from '../support/hiddenCharacters.ts';
import { addTokens, crowdOf } from '../support/tokenCrowd.ts';
import { environment } from './support/environment.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { isReadable } from './support/themeLook.ts';
import { useWorkbench } from './support/workbench.ts';

const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;

describe('tokens, by keyboard alone', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, anvilUrl, dataApi } = environment().localnet;
    return {
      size: { width: 1280, height: 1200 },
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl, dataApiUrl: dataApi.url, symbol: 'ETH' },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl, symbol: 'NODE' },
        },
        'workbench.tree.indent': 12,
      },
    };
  });
  const { press, type } = {
    press: async (...keys: readonly string[]) => {
      for (const key of keys) await workbench().page.keyboard.press(key);
    },
    type: (text: string) => workbench().page.keyboard.insertText(text),
  };
  const input = () => workbench().page.locator('.quick-input-widget');
  const holder = (index: number) => environment().localnet.chain.holders[index] as string;

  before(async () => {
    await workbench().openView('Chainside');
    await run('Chainside: Set Data API Key…');
    await workbench().answer(/^Key for http/, environment().localnet.dataApi.keys.current);
    await workbench().page.getByRole('treeitem', { name: 'Token data: key set' }).waitFor();
  });
  afterEach(() => environment().localnet.dataApi.setIntercept(undefined));

  /** Runs a command from the palette without the mouse. */
  async function run(title: string): Promise<void> {
    await actUntil(async () => {
      await press('F1');
      await isThere(input().locator('input[type=text]'));
      await type(title);
    }, focusedChoice(title));
    await press('Enter');
  }

  const focusedChoice = (text: string) =>
    input().locator('.monaco-list-row.focused').filter({ hasText: text });

  /** Waits a moment for what another part of the window may close by taking the focus; it is then asked for again. */
  const isThere = (element: Locator) => element.waitFor({ timeout: 5000 }).catch(() => undefined);

  /** Looks an address up that holds `count` tokens more than it does; its row has the focus then. */
  async function lookUp(address: string, tokens = crowdOf(0)): Promise<void> {
    environment().localnet.dataApi.setIntercept(addTokens(tokens));
    await focusView();
    await press('Control+ArrowLeft');
    const total = workbench().page.getByRole('treeitem', { name: / in total/ });
    // So that the one waited for below is that of this address.
    await eventually(async () => (await total.count()) === 0, 'every address is folded');
    await run('Chainside: Look Up Address…');
    await workbench().answer(/^Address of an account/, address);
    await focusOn(new RegExp(`^${short(address)}`));
    await total.waitFor();
  }

  async function focusView(): Promise<void> {
    await run('Chainside: Focus on Addresses View');
    await input().waitFor({ state: 'hidden' });
    await workbench().page.locator('.pane', { hasText: 'Addresses' }).locator('.monaco-list:focus').waitFor();
  }

  const focusedRow = () => workbench().page.locator('.monaco-list:focus .monaco-list-row.focused').first();

  /** Name of the row that has the focus; empty while none has. */
  async function focused(): Promise<string> {
    return (
      (await focusedRow()
        .getAttribute('aria-label', { timeout: 2000 })
        .catch(() => null)) ?? ''
    );
  }

  const focusOn = (name: RegExp) =>
    eventually(async () => name.test(await focused()), `${name} has the focus`);

  async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
    await waitUntil(what, holds);
  }

  /** Goes from row to row until one has this name; returns the names passed. */
  async function goDownTo(name: RegExp): Promise<readonly string[]> {
    const passed: string[] = [];
    for (;;) {
      const place = await focusedRow().getAttribute('data-index');
      await press('ArrowDown');
      assert.ok(await leaves(place), `${name} is not among ${passed.length} rows: ${passed.slice(-5)}`);
      const now = await focused();
      if (name.test(now)) return passed;
      passed.push(now);
    }
  }

  /** Whether the focus leaves the row at this place. */
  async function leaves(place: string | null): Promise<boolean> {
    const hasLeft = async () => (await focusedRow().getAttribute('data-index')) !== place;
    return waitUntil('the focus leaves the row', hasLeft).then(
      () => true,
      () => false,
    );
  }

  /** Opens the focused row and waits for its first child. */
  async function expand(child: RegExp): Promise<void> {
    await press('ArrowRight');
    await workbench().page.getByRole('treeitem', { name: child }).first().waitFor();
  }

  /** Takes an entry of the context menu of the focused row. */
  async function choose(entry: string): Promise<void> {
    await press('Shift+F10');
    const menu = workbench().page.locator('.context-view .monaco-menu');
    await menu.waitFor();
    const focusedEntry = async () =>
      (await menu.locator('.action-item.focused .action-label').allTextContents())[0];
    const passed: (string | undefined)[] = [];
    while (passed.at(-1) !== entry) {
      const before = await focusedEntry();
      await press('ArrowDown');
      await eventually(async () => (await focusedEntry()) !== before, `the menu goes on from ${before}`);
      passed.push(await focusedEntry());
      assert.ok(passed.length < 30, `${entry} is not among ${passed}`);
    }
    await press('Enter');
    await menu.waitFor({ state: 'hidden' });
  }

  async function selectNetwork(name: string): Promise<void> {
    await actUntil(async () => {
      await run('Chainside: Select Network…');
      await isThere(input().getByPlaceholder(/^Choose the active network/));
      await type(name);
    }, focusedChoice(name));
    await press('Enter');
    await workbench()
      .page.getByRole('treeitem', { name: `Network: ${name}` })
      .waitFor();
  }

  async function search(text: string): Promise<void> {
    await actUntil(async () => {
      await run('Chainside: Search Tokens…');
      await isThere(input().getByPlaceholder(/holdings: type a name/));
      await type(text);
    }, focusedChoice(text));
  }

  it('shows one token more, and folds with counts', async () => {
    await lookUp(holder(0), crowdOf(1));
    const rows = await goDownTo(/^1 Crowd 1, \$1\.00 at \$1\.00 each$/);
    assert.ok(rows.includes('Unknown balance, no balance on record at this explorer'));
    assert.ok(rows.some((name) => /^\$[\d,.]+ in total/.test(name)));
    await workbench().screenshot('tokens-one');
  });

  it('opens an NFT collection and its token ids by the arrow keys', async () => {
    await lookUp(environment().localnet.chain.accounts.alice);
    await goDownTo(/^.+, [\d,]+ NFTs?$/);
    await expand(/^#\d+/);
    await goDownTo(/^#\d+/);
    await workbench().screenshot('tokens-nfts');
  });

  it('shows 300 tokens by value, the rest at the touch of a key', async () => {
    await lookUp(holder(1), crowdOf(300));
    const rows = await goDownTo(/^Show \d+ more…, \d+ not shown$/);
    const values = rows.flatMap((name) => /^1 Crowd \d+, \$([\d,.]+) at/.exec(name)?.[1] ?? []);
    const numbers = values.map((value) => Number(value.replaceAll(',', '')));
    assert.equal(numbers.length, 100);
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => b - a),
    );
    await workbench().screenshot('tokens-300');
    await press('Enter');
    await focusOn(/^1 Crowd \d+, no price$/);
    const rest = await goDownTo(/^In This Workspace|^[^1]/);
    assert.equal(rows.filter((name) => /^1 Crowd/.test(name)).length + rest.length + 1, 300);
  });

  it('finds one of 5,000 by search and acts on it', async () => {
    await lookUp(holder(2), crowdOf(5_000));
    await search('Crowd 4998');
    await workbench().screenshot('tokens-search');
    await press('Enter');
    await focusOn(/^1 Crowd 4998, no price$/);
    await choose('Copy Raw Amount');
    await workbench().page.getByText('Copied 1000000000000000000').first().waitFor();
    await choose('Copy Value');
    await workbench().page.getByText('Copied 1', { exact: true }).first().waitFor();
    await choose('Copy Contract Address');
    await workbench()
      .page.getByText(/^Copied 0x[cC]0/)
      .first()
      .waitFor();
    await press('ArrowUp');
    await focusOn(/^1 Crowd 4997, no price$|^1 Crowd 4996, no price$/);
    await workbench().screenshot('tokens-5000');
  });

  it('asks for the transfers of a token to or from the address in one step', async () => {
    const { alice } = environment().localnet.chain.accounts;
    await lookUp(alice);
    await search('TIDE');
    await press('Enter');
    await focusOn(/ TIDE, no price$/);
    const panel = await logPanelShownBy(workbench(), () => choose('Query Transfers from This Address'));
    await says(panel.status, /^Complete/);
    await panel.editQuery();
    const field = (name: string) => panel.field(name).inputValue();
    assert.equal(await field('Address'), environment().localnet.chain.contracts.tide.address);
    assert.equal(await field('Event or topic'), 'Transfer(address,address,uint256)');
    assert.equal(await field('Topic 1'), alice.toLowerCase());
    assert.equal(await field('Topic 2'), '');
    await run('View: Close All Editors');
  });

  it('shows names of people who mean no good as plain text', async () => {
    const names = Object.values(hostileNames);
    assert.ok(names.length >= 40);
    await lookUp(
      holder(3),
      names.map((name) => ({ name })),
    );
    await goDownTo(/ in total/);
    const rows = await goDownTo(/^Recent|^In This Workspace|^0x/);
    const shown = rows.filter((name) => /, no price$/.test(name));
    assert.ok(shown.length >= names.length, `${shown.length} rows for ${names.length} names`);
    for (const name of shown) assert.deepEqual(hiddenIn(name), [], name);
    const view = workbench().page.locator('.pane', { hasText: 'Addresses' });
    assert.equal(
      await view.locator('.codicon-verified-filled, .monaco-list-row a[href]:not([role=button])').count(),
      0,
    );
    await search('verified-filled');
    assert.equal(await input().locator('.codicon-verified-filled').count(), 0);
    await workbench().screenshot('tokens-hostile-search');
    await press('Enter');
    await focusOn(/^1 \$ \(verified-filled\) USDC, no price$/);
    await workbench().screenshot('tokens-hostile');
  });

  it('watches a token by its contract where no data API is', async () => {
    const { accounts, contracts } = environment().localnet.chain;
    const enter = async (contract: string) => {
      await run('Chainside: Watch Token…');
      await workbench().answer(/^ERC-20 contract whose balance is shown/, contract);
    };
    await selectNetwork('Test Node');
    await run('Chainside: Look Up Address…');
    await workbench().answer(/^Address of an account/, accounts.alice);
    await workbench()
      .page.getByRole('treeitem', {
        name: 'No token data, neither a data API nor an explorer lists them · Watch Token…',
      })
      .waitFor();
    await enter(accounts.bob);
    await workbench().notification('is not an ERC-20 token on Test Node').waitFor();
    await enter(contracts.tide.address);
    await workbench()
      .page.getByRole('treeitem', { name: / TIDE, watched$/ })
      .waitFor();
    await focusView();
    await goDownTo(/^[\d,.]+( M)? TIDE, watched$/);
    await workbench().screenshot('tokens-watched');
    await choose('Stop Watching Token');
    await workbench()
      .page.getByRole('treeitem', { name: / TIDE, watched$/ })
      .waitFor({ state: 'hidden' });
    await selectNetwork('Test Explorer');
  });

  it('marks a price beyond belief, folds dust and spam away, and counts neither', async () => {
    await lookUp(holder(4), [
      { name: 'SOLID', fields: { quote_rate: 2, quote: 2 } },
      { name: 'TINY', fields: { quote_rate: 0.0000123456, quote: 0.0000123456 } },
      { name: 'MAD', fields: { quote_rate: 9.5e19, quote: 9.5e19 } },
      { name: 'CRUMB', fields: { quote_rate: 0.02, quote: 0.02, type: 'dust' } },
      { name: 'CLAIM', fields: { quote_rate: 500, quote: 500, is_spam: true } },
    ]);
    const total = workbench().page.getByRole('treeitem', { name: / in total, not counted: / });
    const leftOut = (await total.getAttribute('aria-label')) ?? '';
    assert.match(leftOut, /1 with a price not believable/);
    assert.doesNotMatch(leftOut, /spam/i);
    await goDownTo(/^1 SOLID, \$2\.00 at \$2\.00 each$/);
    await goDownTo(/^1 TINY, <\$0\.01 at \$0\.00001235 each$/);
    await goDownTo(/^1 MAD, price not believable$/);
    await goDownTo(/^Dust, 1 · \$0\.02$/);
    await expand(/^1 CRUMB/);
    await goDownTo(/^Spam, 1$/);
    await expand(/^1 CLAIM/);
    environment().localnet.dataApi.setIntercept(() => refuseWith(402));
    await press('Home');
    await focusOn(/^Recent/);
    await goDownTo(new RegExp(`^${short(holder(4))}`));
    await choose('Refresh');
    await workbench()
      .page.getByRole('treeitem', {
        name: /^Tokens not read again, last read .+ · the credits of the key are used up/,
      })
      .waitFor();
    await goDownTo(/^1 CLAIM, \$500\.00/);
  });

  it('asks before a refresh that takes many credits', async () => {
    const { dataApi } = environment().localnet;
    for (const index of [5, 6, 7, 8, 9]) await lookUp(holder(index));
    dataApi.forgetRequests();
    await run('Chainside: Refresh');
    const question = workbench()
      .page.getByRole('dialog')
      .getByText(/takes \d+ to \d+ credits of your data API key/);
    await question.waitFor();
    await workbench().screenshot('tokens-cost');
    await press('Escape');
    await question.waitFor({ state: 'hidden' });
    assert.equal(dataApi.requestCount, 0);
    await run('Chainside: Refresh');
    await question.waitFor();
    await press('Enter');
    await eventually(() => dataApi.requestCount >= 5, 'every address is read again');
  });

  for (const theme of Object.keys(themes) as Theme[]) {
    it(`can be read in the theme ${theme}`, async () => {
      await workbench().setTheme(theme);
      await workbench().screenshot(`tokens-${theme}`);
      await isReadable(workbench().page, theme);
    });
  }
});
