import * as vscode from 'vscode';
import type { Address } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import type { Session } from '../../host/session.ts';
import type { SettingsService } from '../../host/settings.ts';
import type { BalanceReader, NativeFigure, TokensFigure } from './balanceReader.ts';
import { type Loadable, Loadables } from './loadables.ts';

const AT_ONCE = 4;

/**
 * - `missing`: what was never asked for, so that drawing a failure does not ask again.
 * - `recent`: everything, as answered a moment ago at most.
 * - `fresh`: everything, asked now.
 */
export type Wanted = 'missing' | 'recent' | 'fresh';

/** What the Addresses view shows of balances, filled as they arrive. */
export class BalanceStore implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address | undefined>());
  readonly #natives = new Loadables<Address, NativeFigure>((address) => this.#changed.fire(address));
  readonly #tokens = new Loadables<Address, TokensFigure>((address) => this.#changed.fire(address));
  readonly #session: Session;
  readonly #reader: BalanceReader;

  /** Fires with the address whose figures changed; with undefined when all did. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: {
    readonly session: Session;
    readonly settings: SettingsService;
    readonly reader: BalanceReader;
  }) {
    this.#session = deps.session;
    this.#reader = deps.reader;
    this.#disposables.add(deps.session.onDidChange(() => this.#forget(this.#natives, this.#tokens)));
    this.#disposables.add(deps.session.onDidChangeDataApi(() => this.#forget(this.#tokens)));
    let { quoteCurrency } = deps.settings.current;
    this.#disposables.add(
      deps.settings.onDidChange(() => {
        if (deps.settings.current.quoteCurrency === quoteCurrency) return;
        quoteCurrency = deps.settings.current.quoteCurrency;
        this.#forget(this.#tokens);
      }),
    );
  }

  native(address: Address): Loadable<NativeFigure> {
    return this.#natives.get(address);
  }

  tokens(address: Address): Loadable<TokensFigure> {
    return this.#tokens.get(address);
  }

  async load(address: Address, wanted: Wanted): Promise<void> {
    await Promise.all([this.#loadNative(address, wanted), this.#loadTokens(address, wanted)]);
  }

  /** Native balances of several, a few at a time. */
  async loadNatives(addresses: readonly Address[], wanted: Wanted): Promise<void> {
    const waiting = addresses.values();
    const { connection } = this.#session;
    const work = async () => {
      for (const address of waiting) {
        if (connection !== this.#session.connection) return;
        await this.#loadNative(address, wanted);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Loads again whatever has been loaded. */
  async refresh(): Promise<void> {
    await Promise.all([
      this.loadNatives(this.#natives.keys(), 'fresh'),
      ...this.#tokens.keys().map((address) => this.#loadTokens(address, 'fresh')),
    ]);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #loadNative(address: Address, wanted: Wanted): Promise<void> {
    const read = () => this.#reader.native(address, { fresh: wanted === 'fresh' });
    return this.#natives.load(address, read, { again: wanted !== 'missing' });
  }

  #loadTokens(address: Address, wanted: Wanted): Promise<void> {
    const read = () => this.#reader.tokens(address, { fresh: wanted === 'fresh' });
    return this.#tokens.load(address, read, { again: wanted !== 'missing' });
  }

  #forget(...parts: readonly { clear(): void }[]): void {
    for (const part of parts) part.clear();
    this.#changed.fire(undefined);
  }
}
