import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { logPanelIn } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { logRequests, TRANSFER, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme, takePicture } from './support/panelPage.ts';

describe('log panels', () => {
  const { editor, openAndRun, reload } = useLogPanels();

  it('keeps its rows and its network when another is selected, until it is moved over', async () => {
    const opened = await openAndRun();
    editor().updateSettings({ 'chainside.network': 'other' });
    await opened.frame.getByText('Active network: Other Network').waitFor();
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    await takePicture(opened.page, 'logs-other-network');
    assert.deepEqual(await accessibilityFindings(opened.page), []);
    await opened.button('Move to Other Network').click();
    await waitForText(opened.status, /^Moved to Other Network\./);
    assert.equal(await opened.frame.locator('.rows [data-row]').count(), 0);
    editor().updateSettings({ 'chainside.network': 'explorer' });
  });

  it('brings back its rows with its tab, and after a reload of the window the form without a request', async () => {
    const { page, status } = await openAndRun({ 'Event or topic': TRANSFER, 'To block': '123' });
    const verdict = (await status.textContent()) ?? assert.fail('The panel says nothing.');
    environment().localnet.explorer.forgetRequests();
    // As the editor does when a tab comes to the front again.
    await page.reload();
    await status.filter({ hasText: verdict }).waitFor();
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
