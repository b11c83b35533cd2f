import type { Origin, Trust } from '../abi/candidates.ts';
import type { LocatedItem } from '../abi/lookup.ts';
import { forEachLimited } from '../base/concurrency.ts';
import { type AppError, asAppError, isAppError } from '../base/errors.ts';
import type { FetchOptions } from '../base/provenance.ts';
import { pushAll } from '../base/values.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import {
  MAX_IMPLEMENTATIONS,
  type ProxyFacts,
  type VerifiedContract,
  type VerifiedProvider,
} from './verifiedContract.ts';

/**
 * Fetches the verified contract at `address` and follows proxies, so that the events of both the proxy and
 * the implementation are included. No contract is followed twice.
 *
 * @throws AppError of the request for the address itself; failures behind it make the result partial.
 * @example
 * const { contracts } = await fetchVerified(provider, address, { signal });
 * contracts.flatMap(({ abi }) => abi);
 */
export async function fetchVerified(
  provider: AbiProvider,
  address: Address,
  options?: FetchOptions,
): Promise<VerifiedAddress> {
  const visited = new Set<Address>([address]);
  const contracts: VerifiedContract[] = [];
  let isPartial = false;
  let firstProxy: ProxyFacts | undefined;
  let level: readonly Address[] = [address];
  for (let depth = 0; level.length > 0; depth++) {
    const found: (VerifiedContract | undefined)[] = [];
    const proxies: (ProxyFacts | undefined)[] = [];
    const entries = level.map((at, index) => ({ at, index }));
    await forEachLimited(
      entries,
      async ({ at, index }) => {
        try {
          found[index] = await provider.verifiedContract(at, options);
          // A provider that has the contract has checked whether it is a proxy: no second request.
          proxies[index] = found[index] ? found[index].proxy : await provider.proxyAt(at, options);
        } catch (error) {
          if (depth === 0 || isAppError(error, 'aborted')) throw asAppError(error);
          isPartial = true;
        }
      },
      { limit: MAX_CONCURRENT_FETCHES },
    );
    pushAll(
      contracts,
      found.filter((contract) => contract !== undefined),
    );
    if (depth === 0) firstProxy = proxies[0];
    const next = proxies.flatMap((proxy) => proxy?.implementations ?? []).map((one) => one.address);
    const unvisited = [...new Set(next)].filter((one) => !visited.has(one));
    const remaining = depth < MAX_PROXY_DEPTH ? MAX_IMPLEMENTATIONS + 1 - visited.size : 0;
    if (unvisited.length > remaining) isPartial = true;
    level = unvisited.slice(0, Math.max(0, remaining));
    for (const one of level) visited.add(one);
  }
  return { address, contracts, proxy: firstProxy, isPartial };
}

/** The verified contracts at an address and, if it is a proxy, at its implementations. */
export interface VerifiedAddress {
  readonly address: Address;
  /**
   * The contract at the address first, then its implementations, without duplicates; unverified ones are
   * missing.
   */
  readonly contracts: readonly VerifiedContract[];
  readonly proxy: ProxyFacts | undefined;
  /**
   * Whether implementations are missing because a request failed or a limit was reached (3 deep, 40
   * contracts).
   */
  readonly isPartial: boolean;
}

export type AbiProvider = Pick<VerifiedProvider, 'verifiedContract' | 'proxyAt'>;

/**
 * Combines several providers, tried in order: the first that has the contract itself verified wins, otherwise
 * the first with a twin. A provider that fails is skipped.
 *
 * Its methods throw the AppError of a failed provider if no other has the contract: unknown does not mean
 * unverified.
 *
 * @example
 * const provider = chainAbiProviders([explorer, sourcifyProvider]);
 */
export function chainAbiProviders(providers: readonly AbiProvider[]): AbiProvider {
  return {
    async verifiedContract(address, options) {
      let twin: VerifiedContract | undefined;
      const fetchFrom = async (provider: AbiProvider) => {
        const contract = await provider.verifiedContract(address, options);
        if (contract?.match !== 'twin') return contract;
        twin ??= contract;
        return undefined;
      };
      try {
        return (await findFirst(providers, fetchFrom, options)) ?? twin;
      } catch (error) {
        if (twin && !isAppError(error, 'aborted')) return twin;
        throw error;
      }
    },
    proxyAt: (address: Address, options?: FetchOptions) =>
      findFirst<ProxyFacts>(providers, (provider) => provider.proxyAt(address, options), options),
  };
}

