import * as z from 'zod/mini';
import type { RequestThrottle } from '../../base/clock.ts';
import type { Abortable } from '../../base/concurrency.ts';
import {
  AppError,
  asAppError,
  badInput,
  type ErrorKind,
  isAppError,
  safeUrl,
  throwIfAborted,
  withProvider,
} from '../../base/errors.ts';
import type { KeyPlace, ProviderLabel } from '../../base/provenance.ts';
import { createTimeSlices, createWorkQueue } from '../../base/timeSlices.ts';
import { trimTrailingSlashes } from '../../base/urls.ts';
import type { Address } from '../../eth/hex.ts';
import { type HttpDeps, sendRequest } from '../../http/exchange.ts';
import { optionalField } from '../../http/fields.ts';
import {
  type BodyContext,
  getErrorKind,
  type HttpResponse,
  LARGE_RESPONSE_BYTES,
  parseErrorBody,
  parseJsonBody,
  toErrorDetails,
} from '../../http/response.ts';
import { withRetry } from '../../http/retry.ts';
import { isHttpUrl } from '../../networks/network.ts';
import type { NftBalances, NftContract, NftToken, NftTransactions } from '../../nfts/nft.ts';
import { redactKey } from '../../secrets/redactKey.ts';
import type { TokenBalances } from '../../tokens/holdings.ts';
import type { QuoteCurrency } from '../../tokens/quoteCurrency.ts';
import { createDataApiThrottle } from '../provider.ts';
import { parseNftBalances, parseTokenBalances } from './holdings.ts';
import { parseContractData, parseNftToken, parseNftTransactions } from './nfts.ts';

export interface DataApiRequestsOptions extends TransportOptions {
  readonly chainId: number;
}

interface UntilAborted {
  readonly signal?: AbortSignal | undefined;
}

interface BalancesOptions extends UntilAborted {
  readonly quoteCurrency: QuoteCurrency;
  /** Asks for NFTs as well, without what of them is outside the chain; slow, and not honoured by every server. */
  readonly withNfts?: boolean;
}

/** The routes of the data API for one chain and key, each a request of its own. */
interface DataApiRequests {
  readonly label: ProviderLabel;
  /** `balances_v2` */
  tokenBalances(address: Address, options: BalancesOptions): Promise<TokenBalances>;
  /** `balances_nft` */
  nftBalances(address: Address, options: UntilAborted): Promise<NftBalances>;
  /** `nft_transactions` */
  nftTransfers(contract: Address, tokenId: bigint, options: UntilAborted): Promise<NftTransactions>;
  /** The first entry of `nft_token_ids`. */
  nftContract(contract: Address, options: UntilAborted): Promise<NftContract | undefined>;
  /** `nft_metadata` or, where that is not served, the newer `nft/…/metadata`. */
  nftToken(contract: Address, tokenId: bigint, options: UntilAborted): Promise<NftToken | undefined>;
}

