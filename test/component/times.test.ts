import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { formatLocalTime } from '../../src/core/index.ts';
import { type LogPanel, waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForFocus, waitForText } from '../e2e/support/panel.ts';
import { parseCsv } from '../support/exportFiles.ts';
import { environment } from './support/environment.ts';
import { exportLogs } from './support/exportLogs.ts';
import { tide, useLogPanels } from './support/logPanels.ts';
import { BESIDE_CODE, isReadableInEveryTheme, takePicture } from './support/panelPage.ts';

interface Header {
  readonly number: number;
  /** In seconds since the Unix epoch. */
  readonly time: number;
}

describe('times of logs', () => {
  const { editor, openAndRun } = useLogPanels(() => ({
    settings: {
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
        node: { name: 'Local Node', chainId: 31337, rpcUrl: environment().localnet.anvilUrl },
      },
    },
  }));
  afterEach(() => editor().updateSettings({ 'chainside.network': 'explorer' }));

  let headers: readonly Header[] = [];
  before(async () => {
    const { node } = environment().localnet;
    const last = Number(await node.call('eth_blockNumber', []));
    const numbers = Array.from({ length: last + 1 }, (_, number) => number);
    headers = await Promise.all(
      numbers.map(async (number) => {
        const block = await node.call('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
        return { number, time: Number((block as { readonly timestamp: string }).timestamp) };
      }),
    );
  });

  const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  const timeOf = (block: number) => headers[block]?.time ?? assert.fail(`no block ${block}`);
  const inCell = (seconds: number) => formatLocalTime(seconds * 1000);
  const number = (text: string | null) => Number(text?.replaceAll(',', ''));
  const blockIn = async (opened: LogPanel, row: number) =>
    number(await opened.cell(row, 'block').textContent());

  async function isTimed(opened: LogPanel, row: number): Promise<void> {
    const time = inCell(timeOf(await blockIn(opened, row)));
    await waitUntil(`row ${row} says ${time}`, async () => {
      return (await opened.cell(row, 'time').textContent()) === time;
    });
  }

  for (const network of ['explorer', 'node']) {
    it(`stand after the number of each block, of an answer of the ${network}`, async () => {
      editor().updateSettings({ 'chainside.network': network });
      const opened = await openAndRun({ Address: tide() });
      const { page } = opened;
      const names = await opened.grid.getByRole('columnheader').allTextContents();
      assert.deepEqual(names.slice(0, 2), ['Block', 'Time']);
      for (const row of [0, 1, 8]) await isTimed(opened, row);
      await page.keyboard.press('Tab');
      await opened.cell(0, 'block').click();
      await page.keyboard.press('ArrowRight');
      await waitForFocus(opened, 0, 'time');
      await page.keyboard.press('Control+C');
      const exact = iso(timeOf(await blockIn(opened, 0)));
      await waitUntil(`${exact} is copied`, () => editor().clipboard === exact);
      await page.keyboard.press('Enter');
      const details = opened.frame.getByRole('region', { name: /^Details of log/ });
      await details.getByText(exact, { exact: true }).waitFor();
      await opened.columnName('Time').click();
      const sorted = opened.grid.locator('[aria-sort="ascending"]');
      await sorted.filter({ hasText: 'Block' }).waitFor();
      assert.equal(await sorted.count(), 1);
    });
  }

  it('bound a range, by date and from now', async () => {
    const { node } = environment().localnet;
    const logs = (await node.call('eth_getLogs', [
      { address: tide(), fromBlock: '0x0', toBlock: 'latest' },
    ])) as readonly { readonly blockNumber: string }[];
    const between = (from: number, to: number) =>
      logs.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to).length;
    const ofBlocks = (from: number, to: number) => {
      const count = between(from, to).toLocaleString('en');
      return new RegExp(`· ${count} logs\\b.* to block ${to.toLocaleString('en')}\\b`);
    };
    const last = headers.at(-1)?.number ?? 0;

    const opened = await openAndRun({
      Address: tide(),
      'From block': iso(timeOf(200)),
      'To block': iso(timeOf(210) + 1),
    });
    await waitForText(opened.status, ofBlocks(200, 210));
    await opened.frame.getByRole('listitem').filter({ hasText: 'blocks 200 – 210' }).waitFor();
    await opened.button('About This Result').press('Enter');
    const told = opened.frame.getByRole('definition');
    await told.filter({ hasText: iso(timeOf(200)) }).waitFor();
    await takePicture(opened.page, 'times-range');

    await opened.editQuery();
    // Long enough that the past of the chain has it for as long as these tests run.
    await opened.field('From block').fill('-90m');
    await opened.field('To block').fill('');
    const firstBlock = () => {
      const moment = Date.now() / 1000 - 90 * 60;
      return headers.findIndex(({ time }) => time >= moment);
    };
    const earliest = firstBlock();
    await opened.button('Run Query').click();
    await waitForLogs(opened, '');
    const part = opened.frame.getByRole('listitem').filter({ hasText: /^blocks \d+ – \d+$/ });
    await part.filter({ hasText: `– ${last}` }).waitFor();
    const [, from = ''] = /blocks (\d+)/.exec((await part.textContent()) ?? '') ?? [];
    // The question was asked somewhere between these two looks at the clock.
    const latest = firstBlock();
    assert.ok(Number(from) >= earliest && Number(from) <= latest, `${from}, not ${earliest} to ${latest}`);
    assert.ok(earliest > 0);

    await opened.editQuery();
    await opened.field('From block').fill('2026-13-01');
    await opened.button('Run Query').click();
    assert.equal(await opened.field('From block').getAttribute('aria-invalid'), 'true');
    await takePicture(opened.page, 'times-not-a-time');
  });

  it('are exported with the rows, where that is asked for', async () => {
    const opened = await openAndRun({ Address: tide(), 'To block': '60' });
    await waitForText(opened.status, /^Complete/);
    const file = await exportLogs(editor(), 'timed.csv', ['Add block times', 'CSV']);
    const [head = [], ...rows] = parseCsv(await readFile(file, 'utf8'));
    const [block, time] = [head.indexOf('block_number'), head.indexOf('block_timestamp')];
    assert.ok(rows.length > 100 && block >= 0 && time >= 0, head.join());
    for (const row of rows) assert.equal(row[time], iso(timeOf(Number(row[block]))));
  });

  it('have room beside the code in a small window, readable by everyone in every theme', async () => {
    const opened = await openAndRun({ Address: tide() });
    await isTimed(opened, 0);
    await opened.page.setViewportSize(BESIDE_CODE);
    const names = () => opened.frame.getByRole('columnheader').allTextContents();
    await waitUntil('what a log says is in sight', async () => {
      return (await names()).slice(0, 3).join() === 'Block,Event,Time';
    });
    await isReadableInEveryTheme(opened.page, 'times-small');
  });
});
