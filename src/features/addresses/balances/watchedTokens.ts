import * as vscode from 'vscode';
import { type Address, type Clock, type Erc20Balance, eachLimited } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { LoadState } from '../../../host/loading/loadState.ts';
import { Loads } from '../../../host/loading/loads.ts';
import type { Session } from '../../../host/session/session.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { SeenBlock } from './balanceReader.ts';

/** The balance of a watched token, by `eth_call`. */
export interface WatchedTokenFigure {
  readonly balance: Erc20Balance;
  /** Undefined when the newest block could not be read. */
  readonly head: SeenBlock | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

type Key = `${Address} ${Address}`;

/** What addresses hold of the watched tokens, asked of the contracts themselves: no data API has a part in it. */
export class WatchedTokens implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address>());
  readonly #figures = new Loads<Key, WatchedTokenFigure>((key) => this.#changed.fire(holderOf(key)));
  readonly #deps: WatchedTokensDeps;

  /** Fires with the address whose figures changed. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: WatchedTokensDeps) {
    this.#deps = deps;
    this.#disposables.add(deps.session.onDidChange(() => this.#figures.clear()));
  }

  /** The watched contracts, with what is known of what `holder` has of each. */
  of(holder: Address): readonly { contract: Address; figure: LoadState<WatchedTokenFigure> }[] {
    return this.#deps.book.tokens.map((contract) => ({
      contract,
      figure: this.#figures.get(`${contract} ${holder}`),
    }));
  }

  /** Reads what `holder` has of each watched token: what was never asked for, or all of it `again`. */
  async load(holder: Address, { again = false } = {}): Promise<void> {
    const keys = this.#deps.book.tokens.map((contract): Key => `${contract} ${holder}`);
    await this.#load(keys, again);
  }

  /** Reads again whatever has been read of tokens that are still watched. */
  async refresh(): Promise<void> {
    const { tokens } = this.#deps.book;
    await this.#load(
      this.#figures.keys().filter((key) => tokens.includes(contractOf(key))),
      true,
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #load(keys: readonly Key[], again: boolean): Promise<void> {
    const { session } = this.#deps;
    const { connection } = session;
    await eachLimited(keys, (key) => this.#figures.load(key, () => this.#read(key), { again }), {
      goesOn: () => connection === session.connection,
    });
  }

  async #read(key: Key): Promise<WatchedTokenFigure> {
    const { session, readHead, clock } = this.#deps;
    const { client, signal } = session.connection;
    const [balance, head] = await Promise.all([
      client.erc20Balance(contractOf(key), holderOf(key), { signal }),
      readHead().catch(() => undefined),
    ]);
    return { balance, head, readAt: clock.now() };
  }
}

interface WatchedTokensDeps {
  readonly session: Session;
  readonly book: AddressBook;
  readonly clock: Clock;
  readonly readHead: () => Promise<SeenBlock>;
}

function contractOf(key: Key): Address {
  return key.slice(0, key.indexOf(' ')) as Address;
}

function holderOf(key: Key): Address {
  return key.slice(key.indexOf(' ') + 1) as Address;
}
