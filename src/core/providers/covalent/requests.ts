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
  truncateServerMessage,
} from '../../http/response.ts';
import { withRetry } from '../../http/withRetry.ts';
import { isHttpUrl } from '../../networks/network.ts';
import type { NftBalances, NftContract, NftToken, NftTransactions } from '../../nfts/nft.ts';
import { redactJson, redactKey } from '../../secrets/redactKey.ts';
import type { TokenBalances } from '../../tokens/holdings.ts';
import type { QuoteCurrency } from '../../tokens/quoteCurrency.ts';
import { createDataApiThrottle } from '../provider.ts';
import { parseNftBalances, parseTokenBalances } from './holdings.ts';
import type { KeyPlaceFinder } from './keyPlace.ts';
import { parseContractData, parseNftToken, parseNftTransactions } from './nfts.ts';

export interface DataApiRequestsOptions extends TransportOptions {
  readonly chainId: number;
}

interface UntilAborted {
  readonly signal?: AbortSignal | undefined;
}

interface BalancesOptions extends UntilAborted {
  readonly quoteCurrency: QuoteCurrency;
  /** Also requests NFTs, without their off-chain metadata; slow, and some servers ignore it. */
  readonly withNfts?: boolean;
}

interface DataApiRequests {
  readonly label: ProviderLabel;
  /** Route `balances_v2`. */
  tokenBalances(address: Address, options: BalancesOptions): Promise<TokenBalances>;
  /** Route `balances_nft`. */
  nftBalances(address: Address, options: UntilAborted): Promise<NftBalances>;
  /** Route `nft_transactions`. */
  nftTransfers(contract: Address, tokenId: bigint, options: UntilAborted): Promise<NftTransactions>;
  /** The contract of the first entry of `nft_token_ids`. */
  nftContract(contract: Address, options: UntilAborted): Promise<NftContract | undefined>;
  /** Route `nft_metadata`, or the newer `nft/…/metadata` if that is not served. */
  nftToken(contract: Address, tokenId: bigint, options: UntilAborted): Promise<NftToken | undefined>;
}

/** @throws AppError `badInput` for `key` or `dataApiUrl`. */
export function createDataApiRequests(options: DataApiRequestsOptions): DataApiRequests {
  const { chainId, clock, baseUrl } = options;
  const { get } = createTransport(options);
  const label = { name: 'covalent', origin: safeUrl(baseUrl), takesKey: true };
  const slices = () => createTimeSlices(clock);

  /** Requests a route and parses its response; errors carry the provider. */
  async function request<T>(
    route: string,
    { query = {}, signal }: UntilAborted & { readonly query?: Readonly<Record<string, string>> },
    read: (data: unknown, provenance: { readonly source: ProviderLabel; readonly readAt: number }) => T,
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
      const requested = { address, chainId, quoteCurrency };
      return request(`address/${address}/balances_v2`, { query, signal }, async (data, provenance) => ({
        ...(await parseTokenBalances(data, requested, slices())),
        ...provenance,
      }));
    },
    nftBalances: (address, { signal }) =>
      request(`address/${address}/balances_nft`, { signal }, (data) =>
        parseNftBalances(data, { address, chainId }, slices()),
      ),
    nftTransfers: (contract, tokenId, { signal }) =>
      request(`tokens/${contract}/nft_transactions/${tokenId}`, { signal }, async (data, provenance) => ({
        ...(await parseNftTransactions(data, { contract, chainId, tokenId }, slices())),
        ...provenance,
      })),
    nftContract(contract, { signal }) {
      const query = { 'page-size': '1', 'page-number': '0' };
      const read = (data: unknown) => parseContractData(data, { contract, chainId }).items[0]?.facts;
      return request(`tokens/${contract}/nft_token_ids`, { query, signal }, read);
    },
    async nftToken(contract, tokenId, { signal }) {
      const read = (data: unknown) => parseNftToken(data, { contract, chainId, tokenId }, slices());
      try {
        return await request(`tokens/${contract}/nft_metadata/${tokenId}`, { signal }, read);
      } catch (error) {
        if (!isAppError(error, 'notServed')) throw error;
        // Chains without the service's NFT cache require this parameter.
        const query = { 'with-uncached': 'true' };
        return await request(`nft/${contract}/metadata/${tokenId}`, { query, signal }, read);
      }
    },
  };
}

