import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Utils } from 'vscode-uri';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { logPanelIn, waitForLogs } from '../e2e/support/logPanel.ts';
import { gridPanel, waitForText } from '../e2e/support/panel.ts';
import { menuOpenedBy } from './support/contextMenu.ts';
import { type ShownLogPanel, TRANSFER, tide, useLogPanels } from './support/logPanels.ts';
import { BESIDE_CODE, isReadableInEveryTheme, takePicture } from './support/panelPage.ts';

describe('groups of logs', () => {
  const { editor, openAndRun, reload } = useLogPanels();

  const transfers = () => ({ Address: tide(), 'Event or topic': TRANSFER });
  const groupsIn = ({ page }: ShownLogPanel) => gridPanel(page, 'Groups');
  const bar = ({ page }: ShownLogPanel) => page.getByRole('region', { name: 'Groups' });
  const isCopied = (holds: (text: string) => boolean) =>
    waitUntil('the groups are copied', () => holds(editor().clipboard));

  async function openGroups() {
    const opened = await openAndRun(transfers());
    await opened.button('Group By…').click();
    const groups = groupsIn(opened);
    await groups.cell(0, 'sum').filter({ hasText: 'TIDE' }).waitFor();
    return { opened, groups };
  }

  it('say who got what, by keyboard alone, and lead to the rows of a group and back', async () => {
    const opened = await openAndRun(transfers());
    const { keyboard } = opened.page;
    await opened.button('Group By…').press('Enter');
    const groups = groupsIn(opened);
    const sum = groups.cell(0, 'sum').filter({ hasText: /^[\d,]+\.\d\d.* TIDE$/ });
    await sum.waitFor();
    assert.equal(await opened.field('Group by').inputValue(), 'to');
    assert.equal(await opened.field('Sum').inputValue(), 'value');
    await waitForText(bar(opened), /Sums of [\d,]+ of at least [\d,]+ logs · \d+ groups$/);
    await opened.button('Load All').press('Enter');
    const loaded = await waitForLogs(opened, 'Complete');
    await waitForText(bar(opened), new RegExp(`Sums of all ${loaded.toLocaleString('en')} logs`));

    await groups.grid.getByRole('columnheader', { name: 'Count' }).focus();
    await keyboard.press('Enter');
    await groups.grid
      .locator('[role=columnheader][aria-sort=descending]')
      .filter({ hasText: 'Count' })
      .waitFor();
    // The header says so before the groups have moved, and Enter opens the group that is seen.
    await waitUntil('the largest counts are first', async () => {
      const [first = 0, ...others] = await Promise.all(
        [0, 1, 2].map(async (row) =>
          Number((await groups.cell(row, 'count').textContent())?.replaceAll(',', '')),
        ),
      );
      return others.every((count) => first >= count) && first > 1;
    });
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await bar(opened).getByText(/^to: /).waitFor();
    const match = opened.frame.getByText(/^[\d,]+ of [\d,]+ match$/);
    const [count = ''] = /^[\d,]+/.exec((await match.textContent()) ?? '') ?? [];
    await opened.cell(0, 'argument1').waitFor();
    await opened.button('Back to Groups').press('Enter');
    await groups
      .cell(0, 'count')
      .filter({ hasText: new RegExp(`^${count}$`) })
      .waitFor();
    await opened.button('Show Rows').press('Enter');
    await opened.frame.getByText(/ match$/).waitFor({ state: 'detached' });
    await opened.cell(0, 'argument1').waitFor();
    await opened.button('Group By…').waitFor();
  });

  it('are by two fields, are filtered, opened by a click, copied and exported', async () => {
    const { opened, groups } = await openGroups();
    await isReadableInEveryTheme(opened.page, 'groups');
    await opened.field('and').selectOption('from');
    await groups.grid.getByRole('columnheader', { name: 'from' }).waitFor();
    await opened.field('Filter groups').fill('count>2 sum>0');
    await waitForText(bar(opened), /· [\d,]+ of [\d,]+ groups match$/);
    const menu = await menuOpenedBy(editor(), opened.page, () =>
      groups.cell(1, 'group0').click({ button: 'right' }),
    );
    assert.deepEqual(menu.entries, ['Copy Value', 'Copy as JSON', 'Copy as Markdown', 'Copy as CSV']);
    await menu.choose('Copy Value');
    await isCopied((text) => /^0x[0-9a-fA-F]{40}$/.test(text));
    await menu.choose('Copy as JSON');
    await isCopied((text) => text.startsWith('{') && 'from' in JSON.parse(text).group);
    await groups.cell(0, 'count').focus();
    await opened.page.keyboard.press('Control+A');
    await opened.page.keyboard.press('Control+C');
    const header = 'to\tfrom\tSum\tCount\tMinimum\tMaximum\tFirst\tLast\tFirst block\tLast block';
    await isCopied((text) => text.startsWith(`${header}\r\n0x`));

    const { user, api } = editor();
    const [folder = assert.fail('No folder is open.')] = api.workspace.workspaceFolders ?? [];
    user.saveAs = Utils.joinPath(folder.uri, 'groups.csv');
    user.picks.push('CSV');
    await opened.button('Export…').click();
    await waitUntil('the groups are written', () =>
      user.told.some((message) => /^Exported [\d,]+ groups to groups\.csv\./.test(message)),
    );
    const lines = (await readFile(user.saveAs.fsPath, 'utf8')).trimEnd().split('\r\n');
    assert.equal(lines[0], header.replaceAll('\t', ','));
    assert.equal(lines.length - 1, Number(await groups.grid.getAttribute('aria-rowcount')) - 1);

    await groups.cell(0, 'count').click();
    await bar(opened)
      .getByText(/^to: .* · from: /)
      .waitFor();
    await opened.page.setViewportSize(BESIDE_CODE);
    await takePicture(opened.page, 'groups-opened');
    assert.deepEqual(await accessibilityFindings(opened.page), []);
  });

  it('stay as chosen after a reload, and say what is wrong where another query lacks the field', async () => {
    const { opened } = await openGroups();
    await waitUntil('the page has stored its groups', () =>
      JSON.stringify(editor().panels[0]?.state ?? '').includes('"sum":"value"'),
    );
    const page = await reload(opened.page);
    const restored: ShownLogPanel = { ...logPanelIn(page), page };
    await waitForText(restored.status, /^Query restored\./);
    await restored.button('Run Query').click();
    await groupsIn(restored).cell(0, 'sum').filter({ hasText: 'TIDE' }).waitFor();
    await restored.editQuery();
    await restored.field('Event or topic').fill('Approval(address,address,uint256)');
    await restored.button('Run Query').click();
    await restored.frame
      .getByRole('alert')
      .filter({ hasText: /No event of the query has a parameter to\. Use one of owner, spender, value, or/ })
      .waitFor();
    await restored.field('Group by').selectOption('event');
    await groupsIn(restored).cell(0, 'group0').filter({ hasText: 'Approval' }).waitFor();
  });
});
