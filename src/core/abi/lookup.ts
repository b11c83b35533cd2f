import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { type AbiLookup, type Candidate, type ChainAddress, type Origin, sortByTrust } from './candidates.ts';
import {
  type AbiError,
  type AbiEvent,
  type AbiFunction,
  type AbiItem,
  type AbiItemText,
  parseAbiItem,
} from './item.ts';

/** A lookup whose hashes can be made before they are asked for. */
export interface PreparedLookup extends AbiLookup {
  /** Makes in slices what the first question of each kind would otherwise wait for. */
  prepare(slices: TimeSlices, options?: Abortable): Promise<void>;
}

const ANONYMOUS = 'anonymous';

/**
 * A lookup over items that are known, wherever they were met. What is no item is left out. Nothing is hashed before it
 * is asked for, and then one kind only: 20,000 functions take some 150 ms, which `prepare` spends in slices.
 *
 * @example
 * const origin = { trust: 'workspace', from: 'src/Shop.sol', contract: 'Shop', line: 3 };
 * createAbiLookup([{ text: 'error Unpaid(uint256 amount)', origin }]).errors('0xe56930cb');
 */
export function createAbiLookup(known: Iterable<LocatedItem>): PreparedLookup {
  const items = [...known];
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
 * What several lookups know, in order of trust; of items that differ in names of parameters only the most trusted is
 * given.
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

function createLazyIndex<Item extends AbiItem>(
  items: readonly LocatedItem[],
  kind: Item['kind'],
): () => ItemIndex<Item> {
  let index: ItemIndex<Item> | undefined;
  return () => {
    index ??= createItemIndex<Item>(
      items.filter(({ text }) => text.startsWith(kind)),
      (item) => (item.kind === kind ? keyOf(item) : undefined),
    );
    return index;
  };
}

function keyOf(item: AbiItem): string {
  if (item.kind !== 'event') return item.selector;
  return item.anonymous ? ANONYMOUS : item.topic0;
}

/** An item and where it was found. */
export interface LocatedItem {
  readonly text: AbiItemText;
  readonly origin: Origin;
}

/** Items by what they hash to. A hash takes some 5 µs, so that those of a large project are made when first asked for. */
interface ItemIndex<Item extends AbiItem> {
  find(key: string): readonly Candidate<Item>[];
  /** Makes the hash of one more item; false when all are made. */
  hashNext(): boolean;
}

/**
 * An index over `items` under the keys that `keyOf` gives; what is no item, or none that has a key, is left out.
 */
function createItemIndex<Item extends AbiItem>(
  items: readonly LocatedItem[],
  keyOf: (item: AbiItem) => string | undefined,
): ItemIndex<Item> {
  const known = new Map<string, LocatedItem[]>();
  const found = new Map<string, readonly Candidate<Item>[]>();
  const keys = new Map<AbiItemText, string | undefined>();
  let next = 0;

  function hashNext(): boolean {
    const item = items[next];
    if (!item) return false;
    next++;
    const key = keyFor(item.text);
    const same = key === undefined ? undefined : known.get(key);
    if (same) same.push(item);
    else if (key !== undefined) known.set(key, [item]);
    if (next === items.length) keys.clear();
    return true;
  }

  /** Many contracts of a project have the same items. */
  function keyFor(text: AbiItemText): string | undefined {
    if (keys.has(text)) return keys.get(text);
    const item = parseAbiItem(text);
    const key = item && keyOf(item);
    keys.set(text, key);
    return key;
  }

  function read(key: string): readonly Candidate<Item>[] {
    const candidates = (known.get(key) ?? []).flatMap(({ text, origin }) => {
      const item = parseAbiItem(text);
      return item ? [{ item: item as Item, origin }] : [];
    });
    return sortByTrust(candidates);
  }

  return {
    hashNext,
    find(key) {
      while (hashNext());
      const before = found.get(key);
      if (before) return before;
      if (!known.has(key)) return [];
      const candidates = read(key);
      found.set(key, candidates);
      return candidates;
    },
  };
}

/** The ABI of the code at an address, and who knows it. */
export interface ContractAbi {
  /**
   * What it was read from: the same for two addresses whose ABI is one and the same record, as of a contract of the
   * workspace that was deployed again. What was read of one of them may not hold for the other. As `contractAbiId` makes
   * it.
   */
  readonly id: string;
  /** Undefined where it is known which contract it is, and not its ABI: then it is no other that is known. */
  readonly items: readonly LocatedItem[] | undefined;
}

/** Tells the ABI of code. Never asks a server: what is not known by now is not known. */
export interface AbiResolver {
  /** Of the very code at the address, not of what it delegates to; undefined where it is not known. */
  abiAt(at: ChainAddress): ContractAbi | undefined;
}

/**
 * What several know of code: the first that knows its ABI.
 *
 * @example
 * mergeAbiResolvers(index, verified).abiAt({ address, chainId: 1 })?.items;
 */
export function mergeAbiResolvers(...known: readonly AbiResolver[]): AbiResolver {
  return {
    abiAt(at) {
      const found = known.flatMap((one) => one.abiAt(at) ?? []);
      return found.find(({ items }) => items) ?? found[0];
    },
  };
}

/**
 * What names the record that items come from.
 *
 * @example contractAbiId({ from: 'src/Vault.sol', contract: 'Vault' }) // 'src/Vault.sol Vault'
 */
export function contractAbiId({ from, contract }: Pick<Origin, 'from' | 'contract'>): string {
  return `${from} ${contract ?? ''}`;
}
