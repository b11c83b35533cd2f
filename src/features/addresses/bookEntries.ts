import { type Address, isRecord, parseAddress } from '../../core/index.ts';

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
export type EntryKind = (typeof kinds)[number];

/** The address book of a chain: entries by kind and address, and what a later version keeps beside them. */
export interface BookEntries extends Readonly<Record<EntryKind, ReadonlyMap<Address, Entry>>> {
  readonly others: Readonly<Record<string, unknown>>;
}

export const MAX_RECENT_ADDRESSES = 20;
/** Entries that are gone, beyond which the oldest are forgotten. */
const MAX_REMOVED = 1000;
/** Beyond it a number is no place in an order that a person has made. */
const MAX_POSITION = 2 ** 52;

const none: ReadonlyMap<Address, Entry> = new Map();
export const noEntries: BookEntries = { watched: none, recent: none, labels: none, tokens: none, others: {} };

/**
 * Reads what was kept, in the present form or as lists of addresses and texts of labels, which it was at first. Junk
 * costs itself alone.
 */
export function parseEntries(kept: unknown): BookEntries {
  if (!isRecord(kept)) return noEntries;
  const others = Object.entries(kept).filter(([name]) => !(kinds as readonly string[]).includes(name));
  const read = (kind: EntryKind) => new Map(readKind(kind, kept[kind]));
  return {
    watched: read('watched'),
    recent: read('recent'),
    labels: read('labels'),
    tokens: read('tokens'),
    others: Object.fromEntries(others),
  };
}

function* readKind(kind: EntryKind, kept: unknown): Generator<[Address, Entry]> {
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

function isEntry(value: unknown, kind: EntryKind): value is Entry {
  if (!isRecord(value)) return false;
  const { at, gone, text } = value;
  const hasPlace = Number.isSafeInteger(at) && Number(at) >= 0 && Number(at) <= MAX_POSITION;
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
  kind: EntryKind,
  { address, ...said }: Omit<Entry, 'at'> & { readonly address: Address },
): BookEntries {
  let last = 0;
  for (const each of kinds) for (const { at } of entries[each].values()) last = Math.max(last, at);
  const { gone: _gone, text: _text, ...kept } = entries[kind].get(address) ?? {};
  const entry: Entry = { ...kept, ...said, at: Math.min(last + 1, MAX_POSITION) };
  return { ...entries, [kind]: new Map([...entries[kind], [address, entry]]) };
}

/** Without recent addresses beyond the newest, and without what has been gone for longest. */
function pruneEntries(entries: BookEntries): BookEntries {
  const recent = new Map(newestFirst(entries.recent).slice(0, MAX_RECENT_ADDRESSES));
  const kept = { ...entries, recent };
  const gone = kinds.flatMap((kind) => [...kept[kind].values()].filter((entry) => entry.gone));
  if (gone.length <= MAX_REMOVED) return kept;
  const forgotten = new Set(gone.sort((a, b) => b.at - a.at).slice(MAX_REMOVED));
  const without = (kind: EntryKind) => new Map([...kept[kind]].filter(([, entry]) => !forgotten.has(entry)));
  return { ...kept, watched: without('watched'), labels: without('labels'), tokens: without('tokens') };
}

/** The addresses of a kind, those first that were added first. */
export function listAddresses(entries: ReadonlyMap<Address, Entry>): readonly Address[] {
  return newestFirst(entries)
    .map(([address]) => address)
    .reverse();
}

function newestFirst(entries: ReadonlyMap<Address, Entry>): readonly [Address, Entry][] {
  const present = [...entries].filter(([, { gone }]) => !gone);
  return present.sort(([a, { at }], [b, other]) => other.at - at || (a < b ? 1 : -1));
}

/** Files that all windows share, each whole or not there, or not yet whole. */
export interface BookFiles {
  list(prefix: string): Promise<readonly string[]>;
  /** Undefined if it is gone. */
  read(name: string): Promise<string | undefined>;
  write(name: string, content: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Where the entries were kept at first: beside all else that the extension keeps, by each window as it knew them. */
interface FormerStore {
  read(): unknown;
  clear(): PromiseLike<void>;
}

interface SharedBookDeps {
  readonly files: BookFiles;
  /** Of the names of the files of this book. */
  readonly prefix: string;
  readonly former: FormerStore;
  readonly onDidChange: () => void;
  /** The entries cannot be read or kept; they stay in memory. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Entries that several windows change at once, and none loses. The editor has no lock for files, and this takes none: a
 * change writes all that is known into a new file, and only then removes the files that it has read, which nobody
 * changes. Whatever is left, of however many windows, is merged.
 */
export class SharedBook {
  readonly #deps: SharedBookDeps;
  #entries: BookEntries;
  #last: Promise<unknown> = Promise.resolve();
  #following = false;

  /** Settles when the files have been read once. */
  readonly ready: Promise<void>;

  constructor(deps: SharedBookDeps) {
    this.#deps = deps;
    const former = deps.former.read();
    this.#entries = former === undefined ? noEntries : parseEntries(former);
    this.ready = this.#inTurn(async () => {
      const read = await this.#read();
      if (former !== undefined && (await this.#write(read))) await deps.former.clear();
    }).catch(deps.onTrouble);
  }

  get entries(): BookEntries {
    return this.#entries;
  }

  /** Changes the entries as they are in all windows; `change` returns what it is given if there is nothing to change. */
  change(change: (entries: BookEntries) => BookEntries): Promise<void> {
    return this.#inTurn(async () => {
      const read = await this.#read();
      const changed = change(this.#entries);
      if (changed === this.#entries) return;
      this.#take(pruneEntries(changed));
      await this.#write(read);
    });
  }

  /** Takes up what other windows have changed. */
  follow(): Promise<void> {
    if (this.#following) return Promise.resolve();
    this.#following = true;
    return this.#inTurn(async () => {
      this.#following = false;
      await this.#read();
    });
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(step);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #take(entries: BookEntries): void {
    if (entries === this.#entries) return;
    this.#entries = entries;
    this.#deps.onDidChange();
  }

  /** Merges all files into what is known; returns the names of those that were whole. */
  async #read(): Promise<readonly string[]> {
    const { files, prefix, onTrouble } = this.#deps;
    try {
      for (let tries = 3; ; tries--) {
        const names = await files.list(prefix);
        const contents = await Promise.all(names.map((name) => files.read(name)));
        let entries = this.#entries;
        const whole = names.filter((_, index) => {
          const kept = parseJson(contents[index]);
          if (kept !== undefined) entries = mergeEntries(entries, parseEntries(kept));
          return kept !== undefined;
        });
        this.#take(entries);
        // What is gone by now stands in a file that is newer than the list.
        if (tries === 0 || !contents.includes(undefined)) return whole;
      }
    } catch (error) {
      onTrouble(error);
      return [];
    }
  }

  /** Writes what is known and removes the files that it holds; false if that failed. */
  async #write(read: readonly string[]): Promise<boolean> {
    const { files, prefix, onTrouble } = this.#deps;
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

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
