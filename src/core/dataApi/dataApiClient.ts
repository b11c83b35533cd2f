import { type AppError, asAppError, badInput } from '../errors.ts';
import { exchange, type HttpDeps } from '../http.ts';
import { isHttpUrl } from '../networks/network.ts';
import { withRetry } from '../retry.ts';
import { createExpiringCache } from '../shared/expiringCache.ts';
import { createRateLimit, type RateLimit } from '../shared/rateLimit.ts';
import type { Address } from '../values/address.ts';
import { readData } from './envelope.ts';
import { type NftBalances, readNftBalances } from './nftBalances.ts';
import type { QuoteCurrency } from './quoteCurrency.ts';
import { redactKey } from './redactKey.ts';
import { readServedChains, type ServedChain } from './servedChains.ts';
import { readTokenBalances, type TokenBalances } from './tokenBalances.ts';

/** Where the key travels: in the query as `key`, or as a bearer token in the `Authorization` header. */
export type KeyPlace = 'query' | 'header';

/** What one call says about a key. `chainNotServed`: nothing, since the server does not know the chain. */
export type KeyVerdict = 'right' | 'wrong' | 'exhausted' | 'notEntitled' | 'chainNotServed';

export interface TokenBalancesOptions {
  readonly quoteCurrency: QuoteCurrency;
  /** Asks for NFTs as well (`nft`); slow, and not honoured by every server. */
  readonly nft?: boolean;
  /** With `nft`: leaves out metadata from outside the chain (`no-nft-fetch`), which is faster. */
  readonly noNftFetch?: boolean;
  /** Passes over an answer kept from a moment ago. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The data API for one chain and key. */
export interface DataApiClient {
  /**
   * What `address` holds, through `balances_v2`. Many who ask the same at once cost one request.
   *
   * @throws AppError of any network kind, and of `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`, `unauthorized`.
   */
  tokenBalances(address: Address, options: TokenBalancesOptions): Promise<TokenBalances>;
  /** The NFTs of `address`, through `balances_nft`. Throws like {@link tokenBalances}. */
  nftBalances(
    address: Address,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<NftBalances>;
  /** The chains that the server serves now. Throws like {@link tokenBalances}. */
  servedChains(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly ServedChain[]>;
  /**
   * Tries the key by `balances_v2` of an address that holds nothing: the very route that the key is wanted for, and
   * the one that every server of this interface has; one credit. Whether the service looks at the key or at the
   * chain first is not documented, so an unserved chain leaves the key unjudged.
   *
   * @throws AppError when the call tells nothing: no connection, rate limit, maintenance, broken answer.
   */
  checkKey(options?: { readonly signal?: AbortSignal | undefined }): Promise<KeyVerdict>;
}

export interface DataApiClientOptions extends HttpDeps {
  /** Origin and path before `/v1/…`. */
  readonly baseUrl: string;
  readonly chainId: number;
  readonly key: string;
  readonly keyIn: KeyPlace;
  /** Shared by clients of one key, since the service counts by key; a gate of this client's own if left out. */
  readonly rateLimit?: RateLimit;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

const RETRIES = 2;
const LONGEST_RETRY_WAIT_MS = 10_000;
// The service is about 30 s behind its chain, so that an answer this old loses nothing.
const KEPT_FOR_MS = 15_000;
const KEPT_AT_MOST = 200;
const KEY_CHECK_ADDRESS = '0x00000000000000000000000000000000c4a1451d';

/** A gate for the lowest plan's 4 requests a second. Its second is a little longer, as the server counts arrivals. */
export function createDataApiRateLimit(deps: Pick<HttpDeps, 'clock'>): RateLimit {
  return createRateLimit({ clock: deps.clock, count: 4, windowMs: 1_100 });
}

/**
 * A client of the data API (Covalent's, later GoldRush; `/v1`).
 *
 * The key goes to `baseUrl` only, and stands in no error, cause or record of an exchange.
 *
 * @throws AppError `badInput` for `key` or `dataApiUrl`.
 */
export function createDataApiClient(options: DataApiClientOptions): DataApiClient {
  const { baseUrl, chainId, clock } = options;
  if (!isHttpUrl(baseUrl)) throw badInput('dataApiUrl', 'Not an http or https address.');
  const key = requireKey(options.key);
  const gate = options.rateLimit ?? createDataApiRateLimit(options);
  const kept = createExpiringCache<TokenBalances>({ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST });

  async function getOnce(path: string, query: Record<string, string>, signal: AbortSignal | undefined) {
    await gate.pass(signal);
    const inQuery = options.keyIn === 'query';
    const url = routeUrl(baseUrl, path, inQuery ? { ...query, key } : query);
    const answer = await exchange(options, {
      url,
      method: 'GET',
      headers: { accept: 'application/json', ...(inQuery ? {} : { authorization: `Bearer ${key}` }) },
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
    });
    return readData(answer, baseUrl, clock.now());
  }

  async function get(path: string, query: Record<string, string>, signal: AbortSignal | undefined) {
    try {
      return await withRetry({ clock, retries: RETRIES, longestWaitMs: LONGEST_RETRY_WAIT_MS, signal }, () =>
        getOnce(path, query, signal),
      );
    } catch (error) {
      throw redactKey(asAppError(error), key);
    }
  }

  async function fetchTokenBalances(
    address: Address,
    asked: TokenBalancesOptions,
    signal: AbortSignal | undefined,
  ) {
    const { quoteCurrency, nft = false, noNftFetch = false } = asked;
    const query = {
      'quote-currency': quoteCurrency,
      format: 'JSON',
      nft: `${nft}`,
      'no-nft-fetch': `${noNftFetch}`,
    };
    const data = await get(`${chainId}/address/${address}/balances_v2/`, query, signal);
    return readTokenBalances(data, { address, chainId, quoteCurrency });
  }

  return {
    tokenBalances(address, asked) {
      const question = [address, asked.quoteCurrency, asked.nft ?? false, asked.noNftFetch ?? false].join(
        ' ',
      );
      return kept.get(question, (signal) => fetchTokenBalances(address, asked, signal), asked);
    },
    async nftBalances(address, { signal } = {}) {
      const data = await get(`${chainId}/address/${address}/balances_nft/`, {}, signal);
      return readNftBalances(data, { address, chainId });
    },
    async servedChains({ signal } = {}) {
      return readServedChains(await get('chains/', {}, signal));
    },
    async checkKey({ signal } = {}) {
      try {
        await fetchTokenBalances(KEY_CHECK_ADDRESS, { quoteCurrency: 'USD' }, signal);
        return 'right';
      } catch (error) {
        return verdictOf(asAppError(error));
      }
    },
  };
}

/** The path under `/v1/`, its trailing slash kept: without it the service may redirect, which is refused. */
function routeUrl(baseUrl: string, path: string, query: Record<string, string>): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${path}`;
  url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url.href;
}

/** Keys of other forms than the service's `ckey_…` and `cqt_…` are taken too: proxies have their own. */
function requireKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,512}$/.test(key)) return key;
  throw badInput('key', 'Not an API key: it takes up to 512 letters, digits and signs without spaces.');
}

function verdictOf(error: AppError): KeyVerdict {
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