/**
 * The contract to which an account delegates (EIP-7702), as the endpoint tells. Few providers look for it.
 *
 * @example
 * chainAbiProviders([sourcifyProvider, createDelegateProvider(client)]);
 */
export function createDelegateProvider({ fetchDelegate }: DelegateClient): AbiProvider {
  return {
    verifiedContract: async () => undefined,
    async proxyAt(address, { signal } = {}) {
      try {
        const delegate = await fetchDelegate(address, { signal });
        return delegate && { type: 'eip7702', implementations: [{ address: delegate }] };
      } catch (error) {
        if (!isAppError(error) || error.kind === 'aborted') throw error;
        return undefined;
      }
    },
  };
}

/** The part of a `ChainClient` that is used. */
interface DelegateClient {
  fetchDelegate(address: Address, options?: FetchOptions): Promise<Address | undefined>;
}

async function findFirst<T>(
  providers: readonly AbiProvider[],
  fetchFrom: (provider: AbiProvider) => Promise<T | undefined>,
  { signal }: FetchOptions = {},
): Promise<T | undefined> {
  let failure: AppError | undefined;
  for (const provider of providers) {
    try {
      const result = await fetchFrom(provider);
      if (result) return result;
    } catch (error) {
      if (signal?.aborted) throw error;
      // A provider that does not serve the chain has not failed.
      if (!isAppError(error, 'notServed')) failure ??= asAppError(error);
    }
  }
  if (failure) throw failure;
  return undefined;
}

/** How many proxies are followed in a row. */
const MAX_PROXY_DEPTH = 3;
const MAX_CONCURRENT_FETCHES = 4;

/**
 * The chains on which a contract is verified at an address, by all providers that serve several chains.
 *
 * @throws AppError of a provider that failed.
 * @example
 * await fetchVerifiedChains([sourcifyProvider], address);
 */
export async function fetchVerifiedChains(
  providers: readonly Pick<VerifiedProvider, 'offers' | 'verifiedOn'>[],
  address: Address,
  options?: FetchOptions,
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const provider of providers) {
    if (provider.offers.verifiedOn === undefined) continue;
    try {
      for (const chainId of (await provider.verifiedOn(address, options)).chainIds) found.add(chainId);
    } catch (error) {
      if (!isAppError(error, 'notServed')) throw asAppError(error);
    }
  }
  return [...found];
}

/** Items of one address, implementations included. */
const MAX_ITEMS_PER_ADDRESS = 10_000;

/**
 * The ABI items of verified contracts with their origin. An item that several contracts share belongs to the
 * first.
 *
 * @example
 * createAbiLookup(listVerifiedItems(await fetchVerified(provider, address), 1));
 */
export function listVerifiedItems(
  { contracts }: Pick<VerifiedAddress, 'contracts'>,
  chainId: number,
): readonly LocatedItem[] {
  const items = new Map<string, LocatedItem>();
  for (const contract of contracts) {
    const origin = toVerifiedOrigin(contract, chainId);
    for (const text of contract.abi) {
      const existing = items.get(text);
      if (items.size < MAX_ITEMS_PER_ADDRESS && !existing) items.set(text, { text, origin });
    }
  }
  return [...items.values()];
}

/**
 * The origin of the items of a verified contract.
 *
 * @example
 * toVerifiedOrigin(contract, 1).trust; // 'verified'
 */
export function toVerifiedOrigin(
  { address, name, source, twin, changedBytecode, ...rest }: VerifiedContract,
  chainId: number,
): Origin {
  return {
    trust: toTrust(rest.match, changedBytecode),
    from: `${formatHost(source.origin)} ${toChecksumAddress(address)}`,
    contract: name,
    line: undefined,
    verified: {
      chainId,
      address,
      source,
      ...(twin !== undefined && { twin }),
      ...(changedBytecode && { changedBytecode }),
    },
  };
}

/** If the code has changed since the verification, the match is not exact. */
function toTrust(match: VerifiedContract['match'], changed: boolean | undefined): Trust {
  if (match === 'twin') return 'twin';
  return match === 'exact' && !changed ? 'verified' : 'partlyVerified';
}

/** `sourcify.dev`, `127.0.0.1:8545`. */
export function formatHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
