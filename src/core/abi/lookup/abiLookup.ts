import type { Abortable } from '../../base/abortable.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { AbiError, AbiEvent, AbiFunction, AbiItem } from '../abiItem.ts';
import type { AbiLookup } from '../candidates.ts';
import { createItemIndex, type ItemIndex, type KnownItem } from './itemIndex.ts';
import { mostTrusted } from './mostTrusted.ts';

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
export function createAbiLookup(known: Iterable<KnownItem>): PreparedLookup {
  const items = [...known];
  const events = lateIndex<AbiEvent>(items, 'event');
  const errors = lateIndex<AbiError>(items, 'error');
  const functions = lateIndex<AbiFunction>(items, 'function');
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
 * @example joinLookups().events(undefined) // []
 */
export function joinLookups(...lookups: readonly AbiLookup[]): AbiLookup {
  return {
    events: (topic0, at) => mostTrusted(lookups.flatMap((lookup) => lookup.events(topic0, at))),
    errors: (selector, at) => mostTrusted(lookups.flatMap((lookup) => lookup.errors(selector, at))),
    functions: (selector, at) => mostTrusted(lookups.flatMap((lookup) => lookup.functions(selector, at))),
  };
}

function lateIndex<Item extends AbiItem>(
  items: readonly KnownItem[],
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
