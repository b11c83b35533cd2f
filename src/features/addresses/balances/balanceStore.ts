import * as vscode from 'vscode';
import { type Address, eachLimited, type Price, type QuoteCurrency } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { type LoadState, valueAtHand } from '../../../host/loading/loadState.ts';
import { Loads } from '../../../host/loading/loads.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SourceAccess } from '../../../host/session/sourceAccess.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import {
  type BalanceReader,
  type HoldingsFigure,
  type NativeFigure,
  type ReadyHoldings,
  readyOf,
} from './balanceReader.ts';
import { mostUnasked } from './holdingsCost.ts';

/**
 * - `missing`: what was never asked for, so that drawing a failure does not ask again. What costs credits is asked for
 *   a few addresses only, as it may be drawing alone that wants it.
 * - `recent`: everything, as answered a moment ago at most.
 * - `fresh`: everything, asked now.
 */
type Wanted = 'missing' | 'recent' | 'fresh';

/** What the Addresses view shows of balances, filled as they arrive. */
export class BalanceStore implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address | undefined>());
  readonly #natives = new Loads<Address, NativeFigure>((address) => this.#changed.fire(address));
  readonly #holdings = new Loads<Address, HoldingsFigure>((address) => this.#changed.fire(address));
  readonly #session: Session;
  readonly #settings: SettingsService;
  readonly #reader: BalanceReader;
  /** Addresses whose holdings the user asked for since all were due; and how many were read unasked. */
  readonly #requested = new Set<Address>();
  #unasked = 0;
  #price: Price | undefined;

  /** Fires with the address whose figures changed; with undefined when all did. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: {
    readonly session: Session;
    readonly settings: SettingsService;
    readonly reader: BalanceReader;
  }) {
    this.#session = deps.session;
    this.#settings = deps.settings;
    this.#reader = deps.reader;
    this.#disposables.add(deps.session.onDidChange(() => this.#forget()));
    this.#disposables.add(deps.session.onDidChangeSources(() => this.#expireHoldings()));
    let { quoteCurrency } = deps.settings.current;
    this.#disposables.add(
      deps.settings.onDidChange(() => {
        if (this.quoteCurrency === quoteCurrency) return;
        quoteCurrency = this.quoteCurrency;
        // Figures stay, marked as of the old currency: to read all of them again would spend credits that the user did not agree to.
        this.#changed.fire(undefined);
      }),
    );
  }

  /** The currency that holdings are asked for in from now on. */
  get quoteCurrency(): QuoteCurrency {
    return this.#settings.current.quoteCurrency;
  }

  native(address: Address): LoadState<NativeFigure> {
    return this.#natives.get(address);
  }

  holdings(address: Address): LoadState<HoldingsFigure> {
    return this.#holdings.get(address);
  }

  /** The holdings of `address` at hand, also those read before the key went or failed. */
  holdingsAtHand(address: Address): ReadyHoldings | undefined {
    return readyOf(valueAtHand(this.#holdings.get(address)));
  }

  /** Of how many addresses the holdings have been asked for, and so are by {@link refresh}. */
  get holdingsCount(): number {
    return this.#holdings.keys().length;
  }

  /** What a look at the holdings of one address costs, as known when one was last asked for. */
  get holdingsPrice(): Price | undefined {
    return this.#price;
  }

  async load(address: Address, wanted: Wanted): Promise<void> {
    await Promise.all([this.#loadNative(address, wanted), this.#loadHoldings(address, wanted)]);
  }

  /** Native balances of several, a few at a time. */
  async loadNatives(addresses: readonly Address[], wanted: Wanted): Promise<void> {
    const { connection } = this.#session;
    await eachLimited(addresses, (address) => this.#loadNative(address, wanted), {
      goesOn: () => connection === this.#session.connection,
    });
  }

  /** Loads again whatever has been loaded; holdings, which cost credits, only if asked to. */
  async refresh(options: { readonly holdings: boolean }): Promise<void> {
    const held = options.holdings ? this.#holdings.keys() : [];
    await Promise.all([
      this.loadNatives(this.#natives.keys(), 'fresh'),
      ...held.map((address) => this.#loadHoldings(address, 'fresh')),
    ]);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #loadNative(address: Address, wanted: Wanted): Promise<void> {
    const read = () => this.#reader.native(address, { fresh: wanted === 'fresh' });
    return this.#natives.load(address, read, { again: wanted !== 'missing' });
  }

  #loadHoldings(address: Address, wanted: Wanted): Promise<void> {
    if (wanted !== 'missing') this.#requested.add(address);
    const before = readyOf(valueAtHand(this.#holdings.get(address)));
    const read = async (): Promise<HoldingsFigure> => {
      if (!(await this.#mayAsk(address))) return { state: 'notAsked', before };
      const figure = await this.#reader.holdings(address, { fresh: wanted === 'fresh' });
      return figure.state === 'ready' ? figure : { ...figure, before };
    };
    return this.#holdings.load(address, read, { again: wanted !== 'missing' });
  }

  async #mayAsk(address: Address): Promise<boolean> {
    const access = await this.#session.holdings();
    this.#price = priceOf(access);
    if (access.state !== 'ready' || this.#requested.has(address)) return true;
    return this.#unasked++ < mostUnasked(this.#price);
  }

  #expireHoldings(): void {
    this.#holdings.expire();
    this.#startAnew();
  }

  #forget(): void {
    this.#natives.clear();
    this.#holdings.clear();
    this.#startAnew();
  }

  #startAnew(): void {
    this.#requested.clear();
    this.#unasked = 0;
    this.#changed.fire(undefined);
  }
}

function priceOf(access: SourceAccess<'holdings'>): Price | undefined {
  switch (access.state) {
    case 'ready':
      return access.source.offers.holdings;
    case 'noKey':
      return access.offers.holdings;
    case 'notServed':
      return undefined;
  }
}
