import assert from 'node:assert/strict';
import { localnetFromEnv } from '../support/localnetAddresses.ts';
import { startTunnelProxy, type TunnelProxy } from '../support/tunnelProxy.ts';
import { activated, selectNetwork, useNetworks, writeSettings } from './support/extension.ts';

describe('a proxy set in the editor', () => {
  const { rpcUrl } = localnetFromEnv();
  let proxy: TunnelProxy;

  before(async () => {
    proxy = await startTunnelProxy({ 'chain.example.test:80': rpcUrl });
    await writeSettings({ 'http.proxy': proxy.url });
  });
  after(async () => {
    await writeSettings({ 'http.proxy': undefined });
    await proxy[Symbol.asyncDispose]();
  });
  useNetworks(() => ({
    far: { name: 'Far', chainId: 31337, rpcUrl: `http://chain.example.test${new URL(rpcUrl).pathname}` },
  }));

  it('is what requests pass through', async () => {
    const api = await activated();
    await selectNetwork('far');
    assert.ok((await api.latestBlock()) >= 300n);
    assert.deepEqual(new Set(proxy.asked), new Set(['chain.example.test:80']));
  });
});
