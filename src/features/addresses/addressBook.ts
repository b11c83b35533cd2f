import * as vscode from 'vscode';
import { type Address, sanitizeText } from '../../core/index.ts';
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
 * Watched, recent and labelled addresses and watched tokens, kept for each chain, beyond a restart and in all windows.
 * Files are read and followed from the first time that something of them is wanted: most windows never do.
 */
export class AddressBook implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #books: BooksByChain;

  readonly onDidChange = this.#changed.event;

  constructor(deps: BooksDeps) {
    this.#books = this.#disposables.add(new BooksByChain(deps, () => this.#changed.fire()));
  }

  /** Settles when the book of the active network has been read. */
  get ready(): Promise<void> {
    return this.#books.current.ready;
  }

  get watched(): readonly Address[] {
    return listAddresses(this.#entries.watched);
  }

  /** Newest first; those that are watched left out. */
  get recent(): readonly Address[] {
    return listAddresses(this.#entries.recent)
      .filter((address) => !this.isWatched(address))
      .reverse();
  }

  isWatched(address: Address): boolean {
    return hasEntry(this.#entries, 'watched', address);
  }

  /** Plain text also where an earlier release, or somebody else, has written otherwise. */
  label(address: Address): string | undefined {
    return labelIn(this.#entries, address);
  }

  /** The label on a chain, once its book has been read. */
  async labelOn(chainId: number, address: Address): Promise<string | undefined> {
    const book = this.#books.of(chainId);
    await book.ready;
    return labelIn(book.entries, address);
  }

  /** Every label of a chain, as far as they have been read. */
  labelsOf(chainId: number): readonly (readonly [Address, string])[] {
    const { entries } = this.#books.of(chainId);
    return listAddresses(entries.labels).map(
      (address) => [address, labelIn(entries, address) ?? ''] as const,
    );
  }

  /** False if as many are watched as can be. */
  watch(address: Address): Promise<boolean> {
    return this.#add('watched', { address });
  }

  unwatch(address: Address): Promise<void> {
    return this.#remove('watched', address);
  }

  /** Contracts of the tokens whose balances are read from the chain, for every address. */
  get tokens(): readonly Address[] {
    return listAddresses(this.#entries.tokens);
  }

  /** False if as many are watched as can be. */
  watchToken(contract: Address): Promise<boolean> {
    return this.#add('tokens', { address: contract });
  }

  unwatchToken(contract: Address): Promise<void> {
    return this.#remove('tokens', contract);
  }

  /** An empty label takes the label away. False if there are as many as can be; by default on the active chain. */
  async setLabel(address: Address, label: string, chainId?: number): Promise<boolean> {
    const text = sanitizeText(label, MAX_ADDRESS_LABEL_CHARS);
    const book = chainId === undefined ? this.#books.current : this.#books.of(chainId);
    if (text !== '') return this.#add('labels', { address, text }, book);
    await this.#remove('labels', address, book);
    return true;
  }

  /** Puts `address` first among the recent ones. */
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

interface Added {
  readonly address: Address;
  /** Of a label. */
  readonly text?: string;
}

function labelIn(entries: BookEntries, address: Address): string | undefined {
  const { text, gone } = entries.labels.get(address) ?? {};
  return text === undefined || gone ? undefined : sanitizeText(text, MAX_ADDRESS_LABEL_CHARS);
}

function hasEntry(entries: BookEntries, kind: EntryKind, address: Address): boolean {
  const entry = entries[kind].get(address);
  return entry !== undefined && !entry.gone;
}

/** Far more than an address book that is full; what is larger is none. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

interface SharedFiles extends BookFiles {
  /** Calls `changed` when any of the files may have changed. */
  watch(changed: () => void): vscode.Disposable;
}

/** Address books as files in a folder that all windows share. */
export function createBookFiles(folder: vscode.Uri): SharedFiles {
  const { fs } = vscode.workspace;
  const at = (name: string) => vscode.Uri.joinPath(folder, name);
  return {
    async list(prefix) {
      const found = (await ifExists(fs.readDirectory(folder))) ?? [];
      return found.map(([name]) => name).filter((name) => name.startsWith(prefix) && name.endsWith('.json'));
    },
    async read(name) {
      const stat = await ifExists(fs.stat(at(name)));
      if (stat && stat.size > MAX_FILE_BYTES) return '';
      const content = stat && (await ifExists(fs.readFile(at(name))));
      return content && new TextDecoder().decode(content);
    },
    async write(name, content) {
      await fs.writeFile(at(name), new TextEncoder().encode(content));
    },
    async remove(name) {
      await fs.delete(at(name), { recursive: false, useTrash: false });
    },
    watch(changed) {
      const watching = new Disposables();
      const begin = () => {
        const pattern = new vscode.RelativePattern(folder, '*.json');
        const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
        for (const part of [watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed)]) {
          watching.add(part);
        }
      };
      // For a folder that is not there yet a watcher looks every few seconds only.
      void fs.createDirectory(folder).then(begin, () => undefined);
      // Where no watcher reaches the folder.
      watching.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && changed()));
      return watching;
    },
  };
}

interface BooksDeps {
  readonly files: SharedFiles;
  /** Where the book was kept before it had files. */
  readonly storage: vscode.Memento;
  readonly session: Session;
}

/** The entries of each chain, from the first time that something of them is wanted; `onDidChange`: of any. */
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

  /** Of the active network. */
  get current(): SharedBook {
    return this.of(this.#deps.session.network.chainId);
  }

  of(chainId: number): SharedBook {
    const { files, storage } = this.#deps;
    const key = `addresses:${chainId}`;
    const known = this.#books.get(key);
    if (known) return known;
    if (this.#books.size === 0) this.#disposables.add(files.watch(() => this.#follow()));
    const book = new SharedBook({
      files,
      prefix: `${key.replace(':', '-')}-`,
      former: { read: () => storage.get(key), clear: () => storage.update(key, undefined) },
      onDidChange: this.#onDidChange,
      onTrouble: (error) => this.#warn(error),
    });
    this.#books.set(key, book);
    return book;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Takes up what other windows have changed meanwhile, if anything was read before. */
  #follow(): void {
    for (const book of this.#books.values()) void book.follow();
  }

  /** Once. */
  #warn(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    const reason = error instanceof Error ? error.message : String(error);
    void showMessage(
      'warning',
      vscode.l10n.t('Addresses and labels are kept for as long as this window is open only. {0}', reason),
    );
  }
}

/** Names on the active network. */
export interface ActiveNames {
  readonly names: NamesService;
  readonly chainId: number;
  name(address: Address): string | undefined;
  /** Settles when all names are known, or after a moment. */
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
