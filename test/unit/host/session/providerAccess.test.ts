import assert from 'node:assert/strict';
import { etherscanKey } from '../../../../localnet/etherscan/server.ts';
import {
  createRequestThrottle,
  ETHERSCAN_URL,
  type FetchLike,
  type HoldingsProvider,
  isAppError,
  type Network,
  type Provider,
  providers,
  type TokenBalances,
} from '../../../../src/core/index.ts';
import { mergeHoldings } from '../../../../src/core/tokens/holdings.ts';
import { createProviderAccess, type ProviderAccess } from '../../../../src/host/session/providerAccess.ts';
import { createKeyStore } from '../../../../src/host/session/secrets.ts';
import type { KeyPlaceSetting } from '../../../../src/host/settings/settingTable.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { collectGarbage } from '../../../support/collectGarbage.ts';
import { HOLDER, responseWithItems, TEST_KEY } from '../../../support/dataApi.ts';
import { memorySecrets } from '../../../support/memory.ts';

const USD = { quoteCurrency: 'USD' } as const;
const OTHER_KEY = 'ckey_fedcba9876543210fedcba98765';

function network(origin: string, chainId = 5): Network {
  const rpcUrl = 'http://127.0.0.1:1';
  return { id: 'n', name: 'N', chainId, rpcUrl, dataApiUrl: `${origin}/api`, symbol: 'ETH', decimals: 18 };
}
const here = network('https://here.example');
const there = network('https://there.example');

const label = { name: 'elsewhere', origin: 'https://here.example', takesKey: false };
const nothing: TokenBalances = {
  ...{ address: HOLDER, quoteCurrency: 'USD', updatedAt: undefined, tokens: [], includesNfts: true },
  ...{ skipped: 0, source: label, readAt: 7 },
};
const tellsNothing: HoldingsProvider = {
  label,
  offers: { tokenBalances: 'free', holdings: 'free' },
  tokenBalances: async () => nothing,
  holdings: async () => mergeHoldings(nothing),
};

