import * as vscode from 'vscode';
import { Disposables } from '../../../host/disposables.ts';
import type { Session } from '../../../host/session/session.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import type { SharedFiles } from './bookFiles.ts';
import { SharedBook } from './sharedBook.ts';

export interface BooksDeps {
  readonly files: SharedFiles;
  /** Where the book was kept before it had files. */
  readonly storage: vscode.Memento;
  readonly session: Session;
}

/** The entries of each chain, from the first time that something of them is wanted; `onDidChange`: of any. */
export class BooksByChain implements vscode.Disposable {
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
