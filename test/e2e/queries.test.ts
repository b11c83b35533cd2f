import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { logPanelIn, runLogQuery } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';

describe('queries', () => {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
  }));
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
});
