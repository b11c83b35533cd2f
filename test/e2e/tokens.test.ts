import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { actUntil, type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { localnetSettings } from '../../scripts/support/workbench/localnetSettings.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { addTokens, createExtraTokens } from '../support/extraTokens.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { isReadable } from './support/themeLook.ts';
import { environment, useWorkbench } from './support/workbench.ts';

const HALF = `0x${(5n * 10n ** 17n).toString(16)}`;
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
/** The row of a development account with its balance and what is said of that. */
const account = (address: string, said = '') =>
  new RegExp(`^anvil #\\d, [\\d,.]+ ETH${said}, ${short(address)}$`);

describe('the Addresses view', () => {
  const workbench = useWorkbench(() => ({
    size: { width: 1280, height: 1200 },
    settings: {
      ...localnetSettings(environment().localnet),
      'chainside.poll.seconds': 2,
      'workbench.tree.indent': 12,
    },
  }));
  const { press, type } = {
    press: async (...keys: readonly string[]) => {
      for (const key of keys) await workbench().page.keyboard.press(key);
    },
    type: (text: string) => workbench().page.keyboard.insertText(text),
  };
  const input = () => workbench().page.locator('.quick-input-widget');
  const holder = (index: number) => environment().localnet.chain.holders[index] as string;

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.dataApi.setIntercept(undefined));

  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const statusItem = (text: string | RegExp): Locator =>
    workbench().page.locator('.statusbar-item', { hasText: text });

  /** The calls of each request for balances since the last look. */
  function balanceRequests(): readonly number[] {
    const requests = environment().localnet.explorer.requests.map(({ body }) => body);
    return requests
      .filter((body) => body.includes('eth_getBalance'))
      .map((body) => [JSON.parse(body)].flat().length);
  }

  async function watch(address: string): Promise<void> {
    await workbench().runCommand('Chainside: Watch Address');
    await workbench().answer(/^Address of an account/, address);
    await row(account(address)).waitFor();
  }

  /** Half an ether from the deployer to Alice, in a block of its own. */
  async function pay(): Promise<void> {
    const { node, chain, catchUp } = environment().localnet;
    const { deployer: from, alice: to } = chain.accounts;
    await node.call('eth_sendTransaction', [{ from, to, value: HALF }]);
    await node.call('evm_mine', []);
    await catchUp();
  }

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
  async function lookUp(address: string, tokens = createExtraTokens(0)): Promise<void> {
    environment().localnet.dataApi.setIntercept(addTokens(tokens));
    await focusView();
    await press('Control+ArrowLeft');
    const total = workbench().page.getByRole('treeitem', { name: / in total/ });
    // So that the one waited for below is that of this address.
    await eventually(async () => (await total.count()) === 0, 'every address is folded');
    await run('Chainside: Look Up Address…');
    await workbench().answer(/^Address of an account/, address);
    await focusOn(new RegExp(short(address)));
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

  async function search(text: string): Promise<void> {
    await actUntil(async () => {
      await run('Chainside: Search Tokens…');
      await isThere(input().getByPlaceholder(/^Search [\d,]+ holdings by name/));
      await type(text);
    }, focusedChoice(text));
  }

  it('shows within a block what has come to a watched address, by one request, and asks nothing while it is hidden', async () => {
    const { explorer, node, chain } = environment().localnet;
    const { alice, bob } = chain.accounts;
    await watch(alice);
    await watch(bob);
    // What a block before this changes is not to be counted.
    await statusItem(/^\s*Local Network \d/).waitFor();
    explorer.forgetRequests();
    await pay();
    await row(account(alice, ', up by 0\\.5')).waitFor();
    await workbench().screenshot('watched-change');
    assert.deepEqual(balanceRequests(), [2]);
    await row(account(alice)).waitFor();

    await workbench().runCommand('View: Show Explorer');
    await row(/ETH/).first().waitFor({ state: 'hidden' });
    explorer.forgetRequests();
    await pay();
    const block = BigInt((await node.call('eth_blockNumber', [])) as string);
    await statusItem(`Local Network ${block}`).waitFor();
    assert.deepEqual(balanceRequests(), []);
    await workbench().openView('Chainside');
    await row(account(alice, ', up by 0\\.5')).waitFor();
    assert.deepEqual(balanceRequests(), [2]);
  });

  it('leads by keyboard alone to one of 5,000 tokens, to more of them, to NFTs, and to transfers', async () => {
    const { accounts, contracts } = environment().localnet.chain;
    await run('Chainside: Set Data API Key…');
    await workbench().answer(/^Key for http/, environment().localnet.dataApi.keys.current);
    await row('Token data: key set').waitFor();

    await lookUp(holder(2), createExtraTokens(5_000));
    await press('End');
    await focusOn(/^In This Workspace/);
    await press('ArrowUp');
    await focusOn(/^Show \d+ more…, [\d,]+ not shown$/);
    await press('Enter');
    await focusOn(/^1 Crowd \d+, \$/);
    await workbench().screenshot('tokens-5000');

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
    await focusOn(/^1 Crowd 499[67], no price$/);

    await lookUp(accounts.alice);
    await goDownTo(/^.+, [\d,]+ NFTs?$/);
    await press('ArrowRight');
    await row(/^.+ #\d+/)
      .first()
      .waitFor();
    await goDownTo(/^.+ #\d+/);
    await workbench().screenshot('tokens-nfts');

    await search('TIDE');
    await press('Enter');
    await focusOn(/ TIDE, no price$/);
    const panel = await logPanelShownBy(workbench(), () => choose('Query Transfers from This Address'));
    await waitForText(panel.status, /^Complete/);
    await panel.editQuery();
    const field = (name: string) => panel.field(name).inputValue();
    assert.equal(await field('Address'), contracts.tide.address);
    assert.equal(await field('Event or topic'), 'Transfer(address,address,uint256)');
    assert.equal(await field('Topic 1'), accounts.alice.toLowerCase());
    assert.equal(await field('Topic 2'), '');
  });

  it('can be read in every theme, also while balances cannot be read, which come back by themselves', async () => {
    const { explorer, chain } = environment().localnet;
    const { alice } = chain.accounts;
    await focusView();
    await press('Home', 'ArrowRight');
    explorer.setIntercept(() => ({ kind: 'respond', status: 503, body: 'down' }));
    try {
      await row(account(alice, ', last read .+ ago')).waitFor();
      for (const theme of Object.keys(themes) as Theme[]) {
        await workbench().setTheme(theme);
        await workbench().screenshot(`tokens-${theme}`);
        await isReadable(workbench().page, theme);
      }
    } finally {
      explorer.setIntercept(undefined);
    }
    await row(account(alice)).waitFor();
    await eventually(async () => (await row(/last read/).count()) === 0, 'no row is old');
  });
});
