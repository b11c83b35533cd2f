import * as vscode from 'vscode';
import { type Address, sanitizeName } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import { ifExists } from '../../host/files/storage.ts';
import type { NamesService } from '../../host/names/nameProviders.ts';
import type { Session } from '../../host/session/session.ts';
import { showMessage } from '../../host/ui/dialogs.ts';
import {
  type BookEntries,
  type BookFiles,
  type EntryKind,
  listAddresses,
  SharedBook,
  withEntry,
} from './bookEntries.ts';

export const MAX_WATCHED = 500;
export const MAX_TOKENS = 50;
export const MAX_LABELS = 2000;
export const MAX_ADDRESS_LABEL_CHARS = 64;

const maxEntries = { watched: MAX_WATCHED, tokens: MAX_TOKENS, labels: MAX_LABELS } satisfies Partial<
  Record<EntryKind, number>
>;

/**
 * Watched, recent and labelled addresses and watched tokens of each chain, shared by all windows and restarts. Files
 * are read and watched from the first access on; most windows never need them.
 */
export class AddressBook implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #books: BooksByChain;

  readonly onDidChange = this.#changed.event;

  constructor(deps: BooksDeps) {
    this.#books = this.#disposables.add(new BooksByChain(deps, () => this.#changed.fire()));
  }

  get ready(): Promise<void> {
    return this.#books.current.ready;
  }

  get watched(): readonly Address[] {
    return listAddresses(this.#entries.watched);
  }

  /** Newest first, without those that are watched. */
  get recent(): readonly Address[] {
    return listAddresses(this.#entries.recent)
      .filter((address) => !this.isWatched(address))
      .reverse();
  }

  isWatched(address: Address): boolean {
    return hasEntry(this.#entries, 'watched', address);
  }

  /** Sanitized again: an earlier release or another program may have written something else. */
  label(address: Address): string | undefined {
    return getLabel(this.#entries, address);
  }

  /** Waits until the book of the chain has been read. */
  async labelOn(chainId: number, address: Address): Promise<string | undefined> {
    const book = this.#books.of(chainId);
    await book.ready;
    return getLabel(book.entries, address);
  }

  /** The labels read so far. */
  labelsOf(chainId: number): readonly (readonly [Address, string])[] {
    const { entries } = this.#books.of(chainId);
    return listAddresses(entries.labels).map(
      (address) => [address, getLabel(entries, address) ?? ''] as const,
    );
  }

  /** False if {@link MAX_WATCHED} addresses are watched already. */
  watch(address: Address): Promise<boolean> {
    return this.#add('watched', { address });
  }

  unwatch(address: Address): Promise<void> {
    return this.#remove('watched', address);
  }

  /** Contracts whose balances are read by `eth_call` for every address. */
  get tokens(): readonly Address[] {
    return listAddresses(this.#entries.tokens);
  }

  /** False if {@link MAX_TOKENS} tokens are watched already. */
  watchToken(contract: Address): Promise<boolean> {
    return this.#add('tokens', { address: contract });
  }

  unwatchToken(contract: Address): Promise<void> {
    return this.#remove('tokens', contract);
  }

  /**
   * An empty label, or one that looks like an address, removes the label. The default chain is the active one. Returns false if there are {@link
   * MAX_LABELS} labels already.
   */
  async setLabel(address: Address, label: string, chainId?: number): Promise<boolean> {
    const text = sanitizeName(label, MAX_ADDRESS_LABEL_CHARS);
    const book = chainId === undefined ? this.#books.current : this.#books.of(chainId);
    if (text !== undefined) return this.#add('labels', { address, text }, book);
    await this.#remove('labels', address, book);
    return true;
  }

  /** Moves `address` to the front of the recent ones. */
  remember(address: Address): Promise<void> {
    return this.#books.current.change((entries) => withEntry(entries, 'recent', { address }));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #add(kind: keyof typeof maxEntries, added: Added, book = this.#books.current): Promise<boolean> {
    const { address, text } = added;
    let fits = true;
    await book.change((entries) => {
      if (hasEntry(entries, kind, address)) {
        if (entries[kind].get(address)?.text === text) return entries;
      } else {
        fits = listAddresses(entries[kind]).length < maxEntries[kind];
      }
      return fits ? withEntry(entries, kind, added) : entries;
    });
    return fits;
  }

  #remove(kind: EntryKind, address: Address, book = this.#books.current): Promise<void> {
    return book.change((entries) =>
      hasEntry(entries, kind, address) ? withEntry(entries, kind, { address, gone: true }) : entries,
    );
  }

  get #entries(): BookEntries {
    return this.#books.current.entries;
  }
}

/** Address names on the active network. */
export interface ActiveNames {
  readonly names: NamesService;
  readonly chainId: number;
  name(address: Address): string | undefined;
  /** Resolves when all names are loaded, or after a short timeout. */
  ready(): Promise<unknown>;
}

export function createActiveNames(names: NamesService, session: Session): ActiveNames {
  return {
    names,
    get chainId() {
      return session.network.chainId;
    },
    name: (address) => names.nameOf(address, session.network.chainId)?.name,
    ready: () => names.soon(),
  };
}

/** Far above the size of a full address book; a larger file is ignored. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

interface SharedFiles extends BookFiles {
  watch(changed: () => void): vscode.Disposable;
}

export function createBookFiles(folder: vscode.Uri): SharedFiles {
  const { fs } = vscode.workspace;
  const uriOf = (name: string) => vscode.Uri.joinPath(folder, name);
  return {
    async list(prefix) {
      const found = (await ifExists(fs.readDirectory(folder))) ?? [];
      return found.map(([name]) => name).filter((name) => name.startsWith(prefix) && name.endsWith('.json'));
    },
    async read(name) {
      const stat = await ifExists(fs.stat(uriOf(name)));
      if (stat && stat.size > MAX_FILE_BYTES) return '';
      const content = stat && (await ifExists(fs.readFile(uriOf(name))));
      return content && new TextDecoder().decode(content);
    },
    async write(name, content) {
      await fs.writeFile(uriOf(name), new TextEncoder().encode(content));
    },
    async remove(name) {
      await fs.delete(uriOf(name), { recursive: false, useTrash: false });
    },
    watch(changed) {
      const disposables = new Disposables();
      const start = () => {
        const pattern = new vscode.RelativePattern(folder, '*.json');
        const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
        for (const part of [watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed)]) {
          disposables.add(part);
        }
      };
      // In a folder that does not exist yet, a watcher only polls every few seconds.
      void fs.createDirectory(folder).then(start, () => undefined);
      // For folders in which the watcher reports nothing.
      disposables.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && changed()));
      return disposables;
    },
  };
}

interface Added {
  readonly address: Address;
  /** Only for labels. */
  readonly text?: string;
}

function getLabel(entries: BookEntries, address: Address): string | undefined {
  const { text, gone } = entries.labels.get(address) ?? {};
  return text === undefined || gone ? undefined : sanitizeName(text, MAX_ADDRESS_LABEL_CHARS);
}

function hasEntry(entries: BookEntries, kind: EntryKind, address: Address): boolean {
  const entry = entries[kind].get(address);
  return entry !== undefined && !entry.gone;
}

interface BooksDeps {
  readonly files: SharedFiles;
  /** Where releases without files stored the book. */
  readonly storage: vscode.Memento;
  readonly session: Session;
}

/** Opens the book of each chain on first access. `onDidChange` is called for a change in any of them. */
class BooksByChain implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #deps: BooksDeps;
  readonly #onDidChange: () => void;
  readonly #books = new Map<string, SharedBook>();
  #warned = false;

  constructor(deps: BooksDeps, onDidChange: () => void) {
    this.#deps = deps;
    this.#onDidChange = onDidChange;
    this.#disposables.add(
      deps.session.onDidChange(() => {
        this.#follow();
        onDidChange();
      }),
    );
  }

  get current(): SharedBook {
    return this.of(this.#deps.session.network.chainId);
  }

  of(chainId: number): SharedBook {
    const { files, storage } = this.#deps;
    const key = `addresses:${chainId}`;
    const existing = this.#books.get(key);
    if (existing) return existing;
    if (this.#books.size === 0) this.#disposables.add(files.watch(() => this.#follow()));
    const book = new SharedBook({
      files,
      prefix: `${key.replace(':', '-')}-`,
      former: { read: () => storage.get(key), clear: () => storage.update(key, undefined) },
      onDidChange: this.#onDidChange,
      onError: (error) => this.#warn(error),
    });
    this.#books.set(key, book);
    return book;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Merges what other windows changed, into the books that have been opened. */
  #follow(): void {
    for (const book of this.#books.values()) void book.follow();
  }

  /** Warns once. */
  #warn(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    const reason = error instanceof Error ? error.message : String(error);
    void showMessage(
      'warning',
      vscode.l10n.t('Chainside keeps addresses and labels only until you close this window. {0}', reason),
    );
  }
}
