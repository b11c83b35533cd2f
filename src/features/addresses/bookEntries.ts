import { type Address, isRecord, parseAddress } from '../../core/index.ts';

/**
 * Entries that several windows can change at once without losing any. VS Code has no file locks, and this takes none: a
 * change writes all entries into a new file, and only then removes the files that it has read, which nobody changes.
 * The files that are left, of any number of windows, are merged.
 */
export class SharedBook {
  readonly #deps: SharedBookDeps;
  #entries: BookEntries;
  #queue: Promise<unknown> = Promise.resolve();
  #following = false;

  /** Resolves when the files have been read once. */
  readonly ready: Promise<void>;

  constructor(deps: SharedBookDeps) {
    this.#deps = deps;
    const former = deps.former.read();
    this.#entries = former === undefined ? noEntries : parseEntries(former);
    this.ready = this.#enqueue(async () => {
      const read = await this.#read();
      if (former !== undefined && (await this.#write(read))) await deps.former.clear();
    }).catch(deps.onError);
  }

  get entries(): BookEntries {
    return this.#entries;
  }

  /** Merges the changes of other windows, then applies `change`, which returns its argument if nothing changes. */
  change(change: (entries: BookEntries) => BookEntries): Promise<void> {
    return this.#enqueue(async () => {
      const read = await this.#read();
      const changed = change(this.#entries);
      if (changed === this.#entries) return;
      this.#replaceEntries(pruneEntries(changed));
      await this.#write(read);
    });
  }

  /** Merges what other windows have changed. */
  follow(): Promise<void> {
    if (this.#following) return Promise.resolve();
    this.#following = true;
    return this.#enqueue(async () => {
      this.#following = false;
      await this.#read();
    });
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(step);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  #replaceEntries(entries: BookEntries): void {
    if (entries === this.#entries) return;
    this.#entries = entries;
    this.#deps.onDidChange();
  }

