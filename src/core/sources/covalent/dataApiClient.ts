import { isAppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import type { QuoteCurrency } from '../../holdings/quoteCurrency.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import type { Address } from '../../values/address.ts';
import { readContractData } from './contractData.ts';
import { type KeyVerdict, refusalOfKey, verdictOf } from './keyCheck.ts';
import { type NftBalances, readNftBalances } from './nftBalances.ts';
import { type NftCollections, type NftTokenIds, readNftCollections, readNftTokenIds } from './nftLists.ts';
import { type NftToken, readNftToken } from './nftToken.ts';
import { type NftTransactions, readNftTransactions } from './nftTransactions.ts';
import type { PagedList } from './pages.ts';
import { readServedChains, type ServedChain } from './servedChains.ts';
import { readTokenBalances, type TokenBalances } from './tokenBalances.ts';
import { readTokenTransfers, type TokenTransfers } from './tokenTransfers.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface DataApiCallOptions {
  /** Passes over an answer kept from a moment ago. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface TokenBalancesOptions extends DataApiCallOptions {
  readonly quoteCurrency: QuoteCurrency;
  /** Asks for NFTs as well (`nft`); slow, and not honoured by every server. */
  readonly nft?: boolean;
  /** With `nft`: leaves out metadata from outside the chain (`no-nft-fetch`), which is faster. */
  readonly noNftFetch?: boolean;
}

