import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import type { LogPanel } from '../e2e/support/logPanel.ts';
import { waitForFocus, waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { logRequests, type ShownLogPanel, TRANSFER, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme, takePicture } from './support/panelPage.ts';

describe('following logs', () => {
  const { editor, openPanel, openAndRun } = useLogPanels(() => ({
    settings: { 'chainside.poll.seconds': 3600 },
  }));

  const head = async () => Number(await environment().localnet.node.call('eth_blockNumber', []));
  const number = (value: number) => value.toLocaleString('en');

  /** Mines blocks, and has the newest one asked for at once, as a person may do who does not wait for the next poll. */
  async function mineAndRefresh(blocks: number): Promise<void> {
    await environment().localnet.mine(blocks);
    await editor().runCommand('chainside.refresh');
  }

  const openUsd = () =>
    openAndRun({
      Address: environment().localnet.chain.contracts.usd.address,
      'Event or topic': TRANSFER,
    });

  const isFollowingTo = (panel: LogPanel, block: number) =>
    waitForText(panel.status, new RegExp(`^Following · complete to block ${number(block)}\\b`));

  async function openFollowed(): Promise<ShownLogPanel> {
    const panel = await openUsd();
    await panel.button('Follow').click();
    await isFollowingTo(panel, await head());
    return panel;
  }

  const firstBlockIs = (panel: LogPanel, block: number) =>
    panel
      .cell(0, 'block')
      .filter({ hasText: new RegExp(`^${number(block)}$`) })
      .waitFor();

  it('brings new logs in on top, marked, by one request for logs a block, until its command ends that', async () => {
    const { mine } = environment().localnet;
    const panel = await openFollowed();
    assert.equal(await panel.button('Follow').getAttribute('aria-pressed'), 'true');
    // The first look goes over the last blocks once more.
    await mine(1);
    await firstBlockIs(panel, await head());
    const before = logRequests();
    await mine(1);
    await firstBlockIs(panel, await head());
    await panel.grid.locator('.row.fresh[data-row="0"]').waitFor();
    await isFollowingTo(panel, await head());
    assert.equal(logRequests() - before, 1);
    assert.equal(await panel.status.getAttribute('aria-live'), 'off');
    await isReadableInEveryTheme(panel.page, 'follow', async () => {
      await mineAndRefresh(1);
      await firstBlockIs(panel, await head());
      await panel.grid.locator('.row.fresh[data-row="0"]').waitFor();
    });
    assert.equal(editor().contextKeys.get('chainside.logs.followable'), true);
    await editor().runCommand('chainside.followLogs');
    await panel.frame.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
    await waitForText(panel.status, /^Complete · /);
  });

  it('keeps the place of someone who has scrolled away, the selection and the details', async () => {
    const panel = await openFollowed();
    await panel.cell(30, 'block').click();
    const transaction = (await panel.cell(30, 'transaction').textContent()) ?? '';
    await panel.page.keyboard.press('Shift+ArrowDown');
    const top = await panel.cell(30, 'block').boundingBox();
    await mineAndRefresh(2);
    const moved = panel.cell(32, 'transaction').filter({ hasText: transaction });
    await moved.waitFor();
    await waitForFocus(panel, 33, 'block');
    const selected = panel.grid.locator('[role=row][aria-selected=true]');
    const rows = await selected.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
    assert.deepEqual(rows, ['32', '33']);
    const now = await panel.cell(32, 'block').boundingBox();
    assert.equal(now?.y, top?.y);
  });

  it('takes the rows of a reorg back: struck through for a moment, then gone', async () => {
    const { node, catchUp } = environment().localnet;
    const panel = await openFollowed();
    const snapshot = await node.call('evm_snapshot', []);
    const last = await head();
    await mineAndRefresh(2);
    await firstBlockIs(panel, last + 2);
    await node.call('evm_revert', [snapshot]);
    await node.call('evm_mine', []);
    await catchUp();
    await editor().runCommand('chainside.refresh');
    await panel.grid.locator('.row.struck').first().waitFor();
    await takePicture(panel.page, 'follow-struck-rows');
    await panel.grid.locator('.row.struck').first().waitFor({ state: 'detached' });
    await isFollowingTo(panel, last + 1);
    await panel
      .cell(0, 'block')
      .filter({ hasText: new RegExp(`^${number(last)}$|^${number(last - 1)}$`) })
      .waitFor();
  });

  it('comes up to date when it is looked at again, and tells of new logs elsewhere once that is asked for', async () => {
    const panel = await openFollowed();
    const [followed] = editor().panels;
    const { user } = editor();
    const told = () =>
      [...[...editor().statusBar].map(({ text }) => text), ...user.told].filter((text) =>
        /new logs?/.test(text),
      );
    await openPanel();
    assert.equal(followed?.active, false);
    await mineAndRefresh(1);
    user.told.length = 0;
    followed?.reveal();
    await isFollowingTo(panel, await head());
    assert.deepEqual(told(), []);
    user.picks.push('Show a Count, and a Notification for the First New Log');
    await editor().runCommand('chainside.notifyOfLogs');
    await openPanel();
    await environment().localnet.mine(1);
    await waitUntil('there is a notification', () => told().some((text) => /^\d+ new logs? in /.test(text)));
    followed?.reveal();
    await isFollowingTo(panel, await head());
  });

  it('does not follow by itself what an end was given to, and offers to go on without', async () => {
    const { user } = editor();
    const panel = await openAndRun({ 'Event or topic': TRANSFER, 'To block': '100' });
    user.presses.push('Follow to the Latest Block');
    await panel.button('Follow').click();
    await waitForText(panel.status, /^Following · complete to block/);
    assert.match(user.told.at(-1) ?? '', /^This query ends at a fixed block/);
  });
});
