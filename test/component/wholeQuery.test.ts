import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Locator } from 'playwright-core';
import { type DialectName, dialects } from '../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../localnet/explorer/server.ts';
import type { Fault } from '../../localnet/http/faults.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { type LogPanel, waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { parseCsv } from '../support/exportFiles.ts';
import { addresses, dataSets } from '../support/logDataSets.ts';
import { environment } from './support/environment.ts';
import { exportLogs } from './support/exportLogs.ts';
import { type ShownLogPanel, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

type NodeLog = Readonly<Record<string, string>> & { readonly topics: readonly string[] };

const names = Object.keys(dialects) as DialectName[];
const refusal = (seconds: string): Fault => ({
  ...{ kind: 'respond', status: 429, headers: { 'retry-after': seconds } },
});
const released = [names[0] ?? assert.fail(), names.at(-1) ?? assert.fail()];

for (const dialect of released) {
  describe(`a whole log query on Blockscout ${dialect}`, () => {
    let explorer: ExplorerServer;
    before(async () => {
      const { index, node, chain } = environment().localnet;
      explorer = await startExplorer({ index, dialect });
      const toBlock = String(await node.call('eth_blockNumber', []));
      lastBlock = Number(toBlock);
      const filter = { address: chain.contracts.tide.address, fromBlock: '0x0', toBlock };
      truth = (await node.call('eth_getLogs', [filter])) as readonly NodeLog[];
      // What is read in three pages may all be read with the first one.
      assert.ok(truth.length > 3000, `${truth.length} logs are too few for these tests`);
    });
    const { editor, openAndRun } = useLogPanels(() => ({
      settings: {
        'chainside.networks': {
          explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: explorer.rpcUrl },
        },
      },
    }));
    afterEach(() => explorer.setIntercept(undefined));
    after(() => explorer.stop());

    let lastBlock = 0;
    let truth: readonly NodeLog[] = [];

    function firstPage(): Promise<ShownLogPanel> {
      const { address } = environment().localnet.chain.contracts.tide;
      return openAndRun({ Address: address, 'To block': String(lastBlock) });
    }

    /** Whether it is the first of two that comes. */
    async function firstOf(first: Locator, second: Locator): Promise<boolean> {
      await first.or(second).first().waitFor();
      return first.isVisible();
    }

    async function isComplete(opened: LogPanel): Promise<void> {
      await waitForText(
        opened.status,
        new RegExp(`^Complete · ${truth.length.toLocaleString('en')} logs to block ${lastBlock}`),
      );
    }

    const exportTo = async (name: string, ...picks: readonly string[]) =>
      readFile(await exportLogs(editor(), name, picks));
    const linesOf = (content: Buffer) => content.toString().trimEnd().split('\n');
    const keyOf = ({ blockNumber, logIndex }: NodeLog) => `${blockNumber}:${logIndex}`;

    it('loads a page, the next, and then all, and every row is the node’s', async () => {
      const opened = await firstPage();
      const loaded = await waitForLogs(opened, 'Partial');
      await opened.button('Load Next Page').click();
      await waitForLogs(opened, 'Partial', loaded);
      await opened.button('Load All').click();
      await isComplete(opened);
      await opened.button('Load All').waitFor({ state: 'detached' });
      assert.equal(await opened.grid.getAttribute('aria-rowcount'), String(truth.length + 1));
      const rows: NodeLog[] = linesOf(await exportTo('loaded.ndjson', 'NDJSON')).map((line) =>
        JSON.parse(line),
      );
      const newestFirst = truth.toReversed();
      assert.deepEqual(rows.map(keyOf), newestFirst.map(keyOf));
      assert.deepEqual(
        rows.map(({ topics, data }) => ({ topics, data })),
        newestFirst.map(({ topics, data }) => ({ topics, data })),
      );
    });

    // What follows is the panel's alone, whatever answers.
    if (dialect !== released.at(-1)) return;

    it('exports the whole query to every format, each row as the node has it', async () => {
      const opened = await firstPage();
      const loaded = await waitForLogs(opened, 'Partial');
      const hashes = truth.map(({ transactionHash }) => transactionHash);

      const [head = [], ...rows] = parseCsv(
        (await exportTo('all.csv', 'CSV', 'All logs of the query')).toString(),
      );
      assert.deepEqual(
        rows.map((row) => row[head.indexOf('transaction_hash')]),
        hashes,
      );
      const json: NodeLog[] = JSON.parse(
        (await exportTo('all.json', 'JSON', 'All logs of the query')).toString(),
      );
      assert.deepEqual(json.map(keyOf), truth.map(keyOf));
      const path = await exportLogs(editor(), 'all.parquet', ['Parquet', 'All logs of the query']);
      const file = new Uint8Array(await readFile(path)).buffer;
      const table = await parquetReadObjects({ file });
      assert.deepEqual(
        table.map(({ transaction_hash: hash }) => hash),
        hashes,
      );
      const [metadata] = parquetMetadata(file).key_value_metadata ?? [];
      const { verdict, rows: count } = JSON.parse(metadata?.value ?? '');
      assert.deepEqual([verdict, count], [{ state: 'complete', reasons: [] }, hashes.length]);
      assert.equal(await waitForLogs(opened, 'Partial'), loaded);
    });

    it('keeps what is loaded when it is cancelled on the way, and goes on from there', async () => {
      const opened = await firstPage();
      let answered = 0;
      explorer.setIntercept(() => (++answered > 1 ? { kind: 'hang' } : undefined));
      await opened.button('Load All').click();
      await opened.frame.getByRole('progressbar', { name: 'Loading' }).waitFor();
      await opened.button('Cancel').click();
      await waitForText(opened.status, /^Cancelled · [\d,]+ logs blocks/);
      explorer.setIntercept(undefined);
      await opened.button('Load All').click();
      await isComplete(opened);
    });

    it('says until when the server makes it wait, and asks at once when told to', async () => {
      const opened = await firstPage();
      let asked = 0;
      explorer.setIntercept(({ body }) =>
        body.includes('eth_getLogs') && ++asked === 1 ? refusal('50') : undefined,
      );
      await opened.button('Load All').click();
      await waitForText(opened.status, /The server requested a pause\. Retrying at \d.*\.$/);
      assert.deepEqual(await accessibilityFindings(opened.page), []);
      await opened.button('Retry Now').click();
      await isComplete(opened);
      await opened.button('Retry Now').waitFor({ state: 'detached' });
      await opened.button('Follow').and(opened.frame.locator(':focus')).waitFor();
    });

    it('names what the server asks for when that is too long, and goes on when it is well again', async () => {
      const opened = await firstPage();
      const loaded = await waitForLogs(opened, 'Partial');
      explorer.setIntercept(() => refusal('315360000'));
      await opened.button('Load All').click();
      await waitForLogs(opened, 'Stopped by an error', loaded - 1);
      await opened.frame.getByText('too many requests; retry after 10 years').waitFor();
      explorer.setIntercept(undefined);
      await opened.button('Retry').click();
      await isComplete(opened);
      assert.equal(await opened.frame.getByRole('alert').count(), 0);
    });

    it('narrows the rows to those that hold what is typed, and says how many', async () => {
      const opened = await firstPage();
      const hash = truth.at(-500)?.transactionHash ?? assert.fail();
      const loaded = await waitForLogs(opened, 'Partial');
      const found = truth.slice(-loaded).filter(({ transactionHash }) => transactionHash === hash);
      await opened.field('Filter rows').fill(hash);
      const of = `of ${loaded.toLocaleString('en')} match`;
      await opened.frame.getByText(`${found.length} ${of}`, { exact: true }).waitFor();
      assert.equal(await opened.frame.locator('.rows [data-row]').count(), found.length);
      await opened.cell(0, 'transaction').filter({ hasText: hash }).waitFor();
      await opened.field('Filter rows').fill('0xnothing');
      await opened.frame.getByText(`0 ${of}`, { exact: true }).waitFor();
      await opened.field('Filter rows').fill('');
      await opened.cell(20, 'block').waitFor();
    });

    it('sorts by a column with the mouse and with the keyboard, rows to come included', async () => {
      const opened = await firstPage();
      await opened.columnName('Transaction').click();
      await opened.grid.locator('[aria-sort="ascending"]').filter({ hasText: 'Transaction' }).waitFor();
      const loaded = await waitForLogs(opened, 'Partial');
      const sorted = truth
        .slice(-loaded)
        .map(({ transactionHash = '' }) => transactionHash)
        .sort();
      await opened
        .cell(0, 'transaction')
        .filter({ hasText: sorted[0] ?? '' })
        .waitFor();
      await opened.columnName('Transaction').press('Enter');
      await opened
        .cell(0, 'transaction')
        .filter({ hasText: sorted.at(-1) ?? '' })
        .waitFor();
      await opened.button('Load All').click();
      await isComplete(opened);
      const last = truth
        .map(({ transactionHash = '' }) => transactionHash)
        .sort()
        .at(-1);
      await opened
        .cell(0, 'transaction')
        .filter({ hasText: last ?? '' })
        .waitFor();
    });

    it('asks before it goes past the limit', async () => {
      editor().updateSettings({ 'chainside.logs.loadAllLimit': 2000 });
      const opened = await firstPage();
      await opened.button('Load All').click();
      const question = opened.frame.getByRole('alert').getByText('Load the next 2,000?');
      const all = opened.status.filter({ hasText: /^Complete/ });
      let asked = 0;
      for (; await firstOf(question, all); asked++) {
        const before = (await opened.status.textContent()) ?? '';
        await opened.button('Load the Next 2,000').click();
        await opened.status.filter({ hasNotText: before }).waitFor();
      }
      assert.ok(asked > 0 && asked <= truth.length / 2000, `It asked ${asked} times.`);
      await isComplete(opened);
      editor().updateSettings({ 'chainside.logs.loadAllLimit': 1_000_000 });
    });
  });
}

describe('an answer that is not certain', () => {
  let explorer: ExplorerServer;
  before(async () => {
    explorer = await startExplorer({ index: dataSets.dense().index, dialect: 'v6.8' });
  });
  const { openAndRun } = useLogPanels(() => ({
    settings: {
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: explorer.rpcUrl },
      },
    },
  }));
  after(() => explorer.stop());

  it('says why on demand, readable by everyone in every theme', async () => {
    const opened = await openAndRun({ Address: addresses[0] ?? '' });
    await opened.button('Load All').click();
    await waitForText(opened.status, /^Not certain to be complete ·/);
    await opened.frame
      .getByRole('listitem')
      .filter({ hasText: /^Logs may be missing in block 5, 3\. This server version/ })
      .waitFor();
    await opened.field('Filter rows').fill('3');
    await opened.frame.getByText(/^[\d,]+ of [\d,]+ match$/).waitFor();
    await opened.columnName('Index').click();
    await opened.grid.locator('[aria-sort="ascending"]').filter({ hasText: 'Index' }).waitFor();
    await isReadableInEveryTheme(opened.page, 'whole-query');
  });
});
