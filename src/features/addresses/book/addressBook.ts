import * as vscode from 'vscode';
import { type Address, sanitizeText } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { addressesIn, type BookEntries, type Kind, withEntry } from './bookEntries.ts';
import { BooksByChain, type BooksDeps } from './booksByChain.ts';

export const MOST_WATCHED = 500;
export const MOST_TOKENS = 50;
export const MOST_LABELS = 2000;
export const LONGEST_LABEL = 64;

const most = { watched: MOST_WATCHED, tokens: MOST_TOKENS, labels: MOST_LABELS } satisfies Partial<
  Record<Kind, number>
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
    return addressesIn(this.#entries.watched);
  }

  /** Newest first; those that are watched left out. */
  get recent(): readonly Address[] {
    return addressesIn(this.#entries.recent)
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
    return addressesIn(entries.labels).map((address) => [address, labelIn(entries, address) ?? ''] as const);
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
    return addressesIn(this.#entries.tokens);
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
    const text = sanitizeText(label, LONGEST_LABEL);
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

  async #add(kind: keyof typeof most, added: Added, book = this.#books.current): Promise<boolean> {
    const { address, text } = added;
    let fits = true;
    await book.change((entries) => {
      if (hasEntry(entries, kind, address)) {
        if (entries[kind].get(address)?.text === text) return entries;
      } else {
        fits = addressesIn(entries[kind]).length < most[kind];
      }
      return fits ? withEntry(entries, kind, added) : entries;
    });
    return fits;
  }

  #remove(kind: Kind, address: Address, book = this.#books.current): Promise<void> {
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
  return text === undefined || gone ? undefined : sanitizeText(text, LONGEST_LABEL);
}

function hasEntry(entries: BookEntries, kind: Kind, address: Address): boolean {
  const entry = entries[kind].get(address);
  return entry !== undefined && !entry.gone;
}
