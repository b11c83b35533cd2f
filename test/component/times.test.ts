import assert from 'node:assert/strict';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { formatLocalTime } from '../../src/core/index.ts';
import { type LogPanel, waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForFocus } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { tide, useLogPanels } from './support/logPanels.ts';
import { BESIDE_CODE, isReadableInEveryTheme, takePicture } from './support/panelPage.ts';

describe('times of logs', () => {
  const { editor, openAndRun } = useLogPanels();

  const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  /** In seconds since the Unix epoch. */
  async function timeOf(block: number): Promise<number> {
    const { node } = environment().localnet;
    const header = await node.call('eth_getBlockByNumber', [`0x${block.toString(16)}`, false]);
    return Number((header as { readonly timestamp: string }).timestamp);
  }
  const timeIn = async (opened: LogPanel, row: number) =>
    timeOf(Number((await opened.cell(row, 'block').textContent())?.replaceAll(',', '')));

  it('stand after the number of each block, to the second where they are copied or looked at', async () => {
    const opened = await openAndRun({ Address: tide() });
    const { keyboard } = opened.page;
    const names = () => opened.grid.getByRole('columnheader').allTextContents();
    assert.deepEqual((await names()).slice(0, 2), ['Block', 'Time']);
    for (const row of [0, 8]) {
      const time = formatLocalTime((await timeIn(opened, row)) * 1000);
      await waitUntil(
        `row ${row} says ${time}`,
        async () => (await opened.cell(row, 'time').textContent()) === time,
      );
    }
    await opened.cell(0, 'block').click();
    await keyboard.press('ArrowRight');
    await waitForFocus(opened, 0, 'time');
    await keyboard.press('Control+C');
    const exact = iso(await timeIn(opened, 0));
    await waitUntil(`${exact} is copied`, () => editor().clipboard === exact);
    await keyboard.press('Enter');
    const details = opened.frame.getByRole('region', { name: /^Details of log/ });
    await details.getByText(exact, { exact: true }).waitFor();
    await keyboard.press('Escape');
    await opened.page.setViewportSize(BESIDE_CODE);
    await waitUntil(
      'what a log says is in sight',
      async () => (await names()).slice(0, 3).join() === 'Block,Event,Time',
    );
    await isReadableInEveryTheme(opened.page, 'times-small');
    await opened.page.setViewportSize({ width: 1000, height: 720 });
    await opened.columnName('Time').click();
    const sorted = opened.grid.locator('[aria-sort="ascending"]');
    await sorted.filter({ hasText: 'Block' }).waitFor();
    assert.equal(await sorted.count(), 1);
  });

  it('bound a range, which is told in blocks and by its dates', async () => {
    const from = iso(await timeOf(200));
    const opened = await openAndRun({
      Address: tide(),
      'From block': from,
      'To block': iso((await timeOf(210)) + 1),
    });
    await waitForLogs(opened, 'Complete');
    await opened.frame.getByRole('listitem').filter({ hasText: 'blocks 200 – 210' }).waitFor();
    await opened.button('About This Result').press('Enter');
    await opened.frame.getByRole('definition').filter({ hasText: from }).waitFor();
    await takePicture(opened.page, 'times-range');
    await opened.editQuery();
    await opened.field('From block').fill('2026-13-01');
    await opened.button('Run Query').click();
    assert.equal(await opened.field('From block').getAttribute('aria-invalid'), 'true');
  });
});
