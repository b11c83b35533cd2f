import assert from 'node:assert/strict';
import { workspace } from 'vscode';
import { PanelNetwork } from '../../src/features/logs/panel/panelQuery.ts';
import { type AddressView, createAddressView } from './support/addressView.ts';
import { selectNetwork, useNetworks, waitUntil, writeSettings } from './support/extension.ts';

const here = { name: 'Here', chainId: 77, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' };
const there = { name: 'There', chainId: 5, rpcUrl: 'http://127.0.0.1:2', symbol: 'ETH' };

describe('network of a panel', () => {
  let view: AddressView;
  let network: PanelNetwork;

  useNetworks(() => ({ here, there }));

  beforeEach(async () => {
    await define({ here, there });
    await selectNetwork('here');
    view = createAddressView();
    network = new PanelNetwork(view);
  });
  afterEach(() => {
    network.dispose();
    view.dispose();
  });

  /** Defines these networks among the others, or takes away those without a definition. */
  async function define(changed: Readonly<Record<string, object | undefined>>): Promise<void> {
    const written = workspace.getConfiguration().inspect<object>('chainside.networks')?.globalValue;
    await writeSettings({ 'chainside.networks': { ...written, ...changed } });
  }
  async function switchTo(id: 'here' | 'there'): Promise<void> {
    await selectNetwork(id);
    await waitUntil(() => view.session.network.id === id);
  }

  it('is the active one until the panel has asked something', async () => {
    assert.equal(network.network.id, 'here');
    await switchTo('there');
    assert.deepEqual([network.network.id, network.other, network.lost], ['there', undefined, undefined]);
  });

  it('stays when another becomes active, until the panel is moved over', async () => {
    const { client } = network.keep();
    let told = 0;
    network.onDidChange(() => told++);
    await switchTo('there');
    assert.deepEqual([network.network.id, network.other?.id], ['here', 'there']);
    assert.equal(network.endpoint.client, client);
    assert.ok(told > 0);
    network.move();
    assert.deepEqual([network.network.id, network.other], ['there', undefined]);
    assert.equal(network.endpoint.client, view.session.client);
  });

  it('has a client of its own where an earlier window has kept it', async () => {
    await switchTo('there');
    network.keepKnown('here');
    assert.deepEqual([network.network.id, network.other?.id], ['here', 'there']);
    assert.notEqual(network.endpoint.client, view.session.client);
    network.move();
    network.keepKnown('gone');
    assert.equal(network.network.id, 'there');
  });

  it('takes another name as its own', async () => {
    network.keep();
    await define({ here: { ...here, name: 'Renamed' } });
    await waitUntil(() => network.network.name === 'Renamed');
    assert.deepEqual([network.other, network.lost], [undefined, undefined]);
  });

  it('is asked at its new endpoint where that has changed, and says so until then', async () => {
    const { client } = network.keep();
    await define({ here: { ...here, rpcUrl: 'http://127.0.0.1:3' } });
    await waitUntil(() => network.network.rpcUrl === 'http://127.0.0.1:3/' || network.lost !== undefined);
    assert.deepEqual(network.lost, { name: 'Here', how: 'changed' });
    assert.match(network.network.rpcUrl, /:3\/?$/);
    assert.notEqual(network.endpoint.client, client);
    network.keep();
    assert.equal(network.lost, undefined);
  });

  it('is the active one again where it was removed, and says so until then', async () => {
    network.keep();
    await switchTo('there');
    await define({ here: undefined });
    await waitUntil(() => network.lost !== undefined);
    assert.deepEqual(network.lost, { name: 'Here', how: 'removed' });
    assert.deepEqual([network.network.id, network.other], ['there', undefined]);
  });
});
