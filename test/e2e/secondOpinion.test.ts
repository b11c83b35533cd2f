import assert from 'node:assert/strict';
import { defaultDialect } from '../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../localnet/explorer/server.ts';
import { accessibilityFindings, isReadableInEveryTheme } from './support/accessibility.ts';
import { environment } from './support/environment.ts';
import { type LogPanel, runLogQuery } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

/** How many logs the other explorer leaves out. */
const LOST = 3;

interface NodeLog {
  readonly blockNumber: string;
  readonly logIndex: string;
}

describe('a second opinion', () => {
  let other: ExplorerServer;
  let truth: readonly NodeLog[] = [];
  before(async () => {
    const { index, node, chain } = environment().localnet;
    other = await startExplorer({
      ...{ index, dialect: defaultDialect },
      forward: async (method, params) => ({ result: await node.call(method, params) }),
    });
    const filter = { address: chain.contracts.tide.address, fromBlock: '0x0', toBlock: '0x6e' };
    truth = (await node.call('eth_getLogs', [filter])) as readonly NodeLog[];
    assert.ok(truth.length > 300 && truth.length < 1000, `${truth.length} logs are no single page`);
  });
  after(() => other.stop());
  const workbench = useWorkbench(() => {
    const { rpcUrl, portal } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl },
          other: { name: 'Other Explorer', chainId: 31337, rpcUrl: other.rpcUrl },
          portal: { name: 'Local Portal', chainId: 31337, rpcUrl: portal.rpcUrl },
          elsewhere: { name: 'Elsewhere', chainId: 31338, rpcUrl },
        },
      },
    };
  });
  afterEach(async () => {
    other.setIntercept(undefined);
    await workbench().closeEditors();
  });

  /** From now on the other explorer says nothing of some logs. */
  function loseRows(lost: readonly NodeLog[]): void {
    const keyOf = ({ blockNumber, logIndex }: NodeLog) => `${Number(blockNumber)}:${Number(logIndex)}`;
    const keys = new Set(lost.map(keyOf));
    const withoutThem = (body: string) =>
      JSON.stringify(JSON.parse(body), (_, value: unknown) =>
        Array.isArray(value) ? value.filter((each) => !keys.has(keyOf(each ?? {}))) : value,
      );
    other.setIntercept(({ body }) =>
      body.includes('eth_getLogs') ? { kind: 'edit', change: withoutThem } : undefined,
    );
  }

  async function firstAnswer(network: string): Promise<LogPanel> {
    await workbench().selectNetwork(network);
    const { address } = environment().localnet.chain.contracts.tide;
    const opened = await runLogQuery(workbench(), { Address: address, 'From block': '0', 'To block': '110' });
    // A portal's pages end where its answers do.
    const isPartial = /^Partial/.test((await opened.status.textContent()) ?? '');
    if (isPartial) await opened.button('Load all').click();
    await says(opened.status, new RegExp(`^Complete · ${truth.length} logs to block 110`));
    return opened;
  }

  async function askFor(opened: LogPanel, name: string): Promise<void> {
    await opened.button('Second opinion…').press('Enter');
    await workbench().quickPickRow(name).waitFor();
    await workbench().fillInput(name);
    await workbench().page.keyboard.press('Enter');
  }

  it('says that two sources agree, once the other gave the same rows', async () => {
    const opened = await firstAnswer('Local Explorer');
    other.forgetRequests();
    await opened.button('Second opinion…').press('Enter');
    await workbench()
      .question(/address, topics and blocks are told to it/)
      .waitFor();
    await workbench().quickPickRow('Other Explorer').waitFor();
    assert.equal(await workbench().quickPickRow('Elsewhere').count(), 0);
    await workbench().screenshot('opinion-choice');
    assert.equal(other.requestCount, 0, 'it is asked before it is chosen');
    await workbench().fillInput('Other');
    await workbench().page.keyboard.press('Enter');
    await says(opened.status, /^Complete · .* two sources agree: Other Explorer/);
    await opened.button('About this answer').press('Enter');
    await opened.frame
      .getByText(`Other Explorer gives the same ${truth.length} logs of blocks 0 to 110.`)
      .waitFor();
    await workbench().screenshot('opinion-agrees');
    assert.deepEqual(await accessibilityFindings(opened.frame), []);
  });

  it('shows which rows only one of them gives, and is a doubt then', async () => {
    const { page } = workbench();
    const opened = await firstAnswer('Local Explorer');
    loseRows([truth[3], truth[150], truth.at(-2)].flatMap((log) => log ?? []));
    await askFor(opened, 'Other Explorer');
    await page.getByRole('tab', { name: /^Second Opinion/ }).waitFor();
    const lines = page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: `Only from Local Explorer: ${LOST}` }).waitFor();
    for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`opinion-difference-${theme}`);
    }
    await says(opened.status, /Other Explorer gives other logs/);
    await opened.frame
      .getByRole('listitem')
      .filter({ hasText: `${LOST} only here. Neither is known to be right.` })
      .waitFor();
    await isReadableInEveryTheme(workbench(), opened.frame, 'opinion-differs');
    await workbench().setTheme('dark');
  });

  it('comes from a portal, which as a network has logs with a complete verdict', async () => {
    const opened = await firstAnswer('Local Portal');
    await opened.cell(0, 'time').filter({ hasText: /\d/ }).waitFor();
    await workbench().openView('Chainside');
    await workbench()
      .page.getByRole('treeitem', { name: /^Network: Local Portal/ })
      .waitFor();
    await workbench().screenshot('portal-logs');
    const asked = await firstAnswer('Local Explorer');
    await askFor(asked, 'Local Portal');
    await says(asked.status, /^Complete · .* two sources agree: Local Portal/);
  });
});
