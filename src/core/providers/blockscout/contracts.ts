import * as z from 'zod/mini';
import { parseAbi } from '../../abi/parseAbi.ts';
import type { Abortable } from '../../base/concurrency.ts';
import { AppError, asAppError, isAppError, safeUrl, withProvider } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { FetchOptions, Provenance, ProviderLabel } from '../../base/provenance.ts';
import { isRecord } from '../../base/values.ts';
import type { Address } from '../../eth/hex.ts';
import { fetchFromExplorer, isExplorerNotFound } from '../../http/fetchJson.ts';
import { addressField, listField, optionalField, textField } from '../../http/fields.ts';
import { explorerApiUrl } from '../../networks/network.ts';
import {
  type ProxyFacts,
  parseImplementations,
  parseVerifiedFiles,
  type VerifiedContract,
  type VerifiedFiles,
  type VerifiedMatch,
  type VerifiedProvider,
} from '../../verified/verifiedContract.ts';
import { explorerContractOffers, type ProviderOptions } from '../provider.ts';

/**
 * Verified contracts of a Blockscout explorer: by its REST API, or by its `contract` module if the release
 * lacks the REST route. The client remembers which of the two works.
 *
 * @example
 * const contracts = createExplorerContracts({ ...http, url: rpcUrl, chainId: 1, key: undefined, throttle, revoked });
 * (await contracts.verifiedContract(address))?.name;
 */
export function createExplorerContracts(options: ProviderOptions): VerifiedProvider {
  const { url: rpcUrl, clock, revoked } = options;
  const label: ProviderLabel = { name: 'blockscout', origin: safeUrl(rpcUrl), takesKey: false };
  const cache = createExpiringCache<Omit<SmartContract, 'files'>>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHE_ENTRIES,
  });
  const filesCache = createExpiringCache<VerifiedFiles | undefined>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHED_SOURCES,
  });
  let hasRest: boolean | undefined;

  const createProvenance = () => ({ source: label, readAt: clock.now() });

  async function get(path: string, query: Readonly<Record<string, string>>, { signal }: Abortable) {
    const url = explorerApiUrl(rpcUrl, path, query);
    if (!url) throw new AppError('notServed', 'The endpoint is not an explorer.');
    return fetchFromExplorer(options, url, { signal, maxBytes: MAX_RESPONSE_BYTES });
  }

  /** Undefined if the release lacks the route. */
  async function fetchByRest(address: Address, fetchOptions: Abortable): Promise<SmartContract | undefined> {
    try {
      const json = await get(`/api/v2/smart-contracts/${address}`, {}, fetchOptions);
      hasRest = true;
      return parseSmartContract(json, { ...createProvenance(), address });
    } catch (error) {
      if (!isAppError(error, 'notFound', 'badResponse')) throw error;
      const { status } = error.details;
      if (isExplorerNotFound(error)) return NOTHING;
      // An unknown route is 404 in old releases and 400 in newer ones.
      if (hasRest || (status !== 404 && status !== 400)) throw error;
      hasRest = false;
      return undefined;
    }
  }

  async function fetchByModule(address: Address, fetchOptions: Abortable): Promise<SmartContract> {
    const json = await get('/api', { module: 'contract', action: 'getabi', address }, fetchOptions);
    return { ...NOTHING, contract: parseModuleAbi(json, { ...createProvenance(), address }) };
  }

  async function read(address: Address, callerSignal: AbortSignal): Promise<SmartContract> {
    const signal = AbortSignal.any([callerSignal, revoked]);
    try {
      const contract = hasRest === false ? undefined : await fetchByRest(address, { signal });
      return contract ?? (await fetchByModule(address, { signal }));
    } catch (error) {
      throw withProvider(asAppError(error), label);
    }
  }

  function fetchContract(
    address: Address,
    fetchOptions?: FetchOptions,
  ): Promise<Omit<SmartContract, 'files'>> {
    const load = async (signal: AbortSignal) => {
      const { files, ...contract } = await read(address, signal);
      await filesCache.get(address, async () => files, { fresh: true });
      return contract;
    };
    return cache.get(address, load, fetchOptions);
  }

  return {
    label,
    offers: explorerContractOffers,
    verifiedContract: async (address, fetchOptions) => (await fetchContract(address, fetchOptions)).contract,
    proxyAt: async (address, fetchOptions) => (await fetchContract(address, fetchOptions)).proxy,
    verifiedSources: (address, fetchOptions) =>
      filesCache.get(address, async (signal) => (await read(address, signal)).files, fetchOptions),
    async verifiedOn() {
      throw new AppError('notServed', 'An explorer serves only one chain.', { provider: label });
    },
  };
}

const CACHE_TTL_MS = 60_000;
const MAX_CACHE_ENTRIES = 200;
/** Source files that came with an ABI and are rarely opened. */
const MAX_CACHED_SOURCES = 4;
/** Includes source and bytecode; for the largest contracts several megabytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const NOTHING: SmartContract = { contract: undefined, proxy: undefined, files: undefined };

interface SmartContract {
  readonly contract: VerifiedContract | undefined;
  readonly proxy: ProxyFacts | undefined;
  readonly files: VerifiedFiles | undefined;
}

const ModuleResponse = z.object({ status: z.enum(['0', '1']), message: z.string(), result: z.unknown() });
/** As JSON text; twenty times the ABI that fits the code of a contract. */
const MAX_ABI_CHARS = 2 * 1024 * 1024;

/**
 * Parses `GET /api?module=contract&action=getabi`, which returns the ABI as JSON text; undefined if the
 * contract is not verified. It reports neither the name nor the match.
 *
 * @throws AppError `badResponse`, `tooLarge`.
 */
