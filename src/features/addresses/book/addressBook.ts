import * as vscode from 'vscode';
import { type Address, plainText } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { Session } from '../../../host/session/session.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { addressesIn, type BookEntries, type Kind, withEntry } from './bookEntries.ts';
import type { SharedFiles } from './bookFiles.ts';
import { SharedBook } from './sharedBook.ts';

export const MOST_WATCHED = 500;
export const MOST_TOKENS = 50;
export const MOST_LABELS = 2000;
export const LONGEST_LABEL = 64;

export interface AddressBookDeps {
  readonly files: SharedFiles;
  /** Where the book was kept before it had files. */
  readonly storage: vscode.Memento;
  readonly session: Session;
}

/**
 * Watched, recent and labelled addresses and watched tokens, kept for each chain, beyond a restart and in all windows.
 * Files are read and followed from the first time that something of them is wanted: most windows never do.
 */
export class AddressBook implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #deps: AddressBookDeps;
  readonly #books = new Map<string, SharedBook>();
  #told = false;

  readonly onDidChange = this.#changed.event;

  constructor(deps: AddressBookDeps) {
    this.#deps = deps;
    this.#disposables.add(
      deps.session.onDidChange(() => {
        this.#follow();
        this.#changed.fire();
      }),
    );
  }

  /** Settles when the book of the active network has been read. */
  get ready(): Promise<void> {
    return this.#book.ready;
  }

  get watched(): readonly Address[] {
    return addressesIn(this.#entries.watched);
  }

  /** Newest first; those that are watched left out. */
  get recent(): readonly Address[] {
    return addressesIn(this.#entries.recent)
      .filter((address) => !this.isWatched(address))
      .reverse();
  }

  isWatched(address: Address): boolean {
    return isIn(this.#entries, 'watched', address);
  }

  /** Plain text also where an earlier release, or somebody else, has written otherwise. */
  label(address: Address): string | undefined {
    const { text, gone } = this.#entries.labels.get(address) ?? {};
    return text === undefined || gone ? undefined : plainText(text, LONGEST_LABEL);
  }

  /** False if as many are watched as can be. */
  watch(address: Address): Promise<boolean> {
    return this.#add('watched', { address }, MOST_WATCHED);
  }

  unwatch(address: Address): Promise<void> {
    return this.#remove('watched', address);
  }

  /** Contracts of the tokens whose balances are read from the chain, for every address. */
  get tokens(): readonly Address[] {
    return addressesIn(this.#entries.tokens);
  }

  /** False if as many are watched as can be. */
  watchToken(contract: Address): Promise<boolean> {
    return this.#add('tokens', { address: contract }, MOST_TOKENS);
  }

  unwatchToken(contract: Address): Promise<void> {
    return this.#remove('tokens', contract);
  }

  /** An empty label takes the label away. False if there are as many as can be. */
  async setLabel(address: Address, label: string): Promise<boolean> {
    const text = plainText(label, LONGEST_LABEL);
    if (text !== '') return this.#add('labels', { address, text }, MOST_LABELS);
    await this.#remove('labels', address);
    return true;
  }

  /** Puts `address` first among the recent ones. */
  remember(address: Address): Promise<void> {
    return this.#book.change((entries) => withEntry(entries, 'recent', { address }));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #add(kind: Kind, added: Added, most: number): Promise<boolean> {
    const { address, text } = added;
    let fits = true;
    await this.#book.change((entries) => {
      if (isIn(entries, kind, address)) {
        if (entries[kind].get(address)?.text === text) return entries;
      } else {
        fits = addressesIn(entries[kind]).length < most;
      }
      return fits ? withEntry(entries, kind, added) : entries;
    });
    return fits;
  }

  #remove(kind: Kind, address: Address): Promise<void> {
    return this.#book.change((entries) =>
      isIn(entries, kind, address) ? withEntry(entries, kind, { address, gone: true }) : entries,
    );
  }

  get #entries(): BookEntries {
    return this.#book.entries;
  }

  get #key(): string {
    return `addresses:${this.#deps.session.network.chainId}`;
  }

  /** Takes up what other windows have changed meanwhile, if anything was read before. */
  #follow(): void {
    void this.#books.get(this.#key)?.follow();
  }

  /** Of the active network. */
  get #book(): SharedBook {
    const { files, storage } = this.#deps;
    const key = this.#key;
    const known = this.#books.get(key);
    if (known) return known;
    if (this.#books.size === 0) this.#disposables.add(files.watch(() => this.#follow()));
    const book: SharedBook = new SharedBook({
      files,
      prefix: `${key.replace(':', '-')}-`,
      former: { read: () => storage.get(key), clear: () => storage.update(key, undefined) },
      onDidChange: () => {
        if (this.#books.get(this.#key) === book) this.#changed.fire();
      },
      onTrouble: (error) => this.#tellTrouble(error),
    });
    this.#books.set(key, book);
    return book;
  }

  #tellTrouble(error: unknown): void {
    if (this.#told) return;
    this.#told = true;
    const reason = error instanceof Error ? error.message : String(error);
    void showMessage(
      'warning',
      vscode.l10n.t('Addresses and labels are kept for as long as this window is open only. {0}', reason),
    );
  }
}

interface Added {
  readonly address: Address;
  /** Of a label. */
  readonly text?: string;
}

function isIn(entries: BookEntries, kind: Kind, address: Address): boolean {
  const entry = entries[kind].get(address);
  return entry !== undefined && !entry.gone;
}
