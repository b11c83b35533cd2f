import { type AppError, asAppError, isAppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { FetchOptions, Offers } from '../../base/provenance.ts';
import type { Address } from '../../eth/hex.ts';
import type {
  NftBalances,
  NftContract,
  NftMethod,
  NftProvider,
  NftToken,
  NftTransactions,
} from '../../nfts/nft.ts';
import {
  type Holdings,
  type HoldingsMethod,
  type HoldingsProvider,
  mergeHoldings,
  type TokenBalances,
} from '../../tokens/holdings.ts';
import { dataApiHoldingsOffers, dataApiNftOffers } from '../provider.ts';
import { createDataApiRequests, type DataApiRequestsOptions } from './requests.ts';

/**
 * The data API for one chain and key, as a provider of holdings and NFTs. Results are cached briefly. The
 * cost of each method is in {@link offers}.
 */
export interface DataApiClient extends HoldingsProvider, NftProvider {
  readonly offers: Offers<HoldingsMethod | NftMethod>;
  /** The NFTs of `address` by `balances_nft`, never from the cache. @throws AppError as the other methods do. */
  nftBalances(address: Address, options?: Pick<FetchOptions, 'signal'>): Promise<NftBalances>;
  /**
   * Checks the key as this client sends it; costs one credit. Whether the service checks the key or the chain
   * first is undocumented, so for an unserved chain the status is `chainNotServed`.
   *
   * @throws AppError if the call decides nothing: no connection, rate limit, maintenance, malformed response.
   */
  checkKey(options?: Pick<FetchOptions, 'signal'>): Promise<KeyStatus>;
}

export type DataApiClientOptions = DataApiRequestsOptions;

// The service lags about 30 s behind the chain, so a result of this age loses nothing.
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 200;

/**
 * A client of the data API (`/v1`; Covalent's, now GoldRush). The key is sent to `baseUrl` only, and appears
 * in no error, cause or request log.
 *
 * @throws AppError `badInput` for `key` or `dataApiUrl`.
 * @example
 * const client = createDataApiClient({ ...http, baseUrl: 'https://api.covalenthq.com', chainId: 1, key, keyIn: 'header' });
 * const { portfolio, balances } = await client.holdings(address, { quoteCurrency: 'USD' });
 * balances.readAt; // when the response arrived, in milliseconds since the Unix epoch
 */
export function createDataApiClient(options: DataApiClientOptions): DataApiClient {
  const { clock } = options;
  const requests = createDataApiRequests(options);
  const createCache = <T>() =>
    createExpiringCache<T>({ clock, ttlMs: CACHE_TTL_MS, maxEntries: MAX_CACHE_ENTRIES });
  const caches = {
    tokenBalances: createCache<TokenBalances>(),
    holdings: createCache<Holdings>(),
    nftTransfers: createCache<NftTransactions>(),
    nftContract: createCache<NftContract | undefined>(),
    nftToken: createCache<NftToken | undefined>(),
  };

  return {
    label: requests.label,
    offers: { ...dataApiHoldingsOffers, ...dataApiNftOffers },
    tokenBalances(address, fetchOptions) {
      const { quoteCurrency } = fetchOptions;
      const load = (signal: AbortSignal) => requests.tokenBalances(address, { quoteCurrency, signal });
      return caches.tokenBalances.get(`${address} ${quoteCurrency}`, load, fetchOptions);
    },
    holdings(address, fetchOptions) {
      const { quoteCurrency } = fetchOptions;
      const load = (signal: AbortSignal) =>
        fetchHoldings({
          tokenBalances: ({ withNfts }) =>
            requests.tokenBalances(address, { quoteCurrency, withNfts, signal }),
          nftBalances: () => requests.nftBalances(address, { signal }),
        });
      return caches.holdings.get(`${address} ${quoteCurrency}`, load, fetchOptions);
    },
    nftBalances: (address, { signal } = {}) => requests.nftBalances(address, { signal }),
    nftTransfers(contract, tokenId, fetchOptions) {
      const load = (signal: AbortSignal) => requests.nftTransfers(contract, tokenId, { signal });
      return caches.nftTransfers.get(`${contract} ${tokenId}`, load, fetchOptions);
    },
    nftContract(contract, fetchOptions) {
      const load = (signal: AbortSignal) => requests.nftContract(contract, { signal });
      return caches.nftContract.get(contract, load, fetchOptions);
    },
    nftToken(contract, tokenId, fetchOptions) {
      const load = (signal: AbortSignal) => requests.nftToken(contract, tokenId, { signal });
      return caches.nftToken.get(`${contract} ${tokenId}`, load, fetchOptions);
    },
    async checkKey({ signal } = {}) {
      try {
        // The route that needs the key and that every server of this API has.
        await requests.tokenBalances(CHECK_ADDRESS, { quoteCurrency: 'USD', signal });
        return 'right';
      } catch (error) {
        return toKeyStatus(asAppError(error));
      }
    },
  };
}

interface HoldingsRequests {
  /** `withNfts` is slow, and some servers ignore it. */
  tokenBalances(options: { readonly withNfts: boolean }): Promise<TokenBalances>;
  nftBalances(): Promise<NftBalances>;
}

/**
 * Fetches tokens and NFTs: in one request if the server still sends NFTs with balances, otherwise with a
 * second one (`balances_nft`), as for keys created after 2026-04-01. If the request with NFTs is too heavy
 * for the server, fetches the tokens alone.
 *
 * @throws AppError as the requests do, if not even the tokens can be fetched.
 */
async function fetchHoldings(requests: HoldingsRequests): Promise<Holdings> {
  try {
    const balances = await requests.tokenBalances({ withNfts: true });
    return balances.includesNfts ? mergeHoldings(balances) : await addNfts(requests, balances);
  } catch (error) {
    if (!isAppError(error, 'server', 'timeout', 'tooHeavy', 'tooLarge')) throw error;
    return mergeHoldings(await requests.tokenBalances({ withNfts: false }), { error });
  }
}

async function addNfts(requests: HoldingsRequests, balances: TokenBalances): Promise<Holdings> {
  try {
    return mergeHoldings(balances, { balances: await requests.nftBalances() });
  } catch (error) {
    if (isAppError(error, 'aborted')) throw error;
    return mergeHoldings(balances, { error: asAppError(error) });
  }
}

/**
 * What one call reveals about a key. `chainNotServed` says nothing about the key: the server does not know
 * the chain.
 */
export type KeyStatus = 'right' | 'wrong' | 'exhausted' | 'notEntitled' | 'chainNotServed';

/** Owns nothing. */
const CHECK_ADDRESS = '0x00000000000000000000000000000000c4a1451d';

/** @throws AppError `error` itself if it says nothing about the key. */
function toKeyStatus(error: AppError): KeyStatus {
  switch (error.kind) {
    case 'unauthorized':
      return 'wrong';
    case 'creditsUsedUp':
      return 'exhausted';
    case 'forbidden':
      return 'notEntitled';
    case 'notServed':
      return 'chainNotServed';
    default:
      throw error;
  }
}