interface TransportOptions extends HttpDeps {
  /** Origin and path before `/v1/…`. */
  readonly baseUrl: string;
  readonly key: string;
  /** A finder sends the key where the server accepts it. */
  readonly keyIn: KeyPlace | KeyPlaceFinder;
  /** Shared by clients of one key, because the service counts by key; default: a throttle of its own. */
  readonly throttle?: RequestThrottle;
  /** When it aborts, no more requests are sent and pending ones are cancelled: the key must not be used again. */
  readonly revoked?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

interface DataApiTransport {
  /**
   * The unvalidated `data` of `GET /v1/{path}`; undefined if the server returns null.
   *
   * @throws AppError of any network kind, and `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`,
   *   `unauthorized`.
   */
  get(path: string, query: Readonly<Record<string, string>>, options: Abortable): Promise<unknown>;
}

/** @throws AppError `badInput` for `key` or `dataApiUrl`. */
function createTransport(options: TransportOptions): DataApiTransport {
  const { baseUrl, clock, keyIn } = options;
  if (!isHttpUrl(baseUrl)) throw badInput('dataApiUrl', 'This is not an http or https URL.');
  const key = requireKey(options.key);
  const origin = safeUrl(baseUrl);
  const runInQueue = createWorkQueue(clock);
  const throttle = options.throttle ?? createDataApiThrottle(options);

  async function getOnce({ path, query, place }: RouteRequest, { signal }: Abortable) {
    await throttle.pass({ signal });
    throwIfAborted(signal);
    const url = createRouteUrl(baseUrl, path, place === 'query' ? { ...query, key } : query);
    const response = await sendRequest(options, {
      url,
      method: 'GET',
      headers: { accept: 'application/json', ...(place === 'header' && { authorization: `Bearer ${key}` }) },
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
    });
    const read = async () => {
      const data = await parseEnvelope(response, { origin, clock, signal });
      // A server may repeat the URL of the request: in links to other pages, or in a name.
      return redactJson(data, key, createTimeSlices(clock));
    };
    return response.body.length < LARGE_RESPONSE_BYTES ? await read() : await runInQueue(read);
  }

  return {
    async get(path, query, { signal: callerSignal }) {
      const { revoked } = options;
      const signal =
        callerSignal && revoked ? AbortSignal.any([callerSignal, revoked]) : (callerSignal ?? revoked);
      const send = (place: KeyPlace) =>
        withRetry({ clock, signal, gate: options.gates?.of(baseUrl) }, () =>
          getOnce({ path, query, place }, { signal }),
        );
      try {
        return await (typeof keyIn === 'string' ? send(keyIn) : keyIn.send(send, { signal }));
      } catch (error) {
        throw redactKey(asAppError(error), key);
      }
    },
  };
}

interface RouteRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly place: KeyPlace;
}

/** Keeps the trailing slash of the path: without it the service may redirect, which is rejected. */
function createRouteUrl(baseUrl: string, path: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(baseUrl);
  url.pathname = `${trimTrailingSlashes(url.pathname)}/v1/${path}`;
  url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url.href;
}

/** Accepts keys other than the service's `ckey_…` and `cqt_…`, because proxies have their own. */
function requireKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,512}$/.test(key)) return key;
  throw badInput('key', 'This is not an API key. Enter up to 512 letters, digits and signs, without spaces.');
}

// A number in recorded responses, a string in the documentation.
const errorCodeField = optionalField(z.union([z.number(), z.string()]));

const Envelope = z.object({
  data: z.optional(z.unknown()),
  // Gateways in front of the service put the message or an object there.
  error: optionalField(
    z.union([
      z.boolean(),
      z.string(),
      z.object({ code: errorCodeField, message: optionalField(z.string()) }),
    ]),
  ),
  error_message: optionalField(z.string()),
  error_code: errorCodeField,
  // In place of the others, by gateways.
  message: optionalField(z.string()),
});
type Envelope = z.infer<typeof Envelope>;

interface EnvelopeError {
  readonly code: number | string | undefined;
  readonly message: string | undefined;
}

function findEnvelopeError({
  data,
  error,
  error_code,
  error_message,
  message,
}: Envelope): EnvelopeError | undefined {
  if (!error) return !data && message && isKeyRefusal(message) ? { code: undefined, message } : undefined;
  if (typeof error === 'object')
    return { code: error.code ?? error_code, message: error.message ?? error_message };
  return { code: error_code, message: error_message ?? (typeof error === 'string' ? error : undefined) };
}

