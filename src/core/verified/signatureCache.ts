import type { AbiLookup, Candidate, Origin } from '../abi/candidates.ts';
import { type AbiError, type AbiEvent, type AbiFunction, parseAbiItem } from '../abi/item.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError } from '../base/errors.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import type { Hex } from '../eth/hex.ts';
import { isRetriedOnNextUse } from '../http/retry.ts';
import { formatHost } from './fetchVerified.ts';

/**
 * An empty cache.
 *
 * @example
 * const cache = createSignatureCache();
 * await cache.prefetch({ events: new Map([[topic0, new Set([3])]]), selectors: [] }, { source });
 */
export function createSignatureCache(): SignatureCache {
  const byHash = new Map<Hex, Names | undefined>();
  const topicCounts = new Map<Hex, Set<number>>();
  const events = new Map<Hex, readonly Candidate<AbiEvent>[]>();
  const running = new Map<Hex, Promise<void>>();
  let clears = 0;

  function findEvents(topic0: Hex): readonly Candidate<AbiEvent>[] {
    const cached = events.get(topic0);
    if (cached) return cached;
    const found = byHash.get(topic0);
    if (!found) return [];
    const counts = [...(topicCounts.get(topic0) ?? [])];
    const candidates = found.names.flatMap(({ signature }) =>
      counts.flatMap((count) => listIndexedVariants(signature, count)),
    );
    const built = candidates.map((item) => ({ item, origin: found.origin }));
    events.set(topic0, built);
    return built;
  }

  function findItems<Item extends AbiError | AbiFunction>(kind: Item['kind'], selector: Hex) {
    const { names = [], origin } = byHash.get(selector) ?? {};
    return names.flatMap(({ signature }): readonly Candidate<Item>[] => {
      const item = parseAbiItem(`${kind} ${signature}`);
      return item && origin ? [{ item: item as Item, origin }] : [];
    });
  }

  /** Records the numbers of topics and returns the events that were not requested yet. */
  function recordTopicCounts(requested: SignatureRequest['events']): {
    readonly missing: readonly Hex[];
    readonly isMore: boolean;
  } {
    let isMore = false;
    for (const [topic0, counts] of requested) {
      const seen = topicCounts.get(topic0) ?? new Set();
      if (topicCounts.size < MAX_CACHED_HASHES) topicCounts.set(topic0, seen);
      for (const count of counts) {
        if (seen.has(count)) continue;
        seen.add(count);
        if (byHash.get(topic0)) isMore = events.delete(topic0) || isMore;
      }
    }
    return { missing: [...requested.keys()].filter((topic0) => !byHash.has(topic0)), isMore };
  }

  async function fetchNames(
    hashes: HashRequest,
    all: readonly Hex[],
    { source, signal, onFound, onFailure }: SignaturePrefetch,
  ): Promise<void> {
    const before = clears;
    try {
      const names = await source.names(hashes, { signal });
      if (clears !== before) return;
      const from = formatHost(names.source.origin);
      const origin: Origin = { trust: 'signatures', from, contract: undefined, line: undefined };
      const found = [...names.events, ...names.selectors];
      for (const [hash, signatures] of found) {
        byHash.set(hash, { names: signatures, origin });
        events.delete(hash);
      }
      if (found.length > 0) onFound?.();
    } catch (cause) {
      const error = asAppError(cause);
      if (isRetriedOnNextUse(error) && clears === before) for (const hash of all) byHash.delete(hash);
      if (error.kind !== 'aborted') onFailure?.(error);
    }
  }

  return {
    lookup: {
      events: (topic0) => (topic0 === undefined ? [] : findEvents(topic0)),
      errors: (selector) => findItems<AbiError>('error', selector),
      functions: (selector) => findItems<AbiFunction>('function', selector),
    },
    async prefetch(requested, options) {
      const remaining = Math.max(0, MAX_CACHED_HASHES - byHash.size);
      const { missing, isMore } = recordTopicCounts(requested.events);
      if (isMore) options.onFound?.();
      const hashes = {
        events: missing.slice(0, remaining),
        selectors: requested.selectors.filter((selector) => !byHash.has(selector)).slice(0, remaining),
      };
      const othersRunning = new Set(
        [...requested.events.keys(), ...requested.selectors].map((hash) => running.get(hash)),
      );
      const all = [...hashes.events, ...hashes.selectors];
      if (all.length > 0) {
        for (const hash of all) byHash.set(hash, undefined);
        const reading = fetchNames(hashes, all, options);
        for (const hash of all) running.set(hash, reading);
        await reading;
        for (const hash of all) if (running.get(hash) === reading) running.delete(hash);
      }
      await Promise.all(othersRunning);
    },
    clear() {
      clears++;
      for (const map of [byHash, topicCounts, events]) map.clear();
    },
  };
}

