import assert from 'node:assert/strict';
import { window } from 'vscode';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../../localnet/chain/nodeRpc.ts';
import { type Address, systemClock } from '../../../../src/core/index.ts';
import { HeadStore } from '../../../../src/features/status/headStore.ts';
import { useAddressView } from '../../../support/host/addressView.ts';
import { openPanel } from '../../../support/host/openPanel.ts';
import { useNetworks, useSettings, waitUntil } from '../../../support/host/settings.ts';

const EMITTER = `0x${'e1'.repeat(20)}` as Address;
/** PUSH0 PUSH0 LOG0: an empty log with each call. */
const EMITS = '0x5f5fa000';
const GENESIS = 1_700_000_000;

describe('a log panel when the node is restarted', () => {
  let anvil: Anvil = { url: '', stop: async () => undefined };
  let port: number;
  let head: HeadStore;
  let opened: Awaited<ReturnType<typeof openPanel>>;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: GENESIS });
    port = Number(new URL(anvil.url).port);
  });
  after(() => anvil.stop());
  useSettings(() => ({ 'chainside.sources.sourcify': 'never', 'chainside.sources.signatures': 'never' }));
  useNetworks(() => ({ day: { name: 'Day', chainId: 31337, rpcUrl: anvil.url, symbol: 'ETH' } }));
  const view = useAddressView('day');

  beforeEach(async () => {
    await reset();
    const log = window.createOutputChannel('Head under test', { log: true });
    head = new HeadStore({ ...view, clock: systemClock, log });
    opened = await openPanel(view, head);
  });
  afterEach(async () => {
    await opened.dispose();
    head.dispose();
  });

  /** Adds a block with so many logs. */
  async function emit(logs: number): Promise<void> {
    const node = createNodeRpc(anvil.url);
    const [from] = (await node.call('eth_accounts', [])) as readonly Address[];
    await node.call('anvil_setCode', [EMITTER, EMITS]);
    for (let sent = 0; sent < logs; sent++)
      await node.call('eth_sendTransaction', [{ from, to: EMITTER, gas: '0x186a0' }]);
    await node.call('evm_mine', []);
  }

  async function restart(): Promise<void> {
    await anvil.stop();
    anvil = await startAnvil({ port, genesisTime: GENESIS });
  }

  const reset = async () => void (await createNodeRpc(anvil.url).call('anvil_reset', []));

  /** The status of the panel, its rows, and whether it is followed. */
  function look() {
    const { panel } = opened;
    const { notice } = panel.follow;
    assert.equal(notice, 'off');
    return [panel.describe().join(' '), panel.actions.exportable?.rows.length ?? 0];
  }

  for (const [how, begin] of [
    ['a restart', restart],
    ['a reset', reset],
  ] as const) {
    it(`has the rows of the new chain alone and goes on following after ${how}`, async () => {
      await emit(2);
      await emit(1);
      await head.read(0);
      await opened.run(EMITTER);
      opened.panel.follow.toggle();
      await waitUntil(() =>
        /^Following · complete to block \d+ · 3 logs/.test(opened.panel.describe()[0] ?? ''),
      );
      await begin();
      // As many blocks as before, so that no number shows the difference.
      await emit(1);
      await emit(1);
      await head.read(0);
      await waitUntil(() => look()[1] === 2);
      await waitUntil(() => /^Following · complete to block 2 · 2 logs/.test(String(look()[0])));
      await emit(3);
      await head.read(0);
      await waitUntil(() => look()[1] === 5);
      assert.match(String(look()[0]), /^Following · complete to block 3 · 5 logs(?: .*)?$/);
      assert.doesNotMatch(String(look()[0]), /reorg/);
    });
  }

  it('drops rows that are not followed, and says why', async () => {
    await emit(2);
    await head.read(0);
    await opened.run(EMITTER);
    assert.equal(look()[1], 2);
    await view.identities.load(EMITTER);
    assert.equal(view.identities.get(EMITTER)?.kind, 'contract');
    await restart();
    await head.read(0);
    assert.equal(view.identities.get(EMITTER), undefined);
    await view.identities.load(EMITTER, 'recent');
    assert.equal(view.identities.get(EMITTER)?.kind, 'account');
    assert.deepEqual(look(), [
      'Day has a new chain: its node was restarted or reset. Run the query to load its logs.',
      0,
    ]);
    await emit(1);
    await opened.run(EMITTER);
    assert.equal(look()[1], 1);
  });
});
