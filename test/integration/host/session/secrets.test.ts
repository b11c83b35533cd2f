import assert from 'node:assert/strict';
import type { SecretStorage } from 'vscode';
import {
  AppError,
  createChainClient,
  type FetchLike,
  type HoldingsProvider,
  isAppError,
  type Network,
  type NftProvider,
  type Provider,
  SECRET_PLACEHOLDER,
  systemClock,
  type TokenBalances,
} from '../../../../src/core/index.ts';
import { mergeHoldings } from '../../../../src/core/tokens/holdings.ts';
import { createProviderAccess, type ProviderAccess } from '../../../../src/host/session/providerAccess.ts';
import {
  createEndpointAccess,
  createEndpointSecrets,
  createKeyStore,
  SecretStorageError,
} from '../../../../src/host/session/secrets.ts';
import type { TokenProviderSetting } from '../../../../src/host/settings/settingTable.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { HOLDER, TEST_KEY } from '../../../support/dataApi.ts';
import { failingSecrets, memorySecrets } from '../../../support/memory.ts';

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

for (const [how, createStorage] of Object.entries(failingSecrets)) {
  describe(`A secret storage that ${how}`, () => {
    it('has no secret, and says that it keeps none', async () => {
      const secrets = createEndpointSecrets(createStorage());
      const keys = createKeyStore(createStorage());
      assert.equal(await secrets.get(NODE.rpcUrl), undefined);
      assert.equal(await keys.get(NODE.rpcUrl), undefined);
      await assert.rejects(secrets.set(NODE.rpcUrl, 'secret'), SecretStorageError);
      await assert.rejects(keys.set(NODE.rpcUrl, 'key'), SecretStorageError);
    });

    it('holds up no endpoint that takes no secret, and is asked again by one that does', async () => {
      const storage = createStorage();
      const { clientOf, endpoints, sent } = openWindow(storage);
      const keyless = { ...NODE, rpcUrl: 'https://node.example/' };
      assert.equal(await kindOf(clientOf(keyless).getChainId()), 'answered');
      assert.equal(await kindOf(clientOf(NODE).getChainId()), 'needsKey');
      assert.equal(await endpoints.hasSecret(NODE), false);
      assert.equal(sent.length, 1);
      if (how !== 'rejects') return;
      storage.get = async () => 'secret';
      assert.equal(await kindOf(clientOf(NODE).getChainId()), 'answered');
    });
  });
}

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

  it('are the Etherscan API key for an endpoint at Etherscan that has none of its own', async () => {
    const storage = memorySecrets(new Map());
    const secrets = createEndpointSecrets(storage);
    const changed: string[] = [];
    secrets.onDidChange((origin) => changed.push(origin));
    await createKeyStore(storage).set('https://api.etherscan.io/v2/api', 'etherscan-key', 'query');
    const url = `https://api.etherscan.io/v2/api?chainid=1&apikey=${SECRET_PLACEHOLDER}`;
    assert.equal(await secrets.get(url), 'etherscan-key');
    assert.equal(await secrets.get('https://api.etherscan.io.example/v2/api'), undefined);
    assert.deepEqual(changed, ['https://api.etherscan.io']);
    await secrets.set(url, 'another');
    assert.equal(await secrets.get(url), 'another');
  });

  it('go with the requests of a client from when they are set, in every window, until they are forgotten', async () => {
    const storage = memorySecrets();
    const [here, there] = [openWindow(storage), openWindow(storage)];
    const client = there.clientOf(NODE);
    assert.equal(await kindOf(client.getChainId()), 'needsKey');
    assert.deepEqual(there.sent, []);
    const told: string[] = [];
    there.endpoints.onDidChange((origin) => told.push(origin));
    await here.secrets.set(NODE.rpcUrl, 'first-secret');
    assert.equal(await client.getChainId(), 7);
    await here.secrets.set(NODE.rpcUrl, 'second-secret');
    assert.equal(await client.getChainId(), 7);
    await here.secrets.forget(NODE.rpcUrl);
    assert.equal(await kindOf(client.getChainId()), 'needsKey');
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
    const stopped = kindOf(there.clientOf(NODE).getChainId());
    const cancellation = new AbortController();
    const { signal } = cancellation;
    let isOver = false;
    const goesOn = kindOf(there.clientOf(elsewhere).getBlockNumber({ signal })).finally(() => {
      isOver = true;
    });
    while (there.sent.length < 2) await new Promise(setImmediate);
    await here.secrets.forget(NODE.rpcUrl);
    assert.equal(await stopped, 'aborted');
    assert.equal(isOver, false);
    cancellation.abort();
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
      createThrottle: () => ({ pass: async () => {} }),
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
    await access.get(BEARER, 'holdings');
    assert.deepEqual(
      sent.map(({ authorization }) => authorization),
      [undefined, 'Bearer rpc-secret'],
    );
    access.dispose();
  });
});