/** @throws AppError `badInput` for `key` or `dataApiUrl`. */
export function createDataApiRequests(options: DataApiRequestsOptions): DataApiRequests {
  const { chainId, clock, baseUrl } = options;
  const { get } = createTransport(options);
  const label = { name: 'covalent', origin: safeUrl(baseUrl), takesKey: true };
  const slices = () => createTimeSlices(clock);

  /** Reads what a route answers; an error says whom it is of. */
  async function ask<T>(
    route: string,
    { query = {}, signal }: UntilAborted & { readonly query?: Readonly<Record<string, string>> },
    read: (data: unknown, of: { readonly source: ProviderLabel; readonly readAt: number }) => T,
  ): Promise<Awaited<T>> {
    try {
      const data = await get(`${chainId}/${route}/`, query, { signal });
      return await read(data, { source: label, readAt: clock.now() });
    } catch (error) {
      throw isAppError(error) ? withProvider(error, label) : error;
    }
  }

  return {
    label,
    tokenBalances(address, { quoteCurrency, withNfts = false, signal }) {
      const query = {
        'quote-currency': quoteCurrency,
        format: 'JSON',
        nft: `${withNfts}`,
        'no-nft-fetch': `${withNfts}`,
      };
      const asked = { address, chainId, quoteCurrency };
      return ask(`address/${address}/balances_v2`, { query, signal }, async (data, of) => ({
        ...(await parseTokenBalances(data, asked, slices())),
        ...of,
      }));
    },
    nftBalances: (address, { signal }) =>
      ask(`address/${address}/balances_nft`, { signal }, (data) =>
        parseNftBalances(data, { address, chainId }, slices()),
      ),
    nftTransfers: (contract, tokenId, { signal }) =>
      ask(`tokens/${contract}/nft_transactions/${tokenId}`, { signal }, async (data, of) => ({
        ...(await parseNftTransactions(data, { contract, chainId, tokenId }, slices())),
        ...of,
      })),
    nftContract(contract, { signal }) {
      const query = { 'page-size': '1', 'page-number': '0' };
      const read = (data: unknown) => parseContractData(data, { contract, chainId }).items[0]?.facts;
      return ask(`tokens/${contract}/nft_token_ids`, { query, signal }, read);
    },
    async nftToken(contract, tokenId, { signal }) {
      const read = (data: unknown) => parseNftToken(data, { contract, chainId, tokenId }, slices());
      try {
        return await ask(`tokens/${contract}/nft_metadata/${tokenId}`, { signal }, read);
      } catch (error) {
        if (!isAppError(error, 'notServed')) throw error;
        // Chains without the service's cache of NFTs are refused without this parameter.
        const query = { 'with-uncached': 'true' };
        return await ask(`nft/${contract}/metadata/${tokenId}`, { query, signal }, read);
      }
    },
  };
}

interface TransportOptions extends HttpDeps {
  /** Origin and path before `/v1/…`. */
  readonly baseUrl: string;
  readonly key: string;
  /** `nowhere` asks as one who has no key. */
  readonly keyIn: KeyPlace | 'nowhere';
  /** Shared by clients of one key, since the service counts by key; a gate of this client's own if left out. */
  readonly throttle?: RequestThrottle;
  /** Once it aborts, nothing is sent any more and what is on its way is cancelled: the key is not to be used again. */
  readonly revoked?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/** Asks the data API, with key, pace and second tries, whatever the route. */
interface DataApiTransport {
  /**
   * `data` of the answer to `GET /v1/{path}`, unvalidated; undefined where the server says null.
   *
   * @throws AppError of any network kind, and of `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`, `unauthorized`.
   */
  get(path: string, query: Readonly<Record<string, string>>, options: Abortable): Promise<unknown>;
}

/** @throws AppError `badInput` for `key` or `dataApiUrl`. */
function createTransport(options: TransportOptions): DataApiTransport {
  const { baseUrl, clock } = options;
  if (!isHttpUrl(baseUrl)) throw badInput('dataApiUrl', 'Not an http or https address.');
  const key = requireKey(options.key);
  const origin = safeUrl(baseUrl);
  const turn = createWorkQueue(clock);
  const gate = options.throttle ?? createDataApiThrottle(options);

  async function getOnce(path: string, query: Readonly<Record<string, string>>, { signal }: Abortable) {
    await gate.pass({ signal });
    throwIfAborted(signal);
    const { keyIn } = options;
    const url = routeUrl(baseUrl, path, keyIn === 'query' ? { ...query, key } : query);
    const answer = await sendRequest(options, {
      url,
      method: 'GET',
      headers: { accept: 'application/json', ...(keyIn === 'header' && { authorization: `Bearer ${key}` }) },
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
    });
    const read = () => parseEnvelope(answer, { origin, clock, signal });
    return answer.body.length < LARGE_RESPONSE_BYTES ? await read() : await turn(read);
  }

  return {
    async get(path, query, { signal: askedUntil }) {
      const { revoked } = options;
      const signal = askedUntil && revoked ? AbortSignal.any([askedUntil, revoked]) : (askedUntil ?? revoked);
      try {
        return await withRetry({ clock, signal, gate: options.gates?.of(baseUrl) }, () =>
          getOnce(path, query, { signal }),
        );
      } catch (error) {
        throw redactKey(asAppError(error), key);
      }
    },
  };
}

/** The path under `/v1/`, its trailing slash kept: without it the service may redirect, which is refused. */
function routeUrl(baseUrl: string, path: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(baseUrl);
  url.pathname = `${trimTrailingSlashes(url.pathname)}/v1/${path}`;
  url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url.href;
}

/** Keys of other forms than the service's `ckey_…` and `cqt_…` are taken too: proxies have their own. */
function requireKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,512}$/.test(key)) return key;
  throw badInput('key', 'Not an API key: expected up to 512 letters, digits and signs without spaces.');
}

