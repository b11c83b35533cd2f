import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createChainClient, requireAddress } from '../../src/core/index.ts';
import { describeError } from '../../src/host/errors.ts';
import { createHttp } from '../../src/host/session/http.ts';
import { selfSignedCertificate } from '../fixtures/selfSignedCertificate.ts';
import { createAddressView } from '../support/host/addressView.ts';
import { localnetFromEnv } from '../support/localnetAddresses.ts';
import { startTunnelProxy, type TunnelProxy } from '../support/loopbackServer.ts';
import { activateExtension, selectNetwork, useNetworks, writeSettings } from './support/extension.ts';

describe('a proxy set in the editor', () => {
  const { rpcUrl, dataApi, chain } = localnetFromEnv();
  const far = `http://chain.example.test${new URL(rpcUrl).pathname}`;
  let proxy: TunnelProxy;

  before(async () => {
    proxy = await startTunnelProxy({
      'chain.example.test:80': rpcUrl,
      'data.example.test:80': dataApi.url,
    });
    await writeSettings({ 'http.proxy': proxy.url });
  });
  after(async () => {
    await writeSettings({ 'http.proxy': undefined });
    await proxy[Symbol.asyncDispose]();
  });
  useNetworks(() => ({
    far: { name: 'Far', chainId: 31337, rpcUrl: far },
    priced: { name: 'Priced', chainId: 31337, rpcUrl: far, dataApiUrl: 'http://data.example.test' },
  }));

  it('is what requests pass through', async () => {
    const api = await activateExtension();
    await selectNetwork('far');
    assert.ok((await api.latestBlock()) >= 300n);
    assert.deepEqual(new Set(proxy.asked), new Set(['chain.example.test:80']));
  });

  it('is what requests to a data API pass through', async () => {
    await selectNetwork('priced');
    const view = createAddressView();
    const alice = requireAddress(chain.accounts.alice);
    try {
      await view.keys.set('http://data.example.test', dataApi.keys.classic);
      await view.balances.load(alice, 'fresh');
      assert.match((await view.rows(alice)).join('\n'), / in total/);
      assert.ok(proxy.asked.includes('data.example.test:80'));
    } finally {
      view.dispose();
    }
  });
});

describe('a request that does not get through', () => {
  const name = 'chain.example.test';
  afterEach(() => writeSettings({ 'http.proxy': undefined, 'http.proxyStrictSSL': undefined }));

  async function words(rpcUrl: string): Promise<readonly string[]> {
    const client = createChainClient({ ...createHttp(() => undefined), url: rpcUrl });
    const network = { id: 'far', name: 'Far', chainId: 31337, rpcUrl, symbol: 'ETH', decimals: 18 } as const;
    try {
      await client.getBlockNumber({ retries: 0 });
      return ['got through'];
    } catch (error) {
      const { message, remedies } = describeError(error, { service: 'endpoint', network });
      return [
        message,
        ...remedies.map(({ title, arguments: [setting] = [] }) => `${title} ${setting ?? ''}`.trim()),
      ];
    }
  }

  it('says that the proxy asks for a sign-in, and where it goes', async () => {
    const { rpcUrl } = localnetFromEnv();
    const far = `http://${name}${new URL(rpcUrl).pathname}`;
    await using proxy = await startTunnelProxy({ [`${name}:80`]: rpcUrl }, { credentials: 'user:password' });
    await writeSettings({ 'http.proxy': proxy.url });
    assert.deepEqual(await words(far), [
      `Cannot reach ${name}: the proxy requires a user name and password in http.proxy (HTTP 407)`,
      'Open Settings http.proxy',
      'Show Output',
    ]);
    await writeSettings({ 'http.proxy': proxy.url.replace('//', '//user:password@') });
    assert.deepEqual(await words(far), ['got through']);
  });

  it('says that the proxy refused it, or is not there', async () => {
    const proxy = await startTunnelProxy({});
    await writeSettings({ 'http.proxy': proxy.url });
    const [refused] = await words(`https://${name}`);
    assert.equal(refused, `Cannot reach ${name}: the proxy refused the connection (HTTP 502)`);
    await proxy[Symbol.asyncDispose]();
    assert.deepEqual(await words(`https://${name}`), [
      `Cannot reach ${name}: the proxy does not respond. Check http.proxy.`,
      'Open Settings http.proxy',
      'Show Output',
    ]);
  });

  it('says which certificate is refused, whatever http.proxyStrictSSL is', async () => {
    const server = createServer(selfSignedCertificate, (_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const strict of [undefined, false]) {
        await writeSettings({ 'http.proxyStrictSSL': strict });
        assert.deepEqual(await words(origin), [
          `Cannot reach ${new URL(origin).host}: its certificate is self-signed`,
          'Open Settings http.systemCertificates',
          'Show Output',
        ]);
      }
    } finally {
      server.close();
    }
  });
});
