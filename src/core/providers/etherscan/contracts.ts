import * as z from 'zod/mini';
import { parseAbi } from '../../abi/parseAbi.ts';
import type { Clock } from '../../base/clock.ts';
import type { Abortable } from '../../base/concurrency.ts';
import { AppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { FetchOptions, Provenance } from '../../base/provenance.ts';
import { isRecord } from '../../base/values.ts';
import { type Address, parseAddress, ZERO_ADDRESS } from '../../eth/hex.ts';
import { NOT_VERIFIED } from '../../etherscan/etherscanResult.ts';
import type { HttpDeps } from '../../http/exchange.ts';
import { addressField, optionalField, textField } from '../../http/fields.ts';
import {
  type ProxyFacts,
  parseImplementations,
  parseVerifiedFiles,
  type VerifiedContract,
  type VerifiedFiles,
  type VerifiedProvider,
} from '../../verified/verifiedContract.ts';
import { ETHERSCAN_URL, explorerContractOffers } from '../provider.ts';
import { createEtherscanRequests, type EtherscanRequests } from './requests.ts';

/**
 * Verified contracts of a chain by Etherscan's API V2, with the user's key. One request brings ABI, name and proxy.
 *
 * @example
 * const contracts = createEtherscanContracts(requests, { clock });
 * (await contracts.verifiedContract(address))?.name;
 */
export function createEtherscanContracts(
  { label, get }: EtherscanRequests,
  { clock }: { readonly clock: Clock },
): VerifiedProvider {
  const cache = createExpiringCache<VerifiedContract | undefined>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHE_ENTRIES,
  });

  async function fetchSource(address: Address, { signal }: Abortable): Promise<Source | undefined> {
    const query = { module: 'contract', action: 'getsourcecode', address };
    return parseSource(await get(query, { signal }));
  }

  const createProvenance = (): Provenance => ({ source: label, readAt: clock.now() });

  function fetchContract(address: Address, fetchOptions?: FetchOptions) {
    const load = async (signal: AbortSignal) => {
      const source = await fetchSource(address, { signal });
      return source && toContract(source, address, createProvenance());
    };
    return cache.get(address, load, fetchOptions);
  }

  return {
    label,
    offers: explorerContractOffers,
    verifiedContract: fetchContract,
    proxyAt: async (address, fetchOptions) => (await fetchContract(address, fetchOptions))?.proxy,
    async verifiedSources(address, { signal } = {}): Promise<VerifiedFiles | undefined> {
      const source = await fetchSource(address, { signal });
      if (!source) return undefined;
      return {
        ...createProvenance(),
        ...parseVerifiedFiles(listFiles(source)),
        metadata: toMetadata(source),
      };
    },
    async verifiedOn() {
      throw new AppError('notServed', 'Etherscan lists no chains of an address.', { provider: label });
    },
  };
}

/**
 * Tests a key with one request that is free on every plan.
 *
 * @throws AppError `badInput` for what cannot be a key, `unauthorized` for a wrong one, and of any network kind.
 */
export async function checkEtherscanKey(http: HttpDeps, key: string, { signal }: Abortable): Promise<void> {
  const requests = createEtherscanRequests({
    ...http,
    ...{ url: ETHERSCAN_URL, chainId: 1, key: { text: key, place: 'query' } },
    revoked: new AbortController().signal,
  });
  const contracts = createEtherscanContracts(requests, http);
  await contracts.verifiedContract(CHECKED_ADDRESS, { signal });
}

/** That of Ethereum's deposit contract, which is verified. */
const CHECKED_ADDRESS: Address = '0x00000000219ab540356cbb839cbe05303d7705fa';

/** The implementation of a proxy can change. Verified contracts never change and are stored elsewhere. */
const CACHE_TTL_MS = 60_000;
const MAX_CACHE_ENTRIES = 500;
/** As JSON text; twenty times the ABI that fits the code of a contract. */
const MAX_ABI_CHARS = 2 * 1024 * 1024;

