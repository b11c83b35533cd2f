import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type ExplorerServer, startExplorer } from '../../localnet/explorer/server.ts';
import type { Fault } from '../../localnet/http/faults.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { type LogPanel, waitForLogs } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { addresses, dataSets } from '../support/logDataSets.ts';
import { environment } from './support/environment.ts';
import { exportLogs } from './support/exportLogs.ts';
import { type ShownLogPanel, tide, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

type NodeLog = Readonly<Record<string, string>> & { readonly topics: readonly string[] };

const refusal = (seconds: string): Fault => ({
  ...{ kind: 'respond', status: 429, headers: { 'retry-after': seconds } },
});

describe('a whole log query', () => {
  const { editor, openAndRun } = useLogPanels();
  let lastBlock = 0;
  let truth: readonly NodeLog[] = [];
  before(async () => {
    const { node } = environment().localnet;
    const toBlock = String(await node.call('eth_blockNumber', []));
    lastBlock = Number(toBlock);
    const filter = { address: tide(), fromBlock: '0x0', toBlock };
    truth = (await node.call('eth_getLogs', [filter])) as readonly NodeLog[];
    // What is read in three pages may all be read with the first one.
    assert.ok(truth.length > 3000, `${truth.length} logs are too few for these tests`);
  });

  const firstPage = () => openAndRun({ Address: tide(), 'To block': String(lastBlock) });
  const isComplete = (opened: LogPanel) =>
    waitForText(
      opened.status,
      new RegExp(`^Complete · ${truth.length.toLocaleString('en')} logs to block ${lastBlock}`),
    );

  async function runAgain(opened: ShownLogPanel, order: 'newest' | 'oldest'): Promise<void> {
    await opened.editQuery();
    await opened.field('Oldest first').setChecked(order === 'oldest');
    await opened.button('Run Query').click();
    await opened.frame
      .getByRole('listitem')
      .filter({ hasText: `${order} first` })
      .waitFor();
    await waitForLogs(opened, 'Partial');
  }

  it('loads a page, the next, and then all, and every row is the node’s', async () => {
    const opened = await firstPage();
    const loaded = await waitForLogs(opened, 'Partial');
    await opened.button('Load Next Page').click();
    await waitForLogs(opened, 'Partial', loaded);
    await opened.button('Load All').click();
    await isComplete(opened);
    await opened.button('Load All').waitFor({ state: 'detached' });
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), String(truth.length + 1));
    const file = await readFile(await exportLogs(editor(), 'loaded.ndjson', ['NDJSON']), 'utf8');
    const rows: NodeLog[] = file
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const told = ({ blockNumber, logIndex, topics, data }: NodeLog) => ({
      blockNumber,
      logIndex,
      topics,
      data,
    });
    assert.deepEqual(rows.map(told), truth.toReversed().map(told));
  });

  it('goes on where it was cancelled, waits, was refused or has met the limit, by a button each', async () => {
    const { explorer } = environment().localnet;
    const opened = await firstPage();
    let answered = 0;
    explorer.setIntercept(({ body }) =>
      body.includes('eth_getLogs') && ++answered > 1 ? { kind: 'hang' } : undefined,
    );
    await opened.button('Load All').click();
    await opened.frame.getByRole('progressbar', { name: 'Loading' }).waitFor();
    await opened.button('Cancel').click();
    await waitForText(opened.status, /^Cancelled · [\d,]+ logs blocks/);

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

    await runAgain(opened, 'newest');
    explorer.setIntercept(({ body }) => (body.includes('eth_getLogs') ? refusal('315360000') : undefined));
    await opened.button('Load All').click();
    await waitForLogs(opened, 'Stopped by an error');
    await opened.frame.getByText('too many requests; retry after 10 years').waitFor();
    explorer.setIntercept(undefined);
    await opened.button('Retry').click();
    await isComplete(opened);
    assert.equal(await opened.frame.getByRole('alert').count(), 0);

    editor().updateSettings({ 'chainside.logs.loadAllLimit': 2000 });
    await runAgain(opened, 'oldest');
    await opened.button('Load All').click();
    await opened.frame.getByRole('alert').getByText('Load the next 2,000?').waitFor();
    editor().updateSettings({ 'chainside.logs.loadAllLimit': 1_000_000 });
    await opened.button('Load the Next 2,000').click();
    await isComplete(opened);
  });
});

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
    await waitForText(opened.status, /^May be incomplete ·/);
    await opened.frame
      .getByRole('listitem')
      .filter({ hasText: /^Logs may be missing in block 5, 3\. This server version/ })
      .waitFor();
    await isReadableInEveryTheme(opened.page, 'whole-query');
  });
});
