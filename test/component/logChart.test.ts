import assert from 'node:assert/strict';
import { waitFor, waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { type LogPanel, waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { logRequests, TRANSFER, tide, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme, takePicture } from './support/panelPage.ts';

describe('chart of logs', () => {
  const { openAndRun } = useLogPanels();

  const chartIn = ({ frame }: LogPanel) => {
    const region = frame.getByRole('region', { name: 'Chart', exact: true });
    return {
      region,
      bars: region.getByRole('slider', { name: 'Logs by block' }),
      caption: region.locator('.now'),
      end: (place: 'first' | 'last') => region.locator('.end')[place](),
    };
  };
  const transfers = () => ({ Address: tide(), 'Event or topic': TRANSFER });

  /** Waits until the chart is of all rows, and says of no blocks that they are not read. */
  async function isRead(opened: LogPanel): Promise<void> {
    const { bars, caption, region } = chartIn(opened);
    await bars.and(opened.frame.locator('[aria-valuetext]')).waitFor();
    await region.and(opened.frame.locator('[aria-busy="false"]')).waitFor();
    await caption.filter({ hasNotText: 'not read yet' }).waitFor({ state: 'attached' });
  }

  /** What the filter asks for, once it asks for blocks. */
  async function filteredBlocks(opened: LogPanel): Promise<readonly [number, number]> {
    let found: readonly [number, number] | undefined;
    await waitUntil('the rows are filtered by blocks', async () => {
      const filter = await opened.field('Filter rows').inputValue();
      const bounds = /block>=(\d+) block<=(\d+)$/.exec(filter);
      found = bounds ? [Number(bounds[1]), Number(bounds[2])] : undefined;
      return found !== undefined;
    });
    return found ?? [0, 0];
  }

  async function blockInRow(opened: LogPanel, row: number): Promise<number> {
    const cell = opened.cell(row, 'block').filter({ hasText: /\d/ });
    return Number(((await cell.textContent()) ?? '').replaceAll(',', ''));
  }

  it('says what is not read yet, follows the loading, and filters by the bars that the mouse is dragged over', async () => {
    // An empty first block may mean the one in which the contract was made.
    const opened = await openAndRun({ ...transfers(), 'From block': '0' });
    const { page } = opened;
    const { bars, region, caption } = chartIn(opened);
    await bars.locator('canvas').waitFor();
    // Away from the bars, in the same page: what is pointed at is told first.
    await opened.status.hover();
    await caption.filter({ hasText: /^Blocks 0 to [\d,]+: not read yet$/ }).waitFor();
    await takePicture(opened.page, 'log-chart-partial');
    await opened.button('Load All').click();
    await waitForLogs(opened, 'Complete');
    const asked = logRequests();
    await isRead(opened);
    await takePicture(opened.page, 'log-chart');
    await opened.button('Chart').click();
    await bars.waitFor({ state: 'detached' });
    await opened.button('Chart').click();
    await bars.locator('canvas').waitFor();
    assert.equal(logRequests(), asked);
    await isRead(opened);
    const box = await bars.boundingBox();
    assert.ok(box);
    const at = (share: number) => box.x + box.width * share;
    await page.mouse.move(at(0.4), box.y + 20);
    await caption.filter({ hasText: /^Blocks? [\d,]+.*: [\d,]+ logs?$/ }).waitFor();
    await page.mouse.down();
    await page.mouse.move(at(0.5), box.y + 20, { steps: 5 });
    await page.mouse.move(at(0.6), box.y + 20, { steps: 5 });
    await takePicture(opened.page, 'log-chart-drag');
    await page.mouse.up();
    const [first, last] = await filteredBlocks(opened);
    assert.ok(first < last);
    await opened.frame.getByText(/^[\d,]+ of [\d,]+ match$/).waitFor();
    const block = await blockInRow(opened, 0);
    assert.ok(block >= first && block <= last, `${first} ${block} ${last}`);
    await takePicture(opened.page, 'log-chart-filtered');
    await region.getByRole('button', { name: 'Show All Blocks' }).click();
    await waitUntil(
      'the filter is empty',
      async () => (await opened.field('Filter rows').inputValue()) === '',
    );
  });

  it('is filtered from by keyboard alone, is a table too, and can be read in every theme', async () => {
    const opened = await openAndRun(transfers());
    await opened.button('Load All').click();
    await waitForLogs(opened, 'Complete');
    const { page } = opened;
    const { bars, region } = chartIn(opened);
    await isRead(opened);
    await opened.field('Filter rows').fill('value>0');
    await opened.frame.getByText(/^[\d,]+ of [\d,]+ match$/).waitFor();
    await opened.button('More Actions…').focus();
    await page.keyboard.press('Tab');
    await waitFor('the chart has the keyboard', bars.and(opened.frame.locator(':focus')).waitFor());
    for (const key of ['End', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft'])
      await page.keyboard.press(key);
    await waitUntil('three bars are told as one', async () =>
      /^Blocks [\d,]+ to [\d,]+: [\d,]+ of [\d,]+ match$/.test(
        (await bars.getAttribute('aria-valuetext')) ?? '',
      ),
    );
    await takePicture(opened.page, 'log-chart-keyboard');
    await page.keyboard.press('Enter');
    await filteredBlocks(opened);
    assert.match(await opened.field('Filter rows').inputValue(), /^value>0 block>=/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await waitUntil(
      'only what was typed is left',
      async () => (await opened.field('Filter rows').inputValue()) === 'value>0',
    );
    const painted = new Set<string>();
    await isReadableInEveryTheme(opened.page, 'log-chart', async () => {
      await waitUntil('the bars have another colour than in the themes before', async () => {
        const picture = await bars
          .locator('canvas')
          .evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
        const isOther = !painted.has(picture);
        painted.add(picture);
        return isOther;
      });
    });
    await region.getByRole('button', { name: 'Table', exact: true }).click();
    const table = region.getByRole('table', { name: 'Logs by block' });
    await table.getByRole('row').nth(1).waitFor();
    assert.deepEqual(await accessibilityFindings(opened.page), []);
    await table.getByRole('button').first().click();
    await filteredBlocks(opened);
  });
});

describe('chart of logs over time', () => {
  const { openAndRun } = useLogPanels(() => ({
    settings: {
      'chainside.networks': {
        explorer: { name: 'Local Node', chainId: 31337, rpcUrl: environment().localnet.anvilUrl },
      },
    },
  }));

  it('is drawn of what a node gives with its logs, and filters by the blocks of a time', async () => {
    const opened = await openAndRun({ Address: tide(), 'Event or topic': TRANSFER });
    const region = opened.frame.getByRole('region', { name: 'Chart', exact: true });
    await region.getByRole('button', { name: 'Time', exact: true }).click();
    const bars = region.getByRole('slider', { name: 'Logs over time' });
    await bars.locator('canvas').waitFor();
    await opened.page.mouse.move(2, 2);
    await takePicture(opened.page, 'log-chart-time');
    await region.getByRole('button', { name: 'Table', exact: true }).click();
    const first = region.getByRole('table').getByRole('button').first();
    await waitForText(first, /:\d\d:\d\d.* to .*:\d\d:\d\d/);
    await first.click();
    await waitUntil('the rows are filtered by blocks', async () =>
      /^block>=\d+ block<=\d+$/.test(await opened.field('Filter rows').inputValue()),
    );
    await opened.frame.getByText(/^[\d,]+ of [\d,]+ match$/).waitFor();
    assert.deepEqual(await accessibilityFindings(opened.page), []);
  });
});
