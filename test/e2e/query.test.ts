import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DialectName, dialects } from '../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../localnet/explorer/server.ts';
import { chooseEntry } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { leavesNoError } from './support/consoleErrors.ts';
import { environment } from './support/environment.ts';
import { exportFile } from './support/exportFile.ts';
import { logsLoaded, runLogQuery } from './support/logPanel.ts';
import { focusIsOn, says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

interface PlacedLog {
  readonly blockNumber: string;
  readonly logIndex: string;
}

describe('a log query', () => {
  const newest = (Object.keys(dialects) as DialectName[]).at(-1) ?? assert.fail();
  let explorer: ExplorerServer;
  before(async () => {
    explorer = await startExplorer({ index: environment().localnet.index, dialect: newest });
  });
  after(() => explorer.stop());
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: explorer.rpcUrl },
      },
    },
  }));

  it('loads page after page and exports every row as the node has it, with a key and the menu of a row', async () => {
    const { node, chain } = environment().localnet;
    const { address } = chain.contracts.tide;
    const toBlock = String(await node.call('eth_blockNumber', []));
    const filter = { address, fromBlock: '0x0', toBlock };
    const truth = (await node.call('eth_getLogs', [filter])) as readonly PlacedLog[];
    assert.ok(truth.length > 3000, `${truth.length} logs are too few for this test`);

    const opened = await runLogQuery(workbench(), { Address: address, 'To block': toBlock });
    const loaded = await logsLoaded(opened, 'Partial');
    await opened.button('Load next page').click();
    await logsLoaded(opened, 'Partial', loaded);
    await opened.button('Load all').click();
    await says(opened.status, new RegExp(`^Complete · ${truth.length.toLocaleString('en')} logs`));

    const { page, folder } = workbench();
    const file = join(folder, 'loaded.ndjson');
    await exportFile(page, file, ['NDJSON']);
    await workbench()
      .notification(/Exported [\d,]+ logs to loaded\.ndjson\./)
      .waitFor();
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const places = (logs: readonly PlacedLog[]) =>
      logs.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`);
    assert.deepEqual(places(lines.map((line) => JSON.parse(line))), places(truth.toReversed()));

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The first row of the second page has the focus since it came.
    const cell = opened.cell(loaded, 'transaction').filter({ hasText: '0x' });
    await cell.click();
    await page.keyboard.press('Control+C');
    const transaction = await cell.textContent();
    await waitUntil('the transaction is copied', async () => {
      return (await page.evaluate('navigator.clipboard.readText()')) === transaction;
    });
    const done = opened.frame.getByText(/^[\d,]+ of [\d,]+ loaded$/);
    await chooseEntry(page, { target: cell, name: 'Filter by This Transaction', done });
    await done.waitFor();
    assert.ok((await opened.field('Filter rows').inputValue()).includes(transaction ?? 'nothing'));
    await opened
      .cell(0, 'transaction')
      .filter({ hasText: transaction ?? 'nothing' })
      .click();
    await focusIsOn(opened, 0, 'transaction');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Filter by This Transaction', exact: true }).waitFor();
  });

  leavesNoError(workbench);
});
