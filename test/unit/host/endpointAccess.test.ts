import assert from 'node:assert/strict';
import type { SecretStorage } from 'vscode';
import {
  createChainClient,
  type FetchLike,
  isAppError,
  type Network,
  type Provider,
  SECRET_PLACEHOLDER,
  systemClock,
} from '../../../src/core/index.ts';
import { createProviderAccess } from '../../../src/host/session/providerAccess.ts';
import {
  createEndpointAccess,
  createEndpointSecrets,
  createKeyStore,
} from '../../../src/host/session/secrets.ts';
import { memorySecrets } from '../../support/memorySecrets.ts';

const NODE: Network = {
  ...{ id: 'n', name: 'N', chainId: 5, symbol: 'ETH', decimals: 18 },
  rpcUrl: `https://node.example/v3/${SECRET_PLACEHOLDER}`,
};
const BEARER: Network = { ...NODE, rpcUrl: 'https://node.example/api/eth-rpc', rpcAuth: 'bearer' };

function openWindow(storage: SecretStorage) {
  const sent: { readonly url: string; readonly authorization: string | undefined }[] = [];
  let hangs = false;
  const fetch: FetchLike = (url, { headers, body, signal }) => {
    sent.push({ url, authorization: headers.authorization });
    const { id } = JSON.parse(body ?? '{}');
    if (!hangs) return Promise.resolve(Response.json({ jsonrpc: '2.0', id, result: '0x7' }));
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const http = { fetch, clock: systemClock };
  const secrets = createEndpointSecrets(storage);
  const endpoints = createEndpointAccess({ http, secrets });
  const clientOf = (network: Network) =>
    createChainClient({ ...endpoints.httpFor(network), url: network.rpcUrl });
  return {
    ...{ sent, http, secrets, endpoints, clientOf },
    hang: (yes: boolean) => {
      hangs = yes;
    },
  };
}

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (isAppError(error) ? error.kind : String(error)),
  );

describe('Secrets of endpoints', () => {
  it('are kept by origin, apart from keys of data APIs at the same', async () => {
    const values = new Map<string, string>();
    const storage = memorySecrets(values);
    const secrets = createEndpointSecrets(storage);
    const keys = createKeyStore(storage);
    await secrets.set(NODE.rpcUrl, 'rpc-secret');
    await keys.set('https://node.example/data', 'data-key');
    assert.equal(await secrets.get('https://node.example/other/path?x=1'), 'rpc-secret');
    assert.equal((await keys.get('https://node.example'))?.key, 'data-key');
    for (const other of ['http://node.example', 'https://node.example:8443', 'https://other.example']) {
      assert.equal(await secrets.get(other), undefined);
    }
    assert.deepEqual(
      [...values.keys()],
      ['endpointSecret:https://node.example', 'apiKey:https://node.example'],
    );
    await secrets.forget(BEARER.rpcUrl);
    assert.equal(await secrets.get(NODE.rpcUrl), undefined);
    assert.equal((await keys.get('https://node.example'))?.key, 'data-key');
  });

  it('go with the requests of a client from when they are set, in every window, until they are forgotten', async () => {
    const storage = memorySecrets();
    const [here, there] = [openWindow(storage), openWindow(storage)];
    const client = there.clientOf(NODE);
    assert.equal(await kindOf(client.latestBlock()), 'needsKey');
    assert.deepEqual(there.sent, []);
    const told: string[] = [];
    there.endpoints.onDidChange((origin) => told.push(origin));
    await here.secrets.set(NODE.rpcUrl, 'first-secret');
    assert.equal(await client.latestBlock(), 7n);
    await here.secrets.set(NODE.rpcUrl, 'second-secret');
    assert.equal(await client.latestBlock(), 7n);
    await here.secrets.forget(NODE.rpcUrl);
    assert.equal(await kindOf(client.latestBlock()), 'needsKey');
    assert.deepEqual(
      there.sent.map(({ url }) => url),
      ['https://node.example/v3/first-secret', 'https://node.example/v3/second-secret'],
    );
    assert.deepEqual(told, Array(3).fill('https://node.example'));
  });

  it('that change cancel what is on its way there, and nothing elsewhere', async () => {
    const storage = memorySecrets();
    const [here, there] = [openWindow(storage), openWindow(storage)];
    const elsewhere = { ...BEARER, rpcUrl: 'https://elsewhere.example/rpc' };
    await here.secrets.set(NODE.rpcUrl, 'first-secret');
    await here.secrets.set(elsewhere.rpcUrl, 'other-secret');
    there.hang(true);
    const stopped = kindOf(there.clientOf(NODE).latestBlock());
    const { signal, abort } = (() => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: () => controller.abort() };
    })();
    let isOver = false;
    const goesOn = kindOf(there.clientOf(elsewhere).latestBlock({ signal })).finally(() => {
      isOver = true;
    });
    while (there.sent.length < 2) await new Promise(setImmediate);
    await here.secrets.forget(NODE.rpcUrl);
    assert.equal(await stopped, 'aborted');
    assert.equal(isOver, false);
    abort();
    assert.equal(await goesOn, 'aborted');
  });

  it('go with what a source asks beside the endpoint, and not with one that has a key of its own', async () => {
    const storage = memorySecrets();
    const { http, endpoints, secrets, sent } = openWindow(storage);
    await secrets.set(BEARER.rpcUrl, 'rpc-secret');
    const keys = createKeyStore(storage);
    await keys.set(BEARER.rpcUrl, 'data-key');
    const source = (takesKey: boolean): Provider => ({
      ...{ name: takesKey ? 'keyed' : 'explorer', takesKey, urlFor: ({ rpcUrl }) => rpcUrl },
      offers: { holdings: {} },
      createRateLimit: () => ({ pass: async () => {} }),
      async open({ fetch, url }) {
        const { signal } = new AbortController();
        await fetch(url, { method: 'GET', headers: {}, signal, redirect: 'manual' });
        return {};
      },
    });
    const access = createProviderAccess({
      ...{ keys, http, endpoints, keyIn: () => 'auto' as const },
      kinds: [source(true), source(false)],
    });
    await access.of(BEARER, 'holdings');
    assert.deepEqual(
      sent.map(({ authorization }) => authorization),
      [undefined, 'Bearer rpc-secret'],
    );
    access.dispose();
  });
});
