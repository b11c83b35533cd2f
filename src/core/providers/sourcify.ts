import * as z from 'zod/mini';
import { parseAbi } from '../abi/parseAbi.ts';
import type { Abortable } from '../base/concurrency.ts';
import { AppError, asAppError, badInput, safeUrl, withProvider } from '../base/errors.ts';
import { createExpiringCache } from '../base/expiringCache.ts';
import type { FetchOptions, Provenance, ProviderLabel } from '../base/provenance.ts';
import { joinUrl } from '../base/urls.ts';
import { type Address, parseAddress } from '../eth/hex.ts';
import { type ErrorInterpretation, fetchJson } from '../http/fetchJson.ts';
import { hexField, listField, optionalField, textField } from '../http/fields.ts';
import { truncateServerMessage } from '../http/response.ts';
import { isHttpUrl } from '../networks/network.ts';
import {
  type ProxyFacts,
  parseImplementations,
  parseVerifiedFiles,
  type VerifiedChains,
  type VerifiedContract,
  type VerifiedFiles,
  type VerifiedProvider,
} from '../verified/verifiedContract.ts';
import { type ProviderOptions, sourcifyOffers } from './provider.ts';

/**
 * A client of Sourcify's API v2 for one chain (by its OpenAPI description, server 3.12).
 *
 * @throws AppError `badInput` for `sourcify`.
 * @example
 * const client = createSourcifyClient({ ...http, url, chainId: 1, key: undefined, throttle, revoked });
 * (await client.verifiedContract(address))?.abi;
 */
export function createSourcifyClient(options: ProviderOptions): VerifiedProvider {
  const { url, chainId, clock } = options;
  if (!isHttpUrl(url)) throw badInput('sourcify', 'This is not an http or https URL.');
  const { label, get } = createSourcifyRequests(options);
  const cache = createExpiringCache<VerifiedContract | undefined>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHE_ENTRIES,
  });

  function fetchContract(
    address: Address,
    fetchOptions?: FetchOptions,
  ): Promise<VerifiedContract | undefined> {
    const load = async (signal: AbortSignal) => {
      const json = await get(`v2/contract/${chainId}/${address}`, { fields: FIELDS }, { signal });
      return parseSourcifyContract(json, { address, chainId, source: label, readAt: clock.now() });
    };
    return cache.get(address, load, fetchOptions);
  }

  return {
    label,
    offers: sourcifyOffers,
    verifiedContract: fetchContract,
    proxyAt: async (address, fetchOptions) => (await fetchContract(address, fetchOptions))?.proxy,
    async verifiedSources(address, { signal } = {}) {
      const json = await get(`v2/contract/${chainId}/${address}`, { fields: SOURCE_FIELDS }, { signal });
      return parseSourcifySources(json, { address, chainId, source: label, readAt: clock.now() });
    },
    async verifiedOn(address, { signal } = {}) {
      const json = await get(`v2/contract/all-chains/${address}`, {}, { signal });
      return parseSourcifyChains(json, { address, chainId, source: label, readAt: clock.now() });
    },
  };
}

/**
 * Short, because the implementation of a proxy can change. Verified contracts never change and are stored
 * elsewhere.
 */
const CACHE_TTL_MS = 60_000;
const MAX_CACHE_ENTRIES = 500;
/** One request returns all that a decoder needs. Source text is requested only when a user opens it. */
const FIELDS = [
  'abi',
  'compilation.name',
  'proxyResolution',
  'deployment.blockNumber',
  'deployment.transactionHash',
].join();

const SOURCE_FIELDS = 'sources,metadata,storageLayout';

/** The largest contracts in use have several megabytes of source and metadata. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const SourcifyError = z.object({ customCode: z.string(), message: optionalField(z.string()) });
/** A contract that is not verified: status 404 with the shape of an empty result. */
const Miss = z.union([z.object({ match: z.null() }), z.object({ results: z.array(z.unknown()) })]);

function createSourcifyRequests(options: ProviderOptions) {
  const { url: baseUrl, revoked, throttle } = options;
  const label: ProviderLabel = { name: 'sourcify', origin: safeUrl(baseUrl), takesKey: false };

  async function get(
    path: string,
    query: Readonly<Record<string, string>>,
    { signal: callerSignal }: Abortable,
  ): Promise<unknown> {
    const url = joinUrl(baseUrl, path, query);
    const signal = callerSignal ? AbortSignal.any([callerSignal, revoked]) : revoked;
    try {
      return await fetchJson(options, url, {
        signal,
        throttle,
        maxBytes: MAX_RESPONSE_BYTES,
        interpretError,
      });
    } catch (error) {
      throw withProvider(asAppError(error), label);
    }
  }
  return { label, get };
}

/**
 * An unverified contract is not an error. Error codes: `unsupported_chain` (400) if the server does not
 * support the chain, `route_not_found` (404) if it has no API v2.
 */
function interpretError(status: number, body: unknown): ErrorInterpretation {
  if (status === 404 && Miss.safeParse(body).success) return { isResult: true };
  const { data } = SourcifyError.safeParse(body);
  if (!data) return {};
  const message = data.message ?? data.customCode;
  if (data.customCode !== 'unsupported_chain' && data.customCode !== 'route_not_found') return { message };
  const details = { status, serverMessage: truncateServerMessage(message) };
  return { error: new AppError('notServed', 'Sourcify does not serve this.', details) };
}

