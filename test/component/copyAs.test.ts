import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { menuOpenedBy } from './support/contextMenu.ts';
import { TRANSFER, TRANSFER_TOPIC0, tide, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

describe('what is copied for other tools', () => {
  const { editor, openAndRun } = useLogPanels();
  const transfers = () => ({ Address: tide(), 'Event or topic': TRANSFER });

  /** What is copied when `offer` has a tool chosen, and `label` is that tool. */
  async function copied(label: string, offer: () => Promise<unknown>): Promise<string> {
    const { user } = editor();
    editor().clipboard = '';
    user.picks.push(label);
    await offer();
    await waitUntil(`it is said that ${label} is copied`, () => user.told.includes(`Copied as ${label}`));
    user.told.length = 0;
    return editor().clipboard;
  }

  it('is a query, by the button beside it and by the palette', async () => {
    const opened = await openAndRun({ ...transfers(), 'From block': '0', 'To block': '110' });
    const curl = await copied('curl', () => opened.button('Copy Query As…').press('Enter'));
    assert.ok(editor().user.lists.at(-1)?.labels.includes('BigQuery'));
    assert.match(curl, /^# Transfer on Local Explorer, chain 31337, blocks 0 to 110\ncurl /);
    const body = JSON.parse(/--data-raw '([^']*)'/.exec(curl)?.[1] ?? assert.fail(curl));
    assert.deepEqual(body.params, [
      { address: tide().toLowerCase(), topics: [TRANSFER_TOPIC0], fromBlock: '0x0', toBlock: '0x6e' },
    ]);
    const viem = await copied('viem', () => editor().runCommand('chainside.copyQueryAs'));
    assert.match(viem, /from 'viem';/);
    assert.ok(
      viem.includes(
        "parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')",
      ),
    );
    assert.ok(viem.includes(`address: '${tide()}',`), viem);
  });

  it('is a row: by its menu, and by the button in its details', async () => {
    const opened = await openAndRun(transfers());
    const cell = opened.cell(2, 'argument0').filter({ hasText: /\S/ });
    const menu = await menuOpenedBy(editor(), opened.page, () => cell.click({ button: 'right' }));
    const test = await copied('Foundry test', () => menu.choose('Copy As…'));
    assert.match(test, /vm\.expectEmit\(true, true, false, true, EMITTER\);/);
    assert.match(test, /emit Transfer\(0x[\dA-Fa-f]{40}, 0x[\dA-Fa-f]{40}, \d+\);/);
    assert.ok(test.includes(`address constant EMITTER = ${tide()};`), test);

    await opened.cell(1, 'block').click();
    await opened.page.keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    const block = ((await opened.cell(1, 'block').textContent()) ?? '').replaceAll(',', '');
    const copyAs = details.getByRole('button', { name: 'Copy As…' });
    const cast = await copied('cast', () => copyAs.press('Enter'));
    assert.match(cast, /\ncast logs --json /);
    assert.ok(cast.includes(`--from-block ${block} --to-block ${block} `), cast);
    await isReadableInEveryTheme(opened.page, 'copy-row-as');
  });

  it('are several rows, by keyboard alone', async () => {
    const opened = await openAndRun(transfers());
    const { keyboard } = opened.page;
    await opened.cell(3, 'block').filter({ hasText: /\d/ }).click();
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    await opened.frame.getByText('3 rows selected').waitFor({ state: 'attached' });
    const menu = await menuOpenedBy(editor(), opened.page, () => keyboard.press('Shift+F10'));
    const test = await copied('Foundry test', () => menu.choose('Copy As…'));
    assert.match(test, /Insert the call that emits all of them here\./);
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
