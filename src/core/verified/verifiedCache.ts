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

/** Addresses that are asked at a time. */
const MAX_CONCURRENT_FETCHES = 4;
/** Addresses that are asked of; beyond them nobody is. */
const MAX_PREFETCHED_ADDRESSES = 2_000;

/** An address of a chain, met at an endpoint of it. */
export interface SeenAddress extends ChainAddress {
  /**
   * Any name of it. What is not found for one endpoint is asked for again for another: those asked need not be the
   * same, and a fork on this machine has contracts that its chain does not have.
   */
  readonly endpoint: string;
}

export interface AbiPrefetch extends Abortable, Omit<SeenAddress, 'address'> {
  readonly provider: AbiProvider;
  /** Something more is known. */
  readonly onFound?: () => void;
  readonly onFailure?: (error: AppError) => void;
}

/** What is known of verified contracts by their addresses, once it was wanted. */
export interface VerifiedCache extends AbiResolver {
  /** Finds what is verified at an address and behind it. Never asks anybody. */
  readonly lookup: AbiLookup;
  at(at: ChainAddress): VerifiedAddress | undefined;
  /** Whether somebody was asked of an address, or is being asked. */
  isFetched(at: SeenAddress): boolean;
  /**
   * Asks of each address that nobody was asked of. Resolves when all have answered, or failed, those too that others are
   * asking of; never rejects.
   */
  prefetch(addresses: Iterable<Address>, asked: AbiPrefetch): Promise<void>;
  /** Forgets everything, so that all is asked anew. */
  clear(): void;
}

interface CacheEntry {
  readonly read: VerifiedAddress;
  readonly lookup: AbiLookup;
}

/**
 * A store with nothing in it.
 *
 * @example
 * const store = createVerifiedCache();
 * await store.want([address], { chainId: 1, endpoint: network.rpcUrl, source });
 * store.lookup.events(topic0, { address, chainId: 1 });
 */
export function createVerifiedCache(): VerifiedCache {
  let known = new Map<string, CacheEntry>();
  let asked = new Set<string>();
  // What was met behind a proxy too.
  let contracts = new Map<string, VerifiedContract>();
  const running = new Map<string, Promise<void>>();
  const lookupAt = (at: ChainAddress | undefined) => at && known.get(chainAddressKey(at))?.lookup;
  const isAsked = (at: SeenAddress) => known.has(chainAddressKey(at)) || asked.has(getFetchKey(at));

  async function read(address: Address, { chainId, endpoint, provider, signal, ...told }: AbiPrefetch) {
    const into = asked;
    try {
      const found = await fetchVerified(provider, address, { signal });
      if (into !== asked || found.contracts.length === 0) return;
      for (const contract of found.contracts) {
        contracts.set(chainAddressKey({ address: contract.address, chainId }), contract);
      }
      const lookup = createAbiLookup(listVerifiedItems(found, chainId));
      known.set(chainAddressKey({ address, chainId }), { read: found, lookup });
      told.onFound?.();
    } catch (cause) {
      const error = asAppError(cause);
      // What may pass is asked again when the address is next in sight.
      if (isRetriedOnNextUse(error)) into.delete(getFetchKey({ address, chainId, endpoint }));
      if (error.kind !== 'aborted') told.onFailure?.(error);
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
      // A bare proxy may have no item of its own.
      const items = listVerifiedItems({ contracts: [contract] }, at.chainId);
      return { id: contractAbiId(toVerifiedOrigin(contract, at.chainId)), items };
    },
    at: (at) => known.get(chainAddressKey(at))?.read,
    isFetched: isAsked,
    async prefetch(addresses, wantedAt) {
      const wanted = new Map<string, Address>();
      const others = new Set<Promise<void>>();
      for (const address of addresses) {
        const at = { ...wantedAt, address };
        const key = getFetchKey(at);
        const other = asked.has(key) ? running.get(key) : undefined;
        if (other) others.add(other);
        if (isAsked(at) || asked.size >= MAX_PREFETCHED_ADDRESSES) continue;
        asked.add(key);
        wanted.set(key, address);
      }
      const reads = forEachLimited([...wanted.values()], (address) => read(address, wantedAt), {
        limit: MAX_CONCURRENT_FETCHES,
      });
      for (const key of wanted.keys()) running.set(key, reads);
      await reads;
      for (const key of wanted.keys()) if (running.get(key) === reads) running.delete(key);
      await Promise.all(others);
    },
    clear() {
      known = new Map();
      asked = new Set();
      contracts = new Map();
    },
  };
}

function getFetchKey(at: SeenAddress): string {
  return `${chainAddressKey(at)} ${at.endpoint}`;
}
