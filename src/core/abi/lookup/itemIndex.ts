import type { AbiItem, AbiItemText } from '../abiItem.ts';
import type { Candidate, Origin } from '../candidates.ts';
import { parseAbiItem } from '../read/parseAbiItem.ts';
import { mostTrusted } from './mostTrusted.ts';

/** An item and where it was found. */
export interface KnownItem {
  readonly text: AbiItemText;
  readonly origin: Origin;
}

/** Items by what they hash to. A hash takes some 5 µs, so that those of a large project are made when first asked for. */
export interface ItemIndex<Item extends AbiItem> {
  find(key: string): readonly Candidate<Item>[];
  /** Makes the hash of one more item; false when all are made. */
  hashNext(): boolean;
}

/**
 * An index over `items` under the keys that `keyOf` gives; what is no item, or none that has a key, is left out.
 *
 * @example
 * const index = createItemIndex(known, (item) => (item.kind === 'error' ? item.selector : undefined));
 */
export function createItemIndex<Item extends AbiItem>(
  items: readonly KnownItem[],
  keyOf: (item: AbiItem) => string | undefined,
): ItemIndex<Item> {
  const known = new Map<string, KnownItem[]>();
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
    return mostTrusted(candidates);
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
