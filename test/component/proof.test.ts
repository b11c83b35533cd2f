import assert from 'node:assert/strict';
import { defaultDialect } from '../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../localnet/explorer/server.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { tide, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

describe('the proof of a result, and a second opinion', () => {
  /** Leaves out a log. */
  let lossy: ExplorerServer;
  before(async () => {
    const { index, node } = environment().localnet;
    lossy = await startExplorer({
      ...{ index, dialect: defaultDialect },
      forward: async (method, params) => ({ result: await node.call(method, params) }),
    });
    const withoutOne = (body: string) =>
      JSON.stringify(JSON.parse(body), (_, value: unknown) =>
        Array.isArray(value) && value.length > 20 ? value.toSpliced(9, 1) : value,
      );
    lossy.setIntercept(({ body }) =>
      body.includes('eth_getLogs') ? { kind: 'edit', change: withoutOne } : undefined,
    );
  });
  after(() => lossy.stop());
  const { editor, openAndRun } = useLogPanels(() => ({
    settings: {
      'chainside.network': 'node',
      'chainside.networks': {
        node: { name: 'Test Node', chainId: 31337, rpcUrl: environment().localnet.anvilUrl },
        lossy: { name: 'Lossy Explorer', chainId: 31337, rpcUrl: lossy.rpcUrl },
      },
    },
  }));

  async function openComplete() {
    const opened = await openAndRun({ Address: tide(), 'From block': '20', 'To block': '110' });
    await waitForText(opened.status, /^Complete · /);
    return opened;
  }
  async function prove(): Promise<string> {
    const { told } = editor().user;
    told.length = 0;
    await editor().runCommand('chainside.proveResult');
    await waitUntil('the proof is shown', () => told.length > 0);
    return told.join('\n');
  }

  it('name the hash that a whole result leads to', async () => {
    const opened = await openComplete();
    assert.match(await prove(), /^Proven if 0x[0-9a-f]{64} is the hash of the last block/);
    await waitForText(opened.status, /^Complete · .* · proven$/);
  });

  it('are against a complete result that lacks a log, readable in every theme', async () => {
    editor().updateSettings({ 'chainside.network': 'lossy' });
    const opened = await openComplete();
    assert.match(
      await prove(),
      /^The block hashes contradict the result\. Block \d+ has (\d+) matching logs\. The result has \d+ of it/,
    );
    await waitForText(opened.status, /^May be incomplete · .* · contradicted by the block hashes$/);
    const reason = opened.frame.getByRole('listitem');
    await reason.filter({ hasText: /^The receipts of block \d+ have other logs/ }).waitFor();
    await (await opened.button('Group By…')).click();
    await opened.page
      .getByRole('region', { name: 'Groups' })
      .getByText(/^Counts of [\d,]+ of at least [\d,]+ logs/)
      .waitFor();
    await opened.button('Show Rows').press('Enter');
    editor().user.picks.push('Test Node');
    await (await opened.moreAction('Second Opinion…')).press('Enter');
    await waitForText(opened.status, /differs from Test Node/);
    assert.match(editor().texts.at(-1) ?? '', /^Only on Test Node: \d+$/m);
    await reason.filter({ hasText: 'Chainside cannot tell which logs are correct.' }).waitFor();
    await isReadableInEveryTheme(opened.page, 'opinion-differs');
  });
});
