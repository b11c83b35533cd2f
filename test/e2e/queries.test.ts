import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { toChecksumAddress } from '../../src/core/index.ts';
import { HARBOR_TRANSFER, writeHarborProject } from '../support/harborProject.ts';
import { type LogPanel, logPanelIn, openLogPanel, runLogQuery } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';

describe('queries in a project', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, anvilUrl, chain } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl },
        },
      },
      fillFolder: (folder) => writeHarborProject(folder, chain),
    };
  });

  const press = (key: string) => workbench().page.keyboard.press(key);
  const type = (text: string) => workbench().page.keyboard.insertText(text);

  /** Chooses by keyboard what a field offers first for what is typed. */
  async function choose(
    opened: LogPanel,
    { field, typed, offered }: { readonly field: string; readonly typed: string; readonly offered: RegExp },
  ): Promise<void> {
    await opened.field(field).focus();
    await type(typed);
    await opened.frame.getByRole('option').first().filter({ hasText: offered }).waitFor();
    await opened.frame.getByRole('option', { selected: true }).filter({ hasText: offered }).waitFor();
    await press('Enter');
    await opened.frame.getByRole('option').first().waitFor({ state: 'detached' });
  }
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });

  /** Moves to a row of the view by keyboard, and presses a key there. */
  async function pressOn(target: Locator, key: string): Promise<void> {
    const { page } = workbench();
    await workbench().runCommand('Chainside: Focus on Queries View');
    await page.keyboard.press('Home');
    const isThere = () => target.and(page.locator('.focused')).isVisible();
    for (let rows = 0; !(await isThere()); rows++) {
      assert.ok(rows < 10, 'The arrow keys do not reach the row.');
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press(key);
  }

  it('are kept once they ran, and run it again after its tab and the window are gone, are saved and removed', async () => {
    const { page } = workbench();
    const askedForName = workbench().question(/^Name of the query/);
    // It is folded at first: the other views have the room.
    await workbench().runCommand('Chainside: Focus on Queries View');
    await page.getByText(/^No queries yet\./).waitFor();
    await runLogQuery(workbench(), {
      Address: environment().localnet.chain.contracts.usd.address,
      'Event or topic': TRANSFER,
      'From block': '0',
      'To block': '60',
    });
    await row(/^Transfer · 0x.{4}….{4}, \d+ logs, complete to 60 · (just now|\d+ s ago)$/).waitFor();
    await workbench().closeEditors();
    await workbench().reloadWindow();
    await workbench().openView('Chainside');
    const ran = row(/^Transfer · .* complete to 60 · /);
    const again = logPanelIn(await workbench().webviewShownBy(() => ran.click()));
    await waitForText(again.status, /^Complete · \d+ logs to block 60/);
    assert.equal(await row(/^Transfer · /).count(), 1, 'A query is kept once.');

    // The palette gives the focus back to the panel, which may take it from the input box that comes next.
    await ran.hover();
    await driver.actUntil(() => ran.getByRole('button', { name: 'Save Query…' }).click(), askedForName);
    await workbench().answer(/^Name of the query/, 'Dollar moves');
    const saved = row(/^Dollar moves, \d+ logs, complete to 60 · /);
    await saved.waitFor();
    assert.equal(await row(/^Recent$/).count(), 0, 'What is saved does not stand among the recent ones too.');
    await pressOn(saved, 'F2');
    await workbench().answer(/^Name of the query/, 'Dollar transfers');
    const renamed = row(/^Dollar transfers, /);
    await renamed.waitFor();
    await workbench().closeEditors();

    await workbench().runCommand('Chainside: Open Query…', workbench().question(/^Choose a query to run/));
    await workbench().fillInput('Test Explorer');
    const found = page.locator('.quick-input-widget .monaco-list-row').first();
    await found.filter({ hasText: 'Dollar transfers' }).filter({ hasText: 'Transfer(' }).waitFor();
    await found.hover();
    const unrun = logPanelIn(
      await workbench().webviewShownBy(() =>
        found.getByRole('button', { name: 'Open Without Running' }).click(),
      ),
    );
    await waitForText(unrun.status, /^Run the query to load logs from Test Explorer/);
    assert.equal(await unrun.field('To block').inputValue(), '60');

    await pressOn(renamed, 'Delete');
    await row(/^Saved$/).waitFor({ state: 'detached' });
    await ran.waitFor();
  });

  it('are completed with names, the events of a deployment, and begin at its block', async () => {
    const { accounts, contracts } = environment().localnet.chain;
    const opened = await openLogPanel(workbench());
    await choose(opened, { field: 'Address', typed: 'har', offered: /^Harbor0x.*deployment in broadcast/ });
    await choose(opened, {
      field: 'Event or topic',
      typed: 'tr',
      offered: /Harbor · src\/Harbor\.sol · at this/,
    });
    await opened.frame.getByPlaceholder('1', { exact: true }).waitFor();
    await opened.frame.getByText('Deployment block of Harbor').waitFor();
    assert.equal(
      await opened.field('Address').inputValue(),
      toChecksumAddress(contracts.tide.address as `0x${string}`),
    );
    assert.equal(await opened.field('Event or topic').inputValue(), HARBOR_TRANSFER);
    // A name that is typed in full needs no choice.
    await opened.field('to').fill('Treasury');
    await press('Enter');
    await waitForText(opened.status, /^(Complete|Partial)\b/);
    await opened.frame.getByRole('listitem').filter({ hasText: 'to Treasury' }).waitFor();
    // The explorer does not say what was there before the block that the file names.
    await opened.frame.getByRole('listitem').filter({ hasText: 'blocks 0 – ' }).waitFor();
    await opened.editQuery();
    assert.equal(await opened.field('to').inputValue(), toChecksumAddress(accounts.alice as `0x${string}`));
    await opened.button('Request').click();
    const sent = opened.frame.getByRole('region', { name: 'Request' });
    await sent.filter({ hasText: '"fromBlock": "0x1"' }).waitFor();
    await sent.filter({ hasText: accounts.alice.slice(2).toLowerCase() }).waitFor();
    await opened.field('from').fill('Nobody');
    await press('Enter');
    await opened.frame.getByText(/^No address is called Nobody\./).waitFor();
  });
});