/**
 * Parses a response of the data API and returns its unvalidated `data`; undefined if the server returns null,
 * which means that nothing is owned. A response fails by its HTTP status, by `error: true` in its envelope
 * (which some servers send with status 200), or by a malformed envelope.
 *
 * @throws AppError of the kind for the status, or for `error_code` instead.
 */
async function parseEnvelope(response: HttpResponse, context: BodyContext): Promise<unknown> {
  const { origin } = context;
  const now = context.clock.now();
  if (response.status < 200 || response.status > 299) {
    // Gateways in front of the service send HTML instead.
    const body = parseErrorBody(response);
    const errorBody = Envelope.safeParse(body).data;
    const found = errorBody && (findEnvelopeError(errorBody)?.message ?? errorBody.error_message);
    // A server that checks its parameters first lists those that are missing, in a form of its own.
    const isListed = response.status === 422 && found === undefined && body !== undefined;
    const message = isListed ? JSON.stringify(body) : found;
    throw toDataApiError(response, message, { origin, now });
  }
  const parsed = Envelope.safeParse(await parseJsonBody(response, context));
  if (!parsed.success) throw createEnvelopeError(response, origin, parsed.error);
  const envelope = parsed.data;
  const error = findEnvelopeError(envelope);
  if (error) {
    const { headers } = response;
    throw toDataApiError({ headers, status: getEnvelopeStatus(error) }, error.message, { origin, now });
  }
  if (envelope.error === undefined && !envelope.data) throw createEnvelopeError(response, origin);
  return envelope.data ?? undefined;
}

function createEnvelopeError(response: HttpResponse, origin: string, cause?: unknown): AppError {
  return new AppError('badResponse', `The response of ${origin} is JSON, but not that of the data API.`, {
    status: response.status,
    cause,
  });
}

function toDataApiError(
  response: Omit<HttpResponse, 'body'>,
  serverMessage: string | undefined,
  { origin, now }: { readonly origin: string; readonly now: number },
): AppError {
  const { status } = response;
  const details = toErrorDetails(response, serverMessage, now);
  const kind = getDataApiErrorKind(status, details.serverMessage);
  const refused = kind === 'unauthorized' || kind === 'forbidden' ? 'the key' : 'the request';
  return new AppError(kind, `${origin} refused ${refused} (${status}).`, details);
}

/**
 * The code if it is an HTTP error status, as the service's codes are; otherwise 401 if the message is about the key,
 * and 500.
 */
function getEnvelopeStatus({ code, message = '' }: EnvelopeError): number {
  const status = Number(code ?? Number.NaN);
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  return isKeyRefusal(message) ? 401 : 500;
}

const isKeyRefusal = (message: string): boolean => KEY_REFUSAL.test(truncateServerMessage(message));

const KEY_REFUSAL =
  /\bunauthori[sz]ed\b|\b(?:bad|inactive|incorrect|invalid|missing|no|unknown|unregistered|wrong)\b[^.]{0,20}\bkey\b|\bkey\b[^.]{0,20}\b(?:inactive|incorrect|invalid|missing|not|required|unknown|wrong)\b/i;

const KEY_MISSING =
  /\b(?:missing|no|requires?)\b[^.]{0,20}\bkey\b|\bkey\b[^.]{0,20}\b(?:is null|missing|required)\b/i;

/**
 * The error kind for a status of the data API: 404 for a chain or route that it does not serve (its error
 * table), 501 for a chain in older reports, 406 for an address known to time out (FAQ of 2022); 507 and 562,
 * outside HTTP's own table, for internal errors. What 400 and 422 mean, the message says: a server whose key is a
 * parameter of each request may count one that is missing as a mistake in the request.
 */
function getDataApiErrorKind(status: number, message: string | undefined): ErrorKind {
  if (status === 404 || status === 501) return 'notServed';
  if (status === 400 && message && /\bchain not supported\b/i.test(message)) return 'notServed';
  if ((status === 400 || status === 422) && message && KEY_MISSING.test(message)) return 'unauthorized';
  if (status === 406) return 'tooHeavy';
  return getErrorKind(status);
}
