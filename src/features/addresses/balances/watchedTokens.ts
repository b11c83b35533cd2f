import * as vscode from 'vscode';
import { type Address, type Clock, type Erc20Balance, forEachLimited } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { getAvailableValue, type LoadState } from '../../../host/loading.ts';
import type { Session } from '../../../host/session/session.ts';
import type { AddressBook } from '../addressBook.ts';
import { BalanceCache } from './balanceCache.ts';
import type { SeenBlock, TokenAmount } from './balanceReader.ts';

/** The balance of a watched token, by `eth_call`. */
export interface WatchedTokenBalance {
  readonly balance: Erc20Balance;
  /** Undefined when the newest block could not be read. */
  readonly head: SeenBlock | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** A watched token under an address: what is known of it, and by how much it has changed a moment ago. */
export interface WatchedToken {
  readonly contract: Address;
  readonly figure: LoadState<WatchedTokenBalance>;
  /** In smallest units. */
  readonly change?: bigint | undefined;
}

type Key = `${Address} ${Address}`;

/** What a holder has of a token that has been read before. */
interface CachedHolding {
  readonly contract: Address;
  readonly holder: Address;
}

/** What addresses hold of the watched tokens, asked of the contracts themselves: no data API has a part in it. */
export class WatchedTokens implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address>());
  readonly #figures: BalanceCache<Key, WatchedTokenBalance>;
  readonly #deps: WatchedTokensDeps;

  /** Fires with the address whose figures changed. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: WatchedTokensDeps) {
    this.#deps = deps;
    this.#figures = new BalanceCache({
      clock: deps.clock,
      amountOf: ({ balance }) => (balance.state === 'known' ? balance.amount : undefined),
      onChange: (key) => this.#changed.fire(holderOf(key)),
    });
    this.#disposables.add(deps.session.onDidChange(() => this.#figures.clear()));
  }

  /** The watched contracts, with what is known of what `holder` has of each. */
  of(holder: Address): readonly WatchedToken[] {
    return this.#deps.book.tokens.map((contract) => {
      const key: Key = `${contract} ${holder}`;
      return { contract, figure: this.#figures.get(key), change: this.#figures.change(key) };
    });
  }

  /** What `holders` have of tokens that have been read before, so that the amount alone is to be asked for. */
  cached(holders: readonly Address[]): readonly CachedHolding[] {
    return this.#keysOf(holders).flatMap((key) => {
      const figure = this.#figures.get(key);
      const isKnown = getAvailableValue(figure)?.balance.state === 'known' && figure.state !== 'loading';
      return isKnown ? [{ contract: contractOf(key), holder: holderOf(key) }] : [];
    });
  }

  /** Takes the amount of a holding of {@link cached}. As {@link Figures.take}. */
  set({ contract, holder }: CachedHolding, answer: Promise<TokenAmount>): Promise<unknown> {
    const key: Key = `${contract} ${holder}`;
    const before = getAvailableValue(this.#figures.get(key))?.balance;
    const figure = answer.then(
      ({ amount, ...read }): WatchedTokenBalance => ({
        ...read,
        balance:
          before?.state === 'known' && amount !== undefined ? { ...before, amount } : { state: 'notAToken' },
      }),
    );
    return this.#figures.set(key, figure);
  }

  /** Reads what `holders` have of contracts that were no tokens when they were asked, or failed and never answered. */
  async loadMissing(holders: readonly Address[]): Promise<void> {
    const due = this.#keysOf(holders).filter((key) => {
      const figure = this.#figures.get(key);
      const state = getAvailableValue(figure)?.balance.state;
      return (
        (figure.state === 'loaded' || figure.state === 'failed') &&
        state !== 'known' &&
        state !== 'notOffered'
      );
    });
    await forEachLimited(due, (key) => this.#figures.set(key, this.#read(key)).then(() => undefined), {
      limit: 1,
    });
  }

  /** As {@link Figures.showAges}. */
  showAges(): void {
    this.#figures.showAges();
  }

  /** Reads what `holder` has of each watched token: what was never asked for, or all of it `again`. */
  async load(holder: Address, { again = false } = {}): Promise<void> {
    await this.#load(this.#keysOf([holder]), again);
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
    this.#figures.clear();
    this.#disposables.dispose();
  }

  #keysOf(holders: readonly Address[]): readonly Key[] {
    return holders.flatMap((holder) =>
      this.#deps.book.tokens.map((contract): Key => `${contract} ${holder}`),
    );
  }

  async #load(keys: readonly Key[], again: boolean): Promise<void> {
    const { session } = this.#deps;
    const { connection } = session;
    await forEachLimited(keys, (key) => this.#figures.load(key, () => this.#read(key), { again }), {
      goesOn: () => connection === session.connection,
    });
  }

  async #read(key: Key): Promise<WatchedTokenBalance> {
    const { session, readHead, clock } = this.#deps;
    const { client, signal } = session.connection;
    const [balance, head] = await Promise.all([
      client.fetchErc20Balance(contractOf(key), holderOf(key), { signal }),
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
