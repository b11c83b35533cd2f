import type { AbiItem, AbiItemText } from '../../abi/abiItem.ts';
import { parseAbiItem } from '../../abi/read/parseAbiItem.ts';
import type { Hex } from '../../values/hex.ts';

interface Entry<Owner> {
  readonly text: AbiItemText;
  /** In the order of coming, each once: most items have one only, for which a set is large. */
  readonly owners: Owner[];
  /** Undefined as long as it is not hashed, or where the text cannot be read. */
  key: string | undefined;
}

/** An item, and who has it. */
export interface OwnedItem<Owner> {
  readonly text: AbiItemText;
  readonly item: AbiItem;
  readonly owners: readonly Owner[];
}

export interface ItemTable<Owner> {
  add(texts: readonly AbiItemText[], owner: Owner): void;
  remove(texts: readonly AbiItemText[], owner: Owner): void;
  /** Hashes what is not hashed yet, until `isOver` says so. @returns whether all is. */
  prepare(isOver: () => boolean): boolean;
  /** Items with this topic0 or selector; without one, anonymous events. */
  find(kind: AbiItem['kind'], hash: Hex | undefined): readonly OwnedItem<Owner>[];
}

/** Which items there are, by their hashes, and who has them. Items are hashed when they are first looked for. */
export function createItemTable<Owner>(): ItemTable<Owner> {
  const entries = new Map<AbiItemText, Entry<Owner>>();
  const byKey = new Map<string, Entry<Owner>[]>();
  /** By kind, as few ask for functions. */
  const unhashed: Readonly<Record<AbiItem['kind'], Set<Entry<Owner>>>> = {
    event: new Set(),
    error: new Set(),
    function: new Set(),
  };

  function hash(entry: Entry<Owner>): void {
    const item = parseAbiItem(entry.text);
    if (!item) return;
    entry.key = keyOf(item.kind, hashOf(item));
    const same = byKey.get(entry.key);
    if (same) same.push(entry);
    else byKey.set(entry.key, [entry]);
  }

  /** @returns whether all of a kind are hashed. */
  function hashAll(kind: AbiItem['kind'], isOver: () => boolean): boolean {
    for (const entry of unhashed[kind]) {
      unhashed[kind].delete(entry);
      hash(entry);
      if (isOver()) break;
    }
    return unhashed[kind].size === 0;
  }

  return {
    add(texts, owner) {
      for (const text of texts) {
        const known = entries.get(text);
        if (known) {
          if (known.owners.at(-1) !== owner) known.owners.push(owner);
          continue;
        }
        const entry: Entry<Owner> = { text, owners: [owner], key: undefined };
        entries.set(text, entry);
        unhashed[kindOf(text)].add(entry);
      }
    },
    remove(texts, owner) {
      for (const text of texts) {
        const entry = entries.get(text);
        const at = entry?.owners.indexOf(owner) ?? -1;
        if (!entry || at < 0) continue;
        entry.owners.splice(at, 1);
        if (entry.owners.length > 0) continue;
        entries.delete(text);
        unhashed[kindOf(text)].delete(entry);
        const same = entry.key === undefined ? undefined : byKey.get(entry.key);
        if (entry.key === undefined || !same) continue;
        const others = same.filter((other) => other !== entry);
        if (others.length > 0) byKey.set(entry.key, others);
        else byKey.delete(entry.key);
      }
    },
    prepare: (isOver) => hashAll('event', isOver) && hashAll('error', isOver) && hashAll('function', isOver),
    find(kind, hash) {
      hashAll(kind, () => false);
      const found = byKey.get(keyOf(kind, hash)) ?? [];
      return [...found].flatMap(({ text, owners }) => {
        const item = parseAbiItem(text);
        return item ? [{ text, item, owners }] : [];
      });
    },
  };
}

function hashOf(item: AbiItem): Hex | undefined {
  if (item.kind !== 'event') return item.selector;
  return item.anonymous ? undefined : item.topic0;
}

function kindOf(text: AbiItemText): AbiItem['kind'] {
  return text.startsWith('event ') ? 'event' : text.startsWith('error ') ? 'error' : 'function';
}

function keyOf(kind: AbiItem['kind'], hash: Hex | undefined): string {
  return `${kind} ${hash ?? ''}`;
}