function start({
  keyIn = 'auto' as KeyPlaceSetting,
  answer = (_url: string) => Response.json(responseWithItems([]).body) as Response | null,
  storage = new Map<string, unknown>(),
  values = new Map<string, string>(),
  kinds = providers,
  isEnabled = (_kind: Provider): boolean => true,
} = {}) {
  const sent: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const fetch: FetchLike = (url, { headers, signal }) => {
    sent.push({ url, authorization: headers.authorization });
    const given = answer(url);
    if (given) return Promise.resolve(given);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const secrets = memorySecrets(values);
  const keys = createKeyStore(secrets, {
    get: (id: string) => storage.get(id) as never,
    update: async (id, value) => void (value === undefined ? storage.delete(id) : storage.set(id, value)),
  });
  const settings = { keyIn };
  const clock = createTestClock();
  const access = createProviderAccess({
    ...{ keys, http: { fetch, clock }, keyIn: () => settings.keyIn, kinds, isEnabled },
  });
  return { access, keys, otherWindow: createKeyStore(secrets), values, sent, settings, clock };
}

function sourceOf(access: ProviderAccess<'holdings'>) {
  assert.ok(access.state === 'ready');
  return access.provider;
}

describe('Access to sources', () => {
  it('sends the key where it was found to be taken, or where a setting forces it', async () => {
    const { access, keys, sent, settings } = start();
    const ask = async () => {
      await sourceOf(await access.get(here, 'holdings')).tokenBalances(HOLDER, { ...USD, fresh: true });
      const { url, authorization } = sent.at(-1) ?? {};
      return { inUrl: url?.includes(TEST_KEY), inHeader: authorization === `Bearer ${TEST_KEY}` };
    };
    await keys.set('https://here.example/api', TEST_KEY);
    assert.deepEqual(await ask(), { inUrl: false, inHeader: true });
    settings.keyIn = 'query';
    assert.deepEqual(await ask(), { inUrl: true, inHeader: false });
    settings.keyIn = 'auto';
    await keys.set('https://here.example/api', TEST_KEY, 'query');
    assert.deepEqual(await ask(), { inUrl: true, inHeader: false });
    settings.keyIn = 'header';
    assert.deepEqual(await ask(), { inUrl: false, inHeader: true });
    settings.keyIn = 'auto';
    await keys.forget('https://here.example/api');
    await keys.set('https://here.example/api', TEST_KEY);
    assert.deepEqual(await ask(), { inUrl: false, inHeader: true });
  });

  it('finds where a key is accepted when it is refused, and remembers that for its origin alone', async () => {
    const storage = new Map<string, unknown>();
    const values = new Map<string, string>();
    const answer = (url: string) =>
      url.includes('key=') || url.startsWith('https://there.example')
        ? Response.json(responseWithItems([], { address: undefined }).body)
        : Response.json({ error: true, error_code: 401 }, { status: 401 });
    const openWindow = async () => {
      const opened = start({ storage, values, answer });
      const ask = async (where = here, address = HOLDER) => {
        const before = opened.sent.length;
        const source = sourceOf(await opened.access.get(where, 'holdings'));
        await source.tokenBalances(address as never, { ...USD, fresh: true });
        return opened.sent.slice(before).map(({ authorization }) => (authorization ? 'header' : 'query'));
      };
      return { ...opened, ask };
    };
    const first = await openWindow();
    await first.keys.set('https://here.example', TEST_KEY);
    await first.keys.set('https://there.example', OTHER_KEY);
    const changes: string[] = [];
    first.keys.onDidChange((origin) => changes.push(origin));
    assert.deepEqual(await first.ask(), ['header', 'query']);
    assert.deepEqual(await first.ask(), ['query']);
    assert.deepEqual(await first.ask(there), ['header']);
    assert.deepEqual(changes, [], 'the clients with the key stay');
    const next = await openWindow();
    assert.deepEqual([await next.ask(), await next.ask(there)], [['query'], ['header']]);
    assert.equal((await next.keys.get('https://here.example'))?.key, TEST_KEY);
    await next.keys.set('https://here.example', OTHER_KEY, 'header');
    assert.deepEqual(await next.ask(), ['header', 'query'], 'another key is looked for anew');
    assert.doesNotMatch(JSON.stringify([...storage]), /ckey_/);
    await next.keys.forget('https://here.example');
    assert.equal(storage.size, 0);
  });

  it('sends a key of an earlier version in the header', async () => {
    const { keys, values } = start();
    values.set('apiKey:https://here.example', TEST_KEY);
    assert.deepEqual(await keys.get('https://here.example/other'), { key: TEST_KEY, place: 'header' });
    assert.equal(await keys.get('https://there.example'), undefined);
  });

  it('keeps one client while nothing changes, and the pace of an origin for all its chains', async () => {
    const { access, keys, clock } = start();
    await keys.set('https://here.example', TEST_KEY);
    const client = sourceOf(await access.get(here, 'holdings'));
    assert.equal(sourceOf(await access.get(here, 'holdings')), client);
    const ofOtherChain = sourceOf(await access.get(network('https://here.example', 6), 'holdings'));
    assert.notEqual(ofOtherChain, client);
    for (let i = 0; i < 3; i++) {
      await client.tokenBalances(HOLDER, { ...USD, fresh: true });
      await ofOtherChain.tokenBalances(HOLDER, { ...USD, fresh: true });
    }
    assert.deepEqual(clock.waits, [1100]);
  });

  it('holds no client and no key any more once the key is forgotten, replaced or forgotten in another window', async () => {
    const changed = [];
    for (const change of ['forgotten', 'replaced', 'forgotten in another window'] as const) {
      const { access, keys, otherWindow } = start();
      await keys.set('https://here.example', TEST_KEY);
      const client = new WeakRef(sourceOf(await access.get(here, 'holdings')));
      if (change === 'replaced') await keys.set('https://here.example', OTHER_KEY);
      else await (change === 'forgotten' ? keys : otherWindow).forget('https://here.example');
      changed.push({ change, access, client });
    }
    await collectGarbage();
    for (const { change, access, client } of changed) {
      assert.equal(client.deref(), undefined, change);
      assert.equal((await access.get(here, 'holdings')).state, change === 'replaced' ? 'ready' : 'noKey');
    }
  });

  it('holds nothing that has the key in it once it is forgotten, whatever the source keeps', async () => {
    const given: WeakRef<object>[] = [];
    const kind: Provider = {
      ...keyless('keyed'),
      takesKey: true,
      async open({ key }) {
        if (key) given.push(new WeakRef(key));
        return { holdings: tellsNothing };
      },
    };
    const { access, keys } = start({ kinds: [kind] });
    await keys.set('https://here.example', TEST_KEY);
    assert.equal((await access.get(here, 'holdings')).state, 'ready');
    await keys.forget('https://here.example');
    await collectGarbage();
    assert.deepEqual(
      given.map((key) => key.deref()),
      [undefined],
    );
  });

  it('sends nothing any more with a forgotten key, neither anew nor again after a failure', async () => {
    const { access, keys, sent } = start({ answer: () => null });
    await keys.set('https://here.example', TEST_KEY);
    const client = sourceOf(await access.get(here, 'holdings'));
    const asked = client.tokenBalances(HOLDER, USD);
    while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await keys.forget('https://here.example');
    await assert.rejects(asked, (error) => isAppError(error, 'aborted'));
    await assert.rejects(client.tokenBalances(HOLDER, USD), (error) => isAppError(error, 'aborted'));
    assert.equal(sent.length, 1);
  });

  it('is not disturbed by a change of another origin', async () => {
    const { access, keys } = start();
    await keys.set('https://here.example', TEST_KEY);
    const client = sourceOf(await access.get(here, 'holdings'));
    await keys.set('https://there.example', OTHER_KEY);
    assert.equal(sourceOf(await access.get(here, 'holdings')), client);
    assert.equal((await access.get(there, 'holdings')).state, 'ready');
  });

  it('gives no client with a key that was forgotten while it was read', async () => {
    const { access, keys } = start();
    await keys.set('https://here.example', TEST_KEY);
    const opening = access.get(here, 'holdings');
    await keys.forget('https://here.example');
    assert.equal((await opening).state, 'noKey');
  });
});

describe('A second source', () => {
  const elsewhere = keyless('elsewhere');

  it('takes one line: it answers where the first is not there or has no key, and the first goes before', async () => {
    const { access, keys } = start({ kinds: [...providers, elsewhere] });
    const nameOf = async (asked: Network) => sourceOf(await access.get(asked, 'holdings')).label.name;
    const { dataApiUrl: _, ...withoutDataApi } = here;
    assert.deepEqual([await nameOf(withoutDataApi), await nameOf(here)], ['elsewhere', 'elsewhere']);
    await keys.set('https://here.example', TEST_KEY);
    assert.deepEqual([await nameOf(withoutDataApi), await nameOf(here)], ['elsewhere', 'covalent']);
  });

  it('is not asked through a port that it does not have; what a key would give is told with its price', async () => {
    const { access } = start({ kinds: [...providers, elsewhere] });
    const { dataApiUrl: _, ...withoutDataApi } = here;
    const without = await access.get(withoutDataApi, 'nfts');
    assert.ok(without.state === 'ready' && without.withoutKey === undefined);
    assert.equal(without.provider.label.name, 'calls');
    const nfts = await access.get(here, 'nfts');
    assert.ok(nfts.state === 'ready' && nfts.provider.label.name === 'calls');
    const price = { unit: 'credits', min: 0.1, max: 0.1, per: 'entry' };
    assert.deepEqual(nfts.withoutKey?.nftTransfers, price);
  });

  it('can be asked for without one that takes a key, although that is stored', async () => {
    const { access, keys } = start({ kinds: providers });
    await keys.set('https://here.example', TEST_KEY);
    const nameOf = async (keyless: boolean) => {
      const nfts = await access.get(here, 'nfts', { keyless });
      return nfts.state === 'ready' && nfts.provider.label.name;
    };
    assert.deepEqual([await nameOf(false), await nameOf(true)], ['covalent', 'calls']);
    assert.equal((await access.get(here, 'holdings', { keyless: true })).state, 'notServed');
  });

  it('stays open, without a key, while panels of several networks ask in turns', async () => {
    const kind: Provider = { ...elsewhere, open: async () => ({ holdings: { ...tellsNothing } }) };
    const { access } = start({ kinds: [kind] });
    const other = { ...here, chainId: 6 };
    const first = sourceOf(await access.get(here, 'holdings'));
    const second = sourceOf(await access.get(other, 'holdings'));
    assert.notEqual(first, second);
    assert.equal(sourceOf(await access.get(here, 'holdings')), first);
    for (let chainId = 10; chainId < 20; chainId++) await access.get({ ...here, chainId }, 'holdings');
    assert.notEqual(sourceOf(await access.get(here, 'holdings')), first);
  });

  it('hears of its own key where it takes one, at its own origin', () => {
    const keyed = { ...elsewhere, takesKey: true, urlFor: () => 'https://elsewhere.example/api' };
    const { access } = start({ kinds: [...providers, keyed] });
    const { dataApiUrl: _, ...withoutDataApi } = here;
    const takes = (origin: string) =>
      [here, withoutDataApi].map((network) => access.usesKeyOf(origin, network));
    assert.deepEqual(takes('https://elsewhere.example'), [true, true]);
    assert.deepEqual(takes('https://here.example'), [true, false]);
    assert.deepEqual(takes('https://there.example'), [false, false]);
    assert.ok(!start({ kinds: [elsewhere] }).access.usesKeyOf('https://here.example', here));
  });

  it('says whose figures it gives and of when, and neither asks for a key nor goes with one', async () => {
    const { access, keys, sent } = start({ kinds: [...providers, elsewhere] });
    const { dataApiUrl: _, ...withoutDataApi } = here;
    assert.deepEqual(
      [await access.keyState(withoutDataApi), await access.keyState(here)],
      ['notServed', 'noKey'],
    );
    const source = sourceOf(await access.get(here, 'holdings'));
    const { balances } = await source.holdings(HOLDER, USD);
    assert.deepEqual([balances.source.name, balances.readAt], ['elsewhere', 7]);
    await keys.forget('https://here.example');
    assert.equal(sourceOf(await access.get(here, 'holdings')), source);
    assert.deepEqual(sent, []);
  });
});

describe('A source of contracts with a key of its own', () => {
  const keyed: Provider = {
    ...{ name: 'keyed', takesKey: true, urlFor: () => 'https://keyed.example/api' },
    offers: { verified: { verifiedContract: 'free' } },
    createThrottle: () => ({ pass: async () => {} }),
    open: async () => ({ verified: {} as never }),
  };

  it('is no data API', async () => {
    const { access, keys } = start({ kinds: [keyed] });
    assert.equal(await access.keyState(here), 'notServed');
    await keys.set('https://keyed.example', TEST_KEY);
    assert.equal(await access.keyState(here), 'notServed');
    assert.ok(access.usesKeyOf('https://keyed.example', here));
  });

  it('can be had by its name, and not while it is turned off', async () => {
    const state = { isOn: true };
    const { access, keys } = start({
      kinds: [keyed],
      isEnabled: ({ name }) => name !== 'keyed' || state.isOn,
    });
    const stateOf = async (name: string) => (await access.get(here, 'verified', { name })).state;
    assert.deepEqual([await stateOf('keyed'), await stateOf('blockscout')], ['noKey', 'notServed']);
    await keys.set('https://keyed.example', TEST_KEY);
    assert.equal(await stateOf('keyed'), 'ready');
    state.isOn = false;
    assert.deepEqual(
      [await stateOf('keyed'), (await access.get(here, 'verified')).state],
      Array(2).fill('notServed'),
    );
  });
});

describe('The creation of a contract', () => {
  const row = {
    ...{ contractAddress: HOLDER, contractCreator: HOLDER, blockNumber: '9' },
    txHash: `0x${'12'.repeat(32)}`,
  };
  /** A node that serves code alone, and Etherscan, by their URLs. */
  const answer = (url: string) => {
    if (url.startsWith(ETHERSCAN_URL)) return Response.json({ status: '1', message: 'OK', result: [row] });
    return undefined;
  };
  const identify = async (chainId: number, key?: string) => {
    const sent: string[] = [];
    const keys = createKeyStore(memorySecrets(new Map()));
    const fetch: FetchLike = async (url, { body = '' }) => {
      sent.push(url);
      const reply = (call: { readonly id: number; readonly method: string }) =>
        call.method === 'eth_getCode'
          ? { jsonrpc: '2.0', id: call.id, result: '0x6001' }
          : { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'Method not found' } };
      const calls = body === '' ? undefined : JSON.parse(body);
      return answer(url) ?? Response.json(Array.isArray(calls) ? calls.map(reply) : reply(calls));
    };
    const access = createProviderAccess({
      ...{ keys, http: { fetch, clock: createTestClock() }, keyIn: () => 'auto' },
    });
    if (key) await keys.set(ETHERSCAN_URL, key, 'query');
    const found = await access.get(network('https://here.example', chainId), 'identity');
    assert.ok(found.state === 'ready');
    const identity = await found.provider.identity(HOLDER);
    return { identity, isAsked: sent.some((url) => url.startsWith(ETHERSCAN_URL)) };
  };

  it('comes from Etherscan with the key, where the node does not report it', async () => {
    const { identity } = await identify(1, etherscanKey);
    assert.deepEqual([identity.kind, identity.created?.block], ['contract', 9n]);
    assert.deepEqual(
      identity.sources.map(({ source }) => source.name),
      ['calls', 'etherscan'],
    );
  });

  it('is asked of nobody without a key, or on a development chain', async () => {
    for (const [chainId, key] of [[1], [31337, etherscanKey], [1337, etherscanKey]] as const) {
      const { identity, isAsked } = await identify(chainId, key);
      assert.deepEqual([identity.kind, identity.created, isAsked], ['contract', undefined, false]);
    }
  });
});

/** A source without a key, as a folder beside that of the data API would bring it. */
function keyless(name: string): Provider {
  return {
    ...{ name, takesKey: false, urlFor: () => 'https://here.example' },
    offers: { holdings: { tokenBalances: 'free', holdings: 'free' } },
    createThrottle: ({ clock }) => createRequestThrottle({ clock, count: 10, windowMs: 1_000 }),
    open: async () => ({ holdings: tellsNothing }),
  };
}
