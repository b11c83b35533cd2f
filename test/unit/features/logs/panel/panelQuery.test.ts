import assert from 'node:assert/strict';
import { commands, window, workspace } from 'vscode';
import { PanelNetwork } from '../../../../../src/features/logs/panel/panelQuery.ts';
import { ResultActions } from '../../../../../src/features/logs/panel/resultActions.ts';
import { showLatestBlock } from '../../../../../src/features/status/chainTree.ts';
import { askOnNetwork, confirmNetworkSwitch } from '../../../../../src/host/session/chains.ts';
import { useAddressView } from '../../../../support/host/addressView.ts';
import { stubDialogs } from '../../../../support/host/dialogs.ts';
import { openPanel } from '../../../../support/host/openPanel.ts';
import { NodeError, useNode } from '../../../../support/host/recordedServer.ts';
import {
  selectNetwork,
  useNetworks,
  useSettings,
  waitUntil,
  writeSettings,
} from '../../../../support/host/settings.ts';
import { wireLog } from '../../../../support/stubs.ts';
import { useExtension } from '../../../../support/vscode/extension.ts';

const here = { name: 'Here', chainId: 77, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' };
const there = { name: 'There', chainId: 5, rpcUrl: 'http://127.0.0.1:2', symbol: 'ETH' };

/** Defines these networks among the others, or takes away those without a definition. */
async function define(changed: Readonly<Record<string, object | undefined>>): Promise<void> {
  const written = workspace.getConfiguration().inspect<object>('chainside.networks')?.globalValue;
  await writeSettings({ 'chainside.networks': { ...written, ...changed } });
}

describe('network of a panel', () => {
  let network: PanelNetwork;

  useNetworks(() => ({ here, there }));
  beforeEach(() => define({ here, there }));
  const view = useAddressView('here');
  beforeEach(() => {
    network = new PanelNetwork(view);
  });
  afterEach(() => network.dispose());

  it('is the active one until the panel has asked something', async () => {
    assert.equal(network.network.id, 'here');
    await selectNetwork('there');
    assert.deepEqual([network.network.id, network.other, network.lost], ['there', undefined, undefined]);
  });

  it('has no name before one is chosen', () => {
    const { session, settings } = view;
    const { connection, network: active, onDidChange } = session;
    const clientOf = session.clientOf.bind(session);
    const unchosen = new PanelNetwork({
      settings,
      session: { connection, network: active, isChosen: false, clientOf, onDidChange },
    });
    assert.equal(unchosen.name, undefined);
    unchosen.pinById('there');
    assert.deepEqual([unchosen.name, unchosen.other], [unchosen.network.name, undefined]);
    unchosen.dispose();
  });

  it('stays when another becomes active, until the panel is moved over', async () => {
    const { client } = network.pin();
    let told = 0;
    network.onDidChange(() => told++);
    await selectNetwork('there');
    assert.deepEqual([network.network.id, network.other?.id], ['here', 'there']);
    assert.equal(network.endpoint.client, client);
    assert.ok(told > 0);
    network.move();
    assert.deepEqual([network.network.id, network.other], ['there', undefined]);
    assert.equal(network.endpoint.client, view.session.client);
  });

  it('has a client of its own where an earlier window has kept it', async () => {
    await selectNetwork('there');
    network.pinById('here');
    assert.deepEqual([network.network.id, network.other?.id], ['here', 'there']);
    assert.notEqual(network.endpoint.client, view.session.client);
    network.move();
    network.pinById('gone');
    assert.equal(network.network.id, 'there');
  });

  it('takes another name as its own', async () => {
    network.pin();
    await define({ here: { ...here, name: 'Renamed' } });
    await waitUntil(() => network.network.name === 'Renamed');
    assert.deepEqual([network.other, network.lost], [undefined, undefined]);
  });

  it('is asked at its new endpoint where that has changed, and says so until then', async () => {
    const { client } = network.pin();
    await define({ here: { ...here, rpcUrl: 'http://127.0.0.1:3' } });
    await waitUntil(() => network.network.rpcUrl === 'http://127.0.0.1:3/' || network.lost !== undefined);
    assert.deepEqual(network.lost, { name: 'Here', how: 'changed' });
    assert.match(network.network.rpcUrl, /:3\/?$/);
    assert.notEqual(network.endpoint.client, client);
    network.pin();
    assert.equal(network.lost, undefined);
  });

  it('is the active one again where it was removed, and says so until then', async () => {
    network.pin();
    await selectNetwork('there');
    await define({ here: undefined });
    await waitUntil(() => network.lost !== undefined);
    assert.deepEqual(network.lost, { name: 'Here', how: 'removed' });
    assert.deepEqual([network.network.id, network.other], ['there', undefined]);
  });
});

const TOKEN = `0x${'5f'.repeat(20)}` as const;
const LOG = wireLog(5);

describe('log panel of a network that is not the active one', () => {
  useExtension();
  const asked = { here: 0, there: 0 };
  let fails = false;
  let opened: Awaited<ReturnType<typeof openPanel>>;
  let panel: Awaited<ReturnType<typeof openPanel>>['panel'];
  const [here, there] = (['here', 'there'] as const).map((name) =>
    useNode(({ method }) => {
      if (/Transaction|ByHash/.test(method)) return null;
      if (method !== 'eth_getLogs') return '0x10';
      asked[name]++;
      return fails ? new NodeError(-32603, 'no') : [LOG];
    }),
  );
  assert.ok(here && there);
  // Third parties would be asked about the event that nothing here knows, at any later time.
  useSettings(() => ({ 'chainside.sources.sourcify': 'never', 'chainside.sources.signatures': 'never' }));

  const definitions = () => ({
    here: { name: 'Here', chainId: 77, rpcUrl: here.url },
    there: { name: 'There', chainId: 5, rpcUrl: there.url },
  });
  useNetworks(definitions);
  beforeEach(() => define(definitions()));
  const view = useAddressView('here');

  beforeEach(async () => {
    fails = false;
    opened = await openPanel(view);
    panel = opened.panel;
    await run();
    Object.assign(asked, { here: 0, there: 0 });
  });
  afterEach(() => opened.dispose());

  async function run(): Promise<void> {
    await opened.run(TOKEN);
  }
  const rows = () => panel.actions.exportable?.rows.length;
  const hasAsked = () => [asked.here > 0, asked.there > 0];

  it('keeps its rows, and is asked again where they are from', async () => {
    await selectNetwork('there');
    assert.deepEqual([rows(), panel.results.network?.id], [1, 'here']);
    await run();
    assert.deepEqual([hasAsked(), rows(), panel.results.network?.id], [[true, false], 1, 'here']);
  });

  it('keeps its rows when its network is removed, to be exported as they are, and then asks the active one', async () => {
    await selectNetwork('there');
    await define({ here: undefined });
    await waitUntil(() => panel.actions.exportable?.onlyLoaded === true);
    assert.deepEqual([rows(), panel.results.hasMore], [1, false]);
    await run();
    assert.deepEqual([hasAsked(), panel.results.network?.id], [[false, true], 'there']);
    assert.equal(panel.actions.exportable?.onlyLoaded, false);
  });

  it('waits for its network, which an earlier window had, and asks no other in silence', async () => {
    await selectNetwork('there');
    await define({ here: undefined });
    panel.restore({ network: 'here' });
    await define({ here: definitions().here });
    await run();
    assert.deepEqual([hasAsked(), panel.results.network?.id], [[true, false], 'here']);
  });

  it('asks another network than the active one where its rows are to be from there', async () => {
    panel.useNetwork({ id: 'there' });
    await run();
    assert.deepEqual([hasAsked(), panel.results.network?.id], [[false, true], 'there']);
    assert.equal(view.session.network.id, 'here');
  });

  it('leads to the Addresses view of its network, where the user agrees to switch', async () => {
    await selectNetwork('there');
    const network = panel.results.network ?? assert.fail('It has asked none.');
    using person = stubDialogs();
    assert.equal(await confirmNetworkSwitch(view, network), false);
    person.presses.push('Switch to Here');
    assert.equal(await confirmNetworkSwitch(view, network), true);
    assert.equal(view.session.network.id, 'here');
    assert.equal(person.told[0], 'This is on Here. The Addresses view shows There.');
    assert.equal(await confirmNetworkSwitch(view, network), true);
    assert.equal(person.told.length, 2);
    // Nor is what is on a fork of this machine on the chain that it was made of.
    const original = { ...network, id: 'original', name: 'Original', rpcUrl: 'https://node.example' };
    assert.equal(await confirmNetworkSwitch(view, original), false);
    assert.equal(person.told[2], 'This is on Original. The Addresses view shows Here.');
  });

  it('takes what was entered for its network to no other, unless the user agrees to switch back', async () => {
    using person = stubDialogs();
    const enter = async () => {
      await selectNetwork('there');
      return TOKEN;
    };
    assert.equal(await askOnNetwork(view, enter), undefined);
    assert.deepEqual(person.told, ['You entered this for Here. The active network is There.']);
    await selectNetwork('here');
    person.presses.push('Switch to Here');
    assert.equal(await askOnNetwork(view, enter), TOKEN);
    assert.equal(view.session.network.id, 'here');
    assert.equal(await askOnNetwork(view, async () => TOKEN), TOKEN);
    assert.equal(person.told.length, 2);
  });

  it('says of which network the latest block is that was read, whatever is active by then', async () => {
    using person = stubDialogs();
    const session = { network: { name: 'Here' } };
    await showLatestBlock({
      session,
      head: {
        async read() {
          session.network = { name: 'There' };
          return { block: 7n };
        },
      },
      view: { reveal: async () => undefined },
      tree: { row: () => undefined },
    } as never);
    assert.deepEqual(person.told, ['Latest block of Here: 7']);
  });

  it('exports no other resultId than the one that was shown', async () => {
    using person = stubDialogs();
    const results = { resultId: 'shown', verdict: {}, sequence: { now: () => ({}) }, rows: {} };
    const on = {
      results,
      rows: { sync: () => undefined },
      query: { executed: {}, network: {} },
      reader: { createDecoding: () => undefined },
      groups: { areShown: false },
      arranged: {
        isWorking: true,
        async ready() {
          results.resultId = 'another';
        },
      },
    };
    await new ResultActions({} as never, on as never).exportLogs();
    assert.deepEqual([person.lists, person.told], [[], []]);
  });

  it('shows a transaction on its network, where the user agrees to switch', async () => {
    await selectNetwork('there');
    const { resultId } = panel.results as typeof panel.results & { readonly resultId: string };
    using person = stubDialogs();
    try {
      await panel.actions.showTransaction({ resultId, log: 0 });
      assert.deepEqual(person.told, ['This transaction is on Here. The active network is There.']);
      person.presses.push('Switch to Here');
      await panel.actions.showTransaction({ resultId, log: 0 });
      const { document } = window.activeTextEditor ?? assert.fail('No editor is active.');
      assert.match(document.getText(), new RegExp(`^${LOG.transactionHash} was not found on `));
      await panel.actions.showTransaction({ resultId, log: 1 });
      assert.equal(person.told.length, 2);
    } finally {
      await commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('tries again at the endpoint that its network has by now', async () => {
    fails = true;
    await run();
    assert.equal(panel.actions.exportable, undefined);
    Object.assign(asked, { here: 0, there: 0 });
    fails = false;
    await define({ here: { ...definitions().here, rpcUrl: there.url } });
    await waitUntil(() => view.session.network.rpcUrl.startsWith(there.url));
    panel.tryAgain();
    await waitUntil(() => rows() === 1);
    assert.deepEqual(hasAsked(), [false, true]);
  });
});