interface SourcifyRequest extends Provenance {
  readonly address: Address;
  readonly chainId: number;
}

/** Block numbers are decimal strings in this API. */
const heightText = z.pipe(
  z.string().check(z.regex(/^\d{1,16}$/)),
  z.transform((digits) => BigInt(digits)),
);

const Deployment = z.object({
  blockNumber: optionalField(heightText),
  transactionHash: optionalField(hexField(32)),
});
const ProxyResolution = z.object({
  isProxy: optionalField(z.boolean()),
  proxyType: optionalField(textField),
  implementations: optionalField(listField),
});
const Contract = z.object({
  match: z.nullable(z.enum(['exact_match', 'match'])),
  chainId: z.string(),
  address: z.string(),
  matchId: optionalField(z.string().check(z.regex(/^[\w-]{1,64}$/))),
  abi: optionalField(listField),
  compilation: optionalField(z.object({ name: optionalField(textField) })),
  deployment: optionalField(Deployment),
  proxyResolution: optionalField(ProxyResolution),
});

/**
 * Parses the response of `GET /v2/contract/{chainId}/{address}`; undefined if the contract is not verified.
 *
 * @throws AppError `badResponse` for an invalid shape, or for another contract or chain.
 */
function parseSourcifyContract(json: unknown, request: SourcifyRequest): VerifiedContract | undefined {
  const { address, source, readAt } = request;
  const parsed = requireSourcifyContract(json, request);
  const { match, matchId, compilation, deployment, proxyResolution } = parsed;
  if (match === null) return undefined;
  const proxy = proxyResolution && parseProxy(proxyResolution, address);
  const { blockNumber: block, transactionHash: transaction } = deployment ?? {};
  return {
    source,
    readAt,
    address,
    name: compilation?.name,
    abi: parseAbi(parsed.abi).items,
    match: match === 'exact_match' ? 'exact' : 'partial',
    ...(matchId !== undefined && { matchId }),
    ...(block !== undefined && { created: { block, ...(transaction && { transaction }) } }),
    ...(proxy && { proxy }),
  };
}

/** The fields that all responses about one contract share. @throws as {@link parseSourcifyContract}. */
function requireSourcifyContract(json: unknown, { address, chainId }: SourcifyRequest) {
  const { data, error } = Contract.safeParse(json);
  if (!data)
    throw new AppError('badResponse', 'The response of Sourcify is not a contract.', { cause: error });
  if (parseAddress(data.address) !== address || data.chainId !== String(chainId)) {
    throw new AppError('badResponse', 'The response of Sourcify is for another contract.');
  }
  return data;
}

function parseProxy(
  { isProxy, proxyType, implementations }: z.infer<typeof ProxyResolution>,
  address: Address,
): ProxyFacts | undefined {
  const found = parseImplementations(implementations, address);
  return isProxy && found.length > 0 ? { type: proxyType, implementations: found } : undefined;
}

/** The server supports about three hundred chains. */
const MAX_CHAINS = 1_000;

const Sources = z.object({
  sources: z.record(z.string(), z.unknown()),
  metadata: z.optional(z.unknown()),
  storageLayout: z.optional(z.unknown()),
});
const SourceText = z.object({ content: z.string() });
const Results = z.object({ results: z.array(z.unknown()) });
const Result = z.object({
  match: z.enum(['exact_match', 'match']),
  chainId: z.string().check(z.regex(/^\d{1,16}$/)),
  address: z.string(),
});

/** The source files; undefined if the contract is not verified. @throws AppError `badResponse`. */
function parseSourcifySources(json: unknown, request: SourcifyRequest): VerifiedFiles | undefined {
  if (requireSourcifyContract(json, request).match === null) return undefined;
  const { data } = Sources.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The response of Sourcify has no sources.');
  const { source, readAt } = request;
  const { metadata, storageLayout } = data;
  return { source, readAt, ...parseVerifiedFiles(listTexts(data.sources)), metadata, storageLayout };
}

function* listTexts(sources: Readonly<Record<string, unknown>>): Generator<readonly [string, string]> {
  for (const path in sources) {
    const { data } = SourceText.safeParse(sources[path]);
    if (data) yield [path, data.content];
  }
}

/**
 * The distinct chain IDs of `all-chains`; those that are not safe integers are dropped. @throws AppError
 * `badResponse`.
 */
function parseSourcifyChains(json: unknown, { address, source, readAt }: SourcifyRequest): VerifiedChains {
  const { data, error } = Results.safeParse(json);
  if (!data)
    throw new AppError('badResponse', 'The response of Sourcify is not a list of chains.', { cause: error });
  const ids = data.results.slice(0, MAX_CHAINS).flatMap((entry) => {
    const result = Result.safeParse(entry).data;
    const id = Number(result?.chainId);
    return result && parseAddress(result.address) === address && Number.isSafeInteger(id) ? [id] : [];
  });
  return { source, readAt, chainIds: [...new Set(ids)] };
}
