import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForFocus, waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { logRequests, TRANSFER, tide, useLogPanels } from './support/logPanels.ts';

describe('log query', () => {
  const { editor, openPanel, openAndRun } = useLogPanels();

  it('goes to the first new row after the next page', async () => {
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), '-1');
    await waitForText(opened.status, /^Partial: blocks [\d,]+ to ([\d,]+) of [01] to \1 · [\d,]+ logs/);
    const loaded = await waitForLogs(opened, 'Partial');
    assert.ok(loaded >= 500 && loaded <= 1000, `${loaded} logs are no first page`);
    await opened.button('Load Next Page').click();
    await waitForLogs(opened, 'Partial', loaded);
    await waitForFocus(opened, loaded, 'block');
    const row = opened.frame.locator(`[data-row="${loaded}"]`);
    assert.equal(await row.getAttribute('aria-rowindex'), String(loaded + 2));
  });

  it('tells bad input at its field, before any request', async () => {
    const opened = await openPanel();
    environment().localnet.explorer.forgetRequests();
    await opened.field('Address').fill('0x12');
    await opened.field('Event or topic').fill('Transfer(');
    await opened.field('To block').fill('ten');
    await opened.button('Run Query').click();
    for (const name of ['Address', 'Event or topic', 'To block']) {
      assert.equal(await opened.field(name).getAttribute('aria-invalid'), 'true', name);
    }
    await opened.frame.getByText('Not an address. Enter 0x and 40 hex digits.').waitFor();
    // At once: a focus that comes later takes what is typed in another field.
    assert.equal(await opened.frame.locator('[aria-invalid=true]:focus').count(), 1);

    for (const name of ['Address', 'Event or topic', 'To block']) await opened.field(name).fill('');
    await opened.button('Run Query').click();
    await opened.frame
      .getByText('An explorer needs an address or an event. Enter at least one of them.')
      .waitFor();
    assert.equal(await opened.field('Address').getAttribute('aria-invalid'), 'true');
    assert.equal(logRequests(), 0);
  });

  it('runs it again by the command in the title of the editor, once the form is folded', async () => {
    const opened = await openPanel();
    const canRun = () => editor().contextKeys.get('chainside.logs.folded') === true;
    assert.ok(!canRun());
    await opened.field('Event or topic').fill(TRANSFER);
    await opened.button('Run Query').click();
    await waitForLogs(opened, 'Partial');
    environment().localnet.explorer.forgetRequests();
    await waitUntil('the form is folded', canRun);
    await editor().runCommand('chainside.logs.run');
    await waitUntil('the query is asked again', () => logRequests() > 0);
  });

  it('keeps rows under the query that they are of, whatever is typed', async () => {
    const { usd } = environment().localnet.chain.contracts;
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    const line = opened.frame.getByRole('region', { name: 'Query for these rows' });
    const reads = (...parts: readonly RegExp[]) =>
      Promise.all(parts.map((part) => line.getByRole('listitem').filter({ hasText: part }).waitFor()));
    const short = new RegExp(`^${tide().slice(0, 6)}….*$`, 'i');
    await reads(short, /^Transfer/, /^blocks [01] – [\d,]+$/, /^newest first$/);
    await opened.button('Edit Query').and(opened.frame.locator(':focus')).waitFor();

    await opened.page.keyboard.press('Enter');
    await opened.field('Address').and(opened.frame.locator(':focus')).waitFor();
    await line.waitFor({ state: 'detached' });
    await opened.field('Address').fill(usd.address);
    await line.getByText('You changed the form. The rows are still from this query.').waitFor();
    const loaded = await waitForLogs(opened, 'Partial');
    await opened.button('Load Next Page').click();
    await waitForLogs(opened, 'Partial', loaded);
    await reads(short);
    await opened
      .cell(loaded, 'argument2')
      .filter({ hasText: / TIDE$/ })
      .waitFor();
    assert.match(editor().panels[0]?.title ?? '', new RegExp(`^Transfer · ${tide().slice(0, 6)}`, 'i'));

    await opened.field('Address').press('Escape');
    await opened.field('Address').waitFor({ state: 'detached' });
    await opened.editQuery();
    assert.equal(await opened.field('Address').inputValue(), usd.address);
    await opened.button('Discard Changes').click();
    assert.equal((await opened.field('Address').inputValue()).toLowerCase(), tide().toLowerCase());
    await opened.button('Close Form').click();
    await opened.field('Address').waitFor({ state: 'detached' });
  });
});
