import assert from 'node:assert/strict';
import { accessibilityFindings, isReadableInEveryTheme } from './support/accessibility.ts';
import { leavesNoError } from './support/consoleErrors.ts';
import { environment } from './support/environment.ts';
import { failureReport } from './support/failureReport.ts';
import { logPanelShownBy, logsLoaded } from './support/logPanel.ts';
import { logRequests, TRANSFER, useLogWindow } from './support/logWindow.ts';
import { focusIsOn, says } from './support/panel.ts';

describe('log panels', () => {
  const { workbench, openPanel, openAndRun, panelOfTab } = useLogWindow();

  it('keeps its rows while another editor is in front, without asking again', async () => {
    const loaded = await logsLoaded(await openAndRun(), 'Partial');
    environment().localnet.explorer.forgetRequests();
    await openPanel();
    const again = await panelOfTab(/^Transfer/);
    assert.equal(await logsLoaded(again, 'Partial'), loaded);
    await again.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    assert.equal(logRequests(), 0);
  });

  it('has as many panels as are opened, each with its own answer', async () => {
    const { chain } = environment().localnet;
    const first = await openAndRun({ Address: chain.contracts.badge.address });
    const answer = (await first.status.textContent()) ?? assert.fail('The first panel says nothing.');
    const second = await openAndRun({ 'Event or topic': TRANSFER, 'To block': '0' });
    await says(second.status, /^Complete · 0 logs to block 0/);
    await (await panelOfTab(/^Logs · 0x/)).status.filter({ hasText: answer }).waitFor();
  });

  it('brings back the form after a reload of the window, not the requests', async () => {
    await openAndRun({ 'Event or topic': TRANSFER, 'To block': '123' });
    environment().localnet.explorer.forgetRequests();
    const restored = await logPanelShownBy(workbench(), () => workbench().reloadWindow());
    await says(
      restored.status,
      /^The query was restored, its logs were not\. Run it again to ask Local Explorer\./,
    );
    assert.equal(await restored.field('Event or topic').inputValue(), TRANSFER);
    assert.equal(await restored.field('To block').inputValue(), '123');
    assert.equal(logRequests(), 0);
    await restored.button('Run query').click();
    await says(restored.status, /to block 123\b|of 0 to 123\b/);
    await restored.frame.getByRole('listitem').filter({ hasText: 'blocks 0 – 123' }).waitFor();
  });

  it('keeps its rows and its network when another is selected, until it is moved over', async () => {
    const opened = await openAndRun();
    await workbench().updateSettings({ 'chainside.network': 'other' });
    await opened.frame.getByText('Active network: Other Network').waitFor();
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    const loaded = await logsLoaded(opened, 'Partial');
    await opened.button('Load next page').click();
    await focusIsOn(opened, loaded, 'block');
    await opened.cell(loaded, 'transaction').filter({ hasText: '0x' }).waitFor();
    await workbench().screenshot('logs-other-network');
    assert.deepEqual(await accessibilityFindings(opened.frame), []);
    await opened.button('Move to Other Network').click();
    await says(opened.status, /^Moved to Other Network\./);
    assert.equal(await opened.frame.locator('.rows [data-row]').count(), 0);
    await opened.button('Run query').click();
    await logsLoaded(opened, 'Partial');
    await opened.button('About this answer').press('Enter');
    await opened.frame.getByRole('definition').filter({ hasText: 'Other Network' }).waitFor();
    await workbench().updateSettings({ 'chainside.network': 'explorer' });
    await opened.button('Move to Local Explorer').waitFor();
  });

  it('is readable by everyone in every theme', async () => {
    const opened = await openAndRun();
    await opened.cell(1, 'address').click();
    await workbench().page.keyboard.press('Enter');
    await opened.button('Close').waitFor();
    await opened.editQuery();
    await opened.button('Further topics').click();
    await opened.field('Topic 1').fill('0xzz');
    await opened.button('Run query').click();
    await opened.frame.getByText(/^Not a value of address, uint256/).waitFor();
    await isReadableInEveryTheme(workbench(), opened.frame, 'logs');
  });

  it('is told in words, with all that is around it, when a test fails', async () => {
    await workbench().openView('Chainside');
    await workbench().runCommand('Chainside: Set Data API Key…');
    await workbench().notification('Local Explorer has no data API').waitFor();
    await workbench().runCommand('Notifications: Clear All Notifications');
    const opened = await openAndRun();
    // Of logs alone: the latest block is still told.
    environment().localnet.explorer.setIntercept(({ body }) =>
      body.includes('eth_getLogs') ? { kind: 'respond', status: 500, body: '' } : undefined,
    );
    // A page may have been read ahead.
    await opened.button('Load all').click();
    const loaded = (await logsLoaded(opened, 'Stopped by an error')).toLocaleString('en');
    const report = await failureReport(workbench(), 'a failed test');
    const said = (part: string, words: string) =>
      new RegExp(`^ {2}${part}:\\n(?: {4}.*\\n)*? {4}.*${words}`, 'm');
    for (const [part, words] of [
      ['Side bar', 'Local Explorer'],
      ['Tabs', 'Transfer'],
      ['Status bar', 'Local Explorer \\d+'],
      ['Panel', `Stopped by an error · ${loaded} logs`],
      ['Last messages', 'Local Explorer has no data API'],
      ['Output of the extension', '\\[warn\\].* POST http://127\\.0\\.0\\.1:\\d+ 500 '],
    ] as const) {
      assert.match(report, said(part, words));
    }
    assert.match(report, /^On the screen when it failed: a failed test\n {2}Picture: .*\.png$/m);
  });

  leavesNoError(workbench);
});