/** Signatures by hash, for hashes that were prefetched. */
export interface SignatureCache {
  /** From the cache only. An event has one candidate for each choice of indexed parameters that fits its logs. */
  readonly lookup: AbiLookup;
  /**
   * Requests the hashes that are not in the cache. Resolves when these and equal requests of others have
   * ended; never rejects.
   */
  prefetch(requested: SignatureRequest, options: SignaturePrefetch): Promise<void>;
  clear(): void;
}

interface SignaturePrefetch extends Abortable {
  readonly source: SignatureProvider;
  readonly onFound?: () => void;
  readonly onFailure?: (error: AppError) => void;
}

interface SignatureRequest {
  /** By topic0, the numbers of topics in its logs: they determine how many parameters are indexed. */
  readonly events: ReadonlyMap<Hex, ReadonlySet<number>>;
  readonly selectors: readonly Hex[];
}

/** Looks up signatures by hash, on no particular chain. `names` throws AppError of any network kind. */
export interface SignatureProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<SignatureMethod>;
  /** Makes as many requests as the provider needs for all hashes. */
  names(request: HashRequest, options?: FetchOptions): Promise<SignatureNames>;
}

/** topic0 for events; four bytes for functions and errors alike. */
export interface HashRequest {
  readonly events: readonly Hex[];
  readonly selectors: readonly Hex[];
}

/** A name with its types, such as `Paid(address,uint256)`, that has the requested hash. */
export interface NamedSignature {
  readonly signature: string;
  readonly isVerified: boolean;
}

/** Signatures by hash, those of verified contracts first. Unknown hashes are missing. */
interface SignatureNames extends Provenance {
  readonly events: ReadonlyMap<Hex, readonly NamedSignature[]>;
  readonly selectors: ReadonlyMap<Hex, readonly NamedSignature[]>;
}

export type SignatureMethod = 'names';

/** When the cache is full, no more hashes are requested. */
const MAX_CACHED_HASHES = 10_000;

interface Names {
  readonly names: readonly NamedSignature[];
  readonly origin: Origin;
}

/** The largest number of choices that is tried: three of nine parameters, or two of fifteen. */
const MAX_INDEXED_VARIANTS = 105;

/**
 * The events that a signature without `indexed` may stand for, given the number of topics in the log: one for
 * each choice of indexed parameters, the earliest parameters first. A log identifies one only if no other
 * decodes it. Empty if no choice fits, or if there are too many: from a part, no one choice could be called
 * the only one.
 *
 * @example listIndexedVariants('Paid(address,uint256)', 2).map(({ inputs }) => inputs.map(({ indexed }) => indexed))
 * // [[true, false], [false, true]]
 */
export function listIndexedVariants(signature: string, topics: number): readonly AbiEvent[] {
  const item = parseAbiItem(`event ${signature}`);
  if (item?.kind !== 'event') return [];
  const { inputs } = item;
  const count = topics - 1;
  if (count < 0 || count > 3 || count > inputs.length) return [];
  if (countCombinations(inputs.length, count) > MAX_INDEXED_VARIANTS) return [];
  return [...listCombinations(inputs.length, count)].map((chosen) => ({
    ...item,
    inputs: inputs.map((input, index) => ({ ...input, indexed: chosen.includes(index) })),
  }));
}

function countCombinations(of: number, count: number): number {
  let number = 1;
  for (let taken = 0; taken < count; taken++) number = (number * (of - taken)) / (taken + 1);
  return number;
}

/** Every combination of `count` of the first `of` numbers, in order. */
function* listCombinations(of: number, count: number, from = 0): Generator<readonly number[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let first = from; first <= of - count; first++) {
    for (const rest of listCombinations(of, count - 1, first + 1)) yield [first, ...rest];
  }
}
