import assert from 'node:assert/strict';
import type { Hex } from 'ox';
import { fetch as undiciFetch } from 'undici';
import type { DialectName } from '../../../../../localnet/explorer/dialects.ts';
import {
  type Address,
  createChainClient,
  createDataApiClient,
  type FetchLike,
  type Holdings,
  requireAddress,
  systemClock,
} from '../../../../../src/core/index.ts';
import { openExplorerPorts } from '../../../../support/explorer.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../../support/sharedLocalnet.ts';

const USD = { quoteCurrency: 'USD' } as const;
const eras: readonly DialectName[] = ['v5.1.4', 'v9.1', 'v10.2', 'v11.2', 'v12'];
const http = { fetch: undiciFetch as unknown as FetchLike, clock: systemClock };

describe('what an address holds by an explorer', () => {
  let localnet: SharedLocalnet;
  let holders: readonly Address[];
  let alice: Address;

  before(async () => {
    localnet = await sharedLocalnet();
    alice = requireAddress(localnet.chain.accounts.alice);
    holders = [alice, ...localnet.chain.holders.slice(0, 4).map((holder) => requireAddress(holder))];
  });
  beforeEach(() => {
    localnet.explorer.setRest({});
    localnet.setDialect('v11.2');
    localnet.explorer.forgetRequests();
  });

  const ask = async (holder: Address) =>
    (await openExplorerPorts(localnet.rpcUrl)).holdings.holdings(holder, USD);
  const byDataApi = (holder: Address) =>
    createDataApiClient({
      ...{ ...http, baseUrl: localnet.dataApi.url, chainId: 31337 },
      ...{ key: localnet.dataApi.keys.classic, keyIn: 'header' },
    }).holdings(holder, USD);

  /** What two sources must agree about. */
  const facts = ({ portfolio }: Holdings) => ({
    total: portfolio.total.value?.toFixed(2),
    left: [portfolio.total.withoutValue, portfolio.total.absurdPrice, portfolio.total.nftCollections],
    tokens: portfolio.tokens.map(({ contract, name, symbol, decimals, amount, price }) => ({
      ...{ contract, name, symbol, decimals, amount, price },
    })),
    // An explorer does not tell of coins of an address that no transaction has touched.
    coin: portfolio.native?.amount || undefined,
    collections: portfolio.collections.map(({ contract, standard, name, amount, nfts }) => ({
      ...{ contract, standard, name, amount },
      nfts: nfts?.map(({ tokenId, amount }) => ({ tokenId, amount })),
    })),
  });

  for (const era of eras) {
    it(`is what the data API and the contracts tell, complete: ${era}`, async () => {
      localnet.setDialect(era);
      for (const holder of holders) {
        const holdings = await ask(holder);
        assert.deepEqual(holdings.completeness, { state: 'complete', reasons: [] });
        assert.deepEqual(facts(holdings), facts(await byDataApi(holder)));
        assert.equal(holdings.balances.source.origin, new URL(localnet.rpcUrl).origin);
        const client = createChainClient({ ...http, url: localnet.anvilUrl });
        for (const { contract, amount } of holdings.portfolio.tokens) {
          const own = await client.fetchErc20Balance(contract, holder);
          assert.ok(own.state === 'known' && own.amount === amount);
        }
      }
    });

    for (const lacks of [[], ['token-balances']]) {
      it(`has every one of 151 tokens more, none twice, ${lacks.length > 0 ? 'by pages' : 'at once'}: ${era}`, async () => {
        localnet.setDialect(era);
        localnet.explorer.setRest({ crowd: { holder: alice, count: 151 }, lacks });
        const { balances, completeness } = await ask(alice);
        assert.deepEqual(completeness, { state: 'complete', reasons: [] });
        const crowd = balances.tokens.filter(({ symbol }) => symbol?.startsWith('CROWD'));
        assert.deepEqual([crowd.length, new Set(crowd.map(({ contract }) => contract)).size], [151, 151]);
      });
    }

    it(`has the tokens that are called scam, as the release tells them: ${era}`, async () => {
      localnet.setDialect(era);
      const tide = localnet.chain.contracts.tide.address.toLowerCase() as Hex.Hex;
      localnet.explorer.setRest({ scam: [tide], hidesScam: 'unlessAsked' });
      const { portfolio, completeness } = await ask(alice);
      const told = portfolio.spam.some(({ contract }) => contract === tide);
      const among = portfolio.tokens.some(({ contract }) => contract === tide);
      assert.deepEqual([told, among], era === 'v5.1.4' || era === 'v9.1' ? [false, true] : [true, false]);
      assert.equal(completeness?.state, 'complete');
    });

    it(`says how much is indexed where that is not all: ${era}`, async () => {
      localnet.setDialect(era);
      localnet.explorer.setRest({ indexedBlocks: 0.25 });
      assert.deepEqual((await ask(alice)).completeness, {
        state: 'uncertain',
        reasons: [{ code: 'indexing', ratio: 0.25 }],
      });
    });
  }

  it('is nothing for an address that nobody has met', async () => {
    for (const era of ['v5.1.4', 'v11.2'] as const) {
      localnet.setDialect(era);
      const { portfolio, completeness } = await ask(`0x${'7e57'.repeat(10)}` as Address);
      assert.deepEqual([portfolio.tokens, completeness?.state], [[], 'complete']);
    }
  });

  it('has collections without their ids where the release has no list of those', async () => {
    const owner = await ownerOfBadges();
    const { portfolio } = await ask(owner);
    const listed = portfolio.collections.find(({ standard }) => standard === 'erc721');
    assert.equal(listed?.amount, BigInt(listed?.nfts?.length ?? -1));
    localnet.explorer.setRest({ lacks: ['/nft'] });
    const without = await ask(owner);
    assert.equal(without.nftError, undefined);
    const unlisted = without.portfolio.collections.find(({ standard }) => standard === 'erc721');
    assert.deepEqual([unlisted?.amount, unlisted?.nfts], [listed?.amount, undefined]);
  });

  it('takes one round trip for tokens, and one more for the ids of NFTs', async () => {
    await (await openExplorerPorts(localnet.rpcUrl)).holdings.tokenBalances(alice, USD);
    assert.equal(localnet.explorer.requestCount, 4);
    localnet.explorer.forgetRequests();
    const { holdings } = await openExplorerPorts(localnet.rpcUrl);
    await Promise.all([holdings.holdings(alice, USD), holdings.holdings(alice, USD)]);
    await holdings.tokenBalances(alice, USD);
    assert.equal(localnet.explorer.requestCount, 4);
  });

  it('is not served where the explorer is switched off', async () => {
    localnet.explorer.setRest({ off: true });
    await assert.rejects(ask(alice), { kind: 'notServed' });
  });

  async function ownerOfBadges(): Promise<Address> {
    const badge = requireAddress(localnet.chain.contracts.badge.address);
    const { nfts } = await openExplorerPorts(localnet.rpcUrl);
    for (let tokenId = 1n; tokenId <= 48n; tokenId++) {
      const owner = (await nfts.nftToken(badge, tokenId))?.owner;
      if (owner) return owner;
    }
    throw new Error('Nobody owns a badge.');
  }
});
