import {
  type BookEntries,
  entriesToJson,
  mergeEntries,
  noEntries,
  pruned,
  readEntries,
} from './bookEntries.ts';

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
    this.#entries = former === undefined ? noEntries : readEntries(former);
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
      this.#take(pruned(changed));
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
          if (kept !== undefined) entries = mergeEntries(entries, readEntries(kept));
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
