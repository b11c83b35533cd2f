import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import * as driver from '../../scripts/support/workbench/driver.ts';
import { type SwitchedNode, switchedNode } from '../support/switchedNode.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('first launch', () => {
  let node: SwitchedNode;
  before(async () => {
    node = await switchedNode(environment().localnet.anvilUrl);
  });
  after(() => node[Symbol.asyncDispose]());
  const workbench = useWorkbench(() => ({
    isFirstLaunch: true,
    // Where the local node is, at a port of this test; no network is chosen by that.
    settings: { 'chainside.networks': { local: { rpcUrl: node.url } }, 'chainside.poll.seconds': 2 },
    fillFolder: (folder) =>
      writeFile(join(folder, 'Token.sol'), `// ${environment().localnet.chain.contracts.tide.address}\n`),
  }));
  const page = () => workbench().page;
  const row = (name: string | RegExp): Locator => page().getByRole('treeitem', { name });
  const button = (name: string): Locator =>
    page().locator('.welcome-view').getByRole('button', { name, exact: true });
  const statusItem = (text: string | RegExp): Locator =>
    page().locator('.statusbar-item').filter({ hasText: text });

  it('asks nothing until a network is chosen, and takes four actions to the first rows', async () => {
    await node.turnOn();
    await workbench().openView('Chainside');
    await page()
      .getByText(/^Select a network\./)
      .waitFor();
    await button('Select Network…').waitFor();
    await statusItem(/^\s*Chainside$/).waitFor();
    await workbench().openFile('Token.sol');
    await workbench().screenshot('first-launch');
    await driver.unfold(row('In This Workspace'), row(/^0xe7f1/));
    await driver.unfold(row(/^0xe7f1/), row('Select Network…'));
    assert.equal(await row(/not (read|loaded)/i).count(), 0);
    assert.equal(node.connections, 0);
    await row('In This Workspace').click();

    await node.turnOff();
    await button('Select Network…').click();
    await workbench()
      .quickPickRow('Local Node')
      .filter({ hasText: `${node.host} · does not answer` })
      .waitFor();
    await workbench().quickPickRow('Palm Mainnet').filter({ hasText: 'chain 11297108109' }).waitFor();
    await workbench().screenshot('first-launch-networks');
    await workbench().fillInput('Gnosis');
    await workbench().quickPickRow('Gnosis').filter({ hasText: 'gnosis.blockscout.com' }).waitFor();
    await page().keyboard.press('Escape');
    await button('Select Network…').waitFor();

    await node.turnOn();
    let actions = 0;
    const act = async (does: () => Promise<unknown>) => {
      actions++;
      await does();
    };
    await act(() => button('Select Network…').click());
    await workbench().quickPickRow('Local Node').filter({ hasText: 'online' }).waitFor();
    await workbench().screenshot('first-launch-node');
    await act(() => workbench().quickPickRow('Local Node').click());
    await row(/^Network: Local Node, Latest block: [\d,]+/).waitFor();
    const view = page().locator('.pane', { hasText: 'Addresses' }).first();
    await view.hover();
    const panel = await logPanelShownBy(workbench(), () =>
      act(() => view.getByRole('button', { name: 'Query Logs…' }).click()),
    );
    await panel.button('Run Query').waitFor();
    await act(() => panel.button('Run Query').click());
    await waitForText(panel.status, /^(Complete|Partial)/);
    await panel.cell(0, 'block').waitFor();
    assert.ok(actions <= 4, `${actions} actions`);
    await workbench().screenshot('first-launch-rows');
  });
});
