import assert from 'node:assert/strict';
import {
  AppError,
  type HoldingsProvider,
  mergeHoldings,
  type Network,
  type NftProvider,
  type Provider,
  type TokenBalances,
} from '../../../src/core/index.ts';
import { createProviderAccess, type ProviderAccess } from '../../../src/host/session/providerAccess.ts';
import { createKeyStore } from '../../../src/host/session/secrets.ts';
import type { TokenProviderSetting } from '../../../src/host/settings/settingTable.ts';
import { HOLDER, TEST_KEY } from '../../support/dataApi.ts';
import { memorySecrets } from '../../support/memorySecrets.ts';
import { createTestClock } from '../../support/testClock.ts';

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
      ...{ address: HOLDER, quoteCurrency: 'USD', updatedAt: undefined, tokens: [], tellsNfts: true },
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
    createRateLimit: () => ({ pass: async () => {} }),
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
  return (await access.source.tokenBalances(HOLDER, USD)).source.name;
}

describe('the order of sources', () => {
  it('is a key that serves the chain, then the explorer', async () => {
    const keyed = start();
    await keyed.ready;
    assert.equal(await tokensOf(await keyed.access.of(network, 'holdings')), 'covalent');
    const keyless = start({ withKey: false });
    assert.equal(await tokensOf(await keyless.access.of(network, 'holdings')), 'blockscout');
  });

  it('passes on what the first does not serve, says whose answer it is, and asks the first no more', async () => {
    const { access, asked, ready } = start({ refuses: ['covalent'] });
    await ready;
    const given = await access.of(network, 'holdings');
    assert.ok(given.state === 'ready');
    assert.equal(given.source.label.name, 'covalent');
    assert.equal(await tokensOf(given), 'blockscout');
    assert.equal(given.source.label.name, 'blockscout');
    assert.equal(await tokensOf(await access.of(network, 'holdings')), 'blockscout');
    assert.deepEqual(asked, ['covalent', 'blockscout', 'blockscout']);
  });

  it('is tried from the start again once the key is another', async () => {
    const { access, asked, ready, keys } = start({ refuses: ['covalent'] });
    await ready;
    await tokensOf(await access.of(network, 'holdings'));
    await keys.set('https://data.example', `${TEST_KEY}0`);
    await tokensOf(await access.of(network, 'holdings'));
    assert.deepEqual(asked, ['covalent', 'blockscout', 'covalent', 'blockscout']);
  });

  it('ends with a refusal where nobody serves the chain, each time', async () => {
    const { access, asked, ready } = start({ refuses: ['covalent', 'blockscout'] });
    await ready;
    for (let time = 0; time < 2; time++) {
      await assert.rejects(tokensOf(await access.of(network, 'holdings')), { kind: 'notServed' });
    }
    assert.deepEqual(asked, ['covalent', 'blockscout', 'covalent']);
  });

  it('ends with why the first refuses where those behind do not say who they are', async () => {
    const { access, ready } = start({ refuses: ['covalent', 'calls', 'blockscout'] });
    await ready;
    const nfts = await access.of(network, 'nfts');
    assert.ok(nfts.state === 'ready');
    await assert.rejects(nfts.source.nftToken(HOLDER, 1n), { message: /^covalent does/ });
  });

  it('asks for the key where who takes none does not serve the chain', async () => {
    const { access, asked } = start({ refuses: ['blockscout'], withKey: false });
    await assert.rejects(tokensOf(await access.of(network, 'holdings')), { kind: 'notServed' });
    assert.equal((await access.of(network, 'holdings')).state, 'noKey');
    assert.deepEqual(asked, ['blockscout']);
  });

  it('is the contracts before the explorer for NFTs, by port, and not for a failure of another kind', async () => {
    const { access, asked, ready } = start({ refuses: ['covalent', 'calls'] });
    await ready;
    const nfts = await access.of(network, 'nfts');
    assert.ok(nfts.state === 'ready');
    await nfts.source.nftToken(HOLDER, 1n);
    assert.equal(nfts.source.label.name, 'blockscout');
    assert.deepEqual(asked, ['covalent', 'calls', 'blockscout']);
    await assert.rejects(nfts.source.nftTransfers(HOLDER, 1n), { kind: 'tooHeavy' });
    const keyless = await access.of(network, 'nfts', { keyless: true });
    assert.equal(keyless.state === 'ready' && keyless.source.label.name, 'calls');
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
        given.state === 'ready' ? given.source.label.name : given.state;
      assert.equal(nameOf(await access.of(network, 'holdings')), holdings);
      assert.equal(nameOf(await access.of(network, 'nfts')), nfts);
    });
  }

  it('asks for a key where only who takes one is wanted, and passes on to nobody else', async () => {
    const keyless = start({ tokensFrom: 'dataApi', withKey: false });
    assert.equal((await keyless.access.of(network, 'holdings')).state, 'noKey');
    const refused = start({ tokensFrom: 'dataApi', refuses: ['covalent'] });
    await refused.ready;
    await assert.rejects(tokensOf(await refused.access.of(network, 'holdings')), { kind: 'notServed' });
    assert.deepEqual(refused.asked, ['covalent']);
  });
});
