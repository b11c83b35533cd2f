import assert from 'node:assert/strict';
import { defaultDialect } from '../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../localnet/explorer/server.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { tide, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

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
    const { index, node } = environment().localnet;
    other = await startExplorer({
      ...{ index, dialect: defaultDialect },
      forward: async (method, params) => ({ result: await node.call(method, params) }),
    });
    const filter = { address: tide(), fromBlock: '0x0', toBlock: '0x6e' };
    truth = (await node.call('eth_getLogs', [filter])) as readonly NodeLog[];
    assert.ok(truth.length > 300 && truth.length < 1000, `${truth.length} logs are no single page`);
  });
  after(() => other.stop());
  const { editor, openAndRun } = useLogPanels(() => {
    const { rpcUrl } = environment().localnet;
    return {
      settings: {
        'chainside.networks': {
          explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl },
          other: { name: 'Other Explorer', chainId: 31337, rpcUrl: other.rpcUrl },
          elsewhere: { name: 'Elsewhere', chainId: 31338, rpcUrl },
        },
      },
    };
  });
  afterEach(() => other.setIntercept(undefined));

  /** Removes some logs from the responses of the other explorer. */
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

  async function firstResult() {
    const opened = await openAndRun({ Address: tide(), 'From block': '0', 'To block': '110' });
    await waitForText(opened.status, new RegExp(`^Complete · ${truth.length} logs to block 110`));
    return opened;
  }

  it('says that two sources agree, once the other gave the same rows', async () => {
    const opened = await firstResult();
    const { lists, picks } = editor().user;
    other.forgetRequests();
    await (await opened.moreAction('Second Opinion…')).press('Enter');
    await waitUntil('the list of endpoints is shown', () => lists.length > 0);
    assert.deepEqual(
      lists.map(({ labels }) => labels),
      [['Local Node', 'Other Explorer']],
    );
    assert.equal(other.requestCount, 0, 'it is asked before it is chosen');
    picks.push('Other Explorer');
    await (await opened.moreAction('Second Opinion…')).press('Enter');
    await waitForText(opened.status, /^Complete · .* agrees with Other Explorer/);
    await opened.button('About This Result').press('Enter');
    await opened.frame
      .getByText(`Other Explorer returned the same ${truth.length} logs for blocks 0 to 110.`)
      .waitFor();
    assert.deepEqual(await accessibilityFindings(opened.page), []);
  });

  it('shows which rows only one of them gives, and is a doubt then', async () => {
    const opened = await firstResult();
    loseRows([truth[3], truth[150], truth.at(-2)].flatMap((log) => log ?? []));
    editor().user.picks.push('Other Explorer');
    await (await opened.moreAction('Second Opinion…')).press('Enter');
    await waitForText(opened.status, /differs from Other Explorer/);
    assert.match(editor().texts.at(-1) ?? '', new RegExp(`^Only on Local Explorer: ${LOST}$`, 'm'));
    await opened.frame
      .getByRole('listitem')
      .filter({ hasText: `${LOST} only in this result. Chainside cannot tell which logs are correct.` })
      .waitFor();
    await isReadableInEveryTheme(opened.page, 'opinion-differs');
  });
});
