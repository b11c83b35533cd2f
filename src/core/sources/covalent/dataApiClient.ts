import { asAppError, isAppError, safeUrl, withSource } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { AskOptions, Offers } from '../../base/source.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import type { Holdings } from '../../holdings/holdings.ts';
import type { HoldingsQuestion, HoldingsSource } from '../../holdings/holdingsSource.ts';
import type { QuoteCurrency } from '../../holdings/quoteCurrency.ts';
import type { TokenBalances } from '../../holdings/tokenBalances.ts';
import type { NftBalances } from '../../nfts/nftBalances.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import type { NftSource, NftSourceQuestion } from '../../nfts/nftSource.ts';
import type { NftToken } from '../../nfts/nftToken.ts';
import type { NftTransactions } from '../../nfts/nftTransactions.ts';
import type { Address } from '../../values/address.ts';
import { askHoldings } from './askHoldings.ts';
import { readContractData } from './contractData.ts';
import { type KeyVerdict, refusalOfKey, verdictOf } from './keyCheck.ts';
import { readNftBalances } from './nftBalances.ts';
import { readNftToken } from './nftToken.ts';
import { readNftTransactions } from './nftTransactions.ts';
import { holdingsOffers, nftOffers } from './offers.ts';
import { readTokenBalances } from './tokenBalances.ts';
import { createTransport, type TransportOptions } from './transport.ts';

/**
 * The data API for one chain and key, as a source of holdings and of NFTs. An answer is kept for a moment. What a
 * question costs is in {@link offers}.
 */
export interface DataApiClient extends HoldingsSource, NftSource {
  readonly offers: Offers<HoldingsQuestion | NftSourceQuestion>;
  /** The NFTs of `address` alone, through `balances_nft`; never a kept answer. @throws AppError as other questions do. */
  nftBalances(address: Address, options?: Pick<AskOptions, 'signal'>): Promise<NftBalances>;
  /**
   * Tries the key where this client sends it; one credit. Whether the service looks at the key or at the chain first
   * is not documented, so an unserved chain leaves the key unjudged.
   *
   * @throws AppError when the call tells nothing: no connection, rate limit, maintenance, broken answer.
   */
  checkKey(options?: Pick<AskOptions, 'signal'>): Promise<KeyVerdict>;
}

export interface DataApiClientOptions extends TransportOptions {
  readonly chainId: number;
}

// The service is about 30 s behind its chain, so that an answer this old loses nothing.
const KEPT_FOR_MS = 15_000;
const KEPT_AT_MOST = 200;

/**
 * A client of the data API (Covalent's, later GoldRush; `/v1`).
 *
 * The key goes to `baseUrl` only, and stands in no error, cause or record of an exchange.
 *
 * @throws AppError `badInput` for `key` or `dataApiUrl`.
 * @example
 * const client = createDataApiClient({ ...http, baseUrl: 'https://api.covalenthq.com', chainId: 1, key, keyIn: 'header' });
 * const { portfolio, balances } = await client.holdings(address, { quoteCurrency: 'USD' });
 * balances.readAt; // when the answer arrived, in milliseconds since 1970
 */
