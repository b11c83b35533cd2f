import assert from 'node:assert/strict';
import { type Chain, GoldRushClient } from '@covalenthq/client-sdk';
import { fetch as undiciFetch } from 'undici';
import { dataApiKeys, type KeyName } from '../../../localnet/dataApi/keys.ts';
import {
  type Address,
  createDataApiClient,
  type FetchLike,
  requireAddress,
  systemClock,
} from '../../../src/core/index.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../support/sharedLocalnet.ts';

const SERVICE = 'https://api.covalenthq.com';
const LOCAL = 31337;
const CHAIN = 'localnet' as Chain;

/** The service's own client knows its chains and its address only: both are bent to the local network here. */
describe('The official SDK on the local data API', () => {
  const originalFetch = globalThis.fetch;
  let localnet: SharedLocalnet;
  let holder: Address;

  before(async () => {
    localnet = await sharedLocalnet();
    holder = requireAddress(localnet.chain.accounts.alice);
    globalThis.fetch = (input, init) => {
      const url = String(input);
      return url.startsWith(SERVICE)
        ? originalFetch(url.replace(SERVICE, localnet.dataApi.url), init)
        : originalFetch(input, init);
    };
  });
  after(async () => {
    globalThis.fetch = originalFetch;
  });

  const sdk = (key: KeyName) => new GoldRushClient(dataApiKeys[key], { enableRetry: false });
  const own = (key: KeyName) =>
    createDataApiClient({
      ...{ baseUrl: localnet.dataApi.url, chainId: LOCAL, key: dataApiKeys[key], keyIn: 'header' },
      ...{ fetch: undiciFetch as unknown as FetchLike, clock: systemClock },
    });

  for (const key of ['classic', 'current'] as const) {
    it(`sees the balances that Chainside sees, with a ${key} key`, async () => {
      const { data, error } = await sdk(key).BalanceService.getTokenBalancesForWalletAddress(CHAIN, holder, {
        quoteCurrency: 'EUR',
      });
      assert.equal(error, false);
      const ours = await own(key).tokenBalances(holder, { quoteCurrency: 'EUR' });
      assert.equal(data?.quote_currency, ours.quoteCurrency);
      assert.ok(ours.tokens.length >= 3);
      assert.deepEqual(
        data?.items?.map((item) => [
          ...[item.contract_address, item.contract_ticker_symbol, item.contract_decimals, item.balance],
          ...[item.quote_rate ?? undefined, item.quote_rate ? item.quote : undefined, item.native_token],
        ]),
        ours.tokens.map(({ contract, symbol, decimals, amount, price, value, native }) => [
          ...[contract, symbol, decimals, amount, price, value],
          key === 'classic' ? native : undefined,
        ]),
      );
    });
  }

  it('sees the NFTs that Chainside sees', async () => {
    const { data, error } = await sdk('current').NftService.getNftsForAddress(CHAIN, holder);
    assert.equal(error, false);
    const { collections } = await own('current').nftBalances(holder);
    assert.ok(collections.length > 0);
    assert.deepEqual(
      data?.items?.map((item) => [
        ...[item.contract_address, item.balance, new Date(item.last_transfered_at ?? Number.NaN).getTime()],
        item.nft_data?.map(({ token_id }) => token_id),
      ]),
      collections.map(({ contract, amount, lastTransferAt, nfts }) => [
        ...[contract, amount, lastTransferAt],
        nfts?.map(({ tokenId }) => tokenId),
      ]),
    );
  });
});
