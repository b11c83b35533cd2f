import assert from 'node:assert/strict';
import { commands, type ProgressOptions, window } from 'vscode';
import { viewIds } from '../../src/manifest.ts';
import { type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';
import { activated, selectNetwork, useNetworks } from './support/extension.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('Refresh', () => {
  const { withProgress } = window;
  let server: LoopbackServer;
  let busy: unknown[] = [];

  before(async () => {
    await activated();
    server = await startRpcServer(({ id }) => ({ jsonrpc: '2.0', id, result: '0x10' }));
  });
  after(() => server.close());
  useNetworks(() => ({ refreshed: { name: 'Refreshed', chainId: 5, rpcUrl: server.url } }));
  beforeEach(() => {
    busy = [];
    const noted: typeof withProgress = (options: ProgressOptions, task) => {
      busy.push(options.location);
      return withProgress(options, task);
    };
    Object.assign(window, { withProgress: noted });
  });
  afterEach(() => void Object.assign(window, { withProgress }));

  it('shows that it is at work in each view that is read again: of all addresses, and of one', async () => {
    await selectNetwork('refreshed');
    const views = [viewIds.chain, viewIds.addresses].map((viewId) => ({ viewId }));
    await commands.executeCommand('chainside.refresh');
    assert.deepEqual(busy, views);
    busy = [];
    await commands.executeCommand('chainside.refresh', ADDRESS);
    assert.deepEqual(busy, views);
  });
});
