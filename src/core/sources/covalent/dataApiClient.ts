import { createExpiringCache } from '../../base/expiringCache.ts';
import type { AskOptions, Offers } from '../../base/source.ts';
import type { Holdings } from '../../holdings/holdings.ts';
import type { HoldingsQuestion, HoldingsSource } from '../../holdings/holdingsSource.ts';
import type { TokenBalances } from '../../holdings/tokenBalances.ts';
import type { NftBalances } from '../../nfts/nftBalances.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import type { NftSource, NftSourceQuestion } from '../../nfts/nftSource.ts';
import type { NftToken } from '../../nfts/nftToken.ts';
import type { NftTransactions } from '../../nfts/nftTransactions.ts';
import type { Address } from '../../values/address.ts';
import { askHoldings } from './askHoldings.ts';
import { createDataApiRequests, type DataApiRequestsOptions } from './dataApiRequests.ts';
import { type KeyVerdict, refusalOfKey, verdictOf } from './keyCheck.ts';
import { holdingsOffers, nftOffers } from './offers.ts';

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
   * @throws AppError when the call settles nothing: no connection, rate limit, maintenance, broken answer.
   */
  checkKey(options?: Pick<AskOptions, 'signal'>): Promise<KeyVerdict>;
}

export type DataApiClientOptions = DataApiRequestsOptions;

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
  const { clock } = options;
  const requests = createDataApiRequests(options);
  const cache = <T>() => createExpiringCache<T>({ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST });
  const kept = {
    tokenBalances: cache<TokenBalances>(),
    holdings: cache<Holdings>(),
    nftTransfers: cache<NftTransactions>(),
    nftContract: cache<NftContract | undefined>(),
    nftToken: cache<NftToken | undefined>(),
  };

  return {
    label: requests.label,
    offers: { ...holdingsOffers, ...nftOffers },
    tokenBalances(address, asked) {
      const { quoteCurrency } = asked;
      const load = (signal: AbortSignal) => requests.tokenBalances(address, { quoteCurrency, signal });
      return kept.tokenBalances.get(`${address} ${quoteCurrency}`, load, asked);
    },
    holdings(address, asked) {
      const { quoteCurrency } = asked;
      const load = (signal: AbortSignal) =>
        askHoldings({
          tokenBalances: ({ withNfts }) =>
            requests.tokenBalances(address, { quoteCurrency, withNfts, signal }),
          nftBalances: () => requests.nftBalances(address, { signal }),
        });
      return kept.holdings.get(`${address} ${quoteCurrency}`, load, asked);
    },
    nftBalances: (address, { signal } = {}) => requests.nftBalances(address, { signal }),
    nftTransfers(contract, tokenId, asked) {
      const load = (signal: AbortSignal) => requests.nftTransfers(contract, tokenId, { signal });
      return kept.nftTransfers.get(`${contract} ${tokenId}`, load, asked);
    },
    nftContract(contract, asked) {
      const load = (signal: AbortSignal) => requests.nftContract(contract, { signal });
      return kept.nftContract.get(contract, load, asked);
    },
    nftToken(contract, tokenId, asked) {
      const load = (signal: AbortSignal) => requests.nftToken(contract, tokenId, { signal });
      return kept.nftToken.get(`${contract} ${tokenId}`, load, asked);
    },
    checkKey: async ({ signal } = {}) => verdictOf(await refusalOfKey(requests.tokenBalances, { signal })),
  };
}
