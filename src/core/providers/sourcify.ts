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

interface SourcifyRequest extends Provenance {
  readonly address: Address;
  readonly chainId: number;
}

/** Heights are decimal strings here. */
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
 * A contract of `GET /v2/contract/{chainId}/{address}`; undefined where the server has none verified.
 *
 * @throws AppError `badResponse` when it is of another shape, or of another contract or chain than was asked.
 */
function parseSourcifyContract(json: unknown, asked: SourcifyRequest): VerifiedContract | undefined {
  const { address, source, readAt } = asked;
  const parsed = requireSourcifyContract(json, asked);
  const { match, matchId, compilation, deployment, proxyResolution } = parsed;
  if (match === null) return undefined;
  const proxy = proxyResolution && readProxy(proxyResolution, address);
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

/** What every answer about one contract has. @throws as {@link parseSourcifyContract}. */
function requireSourcifyContract(json: unknown, { address, chainId }: SourcifyRequest) {
  const { data, error } = Contract.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The answer is not one of Sourcify.', { cause: error });
  if (parseAddress(data.address) !== address || data.chainId !== String(chainId)) {
    throw new AppError('badResponse', 'Sourcify answered for another contract.');
  }
  return data;
}

function readProxy(
  { isProxy, proxyType, implementations }: z.infer<typeof ProxyResolution>,
  address: Address,
): ProxyFacts | undefined {
  const found = parseImplementations(implementations, address);
  return isProxy && found.length > 0 ? { type: proxyType, implementations: found } : undefined;
}

/** Chains of one address: the service knows some three hundred. */
const MAX_CHAINS = 1_000;

const Sources = z.object({ sources: z.record(z.string(), z.unknown()) });
const SourceText = z.object({ content: z.string() });
const Results = z.object({ results: z.array(z.unknown()) });
const Result = z.object({
  match: z.enum(['exact_match', 'match']),
  chainId: z.string().check(z.regex(/^\d{1,16}$/)),
  address: z.string(),
});

/** The files of a verified contract; undefined where none is. @throws AppError `badResponse`. */
function parseSourcifySources(json: unknown, asked: SourcifyRequest): VerifiedFiles | undefined {
  if (requireSourcifyContract(json, asked).match === null) return undefined;
  const { data } = Sources.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The answer of Sourcify has no sources.');
  const { source, readAt } = asked;
  return { source, readAt, ...parseVerifiedFiles(texts(data.sources)) };
}

function* texts(sources: Readonly<Record<string, unknown>>): Generator<readonly [string, string]> {
  for (const path in sources) {
    const { data } = SourceText.safeParse(sources[path]);
    if (data) yield [path, data.content];
  }
}

/**
 * The chains of `all-chains`, each once; those with an id that no number holds are left out. @throws AppError
 * `badResponse`.
 */
function parseSourcifyChains(json: unknown, { address, source, readAt }: SourcifyRequest): VerifiedChains {
  const { data, error } = Results.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The answer is not one of Sourcify.', { cause: error });
  const ids = data.results.slice(0, MAX_CHAINS).flatMap((entry) => {
    const result = Result.safeParse(entry).data;
    const id = Number(result?.chainId);
    return result && parseAddress(result.address) === address && Number.isSafeInteger(id) ? [id] : [];
  });
  return { source, readAt, chainIds: [...new Set(ids)] };
}

/** What a proxy leads to can change; what was verified does not, and is kept elsewhere for good. */
const CACHE_TTL_MS = 60_000;
const MAX_CACHE_ENTRIES = 500;
/** One request tells all that a decoder needs; the text of sources is asked for only where somebody opens it. */
const FIELDS = [
  ...['abi', 'compilation.name', 'proxyResolution'],
  ...['deployment.blockNumber', 'deployment.transactionHash'],
].join();

/**
 * A client of Sourcify's interface of version 2 for one chain (its OpenAPI description, server 3.12).
 *
 * @throws AppError `badInput` for `sourcify`.
 * @example
 * const client = createSourcifyClient({ ...http, url, chainId: 1, key: undefined, throttle, revoked });
 * (await client.verifiedContract(address))?.abi;
 */
export function createSourcifyClient(options: ProviderOptions): VerifiedProvider {
  const { url, chainId, clock } = options;
  if (!isHttpUrl(url)) throw badInput('sourcify', 'Not an http or https address.');
  const { label, get } = createSourcifyRequests(options);
  const kept = createExpiringCache<VerifiedContract | undefined>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHE_ENTRIES,
  });

  function contractAt(address: Address, asked?: FetchOptions): Promise<VerifiedContract | undefined> {
    const load = async (signal: AbortSignal) => {
      const json = await get(`v2/contract/${chainId}/${address}`, { fields: FIELDS }, { signal });
      return parseSourcifyContract(json, { address, chainId, source: label, readAt: clock.now() });
    };
    return kept.get(address, load, asked);
  }

  return {
    label,
    offers: sourcifyOffers,
    verifiedContract: contractAt,
    proxyAt: async (address, asked) => (await contractAt(address, asked))?.proxy,
    async verifiedSources(address, { signal } = {}) {
      const json = await get(`v2/contract/${chainId}/${address}`, { fields: 'sources' }, { signal });
      return parseSourcifySources(json, { address, chainId, source: label, readAt: clock.now() });
    },
    async verifiedOn(address, { signal } = {}) {
      const json = await get(`v2/contract/all-chains/${address}`, {}, { signal });
      return parseSourcifyChains(json, { address, chainId, source: label, readAt: clock.now() });
    },
  };
}

/** Sources of the largest contracts in use are some megabytes with their metadata. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const SourcifyError = z.object({ customCode: z.string(), message: optionalField(z.string()) });
/** Nothing is verified: the shape of an answer, without one, under status 404. */
const Miss = z.union([z.object({ match: z.null() }), z.object({ results: z.array(z.unknown()) })]);

/** Asks a Sourcify server, at its pace and with second tries. */
function createSourcifyRequests(options: ProviderOptions) {
  const { url: baseUrl, revoked, throttle } = options;
  const label: ProviderLabel = { name: 'sourcify', origin: safeUrl(baseUrl), takesKey: false };

  async function get(
    path: string,
    query: Readonly<Record<string, string>>,
    { signal: askedUntil }: Abortable,
  ): Promise<unknown> {
    const url = joinUrl(baseUrl, path, query);
    const signal = askedUntil ? AbortSignal.any([askedUntil, revoked]) : revoked;
    try {
      return await fetchJson(options, url, {
        signal,
        throttle,
        maxBytes: MAX_RESPONSE_BYTES,
        refusal: interpretError,
      });
    } catch (error) {
      throw withProvider(asAppError(error), label);
    }
  }
  return { label, get };
}

/**
 * A miss is no refusal. Codes: `unsupported_chain` (400) for a chain that the server does not know, `route_not_found`
 * (404) where it has no interface of version 2.
 */
function interpretError(status: number, body: unknown): ErrorInterpretation {
  if (status === 404 && Miss.safeParse(body).success) return { isResult: true };
  const { data } = SourcifyError.safeParse(body);
  if (!data) return {};
  const words = data.message ?? data.customCode;
  if (data.customCode !== 'unsupported_chain' && data.customCode !== 'route_not_found')
    return { message: words };
  const details = { status, serverMessage: truncateServerMessage(words) };
  return { error: new AppError('notServed', 'Sourcify does not serve this.', details) };
}