export function createDataApiClient(options: DataApiClientOptions): DataApiClient {
  const { chainId, clock } = options;
  const { get } = createTransport(options);
  const label = { name: 'covalent', origin: safeUrl(options.baseUrl), takesKey: true } as const;
  const slices = () => createTimeSlices(clock);
  const cache = <T>() => createExpiringCache<T>({ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST });
  const kept = {
    tokenBalances: cache<TokenBalances>(),
    holdings: cache<Holdings>(),
    nftTransfers: cache<NftTransactions>(),
    nftContract: cache<NftContract | undefined>(),
    nftToken: cache<NftToken | undefined>(),
  };

  /** Has an error say whom it is of. */
  async function ask<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw withSource(asAppError(error), label);
    }
  }

  function fetchTokenBalances(
    address: Address,
    quoteCurrency: QuoteCurrency,
    { withNfts = false, signal }: { readonly withNfts?: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<TokenBalances> {
    const query = {
      'quote-currency': quoteCurrency,
      format: 'JSON',
      nft: `${withNfts}`,
      // Without metadata from outside the chain, which makes it slower.
      'no-nft-fetch': `${withNfts}`,
    };
    return ask(async () => {
      const data = await get(`${chainId}/address/${address}/balances_v2/`, query, signal);
      const readAt = clock.now();
      const read = await readTokenBalances(data, { address, chainId, quoteCurrency }, slices());
      return { ...read, source: label, readAt };
    });
  }

  function fetchNftBalances(address: Address, signal: AbortSignal | undefined): Promise<NftBalances> {
    return ask(async () => {
      const data = await get(`${chainId}/address/${address}/balances_nft/`, {}, signal);
      return readNftBalances(data, { address, chainId }, slices());
    });
  }

  async function fetchNftToken(contract: Address, tokenId: bigint, signal: AbortSignal) {
    const asked = { contract, chainId, tokenId };
    const classic = `${chainId}/tokens/${contract}/nft_metadata/${tokenId}/`;
    const newer = `${chainId}/nft/${contract}/metadata/${tokenId}/`;
    try {
      return await readNftToken(await get(classic, {}, signal), asked, slices());
    } catch (error) {
      if (!isAppError(error, 'notServed')) throw error;
      // Chains without the service's cache of NFTs are refused without this parameter.
      return await readNftToken(await get(newer, { 'with-uncached': 'true' }, signal), asked, slices());
    }
  }

  return {
    label,
    offers: { ...holdingsOffers, ...nftOffers },
    tokenBalances(address, asked) {
      const load = (signal: AbortSignal) => fetchTokenBalances(address, asked.quoteCurrency, { signal });
      return kept.tokenBalances.get(`${address} ${asked.quoteCurrency}`, load, asked);
    },
    holdings(address, asked) {
      const { quoteCurrency } = asked;
      const load = (signal: AbortSignal) =>
        askHoldings({
          tokenBalances: ({ withNfts }) => fetchTokenBalances(address, quoteCurrency, { withNfts, signal }),
          nftBalances: () => fetchNftBalances(address, signal),
        });
      return kept.holdings.get(`${address} ${quoteCurrency}`, load, asked);
    },
    nftBalances: (address, { signal } = {}) => fetchNftBalances(address, signal),
    nftTransfers(contract, tokenId, asked) {
      const path = `${chainId}/tokens/${contract}/nft_transactions/${tokenId}/`;
      const load = (signal: AbortSignal) =>
        ask(async () => {
          const data = await get(path, {}, signal);
          const readAt = clock.now();
          const read = await readNftTransactions(data, { contract, chainId, tokenId }, slices());
          return { ...read, source: label, readAt };
        });
      return kept.nftTransfers.get(path, load, asked);
    },
    nftContract(contract, asked) {
      const load = (signal: AbortSignal) =>
        ask(async () => {
          const query = { 'page-size': '1', 'page-number': '0' };
          const data = await get(`${chainId}/tokens/${contract}/nft_token_ids/`, query, signal);
          return readContractData(data, { contract, chainId }).items[0]?.facts;
        });
      return kept.nftContract.get(contract, load, asked);
    },
    nftToken(contract, tokenId, asked) {
      const load = (signal: AbortSignal) => ask(() => fetchNftToken(contract, tokenId, signal));
      return kept.nftToken.get(`${contract} ${tokenId}`, load, asked);
    },
    checkKey: async ({ signal } = {}) =>
      verdictOf(
        await refusalOfKey(
          (address, asked) => fetchTokenBalances(address, asked.quoteCurrency, { signal: asked.signal }),
          signal,
        ),
      ),
  };
}