const Source = z.object({
  SourceCode: z.string(),
  ABI: z.string(),
  ContractName: optionalField(textField),
  CompilerVersion: optionalField(z.string()),
  OptimizationUsed: optionalField(z.string()),
  Runs: optionalField(z.string()),
  EVMVersion: optionalField(z.string()),
  Proxy: optionalField(z.string()),
  Implementation: optionalField(z.string()),
  SimilarMatch: optionalField(addressField),
});
type Source = z.infer<typeof Source>;

/** The only entry of the result; undefined if the contract is not verified, which is a success whose ABI says so. */
function parseSource(result: unknown): Source | undefined {
  if (result === undefined) return undefined;
  const { data, error } = Source.safeParse(Array.isArray(result) ? result[0] : undefined);
  if (!data)
    throw new AppError('badResponse', 'The response of Etherscan is not a contract.', { cause: error });
  return NOT_VERIFIED.test(data.ABI) ? undefined : data;
}

/** Etherscan does not say whether the metadata fits too. With `SimilarMatch`, another contract was verified. */
function toContract(source: Source, address: Address, from: Provenance): VerifiedContract {
  const { ABI, ContractName: name, SimilarMatch: twin } = source;
  if (ABI.length > MAX_ABI_CHARS) throw new AppError('tooLarge', 'The ABI is too large.');
  const proxy = parseProxy(source, address);
  const isTwin = twin !== undefined && twin !== ZERO_ADDRESS && twin !== address;
  return {
    ...from,
    address,
    name,
    abi: parseAbi(parseJson(ABI)).items,
    match: isTwin ? 'twin' : 'partial',
    ...(isTwin && { twin }),
    ...(proxy && { proxy }),
  };
}

function parseProxy({ Proxy: isProxy, Implementation }: Source, address: Address): ProxyFacts | undefined {
  if (isProxy !== '1' || !parseAddress(Implementation)) return undefined;
  const implementations = parseImplementations([{ address: Implementation }], address);
  return implementations.length > 0 ? { type: undefined, implementations } : undefined;
}

/** Source code is one file, or JSON: files by path, or the standard input of the compiler in a second pair of braces. */
function* listFiles({
  SourceCode: code,
  ContractName: name = 'Contract',
  CompilerVersion = '',
}: Source): Generator<[string, string]> {
  const json = parseInput(code);
  const files = isRecord(json) && isRecord(json.sources) ? json.sources : json;
  if (!isRecord(files)) {
    if (code !== '') yield [`${name}.${CompilerVersion.startsWith('vyper') ? 'vy' : 'sol'}`, code];
    return;
  }
  for (const path in files) {
    const file = files[path];
    if (isRecord(file) && typeof file.content === 'string') yield [path, file.content];
  }
}

function parseInput(code: string): unknown {
  const isInput = code.startsWith('{{') && code.endsWith('}}');
  return code.startsWith('{') ? tryParseJson(isInput ? code.slice(1, -1) : code) : undefined;
}

/** The settings of standard JSON if that was verified, else the main ones. */
function toMetadata(source: Source): object {
  const { CompilerVersion: version, OptimizationUsed, Runs, EVMVersion, SourceCode } = source;
  const json = parseInput(SourceCode);
  const optimizer = { enabled: OptimizationUsed === '1', runs: Number(Runs) };
  // `Default` is that of the compiler.
  const evmVersion = /^default$/i.test(EVMVersion ?? '') ? undefined : EVMVersion?.toLowerCase();
  const settings = isRecord(json) && isRecord(json.settings) ? json.settings : { optimizer, evmVersion };
  return { compiler: { version }, settings };
}

function parseJson(text: string): unknown {
  const json = tryParseJson(text);
  if (json === undefined) throw new AppError('badResponse', 'The response of Etherscan has no ABI.');
  return json;
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
