import assert from 'node:assert/strict';
import { chooseEntry } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { isReadableInEveryTheme } from './support/accessibility.ts';
import { TRANSFER, TRANSFER_TOPIC0, tide, useLogWindow } from './support/logWindow.ts';

describe('what is copied for other tools', () => {
  const { workbench, openAndRun } = useLogWindow();

  beforeEach(() => workbench().page.context().grantPermissions(['clipboard-read', 'clipboard-write']));

  /** Picks `label` in the list that asks, and waits until what is copied begins like `text`. */
  async function pickAndRead(label: string, text: RegExp): Promise<string> {
    const { page } = workbench();
    await workbench().quickPickRow(label).waitFor();
    await workbench().fillInput(label);
    await page.keyboard.press('Enter');
    let copied = '';
    await waitUntil(`what is copied as ${label} is ${text}`, async () => {
      copied = String(await page.evaluate('navigator.clipboard.readText()'));
      return text.test(copied);
    });
    await page
      .locator('.statusbar')
      .getByText(/^Copied /)
      .waitFor();
    return copied;
  }

  it('is a query, by the button beside it and by the palette', async () => {
    const { page } = workbench();
    const opened = await openAndRun({
      Address: tide(),
      'Event or topic': TRANSFER,
      'From block': '0',
      'To block': '110',
    });
    await opened.button('Copy query as…').press('Enter');
    await workbench().quickPickRow('BigQuery').waitFor();
    await workbench().screenshot('copy-query-as');
    const curl = await pickAndRead(
      'curl',
      /^# Transfer on Local Explorer, chain 31337, blocks 0 to 110\ncurl /,
    );
    const body = JSON.parse(/--data-raw '([^']*)'/.exec(curl)?.[1] ?? assert.fail(curl));
    assert.deepEqual(body.params, [
      { address: tide().toLowerCase(), topics: [TRANSFER_TOPIC0], fromBlock: '0x0', toBlock: '0x6e' },
    ]);
    await workbench().runCommand('Chainside: Copy Query As…');
    const viem = await pickAndRead('viem', /from 'viem';/);
    assert.ok(
      viem.includes(
        "parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')",
      ),
    );
    assert.ok(viem.includes(`address: '${tide()}',`), viem);
    await page.keyboard.press('Escape');
  });

  it('is a row: by its menu, and by the button in its details', async () => {
    const { page } = workbench();
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    await opened.cell(2, 'argument0').filter({ hasText: '0x' }).waitFor();
    await chooseEntry(page, {
      target: opened.cell(2, 'argument0'),
      name: 'Copy As…',
      done: workbench().quickPickRow('Foundry test'),
    });
    const test = await pickAndRead('Foundry test', /vm\.expectEmit\(true, true, false, true, EMITTER\);/);
    assert.match(test, /emit Transfer\(0x[\dA-Fa-f]{40}, 0x[\dA-Fa-f]{40}, \d+\);/);
    assert.ok(test.includes(`address constant EMITTER = ${tide()};`), test);

    await opened.cell(1, 'block').click();
    await page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    const block = ((await opened.cell(1, 'block').textContent()) ?? '').replaceAll(',', '');
    await details.getByRole('button', { name: 'Copy as…' }).press('Enter');
    const cast = await pickAndRead('cast', /\ncast logs --json /);
    assert.ok(cast.includes(`--from-block ${block} --to-block ${block} `), cast);
    await isReadableInEveryTheme(workbench(), opened.frame, 'copy-row-as', async () => {
      await details.getByRole('button', { name: 'Copy as…' }).waitFor();
    });
    await workbench().setTheme('dark');
  });

  it('are several rows, by keyboard alone', async () => {
    const { page } = workbench();
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    await opened.cell(3, 'block').filter({ hasText: /\d/ }).waitFor();
    await opened.cell(3, 'block').click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await opened.frame.getByText('3 rows selected').waitFor({ state: 'attached' });
    await page.keyboard.press('Shift+F10');
    const entry = page.getByRole('menuitem', { name: 'Copy As…', exact: true });
    await entry.waitFor();
    const focused = page.locator('.monaco-menu .action-item.focused').filter({ has: entry });
    await waitUntil('the entry has the focus', async () => {
      if (await focused.isVisible()) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    });
    await page.keyboard.press('Enter');
    await workbench().quickPickRow('Foundry test').waitFor();
    await workbench().screenshot('copy-rows-as');
    const test = await pickAndRead('Foundry test', /Call here what emits them, all in one call\./);
    assert.equal(test.match(/emit Transfer\(/g)?.length, 3);
    const blocks = [...test.matchAll(/\/\/ Block (\d+), log (\d+)/g)].map(
      ([, block, log]) => 1e6 * Number(block) + Number(log),
    );
    assert.deepEqual(
      blocks,
      blocks.toSorted((one, other) => one - other),
    );
  });
});
