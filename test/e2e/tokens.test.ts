import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { actUntil, chooseEntry } from '../../scripts/support/workbench/driver.ts';
import { localnetSettings } from '../../scripts/support/workbench/localnetSettings.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { addTokens, createExtraTokens } from '../support/extraTokens.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;

describe('the Addresses view', () => {
  const workbench = useWorkbench(() => ({
    size: { width: 1280, height: 1200 },
    settings: {
      ...localnetSettings(environment().localnet),
      'chainside.poll.seconds': 2,
      'workbench.tree.indent': 12,
    },
  }));
  const press = (key: string) => workbench().page.keyboard.press(key);
  const type = (text: string) => workbench().page.keyboard.insertText(text);
  const input = () => workbench().page.locator('.quick-input-widget');

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.dataApi.setIntercept(undefined));

  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
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

  /** Looks an address up that holds thousands of tokens more than it does; its row has the focus then. */
  async function lookUp(address: string): Promise<void> {
    environment().localnet.dataApi.setIntercept(addTokens(createExtraTokens(5_000)));
    await focusView();
    await press('Control+ArrowLeft');
    const total = workbench().page.getByRole('treeitem', { name: / in total/ });
    // So that the one waited for below is that of this address.
    await waitUntil('every address is folded', async () => (await total.count()) === 0);
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
    waitUntil(`${name} has the focus`, async () => name.test(await focused()));

  /** Takes an entry of the context menu of the row that has the focus. */
  const choose = (name: string, done: Locator) =>
    chooseEntry(workbench().page, { target: focusedRow(), name, done });

  async function search(text: string): Promise<void> {
    await actUntil(async () => {
      await run('Chainside: Search Tokens…');
      await isThere(input().getByPlaceholder(/^Search [\d,]+ holdings by name/));
      await type(text);
    }, focusedChoice(text));
  }

  it('leads by keyboard to one of 5,000 tokens and to more of them, and by a menu to transfers', async () => {
    const { chain } = environment().localnet;
    const holder = chain.holders[2] ?? assert.fail();
    await run('Chainside: Set Data API Key…');
    await workbench().answer(/^Key for http/, environment().localnet.dataApi.keys.current);
    await row('Token data: key set').waitFor();

    await lookUp(holder);
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
    await press('ArrowUp');
    await focusOn(/^1 Crowd 499[67], no price$/);
    const copied = (text: string) => workbench().page.getByText(text, { exact: true }).first();
    await choose('Copy Raw Amount', copied('Copied 1000000000000000000'));
    await choose('Copy Value', copied('Copied 1'));
    const panel = await logPanelShownBy(workbench(), () =>
      choose('Query Transfers from This Address', workbench().page.getByRole('tab', { name: /^Transfer/ })),
    );
    await waitForText(panel.status, /^Complete/);
    await panel.editQuery();
    const field = (name: string) => panel.field(name).inputValue();
    assert.match(await field('Address'), /^0x[cC]0/);
    assert.equal(await field('Event or topic'), 'Transfer(address,address,uint256)');
    assert.equal(await field('Topic 1'), holder.toLowerCase());
    assert.equal(await field('Topic 2'), '');
  });
});