const Envelope = z.object({
  data: z.optional(z.unknown()),
  error: optionalField(z.boolean()),
  error_message: optionalField(z.string()),
  // A number in recorded answers, a string in documented ones.
  error_code: optionalField(z.union([z.number(), z.string()])),
});
type Envelope = z.infer<typeof Envelope>;

/**
 * `data` of an answer of the data API, unvalidated; undefined where the server says null, which means nothing held.
 *
 * An answer fails by its HTTP status, by `error: true` in its envelope (some servers say so under status 200), or by
 * not being that envelope.
 *
 * @throws AppError of the kind that the status, or `error_code` in place of one, stands for.
 */
async function parseEnvelope(answer: HttpResponse, reader: BodyContext): Promise<unknown> {
  const { origin } = reader;
  const now = reader.clock.now();
  if (answer.status < 200 || answer.status > 299) {
    // Gateways in front of the service send web pages instead.
    const said = Envelope.safeParse(parseErrorBody(answer)).data;
    throw toDataApiError(answer, said?.error_message, { origin, now });
  }
  const parsed = Envelope.safeParse(await parseJsonBody(answer, reader));
  if (!parsed.success) throw notAnEnvelope(answer, origin, parsed.error);
  const envelope = parsed.data;
  if (envelope.error) {
    const { headers } = answer;
    throw toDataApiError({ headers, status: statusInBody(envelope) }, envelope.error_message, {
      origin,
      now,
    });
  }
  if (envelope.error === undefined && !envelope.data) throw notAnEnvelope(answer, origin);
  return envelope.data ?? undefined;
}

function notAnEnvelope(answer: HttpResponse, origin: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} answered in JSON, but not as the data API does.`, {
    status: answer.status,
    cause,
  });
}

function toDataApiError(
  answer: Omit<HttpResponse, 'body'>,
  words: string | undefined,
  { origin, now }: { readonly origin: string; readonly now: number },
): AppError {
  const { status } = answer;
  const details = toErrorDetails(answer, words, now);
  const kind = getDataApiErrorKind(status, details.serverMessage);
  return new AppError(kind, `${origin} refused the request (${status}).`, details);
}

/** `error_code` where it is an HTTP error status, as the service's codes are; 500 where it says nothing. */
function statusInBody(envelope: Envelope): number {
  const code = Number(envelope.error_code ?? Number.NaN);
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500;
}

/**
 * The kind that a status of the data API stands for. It answers 404 for a chain or route that it does not serve (its
 * error table), 501 for a chain in older reports, 406 for an address known to time out (FAQ of 2022), and outside
 * HTTP's own table 507 and 562 for faults of its own. Only 400 has two meanings that its words alone tell apart.
 */
function getDataApiErrorKind(status: number, words: string | undefined): ErrorKind {
  if (status === 404 || status === 501) return 'notServed';
  if (status === 400 && words && /\bchain not supported\b/i.test(words)) return 'notServed';
  if (status === 406) return 'tooHeavy';
  return getErrorKind(status);
}
