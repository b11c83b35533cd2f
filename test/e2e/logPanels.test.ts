import assert from 'node:assert/strict';
import { leavesNoError } from './support/consoleErrors.ts';
import { environment } from './support/environment.ts';
import { failureReport } from './support/failureReport.ts';
import { logPanelShownBy, logsLoaded } from './support/logPanel.ts';
import { logRequests, TRANSFER, useLogWindow } from './support/logWindow.ts';
import { says } from './support/panel.ts';

describe('log panels', () => {
  const { workbench, openPanel, openAndRun, panelOfTab } = useLogWindow();

  it('keeps its rows behind another editor and its form over a reload, and asks nothing by itself', async () => {
    const form = { 'Event or topic': TRANSFER, 'To block': '123' };
    const loaded = await logsLoaded(await openAndRun(form), 'Partial');
    environment().localnet.explorer.forgetRequests();
    await openPanel();
    const again = await panelOfTab(/^Transfer/);
    assert.equal(await logsLoaded(again, 'Partial'), loaded);
    await again.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    const restored = await logPanelShownBy(workbench(), () => workbench().reloadWindow());
    await says(
      restored.status,
      /^The query was restored, its logs were not\. Run it again to ask Local Explorer\./,
    );
    for (const [name, value] of Object.entries(form)) {
      assert.equal(await restored.field(name).inputValue(), value);
    }
    assert.equal(logRequests(), 0);
  });

  it('is told in words, with all that is around it, when a test fails', async () => {
    await workbench().openView('Chainside');
    await workbench().runCommand('Chainside: Set Data API Key…');
    await workbench().notification('Local Explorer has no data API').waitFor();
    await workbench().runCommand('Notifications: Clear All Notifications');
    const opened = await openAndRun();
    // Of logs alone: the latest block is still told.
    environment().localnet.explorer.setIntercept(({ body }) =>
      body.includes('eth_getLogs') ? { kind: 'respond', status: 404, body: '' } : undefined,
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
      ['Output of the extension', '\\[warn\\].* POST http://127\\.0\\.0\\.1:\\d+ 404 '],
    ] as const) {
      assert.match(report, said(part, words));
    }
    assert.match(report, /^On the screen when it failed: a failed test\n {2}Picture: .*\.png$/m);
  });

  leavesNoError(workbench);
});
