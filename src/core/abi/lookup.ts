import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { Address } from '../eth/hex.ts';
import { type AbiLookup, type Candidate, type ChainAddress, type Origin, sortByTrust } from './candidates.ts';
import { attachEnums, type EnumSources } from './enums.ts';
import {
  type AbiError,
  type AbiEvent,
  type AbiFunction,
  type AbiItem,
  type AbiItemText,
  parseAbiItem,
} from './item.ts';

export interface LocatedItem {
  readonly text: AbiItemText;
  readonly origin: Origin;
  /** Undefined if the item has no enum. */
  readonly enums?: EnumSources;
}

/**
 * Parses an item, with its enums; undefined if the text is malformed.
 *
 * @example parseLocatedItem({ text: 'error Unpaid()' })?.signature // 'Unpaid()'
 */
export function parseLocatedItem({ text, enums }: Pick<LocatedItem, 'text' | 'enums'>): AbiItem | undefined {
  const item = parseAbiItem(text);
  return item && enums ? attachEnums(item, enums) : item;
}

const ANONYMOUS = 'anonymous';

/** A lookup whose hashes can be computed ahead of time. */
export interface PreparedLookup extends AbiLookup {
  /** Computes the hashes in time slices, so that the first lookup of each kind does not wait for them. */
  prepare(slices: TimeSlices, options?: Abortable): Promise<void>;
}

/**
 * A lookup over items. Malformed items are ignored. Hashes are computed on first use, one kind at a time: 20,000
 * functions take some 150 ms, which `prepare` spends in time slices.
 *
 * @example
 * const origin = { trust: 'workspace', from: 'src/Shop.sol', contract: 'Shop', line: 3 };
 * createAbiLookup([{ text: 'error Unpaid(uint256 amount)', origin }]).errors('0xe56930cb');
 */
export function createAbiLookup(located: Iterable<LocatedItem>): PreparedLookup {
  const items = [...located];
  const events = createLazyIndex<AbiEvent>(items, 'event');
  const errors = createLazyIndex<AbiError>(items, 'error');
  const functions = createLazyIndex<AbiFunction>(items, 'function');
  return {
    events: (topic0) => events().find(topic0 ?? ANONYMOUS),
    errors: (selector) => errors().find(selector),
    functions: (selector) => functions().find(selector),
    async prepare(slices, options) {
      for (const index of [events(), errors(), functions()]) {
        while (index.hashNext()) if (slices.isOver()) await slices.rest(options);
      }
    },
  };
}

/**
 * Merges lookups, in order of trust; of items that differ only in parameter names, the most trusted remains.
 *
 * @example mergeLookups().events(undefined) // []
 */
export function mergeLookups(...lookups: readonly AbiLookup[]): AbiLookup {
  return {
    events: (topic0, at) => sortByTrust(lookups.flatMap((lookup) => lookup.events(topic0, at))),
    errors: (selector, at) => sortByTrust(lookups.flatMap((lookup) => lookup.errors(selector, at))),
    functions: (selector, at) => sortByTrust(lookups.flatMap((lookup) => lookup.functions(selector, at))),
  };
}

/**
 * A lookup for a contract that runs the code of others, such as a proxy: what the code declares comes first.
 *
 * @param addresses the code that runs, then the contract itself.
 * @example preferCode(lookup, [implementation, proxy]).errors('0xe56930cb', { address: proxy, chainId: 1 });
 */
export function preferCode(lookup: AbiLookup, addresses: readonly Address[]): AbiLookup {
  if (addresses.length < 2) return lookup;
  return {
    events: lookup.events,
    errors: (selector, at) =>
      at
        ? sortByTrust(addresses.flatMap((address) => lookup.errors(selector, { ...at, address })))
        : lookup.errors(selector),
    functions: (selector, at) =>
      at
        ? sortByTrust(addresses.flatMap((address) => lookup.functions(selector, { ...at, address })))
        : lookup.functions(selector),
  };
}

