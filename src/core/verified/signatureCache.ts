import type { AbiLookup, Candidate, Origin } from '../abi/candidates.ts';
import { type AbiError, type AbiEvent, type AbiFunction, parseAbiItem } from '../abi/item.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError } from '../base/errors.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import type { Hex } from '../eth/hex.ts';
import { isRetriedOnNextUse } from '../http/retry.ts';
import { formatHost } from './fetchVerified.ts';

/** What hashes are asked by: the topic0 of events, the four bytes of functions and errors alike. */
export interface HashRequest {
  readonly events: readonly Hex[];
  readonly selectors: readonly Hex[];
}

/** A name with its types, `Paid(address,uint256)`, that hashes to what was asked. */
export interface NamedSignature {
  readonly signature: string;
  /** Whether it occurs in a verified contract. */
  readonly isVerified: boolean;
}

/** What hashes stand for, those of verified contracts first; a hash that is not in it is not known. */
export interface SignatureNames extends Provenance {
  readonly events: ReadonlyMap<Hex, readonly NamedSignature[]>;
  readonly selectors: ReadonlyMap<Hex, readonly NamedSignature[]>;
}

/** The questions of {@link SignatureProvider}. */
export type SignatureMethod = 'names';

/**
 * Who tells names by their hashes, whatever the chain.
 *
 * @throws AppError, each question, of any network kind.
 */
export interface SignatureProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<SignatureMethod>;
  /** As many requests as the service needs for all of them. */
  names(asked: HashRequest, options?: FetchOptions): Promise<SignatureNames>;
}

/** Hashes whose names are kept; beyond them nobody is asked. */
const MAX_CACHED_HASHES = 10_000;

/** Hashes of which nothing is known. */
export interface SignatureRequest {
  /** With how many topics their logs were seen, which decides how many parameters are indexed. */
  readonly events: ReadonlyMap<Hex, ReadonlySet<number>>;
  readonly selectors: readonly Hex[];
}

interface SignaturePrefetch extends Abortable {
  readonly source: SignatureProvider;
  readonly onFound?: () => void;
  readonly onFailure?: (error: AppError) => void;
}

/** What is known of names by their hashes, once it was wanted. */
export interface SignatureCache {
  /** Finds names, each event in every form that logs of it can have which were seen. Never asks anybody. */
  readonly lookup: AbiLookup;
  /**
   * Asks for names that nobody was asked for. Resolves when that is answered, or failed, those too that others are asking
   * for; never rejects.
   */
  prefetch(wanted: SignatureRequest, asked: SignaturePrefetch): Promise<void>;
  clear(): void;
}

interface Names {
  readonly names: readonly NamedSignature[];
  readonly origin: Origin;
}

/**
 * A store with nothing in it.
 *
 * @example
 * const store = createSignatureCache();
 * await store.want({ events: new Map([[topic0, new Set([3])]]), selectors: [] }, { source });
 */
export function createSignatureCache(): SignatureCache {
  const known = new Map<Hex, Names | undefined>();
  const topics = new Map<Hex, Set<number>>();
  const events = new Map<Hex, readonly Candidate<AbiEvent>[]>();
  const running = new Map<Hex, Promise<void>>();
  let clears = 0;

  function eventsOf(topic0: Hex): readonly Candidate<AbiEvent>[] {
    const kept = events.get(topic0);
    if (kept) return kept;
    const found = known.get(topic0);
    if (!found) return [];
    const counts = [...(topics.get(topic0) ?? [])];
    const candidates = found.names.flatMap(({ signature }) =>
      counts.flatMap((count) => listIndexedVariants(signature, count)),
    );
    const made = candidates.map((item) => ({ item, origin: found.origin }));
    events.set(topic0, made);
    return made;
  }

  function itemsOf<Item extends AbiError | AbiFunction>(kind: Item['kind'], selector: Hex) {
    const { names = [], origin } = known.get(selector) ?? {};
    return names.flatMap(({ signature }): readonly Candidate<Item>[] => {
      const item = parseAbiItem(`${kind} ${signature}`);
      return item && origin ? [{ item: item as Item, origin }] : [];
    });
  }

  /** Notes in which forms events were seen; gives those whose names nobody was asked for. */
  function note(wanted: SignatureRequest['events']): {
    readonly unasked: readonly Hex[];
    readonly isMore: boolean;
  } {
    let isMore = false;
    for (const [topic0, counts] of wanted) {
      const seen = topics.get(topic0) ?? new Set();
      if (topics.size < MAX_CACHED_HASHES) topics.set(topic0, seen);
      for (const count of counts) {
        if (seen.has(count)) continue;
        seen.add(count);
        if (known.get(topic0)) isMore = events.delete(topic0) || isMore;
      }
    }
    return { unasked: [...wanted.keys()].filter((topic0) => !known.has(topic0)), isMore };
  }

  async function read(
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
      for (const [hash, one] of found) {
        known.set(hash, { names: one, origin });
        events.delete(hash);
      }
      if (found.length > 0) onFound?.();
    } catch (cause) {
      const error = asAppError(cause);
      if (isRetriedOnNextUse(error) && clears === before) for (const hash of all) known.delete(hash);
      if (error.kind !== 'aborted') onFailure?.(error);
    }
  }

  return {
    lookup: {
      events: (topic0) => (topic0 === undefined ? [] : eventsOf(topic0)),
      errors: (selector) => itemsOf<AbiError>('error', selector),
      functions: (selector) => itemsOf<AbiFunction>('function', selector),
    },
    async prefetch(wanted, asked) {
      const room = Math.max(0, MAX_CACHED_HASHES - known.size);
      const { unasked, isMore } = note(wanted.events);
      if (isMore) asked.onFound?.();
      const hashes = {
        events: unasked.slice(0, room),
        selectors: wanted.selectors.filter((selector) => !known.has(selector)).slice(0, room),
      };
      const others = new Set([...wanted.events.keys(), ...wanted.selectors].map((hash) => running.get(hash)));
      const all = [...hashes.events, ...hashes.selectors];
      if (all.length > 0) {
        for (const hash of all) known.set(hash, undefined);
        const reading = read(hashes, all, asked);
        for (const hash of all) running.set(hash, reading);
        await reading;
        for (const hash of all) if (running.get(hash) === reading) running.delete(hash);
      }
      await Promise.all(others);
    },
    clear() {
      clears++;
      for (const kept of [known, topics, events]) kept.clear();
    },
  };
}

/** Ways to place `indexed` that are tried: three among nine parameters, two among fifteen. */
export const MAX_INDEXED_VARIANTS = 105;

/**
 * An event of which the types alone are known, in every form whose logs have `topics` topics: each choice of as many
 * indexed parameters, the first parameters first. Which one is meant, a log tells only where no other decodes. Empty
 * where no choice fits, and where there are too many: of a part nobody could say that it is the only one.
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
  if (choices(inputs.length, count) > MAX_INDEXED_VARIANTS) return [];
  return [...combinations(inputs.length, count)].map((chosen) => ({
    ...item,
    inputs: inputs.map((input, index) => ({ ...input, indexed: chosen.includes(index) })),
  }));
}

function choices(of: number, count: number): number {
  let number = 1;
  for (let taken = 0; taken < count; taken++) number = (number * (of - taken)) / (taken + 1);
  return number;
}

/** Every choice of `count` among the first `of` numbers, in order. */
function* combinations(of: number, count: number, from = 0): Generator<readonly number[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let first = from; first <= of - count; first++) {
    for (const rest of combinations(of, count - 1, first + 1)) yield [first, ...rest];
  }
}
