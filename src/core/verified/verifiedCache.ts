import { type AbiLookup, type ChainAddress, chainAddressKey } from '../abi/candidates.ts';
import { type AbiResolver, contractAbiId, createAbiLookup } from '../abi/lookup.ts';
import { type Abortable, forEachLimited } from '../base/concurrency.ts';
import { type AppError, asAppError } from '../base/errors.ts';
import type { Address } from '../eth/hex.ts';
import { isRetriedOnNextUse } from '../http/retry.ts';
import {
  type AbiProvider,
  fetchVerified,
  listVerifiedItems,
  toVerifiedOrigin,
  type VerifiedAddress,
} from './fetchVerified.ts';
import type { VerifiedContract } from './verifiedContract.ts';

/**
 * An empty cache.
 *
 * @example
 * const cache = createVerifiedCache();
 * await cache.prefetch([address], { chainId: 1, endpoint: network.rpcUrl, provider });
 * cache.lookup.events(topic0, { address, chainId: 1 });
 */
export function createVerifiedCache(): VerifiedCache {
  let entries = new Map<string, CacheEntry>();
  let fetched = new Set<string>();
  // Includes the contracts behind proxies.
  let contracts = new Map<string, VerifiedContract>();
  const running = new Map<string, Promise<void>>();
  const lookupAt = (at: ChainAddress | undefined) => at && entries.get(chainAddressKey(at))?.lookup;
  const isFetched = (at: SeenAddress) => entries.has(chainAddressKey(at)) || fetched.has(getFetchKey(at));

  async function read(address: Address, { chainId, endpoint, provider, signal, ...callbacks }: AbiPrefetch) {
    const startedWith = fetched;
    try {
      const found = await fetchVerified(provider, address, { signal });
      if (startedWith !== fetched || found.contracts.length === 0) return;
      for (const contract of found.contracts) {
        contracts.set(chainAddressKey({ address: contract.address, chainId }), contract);
      }
      const lookup = createAbiLookup(listVerifiedItems(found, chainId));
      entries.set(chainAddressKey({ address, chainId }), { read: found, lookup });
      callbacks.onFound?.();
    } catch (cause) {
      const error = asAppError(cause);
      // Transient failures are retried when the address is next seen.
      if (isRetriedOnNextUse(error)) startedWith.delete(getFetchKey({ address, chainId, endpoint }));
      if (error.kind !== 'aborted') callbacks.onFailure?.(error);
    }
  }

  return {
    lookup: {
      events: (topic0, at) => lookupAt(at)?.events(topic0) ?? [],
      errors: (selector, at) => lookupAt(at)?.errors(selector) ?? [],
      functions: (selector, at) => lookupAt(at)?.functions(selector) ?? [],
    },
    abiAt(at) {
      const contract = contracts.get(chainAddressKey(at));
      if (!contract) return undefined;
      // A bare proxy may have no items of its own.
      const items = listVerifiedItems({ contracts: [contract] }, at.chainId);
      return { id: contractAbiId(toVerifiedOrigin(contract, at.chainId)), items };
    },
    at: (at) => entries.get(chainAddressKey(at))?.read,
    isFetched,
    async prefetch(addresses, options) {
      const pending = new Map<string, Address>();
      const othersRunning = new Set<Promise<void>>();
      for (const address of addresses) {
        const at = { ...options, address };
        const key = getFetchKey(at);
        const other = fetched.has(key) ? running.get(key) : undefined;
        if (other) othersRunning.add(other);
        if (isFetched(at) || fetched.size >= MAX_PREFETCHED_ADDRESSES) continue;
        fetched.add(key);
        pending.set(key, address);
      }
      const reads = forEachLimited([...pending.values()], (address) => read(address, options), {
        limit: MAX_CONCURRENT_FETCHES,
      });
      for (const key of pending.keys()) running.set(key, reads);
      await reads;
      for (const key of pending.keys()) if (running.get(key) === reads) running.delete(key);
      await Promise.all(othersRunning);
    },
    clear() {
      entries = new Map();
      fetched = new Set();
      contracts = new Map();
    },
  };
}

interface CacheEntry {
  readonly read: VerifiedAddress;
  readonly lookup: AbiLookup;
}

/** Verified contracts by address, for addresses that were prefetched. */
export interface VerifiedCache extends AbiResolver {
  /** From the cache only: the items at an address and its implementations. */
  readonly lookup: AbiLookup;
  at(at: ChainAddress): VerifiedAddress | undefined;
  isFetched(at: SeenAddress): boolean;
  /**
   * Requests the addresses that were not requested yet. Resolves when these and equal requests of others have
   * ended; never rejects.
   */
  prefetch(addresses: Iterable<Address>, options: AbiPrefetch): Promise<void>;
  /** Drops everything; later requests fetch again. */
  clear(): void;
}

const MAX_CONCURRENT_FETCHES = 4;
/** Beyond this, no more addresses are fetched. */
const MAX_PREFETCHED_ADDRESSES = 2_000;

/** An address of a chain, seen at one of its endpoints. */
interface SeenAddress extends ChainAddress {
  /**
   * Any ID of the endpoint. What one endpoint does not have is fetched again for another: its providers may
   * differ, and a local fork has contracts that its chain does not have.
   */
  readonly endpoint: string;
}

export interface AbiPrefetch extends Abortable, Omit<SeenAddress, 'address'> {
  readonly provider: AbiProvider;
  readonly onFound?: () => void;
  readonly onFailure?: (error: AppError) => void;
}

function getFetchKey(at: SeenAddress): string {
  return `${chainAddressKey(at)} ${at.endpoint}`;
}
