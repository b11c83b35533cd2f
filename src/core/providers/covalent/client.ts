import type { Abortable } from '../../base/concurrency.ts';
import { type AppError, asAppError, isAppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { FetchOptions, KeyPlace, Offers } from '../../base/provenance.ts';
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
  type HoldingsOptions,
  type HoldingsProvider,
  mergeHoldings,
  type TokenBalances,
} from '../../tokens/holdings.ts';
import { dataApiHoldingsOffers, dataApiNftOffers } from '../provider.ts';
import { createDataApiRequests, type DataApiRequestsOptions } from './requests.ts';

/**
 * The data API for one chain and key, as a source of holdings and of NFTs. An answer is kept for a moment. What a
 * question costs is in {@link offers}.
 */
export interface DataApiClient extends HoldingsProvider, NftProvider {
  readonly offers: Offers<HoldingsMethod | NftMethod>;
  /** The NFTs of `address` alone, through `balances_nft`; never a kept answer. @throws AppError as other questions do. */
  nftBalances(address: Address, options?: Pick<FetchOptions, 'signal'>): Promise<NftBalances>;
  /**
   * Tries the key where this client sends it; one credit. Whether the service looks at the key or at the chain first
   * is not documented, so an unserved chain leaves the key unjudged.
   *
   * @throws AppError when the call settles nothing: no connection, rate limit, maintenance, broken answer.
   */
  checkKey(options?: Pick<FetchOptions, 'signal'>): Promise<KeyStatus>;
}

export type DataApiClientOptions = DataApiRequestsOptions;

// The service is about 30 s behind its chain, so that an answer this old loses nothing.
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 200;

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
  const cache = <T>() =>
    createExpiringCache<T>({ clock, ttlMs: CACHE_TTL_MS, maxEntries: MAX_CACHE_ENTRIES });
  const kept = {
    tokenBalances: cache<TokenBalances>(),
    holdings: cache<Holdings>(),
    nftTransfers: cache<NftTransactions>(),
    nftContract: cache<NftContract | undefined>(),
    nftToken: cache<NftToken | undefined>(),
  };

  return {
    label: requests.label,
    offers: { ...dataApiHoldingsOffers, ...dataApiNftOffers },
    tokenBalances(address, asked) {
      const { quoteCurrency } = asked;
      const load = (signal: AbortSignal) => requests.tokenBalances(address, { quoteCurrency, signal });
      return kept.tokenBalances.get(`${address} ${quoteCurrency}`, load, asked);
    },
    holdings(address, asked) {
      const { quoteCurrency } = asked;
      const load = (signal: AbortSignal) =>
        fetchHoldings({
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
    checkKey: async ({ signal } = {}) => toKeyStatus(await fetchKeyError(requests.tokenBalances, { signal })),
  };
}

/** The requests that tell what one address holds. */
interface HoldingsRequests {
  /** `withNfts`: slow, and not honoured by every server. */
  tokenBalances(options: { readonly withNfts: boolean }): Promise<TokenBalances>;
  nftBalances(): Promise<NftBalances>;
}

/**
 * What an address holds: tokens and NFTs in one request where the server still sends NFTs with balances, in a second
 * one (`balances_nft`) where it does not, as for keys made after 2026-04-01. Where the request with NFTs is too much
 * for the server, tokens are asked for alone.
 *
 * @throws AppError as the requests do, when not even the tokens can be had.
 */
async function fetchHoldings(requests: HoldingsRequests): Promise<Holdings> {
  try {
    const balances = await requests.tokenBalances({ withNfts: true });
    return balances.includesNfts ? mergeHoldings(balances) : await addNfts(requests, balances);
  } catch (error) {
    if (!isAppError(error, 'server', 'timeout', 'tooHeavy', 'tooLarge')) throw error;
    return mergeHoldings(await requests.tokenBalances({ withNfts: false }), { problem: error });
  }
}

async function addNfts(requests: HoldingsRequests, balances: TokenBalances): Promise<Holdings> {
  try {
    return mergeHoldings(balances, { balances: await requests.nftBalances() });
  } catch (error) {
    if (isAppError(error, 'aborted')) throw error;
    return mergeHoldings(balances, { problem: asAppError(error) });
  }
}

/** What one call says about a key. `chainNotServed`: nothing, since the server does not know the chain. */
export type KeyStatus = 'right' | 'wrong' | 'exhausted' | 'notEntitled' | 'chainNotServed';

/** A verdict about a key, and where the server looks for it. */
export interface KeyCheck {
  readonly status: KeyStatus;
  readonly place: KeyPlace;
}

/** Asks for the tokens of an address; only whether that fails, and how, is of interest. */
type AskForTokens = (address: Address, options: HoldingsOptions) => Promise<unknown>;

const CHECK_ADDRESS = '0x00000000000000000000000000000000c4a1451d';

/**
 * Asks by `balances_v2` of an address that holds nothing: the very route that a key is wanted for, and the one that
 * every server of this interface has; one credit. Gives the error that came in place of an answer, if any.
 */
async function fetchKeyError(ask: AskForTokens, { signal }: Abortable = {}): Promise<AppError | undefined> {
  try {
    await ask(CHECK_ADDRESS, { quoteCurrency: 'USD', fresh: true, signal });
    return undefined;
  } catch (error) {
    return asAppError(error);
  }
}

/** @throws AppError `refusal` itself where it says nothing about the key. */
function toKeyStatus(refusal: AppError | undefined): KeyStatus {
  switch (refusal?.kind) {
    case undefined:
      return 'right';
    case 'unauthorized':
      return 'wrong';
    case 'creditsUsedUp':
      return 'exhausted';
    case 'forbidden':
      return 'notEntitled';
    case 'notServed':
      return 'chainNotServed';
    default:
      throw refusal;
  }
}

/**
 * Tries a key in the header, and in the query only where the server does not look into the header: where it says to
 * one without a key just what it says to this one. So a wrong key stands in no URL of a server that takes headers.
 *
 * @param clientFor a client that sends the key there, or not at all; each is asked once at most.
 * @throws AppError when a call settles nothing: no connection, rate limit, maintenance, broken answer.
 * @example
 * await findKeyPlace((keyIn) => createDataApiClient({ ...options, keyIn })); // { verdict: 'right', place: 'header' }
 */
export async function findKeyPlace(
  clientFor: (place: KeyPlace | 'nowhere') => { readonly tokenBalances: AskForTokens },
  { signal }: Abortable = {},
): Promise<KeyCheck> {
  const refusalIn = (place: KeyPlace | 'nowhere') =>
    fetchKeyError(clientFor(place).tokenBalances, { signal });
  const inHeader = await refusalIn('header');
  const byHeader = { status: toKeyStatus(inHeader), place: 'header' } as const;
  if (byHeader.status !== 'wrong' && byHeader.status !== 'notEntitled') return byHeader;
  const withoutKey = await refusalIn('nowhere');
  toKeyStatus(withoutKey);
  if (!isSameError(inHeader, withoutKey)) return byHeader;
  const inQuery = await refusalIn('query');
  const byQuery = { status: toKeyStatus(inQuery), place: 'query' } as const;
  if (byQuery.status === 'wrong') return { status: 'wrong', place: 'header' };
  // Not even there is it looked at: then nothing tells that it is right.
  return isSameError(inQuery, withoutKey) ? byHeader : byQuery;
}

function isSameError(a: AppError | undefined, b: AppError | undefined): boolean {
  return a?.kind === b?.kind && a?.details.serverMessage === b?.details.serverMessage;
}
