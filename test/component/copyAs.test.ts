import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { menuOpenedBy } from './support/contextMenu.ts';
import { TRANSFER, tide, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

describe('what is copied for other tools', () => {
  const { editor, openAndRun } = useLogPanels();

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

  it('is the query by its button, a row by its details, and several rows by their menu, by keyboard alone', async () => {
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER, 'To block': '110' });
    const { keyboard } = opened.page;
    const curl = await copied('curl', () => opened.button('Copy Query As…').press('Enter'));
    assert.match(curl, /^# Transfer on Local Explorer, chain 31337, blocks \d+ to 110\ncurl /);

    await opened.cell(1, 'block').click();
    await keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    const copyAs = details.getByRole('button', { name: 'Copy As…' });
    const block = ((await opened.cell(1, 'block').textContent()) ?? '').replaceAll(',', '');
    const cast = await copied('cast', () => copyAs.press('Enter'));
    assert.ok(cast.includes(`--from-block ${block} --to-block ${block} `), cast);
    await isReadableInEveryTheme(opened.page, 'copy-row-as');

    await opened.cell(3, 'block').filter({ hasText: /\d/ }).click();
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    await opened.frame.getByText('3 rows selected').waitFor({ state: 'attached' });
    const menu = await menuOpenedBy(editor(), opened.page, () => keyboard.press('Shift+F10'));
    const test = await copied('Foundry test', () => menu.choose('Copy As…'));
    assert.equal(test.match(/emit Transfer\(/g)?.length, 3);
    const places = [...test.matchAll(/\/\/ Block (\d+), log (\d+)/g)].map(
      ([, number, log]) => 1e6 * Number(number) + Number(log),
    );
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
  });
});