/** How far a list is read. */
export interface ListOptions {
  /** Pages of 100 at most; default 10. */
  readonly maxPages?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The data API for one chain and key. Many who ask the same at once cost one request, and an answer is kept for a
 * moment, lists by pages excepted. What a call costs is in {@link creditCosts}.
 *
 * @throws AppError, each call, of any network kind, and of `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`,
 *   `unauthorized`.
 */
export interface DataApiClient {
  /** What `address` holds, through `balances_v2`. */
  tokenBalances(address: Address, options: TokenBalancesOptions): Promise<TokenBalances>;
  /** The NFTs of `address`, through `balances_nft`. */
  nftBalances(address: Address, options?: DataApiCallOptions): Promise<NftBalances>;
  /** The history of one token id, through `nft_transactions`. */
  nftTransfers(contract: Address, tokenId: bigint, options?: DataApiCallOptions): Promise<NftTransactions>;
  /** An NFT contract, through the first of its token ids; undefined where the server knows none. */
  nftContract(contract: Address, options?: DataApiCallOptions): Promise<NftContract | undefined>;
  /**
   * One token with its metadata, through `nft_metadata` or, where that is not served, the newer `nft/…/metadata`;
   * undefined where the server knows no such token.
   */
  nftToken(contract: Address, tokenId: bigint, options?: DataApiCallOptions): Promise<NftToken | undefined>;
  /** The token ids of a contract, through `nft_token_ids`. */
  nftTokenIds(contract: Address, options?: ListOptions): Promise<NftTokenIds>;
  /** The NFT contracts of the chain with their supply, through `nft/collections`. */
  nftCollections(options?: ListOptions): Promise<NftCollections>;
  /** Transfers of the ERC-20 `contract` to and from `address`, through `transfers_v2`. */
  tokenTransfers(address: Address, contract: Address, options?: ListOptions): Promise<TokenTransfers>;
  /** The chains that the server serves now. */
  servedChains(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly ServedChain[]>;
  /**
   * Tries the key where this client sends it; one credit. Whether the service looks at the key or at the chain first
   * is not documented, so an unserved chain leaves the key unjudged.
   *
   * @throws AppError when the call tells nothing: no connection, rate limit, maintenance, broken answer.
   */
  checkKey(options?: { readonly signal?: AbortSignal | undefined }): Promise<KeyVerdict>;
}

export interface DataApiClientOptions extends TransportOptions {
  readonly chainId: number;
}

// The service is about 30 s behind its chain, so that an answer this old loses nothing.
const KEPT_FOR_MS = 15_000;
const KEPT_AT_MOST = 200;
const DEFAULT_MAX_PAGES = 10;

/**
 * A client of the data API (Covalent's, later GoldRush; `/v1`).
 *
 * The key goes to `baseUrl` only, and stands in no error, cause or record of an exchange.
 *
 * @throws AppError `badInput` for `key` or `dataApiUrl`.
 */
export function createDataApiClient(options: DataApiClientOptions): DataApiClient {
  const { chainId, clock } = options;
  const { get } = createTransport(options);
  const slices = () => createTimeSlices(clock);
  const cache = <T>() => createExpiringCache<T>({ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST });
  const kept = {
    tokenBalances: cache<TokenBalances>(),
    nftBalances: cache<NftBalances>(),
    nftTransfers: cache<NftTransactions>(),
    nftContract: cache<NftContract | undefined>(),
    nftToken: cache<NftToken | undefined>(),
  };

  function pagesOf(
    path: string,
    { maxPages = DEFAULT_MAX_PAGES, signal }: ListOptions = {},
    query = {},
  ): PagedList {
    return { maxPages, getPage: (page) => get(path, { ...query, ...page }, signal), slices: slices() };
  }

  async function fetchTokenBalances(address: Address, asked: TokenBalancesOptions, signal?: AbortSignal) {
    const { quoteCurrency, nft = false, noNftFetch = false } = asked;
    const query = {
      'quote-currency': quoteCurrency,
      format: 'JSON',
      nft: `${nft}`,
      'no-nft-fetch': `${noNftFetch}`,
    };
    const data = await get(`${chainId}/address/${address}/balances_v2/`, query, signal);
    return readTokenBalances(data, { address, chainId, quoteCurrency }, slices());
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
    tokenBalances(address, asked) {
      const { quoteCurrency, nft = false, noNftFetch = false } = asked;
      const question = [address, quoteCurrency, nft, noNftFetch].join(' ');
      return kept.tokenBalances.get(question, (signal) => fetchTokenBalances(address, asked, signal), asked);
    },
    nftBalances(address, asked) {
      const load = async (signal: AbortSignal) => {
        const data = await get(`${chainId}/address/${address}/balances_nft/`, {}, signal);
        return readNftBalances(data, { address, chainId }, slices());
      };
      return kept.nftBalances.get(address, load, asked);
    },
    nftTransfers(contract, tokenId, asked) {
      const path = `${chainId}/tokens/${contract}/nft_transactions/${tokenId}/`;
      const load = async (signal: AbortSignal) =>
        readNftTransactions(await get(path, {}, signal), { contract, chainId, tokenId }, slices());
      return kept.nftTransfers.get(path, load, asked);
    },
    nftContract(contract, asked) {
      const load = async (signal: AbortSignal) => {
        const query = { 'page-size': '1', 'page-number': '0' };
        const data = await get(`${chainId}/tokens/${contract}/nft_token_ids/`, query, signal);
        return readContractData(data, { contract, chainId }).items[0]?.facts;
      };
      return kept.nftContract.get(contract, load, asked);
    },
    nftToken(contract, tokenId, asked) {
      const load = (signal: AbortSignal) => fetchNftToken(contract, tokenId, signal);
      return kept.nftToken.get(`${contract} ${tokenId}`, load, asked);
    },
    nftTokenIds(contract, options) {
      const path = `${chainId}/tokens/${contract}/nft_token_ids/`;
      return readNftTokenIds({ contract, chainId }, pagesOf(path, options));
    },
    nftCollections(options) {
      return readNftCollections(pagesOf(`${chainId}/nft/collections/`, options));
    },
    tokenTransfers(address, contract, options) {
      const path = `${chainId}/address/${address}/transfers_v2/`;
      return readTokenTransfers(
        { address, chainId },
        pagesOf(path, options, { 'contract-address': contract }),
      );
    },
    async servedChains({ signal } = {}) {
      return readServedChains(await get('chains/', {}, signal), slices());
    },
    checkKey: async ({ signal } = {}) =>
      verdictOf(
        await refusalOfKey((address, asked) => fetchTokenBalances(address, asked, asked.signal), signal),
      ),
  };
}