const USD = { quoteCurrency: 'USD' } as const;
const network: Network = {
  ...{ id: 'n', name: 'N', chainId: 5, symbol: 'ETH', decimals: 18 },
  ...{ rpcUrl: 'https://explorer.example/api/eth-rpc', dataApiUrl: 'https://data.example/api' },
};

/** Sources by the names of the real ones; `refuses` are those that do not serve the chain. */
function start({
  refuses = [] as readonly string[],
  tokensFrom = 'auto' as TokenProviderSetting,
  withKey = true,
} = {}) {
  const asked: string[] = [];
  const source = (name: string): HoldingsProvider & NftProvider => {
    const label = { name, origin: `https://${name}.example`, takesKey: name === 'covalent' };
    const nothing: TokenBalances = {
      ...{ address: HOLDER, quoteCurrency: 'USD', updatedAt: undefined, tokens: [], includesNfts: true },
      ...{ skipped: 0, source: label, readAt: 7 },
    };
    const ask = async <T>(answer: T): Promise<T> => {
      asked.push(name);
      if (refuses.includes(name)) throw new AppError('notServed', `${name} does not serve this.`);
      return answer;
    };
    return {
      ...{ label, offers: {} },
      tokenBalances: () => ask(nothing),
      holdings: () => ask(mergeHoldings(nothing)),
      nftContract: () => ask(undefined),
      nftToken: () => ask(undefined),
      nftTransfers: () => Promise.reject(new AppError('tooHeavy', 'Too long.')),
    };
  };
  const kind = (name: string, ports: readonly ('holdings' | 'nfts')[]): Provider => ({
    ...{ name, takesKey: name === 'covalent', hasIndex: name === 'blockscout' },
    urlFor: ({ rpcUrl, dataApiUrl }) => (name === 'covalent' ? dataApiUrl : rpcUrl),
    offers: Object.fromEntries(ports.map((port) => [port, {}])),
    createThrottle: () => ({ pass: async () => {} }),
    open: async () => Object.fromEntries(ports.map((port) => [port, source(name)])),
  });
  const kinds = [
    kind('covalent', ['holdings', 'nfts']),
    kind('blockscout', ['holdings', 'nfts']),
    kind('calls', ['nfts']),
  ];
  const keys = createKeyStore({
    ...memorySecrets(),
    delete: async () => assert.fail('No key is forgotten.'),
  });
  const settings = { tokensFrom };
  const http = { fetch: () => assert.fail('Nothing is sent.'), clock: createTestClock() };
  const access = createProviderAccess({
    ...{ keys, http, kinds, keyIn: () => 'auto', tokensFrom: () => settings.tokensFrom },
  });
  const ready = withKey ? keys.set('https://data.example', TEST_KEY) : Promise.resolve();
  return { access, keys, asked, ready, settings, refuses };
}

async function tokensOf(access: ProviderAccess<'holdings'>) {
  assert.ok(access.state === 'ready');
  return (await access.provider.tokenBalances(HOLDER, USD)).source.name;
}

