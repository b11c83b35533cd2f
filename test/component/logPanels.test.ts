import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { logPanelIn, waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForFocus, waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { logRequests, TRANSFER, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme, takePicture } from './support/panelPage.ts';

describe('log panels', () => {
  const { editor, openAndRun, reload } = useLogPanels();

  it('has as many panels as are opened, each with its own answer', async () => {
    const { chain } = environment().localnet;
    const first = await openAndRun({ Address: chain.contracts.badge.address });
    const answer = (await first.status.textContent()) ?? assert.fail('The first panel says nothing.');
    const second = await openAndRun({ 'Event or topic': TRANSFER, 'To block': '0' });
    await waitForText(second.status, /^Complete · 0 logs to block 0/);
    // As the editor does when a tab comes to the front again.
    await first.page.reload();
    await first.status.filter({ hasText: answer }).waitFor();
    const titles = editor().panels.map(({ title }) => title);
    assert.match(titles.join('\n'), /^Logs · 0x.*\nTransfer/);
  });

  it('keeps its rows and its network when another is selected, until it is moved over', async () => {
    const opened = await openAndRun();
    editor().updateSettings({ 'chainside.network': 'other' });
    await opened.frame.getByText('Active network: Other Network').waitFor();
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    const loaded = await waitForLogs(opened, 'Partial');
    await opened.button('Load Next Page').click();
    await waitForFocus(opened, loaded, 'block');
    await opened.cell(loaded, 'transaction').filter({ hasText: '0x' }).waitFor();
    await takePicture(opened.page, 'logs-other-network');
    assert.deepEqual(await accessibilityFindings(opened.page), []);
    await opened.button('Move to Other Network').click();
    await waitForText(opened.status, /^Moved to Other Network\./);
    assert.equal(await opened.frame.locator('.rows [data-row]').count(), 0);
    await opened.button('Run Query').click();
    await waitForLogs(opened, 'Partial');
    await opened.button('About This Result').press('Enter');
    await opened.frame.getByRole('definition').filter({ hasText: 'Other Network' }).waitFor();
    editor().updateSettings({ 'chainside.network': 'explorer' });
    await opened.button('Move to Local Explorer').waitFor();
  });

  it('brings back the form after a reload of the window, not the requests', async () => {
    const { page } = await openAndRun({ 'Event or topic': TRANSFER, 'To block': '123' });
    environment().localnet.explorer.forgetRequests();
    await waitUntil('the page has stored its form', () =>
      JSON.stringify(editor().panels[0]?.state ?? '').includes('123'),
    );
    const restored = logPanelIn(await reload(page));
    await waitForText(restored.status, /^Query restored\. Run it to reload the logs from Local Explorer\./);
    assert.equal(await restored.field('Event or topic').inputValue(), TRANSFER);
    assert.equal(await restored.field('To block').inputValue(), '123');
    assert.equal(logRequests(), 0);
    await restored.button('Run Query').click();
    await waitForText(restored.status, /to block 123\b|of 0 to 123\b/);
    await restored.frame.getByRole('listitem').filter({ hasText: 'blocks 0 – 123' }).waitFor();
  });

  it('is readable by everyone in every theme', async () => {
    const opened = await openAndRun();
    await opened.cell(1, 'address').click();
    await opened.page.keyboard.press('Enter');
    await opened.button('Close').waitFor();
    await opened.editQuery();
    await opened.button('Topics').click();
    await opened.field('Topic 1').fill('0xzz');
    await opened.button('Run Query').click();
    await opened.frame.getByText(/^Not a value of type address, uint256/).waitFor();
    await isReadableInEveryTheme(opened.page, 'logs');
  });
});
