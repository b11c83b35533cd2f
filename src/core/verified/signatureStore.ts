import type { AbiError, AbiEvent, AbiFunction } from '../abi/abiItem.ts';
import type { AbiLookup, Candidate, Origin } from '../abi/candidates.ts';
import { parseAbiItem } from '../abi/read/parseAbiItem.ts';
import type { Abortable } from '../base/abortable.ts';
import { type AppError, asAppError } from '../base/errors.ts';
import type { Hex } from '../values/hex.ts';
import { placeIndexed } from './indexedPlacements.ts';
import { mayAskAgain } from './mayAskAgain.ts';
import type { AskedHashes, NamedSignature, SignatureSource } from './signatureSource.ts';
import { hostOf } from './verifiedItems.ts';

/** Hashes whose names are kept; beyond them nobody is asked. */
const MOST_KEPT = 10_000;

/** Hashes of which nothing is known. */
export interface WantedNames {
  /** With how many topics their logs were seen, which decides how many parameters are indexed. */
  readonly events: ReadonlyMap<Hex, ReadonlySet<number>>;
  readonly selectors: readonly Hex[];
}

interface WantedOf extends Abortable {
  readonly source: SignatureSource;
  readonly onFound?: () => void;
  readonly onFailure?: (error: AppError) => void;
}

/** What is known of names by their hashes, once it was wanted. */
export interface SignatureStore {
  /** Finds names, each event in every form that logs of it can have which were seen. Never asks anybody. */
  readonly lookup: AbiLookup;
  /**
   * Asks for names that nobody was asked for. Resolves when that is answered, or failed, those too that others are asking
   * for; never rejects.
   */
  want(wanted: WantedNames, asked: WantedOf): Promise<void>;
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
 * const store = createSignatureStore();
 * await store.want({ events: new Map([[topic0, new Set([3])]]), selectors: [] }, { source });
 */
export function createSignatureStore(): SignatureStore {
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
      counts.flatMap((count) => placeIndexed(signature, count)),
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
  function note(wanted: WantedNames['events']): {
    readonly unasked: readonly Hex[];
    readonly isMore: boolean;
  } {
    let isMore = false;
    for (const [topic0, counts] of wanted) {
      const seen = topics.get(topic0) ?? new Set();
      if (topics.size < MOST_KEPT) topics.set(topic0, seen);
      for (const count of counts) {
        if (seen.has(count)) continue;
        seen.add(count);
        if (known.get(topic0)) isMore = events.delete(topic0) || isMore;
      }
    }
    return { unasked: [...wanted.keys()].filter((topic0) => !known.has(topic0)), isMore };
  }

  async function read(
    hashes: AskedHashes,
    all: readonly Hex[],
    { source, signal, onFound, onFailure }: WantedOf,
  ): Promise<void> {
    const before = clears;
    try {
      const names = await source.names(hashes, { signal });
      if (clears !== before) return;
      const from = hostOf(names.source.origin);
      const origin: Origin = { trust: 'signatures', from, contract: undefined, line: undefined };
      const found = [...names.events, ...names.selectors];
      for (const [hash, one] of found) {
        known.set(hash, { names: one, origin });
        events.delete(hash);
      }
      if (found.length > 0) onFound?.();
    } catch (cause) {
      const error = asAppError(cause);
      if (mayAskAgain(error) && clears === before) for (const hash of all) known.delete(hash);
      if (error.kind !== 'aborted') onFailure?.(error);
    }
  }

  return {
    lookup: {
      events: (topic0) => (topic0 === undefined ? [] : eventsOf(topic0)),
      errors: (selector) => itemsOf<AbiError>('error', selector),
      functions: (selector) => itemsOf<AbiFunction>('function', selector),
    },
    async want(wanted, asked) {
      const room = Math.max(0, MOST_KEPT - known.size);
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