describe('the order of sources', () => {
  it('passes on what the first does not serve, says whose answer it is, and asks the first no more', async () => {
    const { access, asked, ready } = start({ refuses: ['covalent'] });
    await ready;
    const given = await access.get(network, 'holdings');
    assert.ok(given.state === 'ready');
    assert.equal(given.provider.label.name, 'covalent');
    assert.equal(await tokensOf(given), 'blockscout');
    assert.equal(given.provider.label.name, 'blockscout');
    assert.equal(await tokensOf(await access.get(network, 'holdings')), 'blockscout');
    assert.deepEqual(asked, ['covalent', 'blockscout', 'blockscout']);
  });

  it('is tried from the start again once the key is another', async () => {
    const { access, asked, ready, keys } = start({ refuses: ['covalent'] });
    await ready;
    await tokensOf(await access.get(network, 'holdings'));
    await keys.set('https://data.example', `${TEST_KEY}0`);
    await tokensOf(await access.get(network, 'holdings'));
    assert.deepEqual(asked, ['covalent', 'blockscout', 'covalent', 'blockscout']);
  });

  it('ends with a refusal where nobody serves the chain, each time', async () => {
    const { access, asked, ready } = start({ refuses: ['covalent', 'blockscout'] });
    await ready;
    for (let time = 0; time < 2; time++) {
      await assert.rejects(tokensOf(await access.get(network, 'holdings')), { kind: 'notServed' });
    }
    assert.deepEqual(asked, ['covalent', 'blockscout', 'covalent']);
  });

  it('ends with why the first refuses where those behind do not say who they are', async () => {
    const { access, ready } = start({ refuses: ['covalent', 'calls', 'blockscout'] });
    await ready;
    const nfts = await access.get(network, 'nfts');
    assert.ok(nfts.state === 'ready');
    await assert.rejects(nfts.provider.nftToken(HOLDER, 1n), { message: /^covalent does/ });
  });

  it('asks for the key where who takes none does not serve the chain', async () => {
    const { access, asked } = start({ refuses: ['blockscout'], withKey: false });
    await assert.rejects(tokensOf(await access.get(network, 'holdings')), { kind: 'notServed' });
    assert.equal((await access.get(network, 'holdings')).state, 'noKey');
    assert.deepEqual(asked, ['blockscout']);
  });

  it('is the contracts before the explorer for NFTs, by port, and not for a failure of another kind', async () => {
    const { access, asked, ready } = start({ refuses: ['covalent', 'calls'] });
    await ready;
    const nfts = await access.get(network, 'nfts');
    assert.ok(nfts.state === 'ready');
    await nfts.provider.nftToken(HOLDER, 1n);
    assert.equal(nfts.provider.label.name, 'blockscout');
    assert.deepEqual(asked, ['covalent', 'calls', 'blockscout']);
    await assert.rejects(nfts.provider.nftTransfers(HOLDER, 1n), { kind: 'tooHeavy' });
    const keyless = await access.get(network, 'nfts', { keyless: true });
    assert.equal(keyless.state === 'ready' && keyless.provider.label.name, 'calls');
  });

  for (const [tokensFrom, holdings, nfts] of [
    ['dataApi', 'covalent', 'covalent'],
    ['explorer', 'blockscout', 'blockscout'],
    ['calls', 'notWanted', 'calls'],
  ] as const) {
    it(`is what the user has pinned: ${tokensFrom}`, async () => {
      const { access, ready } = start({ tokensFrom });
      await ready;
      const nameOf = (given: ProviderAccess) =>
        given.state === 'ready' ? given.provider.label.name : given.state;
      assert.equal(nameOf(await access.get(network, 'holdings')), holdings);
      assert.equal(nameOf(await access.get(network, 'nfts')), nfts);
    });
  }

  it('asks for a key where only who takes one is wanted, and passes on to nobody else', async () => {
    const keyless = start({ tokensFrom: 'dataApi', withKey: false });
    assert.equal((await keyless.access.get(network, 'holdings')).state, 'noKey');
    const refused = start({ tokensFrom: 'dataApi', refuses: ['covalent'] });
    await refused.ready;
    await assert.rejects(tokensOf(await refused.access.get(network, 'holdings')), { kind: 'notServed' });
    assert.deepEqual(refused.asked, ['covalent']);
  });
});