function createLazyIndex<Item extends AbiItem>(
  items: readonly LocatedItem[],
  kind: Item['kind'],
): () => ItemIndex<Item> {
  let index: ItemIndex<Item> | undefined;
  return () => {
    index ??= createItemIndex<Item>(
      items.filter(({ text }) => text.startsWith(kind)),
      (item) => (item.kind === kind ? hashOf(item) : undefined),
    );
    return index;
  };
}

function hashOf(item: AbiItem): string {
  if (item.kind !== 'event') return item.selector;
  return item.anonymous ? ANONYMOUS : item.topic0;
}

/** Items by their hashes. A hash takes some 5 µs, so hashes of large projects are computed on first use. */
interface ItemIndex<Item extends AbiItem> {
  find(key: string): readonly Candidate<Item>[];
  /** Hashes one more item; false once all are hashed. */
  hashNext(): boolean;
}

/** Creates an index of `items` by `keyOf`; malformed items and those without a key are ignored. */
function createItemIndex<Item extends AbiItem>(
  items: readonly LocatedItem[],
  keyOf: (item: AbiItem) => string | undefined,
): ItemIndex<Item> {
  const itemsByKey = new Map<string, LocatedItem[]>();
  const cache = new Map<string, readonly Candidate<Item>[]>();
  const keys = new Map<AbiItemText, string | undefined>();
  let next = 0;

  function hashNext(): boolean {
    const item = items[next];
    if (!item) return false;
    next++;
    const key = getKey(item.text);
    const same = key === undefined ? undefined : itemsByKey.get(key);
    if (same) same.push(item);
    else if (key !== undefined) itemsByKey.set(key, [item]);
    if (next === items.length) keys.clear();
    return true;
  }

  /** Many contracts of a project declare the same items. */
  function getKey(text: AbiItemText): string | undefined {
    if (keys.has(text)) return keys.get(text);
    const item = parseAbiItem(text);
    const key = item && keyOf(item);
    keys.set(text, key);
    return key;
  }

  function parseCandidates(key: string): readonly Candidate<Item>[] {
    const candidates = (itemsByKey.get(key) ?? []).flatMap((located) => {
      const item = parseLocatedItem(located);
      return item ? [{ item: item as Item, origin: located.origin }] : [];
    });
    return sortByTrust(candidates);
  }

  return {
    hashNext,
    find(key) {
      while (hashNext());
      const cached = cache.get(key);
      if (cached) return cached;
      if (!itemsByKey.has(key)) return [];
      const candidates = parseCandidates(key);
      cache.set(key, candidates);
      return candidates;
    },
  };
}

/** Resolves the ABI of deployed code. Never sends a request: what is not loaded yet is undefined. */
export interface AbiResolver {
  /** For the code at the address itself, not for the implementation of a proxy. */
  abiAt(at: ChainAddress): ContractAbi | undefined;
}

/** The ABI of the code at an address, and where it comes from. */
export interface ContractAbi {
  /**
   * The record it was read from, made by `contractAbiId`. Two addresses have the same record if, for example, a contract
   * of the workspace was deployed twice. Facts read from the chain for one of them may not hold for the other.
   */
  readonly id: string;
  /** Undefined if the contract is identified but its ABI is unknown: then no other ABI applies. */
  readonly items: readonly LocatedItem[] | undefined;
}

/**
 * Merges resolvers: the first one that has the ABI wins.
 *
 * @example
 * mergeAbiResolvers(index, verified).abiAt({ address, chainId: 1 })?.items;
 */
export function mergeAbiResolvers(...resolvers: readonly AbiResolver[]): AbiResolver {
  return {
    abiAt(at) {
      const abis = resolvers.flatMap((resolver) => resolver.abiAt(at) ?? []);
      return abis.find(({ items }) => items) ?? abis[0];
    },
  };
}

/**
 * Identifies the record that items come from.
 *
 * @example contractAbiId({ from: 'src/Vault.sol', contract: 'Vault' }) // 'src/Vault.sol Vault'
 */
export function contractAbiId({ from, contract }: Pick<Origin, 'from' | 'contract'>): string {
  return `${from} ${contract ?? ''}`;
}
