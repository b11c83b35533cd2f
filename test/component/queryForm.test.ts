import assert from 'node:assert/strict';
import { type LogPanel, waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { type ShownLogPanel, TRANSFER, TRANSFER_TOPIC0, useLogPanels } from './support/logPanels.ts';
import { BESIDE_CODE, isReadableInEveryTheme, takePicture } from './support/panelPage.ts';

/** Pastes a text into the field of the address, as the clipboard would, to which no page may write. */
function pasting(text: string): string {
  return `(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.getElementById('address').dispatchEvent(pasted);
  })()`;
}

describe('query form', () => {
  const { openPanel } = useLogPanels();

  const options = (opened: LogPanel) => opened.frame.getByRole('option');
  const focusOn = (opened: LogPanel, name: string) =>
    opened.field(name).and(opened.frame.locator(':focus')).waitFor();

  async function chooseTransfer(opened: ShownLogPanel): Promise<void> {
    await opened.field('Event or topic').focus();
    await opened.page.keyboard.insertText('Trans');
    // The first one: lists for less that was typed begin with another.
    const wanted = 'Transfer(address indexed from, address indexed to, uint256 value)';
    await options(opened).first().filter({ hasText: wanted }).waitFor();
    await opened.frame.getByRole('option', { selected: true }).filter({ hasText: 'uint256 value' }).waitFor();
    await opened.page.keyboard.press('Enter');
    await opened.field('to').waitFor();
  }

  it('asks by keyboard alone for an event by its name and a parameter by its own', async () => {
    const { node, chain } = environment().localnet;
    const filter = { address: chain.contracts.tide.address, topics: [TRANSFER_TOPIC0] };
    const logs = (await node.call('eth_getLogs', [{ ...filter, fromBlock: '0x0', toBlock: 'latest' }])) as {
      readonly topics: readonly string[];
    }[];
    const word = logs[0]?.topics[2] ?? '';
    const wanted = logs.filter(({ topics }) => topics[2] === word);
    assert.ok(wanted.length > 0 && wanted.length < logs.length);

    const opened = await openPanel();
    await opened.field('Address').focus();
    await opened.page.keyboard.insertText(chain.contracts.tide.address);
    await opened.page.keyboard.press('Tab');
    await chooseTransfer(opened);
    for (const name of ['From block', 'To block', 'from', 'to']) {
      await opened.page.keyboard.press('Tab');
      await focusOn(opened, name);
    }
    await opened.page.keyboard.insertText(`0x${word.slice(26)}`);
    await opened.page.keyboard.press('Enter');
    const count = Math.min(wanted.length, 1000).toLocaleString('en');
    await waitForText(opened.status, new RegExp(`^(Complete|Partial)\\b.* ${count} logs?\\b`));
    await opened.editQuery();
    await opened.button('Request').click();
    await opened.frame.getByRole('region', { name: 'Request' }).filter({ hasText: word }).waitFor();
  });

  it('says at the event which type is none, while it is typed, and mends it into one that needs no list', async () => {
    const opened = await openPanel();
    await opened.field('Event or topic').focus();
    await opened.page.keyboard.insertText('Transfer(adress,address,uint256)');
    await opened.frame.getByText('Unknown type: adress. Did you mean address?').waitFor();
    assert.equal(await opened.field('Event or topic').getAttribute('aria-invalid'), 'true');
    await options(opened).first().filter({ hasText: 'Closest valid types' }).waitFor();
    await opened.page.keyboard.press('Enter');
    await opened.frame.getByText('Unknown type').waitFor({ state: 'detached' });
    assert.equal(await opened.field('Event or topic').inputValue(), TRANSFER);
    await opened.frame.getByText(TRANSFER_TOPIC0).waitFor();
    assert.equal(await options(opened).count(), 0);
    await opened.page.keyboard.press('Enter');
    await waitForLogs(opened, 'Partial');
  });

  it('takes a list as it is pasted, and values in the place of topics', async () => {
    const { contracts, accounts } = environment().localnet.chain;
    const list = `[\n  "${contracts.tide.address}",\n  "${contracts.badge.address}"\n]`;
    const opened = await openPanel();
    await opened.field('Address').evaluate(pasting(list));
    assert.match(await opened.field('Address').inputValue(), /^\[ "0x\w+", "0x\w+" \]$/);
    await opened.field('Event or topic').fill(TRANSFER);
    await opened.button('Topics').click();
    await opened.field('Topic 2').fill(accounts.alice);
    await opened.field('Topic 3').fill('0x1');
    const word = `0x${'1'.padStart(64, '0')}`;
    await opened.frame.getByText(`uint256 ${word}`).waitFor();
    await opened.button('Request').click();
    const sent = opened.frame.getByRole('region', { name: 'Request' });
    for (const part of [contracts.tide.address, contracts.badge.address, word]) {
      await sent.filter({ hasText: part.toLowerCase() }).waitFor();
    }
  });

  it('shows errors over the form, which does not move', async () => {
    const opened = await openPanel();
    await opened.page.setViewportSize(BESIDE_CODE);
    const run = opened.button('Run Query');
    const before = await run.boundingBox();
    await opened.field('From block').fill('whenever');
    await opened.field('To block').fill('someday');
    // What lies under a message can be clicked.
    await opened.field('To block').evaluate((field) => field.blur());
    const [ofFrom, ofTo] = ['From block', 'To block'].map((name) =>
      opened.frame.locator('.field', { has: opened.field(name) }).locator('.problem'),
    );
    await opened.field('To block').hover();
    await ofTo?.waitFor();
    await takePicture(opened.page, 'query-form-error');
    await run.click();
    await ofFrom?.waitFor();
    await opened.field('From block').and(opened.frame.locator(':focus')).waitFor();
    assert.deepEqual(await run.boundingBox(), before);
    assert.equal(
      await opened.frame.locator('.form').evaluate((form) => form.scrollHeight > form.clientHeight),
      false,
    );
    await opened.field('Address').focus();
    await opened.field('Address').hover();
    await ofFrom?.waitFor({ state: 'hidden' });
  });

  it('is readable by everyone in every theme', async () => {
    const opened = await openPanel();
    await chooseTransfer(opened);
    await opened.field('from').fill('Treasury');
    await opened.field('to').fill('0x12');
    await opened.button('Request').click();
    await opened.field('Event or topic').focus();
    await opened.page.keyboard.press('ArrowDown');
    await options(opened).first().waitFor();
    await isReadableInEveryTheme(opened.page, 'form');
    assert.ok(await options(opened).first().isVisible(), 'the list is closed');
  });
});
