import { type Address, isRecord, parseAddress } from '../../../core/index.ts';

/** What was last said of an address. Fields that a later version adds are kept as they are. */
interface Entry {
  /** Place in the order of all changes, over all windows; the later of two entries counts. */
  readonly at: number;
  /** Taken away. Remembered, so that no older entry brings it back. */
  readonly gone?: boolean;
  /** Of a label. */
  readonly text?: string;
}

const kinds = ['watched', 'recent', 'labels', 'tokens'] as const;
export type Kind = (typeof kinds)[number];

/** The address book of a chain: entries by kind and address, and what a later version keeps beside them. */
export interface BookEntries extends Readonly<Record<Kind, ReadonlyMap<Address, Entry>>> {
  readonly others: Readonly<Record<string, unknown>>;
}

export const MOST_RECENT = 20;
/** Entries that are gone, beyond which the oldest are forgotten. */
const MOST_GONE = 1000;
/** Beyond it a number is no place in an order that a person has made. */
const LAST_PLACE = 2 ** 52;

const none: ReadonlyMap<Address, Entry> = new Map();
export const noEntries: BookEntries = { watched: none, recent: none, labels: none, tokens: none, others: {} };

/**
 * Reads what was kept, in the present form or as lists of addresses and texts of labels, which it was at first. Junk
 * costs itself alone.
 */
export function readEntries(kept: unknown): BookEntries {
  if (!isRecord(kept)) return noEntries;
  const others = Object.entries(kept).filter(([name]) => !(kinds as readonly string[]).includes(name));
  const read = (kind: Kind) => new Map(readKind(kind, kept[kind]));
  return {
    watched: read('watched'),
    recent: read('recent'),
    labels: read('labels'),
    tokens: read('tokens'),
    others: Object.fromEntries(others),
  };
}

function* readKind(kind: Kind, kept: unknown): Generator<[Address, Entry]> {
  if (Array.isArray(kept)) {
    const inOrder = kind === 'recent' ? kept.toReversed() : kept;
    for (const [index, text] of inOrder.entries()) {
      const address = parseAddress(text);
      if (address) yield [address, { at: index + 1 }];
    }
  } else if (isRecord(kept)) {
    for (const [text, value] of Object.entries(kept)) {
      const address = parseAddress(text);
      const entry = kind === 'labels' && typeof value === 'string' ? { at: 1, text: value } : value;
      if (address && isEntry(entry, kind)) yield [address, entry];
    }
  }
}

function isEntry(value: unknown, kind: Kind): value is Entry {
  if (!isRecord(value)) return false;
  const { at, gone, text } = value;
  const hasPlace = Number.isSafeInteger(at) && Number(at) >= 0 && Number(at) <= LAST_PLACE;
  return hasPlace && (gone === true || kind !== 'labels' || typeof text === 'string');
}

/** The form in which entries are kept. */
export function entriesToJson(entries: BookEntries): unknown {
  return {
    ...entries.others,
    ...Object.fromEntries(kinds.map((kind) => [kind, Object.fromEntries(entries[kind])])),
  };
}

/** What either knows, in any order of merging. `mine` itself if `theirs` has nothing to add. */
export function mergeEntries(mine: BookEntries, theirs: BookEntries): BookEntries {
  let merged = mine;
  for (const kind of kinds) {
    const newer = [...theirs[kind]].filter(([address, entry]) => isNewer(entry, mine[kind].get(address)));
    if (newer.length > 0) merged = { ...merged, [kind]: new Map([...mine[kind], ...newer]) };
  }
  if (Object.keys(theirs.others).some((name) => !(name in mine.others))) {
    merged = { ...merged, others: { ...theirs.others, ...mine.others } };
  }
  return merged;
}

function isNewer(entry: Entry, other: Entry | undefined): boolean {
  if (!other || entry.at !== other.at) return entry.at > (other?.at ?? -1);
  if (entry.gone !== other.gone) return other.gone === true;
  return (entry.text ?? '') > (other.text ?? '');
}

/** Says something new of an address, after all that was said before. */
export function withEntry(
  entries: BookEntries,
  kind: Kind,
  { address, ...said }: Omit<Entry, 'at'> & { readonly address: Address },
): BookEntries {
  let last = 0;
  for (const each of kinds) for (const { at } of entries[each].values()) last = Math.max(last, at);
  const { gone: _gone, text: _text, ...kept } = entries[kind].get(address) ?? {};
  const entry: Entry = { ...kept, ...said, at: Math.min(last + 1, LAST_PLACE) };
  return { ...entries, [kind]: new Map([...entries[kind], [address, entry]]) };
}

/** Without recent addresses beyond the newest, and without what has been gone for longest. */
export function pruned(entries: BookEntries): BookEntries {
  const recent = new Map(newestFirst(entries.recent).slice(0, MOST_RECENT));
  const kept = { ...entries, recent };
  const gone = kinds.flatMap((kind) => [...kept[kind].values()].filter((entry) => entry.gone));
  if (gone.length <= MOST_GONE) return kept;
  const forgotten = new Set(gone.sort((a, b) => b.at - a.at).slice(MOST_GONE));
  const without = (kind: Kind) => new Map([...kept[kind]].filter(([, entry]) => !forgotten.has(entry)));
  return { ...kept, watched: without('watched'), labels: without('labels'), tokens: without('tokens') };
}

/** The addresses of a kind, those first that were added first. */
export function addressesIn(entries: ReadonlyMap<Address, Entry>): readonly Address[] {
  return newestFirst(entries)
    .map(([address]) => address)
    .reverse();
}

function newestFirst(entries: ReadonlyMap<Address, Entry>): readonly [Address, Entry][] {
  const present = [...entries].filter(([, { gone }]) => !gone);
  return present.sort(([a, { at }], [b, other]) => other.at - at || (a < b ? 1 : -1));
}
