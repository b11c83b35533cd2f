import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, parseAddress, plainText } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import type { Session } from '../../host/session.ts';

const MOST_RECENT = 20;
export const MOST_WATCHED = 500;
export const MOST_TOKENS = 50;
export const LONGEST_LABEL = 64;

const AddressField = z.pipe(
  z.string().check(z.refine((text) => parseAddress(text) !== undefined)),
  z.transform((text) => text.toLowerCase() as Address),
);
/** Plain text also where an earlier release, or somebody else, has written otherwise. */
const Label = z.pipe(
  z.string(),
  z.transform((text) => plainText(text, LONGEST_LABEL)),
);
const Entries = z.catch(
  z.object({
    watched: z.catch(z.array(AddressField), []),
    recent: z.catch(z.array(AddressField), []),
    labels: z.catch(z.record(z.string(), Label), {}),
    tokens: z.catch(z.array(AddressField), []),
  }),
  { watched: [], recent: [], labels: {}, tokens: [] },
);
type Entries = Readonly<z.infer<typeof Entries>>;

/** Watched, recent and labelled addresses and watched tokens, kept for each chain and beyond a restart. */
export class AddressBook implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #storage: vscode.Memento;
  readonly #session: Session;
  #entries: Entries;

  readonly onDidChange = this.#changed.event;

  constructor(deps: { readonly storage: vscode.Memento; readonly session: Session }) {
    this.#storage = deps.storage;
    this.#session = deps.session;
    this.#entries = this.#read();
    this.#disposables.add(
      deps.session.onDidChange(() => {
        this.#entries = this.#read();
        this.#changed.fire();
      }),
    );
  }

  get watched(): readonly Address[] {
    return this.#entries.watched;
  }

  /** Newest first; those that are watched left out. */
  get recent(): readonly Address[] {
    return this.#entries.recent.filter((address) => !this.isWatched(address));
  }

  isWatched(address: Address): boolean {
    return this.#entries.watched.includes(address);
  }

  label(address: Address): string | undefined {
    return this.#entries.labels[address];
  }

  /** False if as many are watched as can be. */
  async watch(address: Address): Promise<boolean> {
    if (this.isWatched(address)) return true;
    if (this.watched.length >= MOST_WATCHED) return false;
    await this.#write({ ...this.#entries, watched: [...this.watched, address] });
    return true;
  }

  async unwatch(address: Address): Promise<void> {
    await this.#write({ ...this.#entries, watched: this.watched.filter((watched) => watched !== address) });
  }

  /** Contracts of the tokens whose balances are read from the chain, for every address. */
  get tokens(): readonly Address[] {
    return this.#entries.tokens;
  }

  /** False if as many are watched as can be. */
  async watchToken(contract: Address): Promise<boolean> {
    if (this.tokens.includes(contract)) return true;
    if (this.tokens.length >= MOST_TOKENS) return false;
    await this.#write({ ...this.#entries, tokens: [...this.tokens, contract] });
    return true;
  }

  async unwatchToken(contract: Address): Promise<void> {
    await this.#write({ ...this.#entries, tokens: this.tokens.filter((token) => token !== contract) });
  }

  /** An empty label takes the label away. */
  async setLabel(address: Address, label: string): Promise<void> {
    const { [address]: _, ...others } = this.#entries.labels;
    const text = plainText(label, LONGEST_LABEL);
    await this.#write({ ...this.#entries, labels: text === '' ? others : { ...others, [address]: text } });
  }

  /** Puts `address` first among the recent ones. */
  async remember(address: Address): Promise<void> {
    const others = this.#entries.recent.filter((recent) => recent !== address);
    await this.#write({ ...this.#entries, recent: [address, ...others].slice(0, MOST_RECENT) });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #storageKey(): string {
    return `addresses:${this.#session.network.chainId}`;
  }

  #read(): Entries {
    return z.parse(Entries, this.#storage.get(this.#storageKey()));
  }

  async #write(entries: Entries): Promise<void> {
    this.#entries = entries;
    this.#changed.fire();
    await this.#storage.update(this.#storageKey(), entries);
  }
}
