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
/** Addresses that are asked of; beyond them nobody is. */
const MOST_ASKED = 2_000;

/** An address of a chain, met at an endpoint of it. */
export interface MetAt extends OnChain {
  /**
   * Any name of it. What is not found for one endpoint is asked for again for another: those asked need not be the
   * same, and a fork on this machine has contracts that its chain does not have.
   */
  readonly endpoint: string;
}

export interface WantedAt extends Abortable, Omit<MetAt, 'address'> {
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
  isAsked(at: MetAt): boolean;
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
 * await store.want([address], { chainId: 1, endpoint: network.rpcUrl, source });
 * store.lookup.events(topic0, { address, chainId: 1 });
 */
export function createVerifiedStore(): VerifiedStore {
  let known = new Map<string, Known>();
  let asked = new Set<string>();
  // What was met behind a proxy too.
  let contracts = new Map<string, VerifiedContract>();
  const running = new Map<string, Promise<void>>();
  const lookupAt = (at: OnChain | undefined) => at && known.get(onChainKey(at))?.lookup;
  const isAsked = (at: MetAt) => known.has(onChainKey(at)) || asked.has(askedKeyOf(at));

  async function read(address: Address, { chainId, endpoint, source, signal, ...told }: WantedAt) {
    const into = asked;
    try {
      const found = await readVerified(source, address, { signal });
      if (into !== asked || found.contracts.length === 0) return;
      for (const contract of found.contracts) {
        contracts.set(onChainKey({ address: contract.address, chainId }), contract);
      }
      const lookup = createAbiLookup(verifiedItems(found, chainId));
      known.set(onChainKey({ address, chainId }), { read: found, lookup });
      told.onFound?.();
    } catch (cause) {
      const error = asAppError(cause);
      // What may pass is asked again when the address is next in sight.
      if (mayAskAgain(error)) into.delete(askedKeyOf({ address, chainId, endpoint }));
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
      const contract = contracts.get(onChainKey(at));
      if (!contract) return undefined;
      // A bare proxy may have no item of its own.
      const items = verifiedItems({ contracts: [contract] }, at.chainId);
      return { id: knownAbiId(verifiedOrigin(contract, at.chainId)), items };
    },
    at: (at) => known.get(onChainKey(at))?.read,
    isAsked,
    async want(addresses, wantedAt) {
      const wanted = new Map<string, Address>();
      const others = new Set<Promise<void>>();
      for (const address of addresses) {
        const at = { ...wantedAt, address };
        const key = askedKeyOf(at);
        const other = asked.has(key) ? running.get(key) : undefined;
        if (other) others.add(other);
        if (isAsked(at) || asked.size >= MOST_ASKED) continue;
        asked.add(key);
        wanted.set(key, address);
      }
      const reads = eachLimited([...wanted.values()], (address) => read(address, wantedAt), {
        limit: AT_ONCE,
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

function askedKeyOf(at: MetAt): string {
  return `${onChainKey(at)} ${at.endpoint}`;
}
