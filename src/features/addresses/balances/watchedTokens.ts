import * as vscode from 'vscode';
import { type Address, type Clock, type Erc20Balance, forEachLimited } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { getAvailableValue, type LoadState } from '../../../host/loading.ts';
import type { Session } from '../../../host/session/session.ts';
import type { AddressBook } from '../addressBook.ts';
import { BalanceCache } from './balanceCache.ts';
import type { SeenBlock, TokenAmount } from './balanceReader.ts';
import type { ProjectTokens } from './projectTokens.ts';

export interface WatchedTokenBalance {
  readonly balance: Erc20Balance;
  /** Undefined if the newest block could not be read. */
  readonly head: SeenBlock | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** A watched token or one of the project under an address, and by how much its amount changed a moment ago. */
export interface WatchedToken {
  readonly contract: Address;
  /** False for a token of the project that the user does not watch. */
  readonly isWatched: boolean;
  readonly figure: LoadState<WatchedTokenBalance>;
  /** In smallest units. */
  readonly change?: bigint | undefined;
}

const MAX_CONCURRENT_READS = 20;

type Key = `${Address} ${Address}`;

/** A holding that has been read before. */
interface CachedHolding {
  readonly contract: Address;
  readonly holder: Address;
}

interface WatchedTokensDeps {
  readonly session: Session;
  readonly book: AddressBook;
  readonly projectTokens: ProjectTokens;
  readonly clock: Clock;
  readonly readHead: () => Promise<SeenBlock>;
}

/**
 * Balances of the watched tokens and of those of the project, read from their contracts by `eth_call`, without a data
 * API.
 */
export class WatchedTokens implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address>());
  readonly #figures: BalanceCache<Key, WatchedTokenBalance>;
  readonly #deps: WatchedTokensDeps;

  readonly onDidChange = this.#changed.event;

  constructor(deps: WatchedTokensDeps) {
    this.#deps = deps;
    this.#figures = new BalanceCache({
      clock: deps.clock,
      amountOf: ({ balance }) => (balance.state === 'known' ? balance.amount : undefined),
      onChange: (key) => this.#changed.fire(getHolder(key)),
    });
    this.#disposables.add(deps.session.onDidChange(() => this.#figures.clear()));
  }

  /**
   * The watched contracts with what is loaded of `holder`'s balance of each, then those of the project whose balance is
   * known, zeros last.
   */
  list(holder: Address): readonly WatchedToken[] {
    const { book } = this.#deps;
    const listOf = (contracts: readonly Address[], isWatched: boolean) =>
      contracts.map((contract): WatchedToken => {
        const key: Key = `${contract} ${holder}`;
        return { contract, isWatched, figure: this.#figures.get(key), change: this.#figures.change(key) };
      });
    const amountOf = ({ figure }: WatchedToken) => {
      const balance = getAvailableValue(figure)?.balance;
      return balance?.state === 'known' ? balance.amount : undefined;
    };
    const ofProject = listOf(this.#listProjectTokens(), false);
    return [
      ...listOf(book.tokens, true),
      ...ofProject.filter((token) => amountOf(token) ?? 0n),
      ...ofProject.filter((token) => amountOf(token) === 0n),
    ];
  }

  /**
   * Holdings of `holders` that have been read before: symbol and decimals are loaded, only the amount has to be read.
   */
  cached(holders: readonly Address[]): readonly CachedHolding[] {
    const contracts = [...this.#deps.book.tokens, ...this.#listProjectTokens()];
    return listKeys(contracts, holders).flatMap((key) => {
      const figure = this.#figures.get(key);
      const isReadable = getAvailableValue(figure)?.balance.state === 'known' && figure.state !== 'loading';
      return isReadable ? [{ contract: getContract(key), holder: getHolder(key) }] : [];
    });
  }

  /** Stores a new amount of a holding of {@link cached}. As {@link BalanceCache.set}. */
  set({ contract, holder }: CachedHolding, result: Promise<TokenAmount>): Promise<unknown> {
    const key: Key = `${contract} ${holder}`;
    const before = getAvailableValue(this.#figures.get(key))?.balance;
    const figure = result.then(
      ({ amount, ...read }): WatchedTokenBalance => ({
        ...read,
        balance:
          before?.state === 'known' && amount !== undefined ? { ...before, amount } : { state: 'notAToken' },
      }),
    );
    return this.#figures.set(key, figure);
  }

  /** Reads balances of watched contracts that were no tokens before, or whose first read failed. */
  async loadMissing(holders: readonly Address[]): Promise<void> {
    const due = listKeys(this.#deps.book.tokens, holders).filter((key) => {
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

  /** As {@link BalanceCache.showAges}. */
  showAges(): void {
    this.#figures.showAges();
  }

  /**
   * Reads `holder`'s balance of each watched token and each of the project: those never requested, or all of them if
   * `again`.
   */
  async load(holder: Address, { again = false } = {}): Promise<void> {
    const { book, projectTokens } = this.#deps;
    await Promise.all([
      this.#load(listKeys(book.tokens, [holder]), again),
      projectTokens.find().then(() => this.#load(listKeys(this.#listProjectTokens(), [holder]), again)),
    ]);
  }

  /** Reads again all balances of tokens that are still watched or of the project. */
  async refresh(): Promise<void> {
    const tokens = [...this.#deps.book.tokens, ...this.#listProjectTokens()];
    await this.#load(
      this.#figures.keys().filter((key) => tokens.includes(getContract(key))),
      true,
    );
  }

  dispose(): void {
    this.#figures.clear();
    this.#disposables.dispose();
  }

  /** Those that are not watched. */
  #listProjectTokens(): readonly Address[] {
    const { book, projectTokens } = this.#deps;
    return projectTokens.list().filter((contract) => !book.tokens.includes(contract));
  }

  async #load(keys: readonly Key[], again: boolean): Promise<void> {
    const { session } = this.#deps;
    const { connection } = session;
    // Calls of one moment share a request.
    await forEachLimited(keys, (key) => this.#figures.load(key, () => this.#read(key), { again }), {
      limit: MAX_CONCURRENT_READS,
      goesOn: () => connection === session.connection,
    });
  }

  async #read(key: Key): Promise<WatchedTokenBalance> {
    const { session, readHead, clock } = this.#deps;
    const { client, signal } = session.connection;
    const [balance, head] = await Promise.all([
      client.fetchErc20Balance(getContract(key), getHolder(key), { signal }),
      readHead().catch(() => undefined),
    ]);
    return { balance, head, readAt: clock.now() };
  }
}

function listKeys(contracts: readonly Address[], holders: readonly Address[]): readonly Key[] {
  return holders.flatMap((holder) => contracts.map((contract): Key => `${contract} ${holder}`));
}

function getContract(key: Key): Address {
  return key.slice(0, key.indexOf(' ')) as Address;
}

function getHolder(key: Key): Address {
  return key.slice(key.indexOf(' ') + 1) as Address;
}