function parseModuleAbi(
  json: unknown,
  from: Provenance & { readonly address: Address },
): VerifiedContract | undefined {
  const { data, error } = ModuleResponse.safeParse(json);
  if (!data)
    throw new AppError('badResponse', 'The response of the explorer is not a contract.', { cause: error });
  // A miss has status 0: `Contract source code not verified`.
  if (data.status === '0') return undefined;
  if (typeof data.result !== 'string')
    throw new AppError('badResponse', 'The response of the explorer has no ABI.');
  if (data.result.length > MAX_ABI_CHARS) throw new AppError('tooLarge', 'The ABI is too large.');
  return { ...from, name: undefined, abi: parseAbi(parseJson(data.result)).items, match: 'partial' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('badResponse', 'The response of the explorer has no ABI.', { cause });
  }
}

const SmartContractResponse = z.object({
  is_verified: optionalField(z.boolean()),
  is_fully_verified: optionalField(z.boolean()),
  is_changed_bytecode: optionalField(z.boolean()),
  verified_twin_address_hash: optionalField(addressField),
  name: optionalField(textField),
  abi: optionalField(listField),
  proxy_type: optionalField(textField),
  implementations: optionalField(listField),
  // Releases before the list of implementations have one of either kind.
  implementation_address: optionalField(z.string()),
  implementation_name: optionalField(z.string()),
  minimal_proxy_address_hash: optionalField(z.string()),
  conflicting_implementations: optionalField(listField),
  source_code: optionalField(z.string()),
  file_path: optionalField(z.string()),
  additional_sources: optionalField(listField),
  compiler_version: optionalField(textField),
  compiler_settings: optionalField(z.record(z.string(), z.unknown())),
  optimization_enabled: optionalField(z.boolean()),
  optimization_runs: optionalField(z.number()),
  evm_version: optionalField(textField),
});
type SmartContractResponse = z.infer<typeof SmartContractResponse>;

const Source = z.object({ file_path: z.string(), source_code: z.string() });

/**
 * Parses `GET /api/v2/smart-contracts/{hash}` with the field names of every release. The ABI may be that of
 * another contract with the same code: then this contract is not verified, and the other one is its twin.
 *
 * @throws AppError `badResponse`.
 */
function parseSmartContract(
  json: unknown,
  { address, ...from }: Provenance & { readonly address: Address },
): SmartContract {
  const { data, error } = SmartContractResponse.safeParse(json);
  if (!data)
    throw new AppError('badResponse', 'The response of the explorer is not a contract.', { cause: error });
  const proxy = parseProxy(data, address);
  if (data.abi === undefined) return { contract: undefined, proxy, files: undefined };
  const match = toMatch(data);
  const twin = match === 'twin' ? data.verified_twin_address_hash : undefined;
  const contract: VerifiedContract = {
    ...from,
    address,
    name: data.name,
    abi: parseAbi(data.abi).items,
    match,
    ...(twin !== undefined && twin !== address && { twin }),
    ...(proxy && { proxy }),
    ...(data.is_changed_bytecode && { changedBytecode: true }),
  };
  return {
    contract,
    proxy,
    files: { ...from, ...parseVerifiedFiles(listFiles(data)), metadata: toMetadata(data) },
  };
}

/** Its settings are those of standard JSON, or the main ones alone. */
function toMetadata(response: SmartContractResponse): object | undefined {
  const { compiler_version: version, compiler_settings: settings, evm_version: evmVersion } = response;
  if (version === undefined) return undefined;
  const { optimization_enabled: enabled, optimization_runs: runs } = response;
  return { compiler: { version }, settings: settings ?? { optimizer: { enabled, runs }, evmVersion } };
}

/** Releases that do not report whether a contract is verified do not report twins either. */
function toMatch({
  is_verified,
  is_fully_verified,
  verified_twin_address_hash: twin,
}: SmartContractResponse): VerifiedMatch {
  if (is_verified === false || (is_verified === undefined && twin !== undefined)) return 'twin';
  return is_fully_verified ? 'exact' : 'partial';
}

function parseProxy(response: SmartContractResponse, address: Address): ProxyFacts | undefined {
  const { implementation_address: single, implementation_name: name } = response;
  const olderFields = [{ address: single, name }, { address: response.minimal_proxy_address_hash }];
  const implementations = parseImplementations(
    [...(response.implementations ?? []), ...olderFields],
    address,
  );
  const chosen = new Set(implementations.map((one) => one.address));
  const all = parseImplementations(listConflicts(response), address).map((one) => one.address);
  const conflicting = all.filter((one) => !chosen.has(one));
  if (implementations.length === 0 && conflicting.length === 0) return undefined;
  return { type: response.proxy_type, implementations, ...(conflicting.length > 0 && { conflicting }) };
}

/** Either a flat list of implementations, or one list per detected pattern. */
function listConflicts({
  conflicting_implementations: entries = [],
}: SmartContractResponse): readonly unknown[] {
  return entries.flatMap((entry) =>
    isRecord(entry) && Array.isArray(entry.implementations) ? entry.implementations : [entry],
  );
}

function* listFiles({
  file_path,
  name,
  source_code,
  additional_sources,
}: SmartContractResponse): Generator<[string, string]> {
  if (source_code !== undefined) yield [file_path ?? `${name ?? 'Contract'}.sol`, source_code];
  for (const entry of additional_sources ?? []) {
    const { data } = Source.safeParse(entry);
    if (data) yield [data.file_path, data.source_code];
  }
}
