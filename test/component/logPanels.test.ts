import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { logPanelIn } from '../e2e/support/logPanel.ts';
import { says } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { logRequests, TRANSFER, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

describe('log panels', () => {
  const { editor, openAndRun, reload } = useLogPanels();

  it('brings back the form after a reload of the window, not the requests', async () => {
    const { page } = await openAndRun({ 'Event or topic': TRANSFER, 'To block': '123' });
    environment().localnet.explorer.forgetRequests();
    await waitUntil('the page has stored its form', () =>
      JSON.stringify(editor().panels[0]?.state ?? '').includes('123'),
    );
    const restored = logPanelIn(await reload(page));
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

  it('is readable by everyone in every theme', async () => {
    const opened = await openAndRun();
    await opened.cell(1, 'address').click();
    await opened.page.keyboard.press('Enter');
    await opened.button('Close').waitFor();
    await opened.editQuery();
    await opened.button('Further topics').click();
    await opened.field('Topic 1').fill('0xzz');
    await opened.button('Run query').click();
    await opened.frame.getByText(/^Not a value of address, uint256/).waitFor();
    await isReadableInEveryTheme(opened.page, 'logs');
  });
});
