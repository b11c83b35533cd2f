import { type AbiLookup, type OnChain, onChainKey } from '../abi/candidates.ts';
import { createAbiLookup } from '../abi/lookup/abiLookup.ts';
import { type KnownCode, knownAbiId } from '../abi/lookup/knownCode.ts';
import type { Abortable } from '../base/abortable.ts';
import { eachLimited } from '../base/eachLimited.ts';
import { type AppError, asAppError } from '../base/errors.ts';
import type { Address } from '../values/address.ts';
import type { AbiSource } from './firstVerified.ts';
import { mayAskAgain } from './mayAskAgain.ts';
import { readVerified, type VerifiedAt } from './readVerified.ts';
import type { VerifiedContract } from './verifiedContract.ts';
import { verifiedItems, verifiedOrigin } from './verifiedItems.ts';

/** Addresses that are asked at a time. */
const AT_ONCE = 4;
/** Addresses whose answers are kept; beyond them nobody is asked. */
const MOST_KEPT = 2_000;

export interface WantedAt extends Abortable {
  readonly chainId: number;
  readonly source: AbiSource;
  /** Something more is known. */
  readonly onFound?: () => void;
  readonly onFailure?: (error: AppError) => void;
}

/** What is known of verified contracts by their addresses, once it was wanted. */
export interface VerifiedStore extends KnownCode {
  /** Finds what is verified at an address and behind it. Never asks anybody. */
  readonly lookup: AbiLookup;
  at(at: OnChain): VerifiedAt | undefined;
  /** Whether somebody was asked of an address, or is being asked. */
  isAsked(at: OnChain): boolean;
  /**
   * Asks of each address that nobody was asked of. Resolves when all have answered, or failed, those too that others are
   * asking of; never rejects.
   */
  want(addresses: Iterable<Address>, asked: WantedAt): Promise<void>;
  /** Forgets everything, so that all is asked anew. */
  clear(): void;
}

interface Known {
  readonly read: VerifiedAt;
  readonly lookup: AbiLookup;
}

/**
 * A store with nothing in it.
 *
 * @example
 * const store = createVerifiedStore();
 * await store.want([address], { chainId: 1, source });
 * store.lookup.events(topic0, { address, chainId: 1 });
 */
export function createVerifiedStore(): VerifiedStore {
  let known = new Map<string, Known | undefined>();
  // What was met behind a proxy too.
  let contracts = new Map<string, VerifiedContract>();
  const running = new Map<string, Promise<void>>();
  const lookupAt = (at: OnChain | undefined) => at && known.get(onChainKey(at))?.lookup;

  async function read(address: Address, { chainId, source, signal, ...asked }: WantedAt): Promise<void> {
    const into = known;
    const key = onChainKey({ address, chainId });
    try {
      const found = await readVerified(source, address, { signal });
      if (into !== known || found.contracts.length === 0) return;
      for (const contract of found.contracts) {
        contracts.set(onChainKey({ address: contract.address, chainId }), contract);
      }
      known.set(key, { read: found, lookup: createAbiLookup(verifiedItems(found, chainId)) });
      asked.onFound?.();
    } catch (cause) {
      const error = asAppError(cause);
      // What may pass is asked again when the address is next in sight.
      if (into === known && mayAskAgain(error)) known.delete(key);
      if (error.kind !== 'aborted') asked.onFailure?.(error);
    }
  }

  return {
    lookup: {
      events: (topic0, at) => lookupAt(at)?.events(topic0) ?? [],
      errors: (selector, at) => lookupAt(at)?.errors(selector) ?? [],
      functions: (selector, at) => lookupAt(at)?.functions(selector) ?? [],
    },
    abiAt(at) {
      const contract = contracts.get(onChainKey(at));
      if (!contract) return undefined;
      // A bare proxy may have no item of its own.
      const items = verifiedItems({ contracts: [contract] }, at.chainId);
      return { id: knownAbiId(verifiedOrigin(contract, at.chainId)), items };
    },
    at: (at) => known.get(onChainKey(at))?.read,
    isAsked: (at) => known.has(onChainKey(at)),
    async want(addresses, asked) {
      const wanted = new Map<string, Address>();
      const others = new Set<Promise<void>>();
      for (const address of addresses) {
        const key = onChainKey({ address, chainId: asked.chainId });
        const other = known.has(key) ? running.get(key) : undefined;
        if (other) others.add(other);
        if (known.has(key) || known.size >= MOST_KEPT) continue;
        known.set(key, undefined);
        wanted.set(key, address);
      }
      const reads = eachLimited([...wanted.values()], (address) => read(address, asked), { limit: AT_ONCE });
      for (const key of wanted.keys()) running.set(key, reads);
      await reads;
      for (const key of wanted.keys()) if (running.get(key) === reads) running.delete(key);
      await Promise.all(others);
    },
    clear() {
      known = new Map();
      contracts = new Map();
    },
  };
}