  /** Merges all files into the entries. Returns the names of those that could be parsed. */
  async #read(): Promise<readonly string[]> {
    const { files, prefix, onError: onTrouble } = this.#deps;
    try {
      for (let tries = 3; ; tries--) {
        const names = await files.list(prefix);
        const contents = await Promise.all(names.map((name) => files.read(name)));
        let entries = this.#entries;
        const whole = names.filter((_, index) => {
          const stored = parseJson(contents[index]);
          if (stored !== undefined) entries = mergeEntries(entries, parseEntries(stored));
          return stored !== undefined;
        });
        this.#replaceEntries(entries);
        // A file that is gone by now has been merged into one that is newer than the list.
        if (tries === 0 || !contents.includes(undefined)) return whole;
      }
    } catch (error) {
      onTrouble(error);
      return [];
    }
  }

  /** Writes all entries, and removes the files named. Returns false if the write failed. */
  async #write(read: readonly string[]): Promise<boolean> {
    const { files, prefix, onError: onTrouble } = this.#deps;
    const name = `${prefix}${crypto.randomUUID()}.json`;
    try {
      await files.write(name, JSON.stringify(entriesToJson(this.#entries)));
    } catch (error) {
      onTrouble(error);
      await files.remove(name).catch(() => undefined);
      return false;
    }
    await Promise.all(read.map((older) => files.remove(older).catch(() => undefined)));
    return true;
  }
}

interface SharedBookDeps {
  readonly files: BookFiles;
  /** The start of the file names of this book. */
  readonly prefix: string;
  readonly former: FormerStore;
  readonly onDidChange: () => void;
  /** The entries cannot be read or stored, and stay in memory. */
  readonly onError: (error: unknown) => void;
}

/** Files that all windows share. A file may not exist, or may be incomplete while it is written. */
export interface BookFiles {
  list(prefix: string): Promise<readonly string[]>;
  /** Undefined if the file does not exist. */
  read(name: string): Promise<string | undefined>;
  write(name: string, content: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The storage of the first releases, in which each window wrote its own copy. */
interface FormerStore {
  read(): unknown;
  clear(): PromiseLike<void>;
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The last change of an address. Fields of a later version are preserved. */
interface Entry {
  /** Position in the order of all changes, over all windows; the entry with the higher one wins. */
  readonly at: number;
  /** Removed. The entry stays, so that an older one does not bring it back. */
  readonly gone?: boolean;
  /** Only for labels. */
  readonly text?: string;
}

const kinds = ['watched', 'recent', 'labels', 'tokens'] as const;

export type EntryKind = (typeof kinds)[number];

/** The address book of a chain: entries by kind and address, and fields of a later version. */
export interface BookEntries extends Readonly<Record<EntryKind, ReadonlyMap<Address, Entry>>> {
  readonly others: Readonly<Record<string, unknown>>;
}

export const MAX_RECENT_ADDRESSES = 20;

/** The oldest removed entries beyond this number are dropped. */
const MAX_REMOVED = 1000;

/** No user makes this many changes: a larger number is invalid. */
const MAX_POSITION = 2 ** 52;

const none: ReadonlyMap<Address, Entry> = new Map();
export const noEntries: BookEntries = { watched: none, recent: none, labels: none, tokens: none, others: {} };

/**
 * Reads stored entries, in today's form or in the first one (lists of addresses, labels as texts). Skips invalid
 * entries.
 */
export function parseEntries(stored: unknown): BookEntries {
  if (!isRecord(stored)) return noEntries;
  const others = Object.entries(stored).filter(([name]) => !(kinds as readonly string[]).includes(name));
  const read = (kind: EntryKind) => new Map(parseKind(kind, stored[kind]));
  return {
    watched: read('watched'),
    recent: read('recent'),
    labels: read('labels'),
    tokens: read('tokens'),
    others: Object.fromEntries(others),
  };
}

function* parseKind(kind: EntryKind, stored: unknown): Generator<[Address, Entry]> {
  if (Array.isArray(stored)) {
    const inOrder = kind === 'recent' ? stored.toReversed() : stored;
    for (const [index, text] of inOrder.entries()) {
      const address = parseAddress(text);
      if (address) yield [address, { at: index + 1 }];
    }
  } else if (isRecord(stored)) {
    for (const [text, value] of Object.entries(stored)) {
      const address = parseAddress(text);
      const entry = kind === 'labels' && typeof value === 'string' ? { at: 1, text: value } : value;
      if (address && isEntry(entry, kind)) yield [address, entry];
    }
  }
}

function isEntry(value: unknown, kind: EntryKind): value is Entry {
  if (!isRecord(value)) return false;
  const { at, gone, text } = value;
  const hasPlace = Number.isSafeInteger(at) && Number(at) >= 0 && Number(at) <= MAX_POSITION;
  return hasPlace && (gone === true || kind !== 'labels' || typeof text === 'string');
}

/** The stored form; {@link parseEntries} reads it. */
export function entriesToJson(entries: BookEntries): unknown {
  return {
    ...entries.others,
    ...Object.fromEntries(kinds.map((kind) => [kind, Object.fromEntries(entries[kind])])),
  };
}

/** The union, independent of the order of merging. Returns `mine` itself if `theirs` adds nothing. */
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

/** Adds a change that is newer than all others. */
export function withEntry(
  entries: BookEntries,
  kind: EntryKind,
  { address, ...changes }: Omit<Entry, 'at'> & { readonly address: Address },
): BookEntries {
  let last = 0;
  for (const each of kinds) for (const { at } of entries[each].values()) last = Math.max(last, at);
  const { gone: _gone, text: _text, ...rest } = entries[kind].get(address) ?? {};
  const entry: Entry = { ...rest, ...changes, at: Math.min(last + 1, MAX_POSITION) };
  return { ...entries, [kind]: new Map([...entries[kind], [address, entry]]) };
}

/** Drops the oldest recent addresses and the oldest removed entries. */
function pruneEntries(entries: BookEntries): BookEntries {
  const recent = new Map(newestFirst(entries.recent).slice(0, MAX_RECENT_ADDRESSES));
  const pruned = { ...entries, recent };
  const gone = kinds.flatMap((kind) => [...pruned[kind].values()].filter((entry) => entry.gone));
  if (gone.length <= MAX_REMOVED) return pruned;
  const dropped = new Set(gone.sort((a, b) => b.at - a.at).slice(MAX_REMOVED));
  const without = (kind: EntryKind) => new Map([...pruned[kind]].filter(([, entry]) => !dropped.has(entry)));
  return { ...pruned, watched: without('watched'), labels: without('labels'), tokens: without('tokens') };
}

/** The addresses of a kind, in the order in which they were added. */
export function listAddresses(entries: ReadonlyMap<Address, Entry>): readonly Address[] {
  return newestFirst(entries)
    .map(([address]) => address)
    .reverse();
}

function newestFirst(entries: ReadonlyMap<Address, Entry>): readonly [Address, Entry][] {
  const present = [...entries].filter(([, { gone }]) => !gone);
  return present.sort(([a, { at }], [b, other]) => other.at - at || (a < b ? 1 : -1));
}
