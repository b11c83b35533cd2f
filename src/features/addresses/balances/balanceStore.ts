import * as vscode from 'vscode';
import type { Address, Clock, Price, QuoteCurrency } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { type LoadState, valueAtHand } from '../../../host/loading/loadState.ts';
import { Loads } from '../../../host/loading/loads.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import {
  type BalanceReader,
  type HoldingsFigure,
  type NativeFigure,
  type ReadyHoldings,
  readyOf,
} from './balanceReader.ts';
import { Figures } from './figures.ts';
import { HoldingsAllowance } from './holdingsAllowance.ts';
import { answerAt } from './readTogether.ts';

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
  readonly #natives: Figures<Address, NativeFigure>;
  readonly #holdings = new Loads<Address, HoldingsFigure>((address) => this.#changed.fire(address));
  readonly #settings: SettingsService;
  readonly #reader: BalanceReader;
  readonly #allowance: HoldingsAllowance;

  /** Fires with the address whose figures changed; with undefined when all did. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: {
    readonly session: Session;
    readonly settings: SettingsService;
    readonly reader: BalanceReader;
    readonly clock: Clock;
  }) {
    this.#settings = deps.settings;
    this.#reader = deps.reader;
    this.#allowance = new HoldingsAllowance(deps.session);
    this.#natives = new Figures({
      clock: deps.clock,
      amountOf: ({ balance }) => (balance.state === 'known' ? balance.wei : undefined),
      onChange: (address) => this.#changed.fire(address),
    });
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

  /** By how many wei the balance has changed a moment ago. */
  nativeChange(address: Address): bigint | undefined {
    return this.#natives.change(address);
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
    return this.#allowance.price;
  }

  async load(address: Address, wanted: Wanted): Promise<void> {
    await Promise.all([this.#loadNative(address, wanted), this.#loadHoldings(address, wanted)]);
  }

  /** Native balances of several, in one request where the endpoint takes that. */
  async loadNatives(addresses: readonly Address[], wanted: Wanted): Promise<void> {
    const due = addresses.filter((address) => {
      const { state } = this.native(address);
      return wanted === 'missing' ? state === 'idle' : state !== 'loading';
    });
    if (due.length === 0) return;
    const { natives } = this.#reader.together({ natives: due, tokens: [] });
    await Promise.all(
      due.map((address, place) =>
        this.#natives.load(address, () => answerAt(natives, place), { again: true }),
      ),
    );
  }

  /** Those of `addresses` whose balance has been asked for and has come, or has failed to. */
  settledNatives(addresses: readonly Address[]): readonly Address[] {
    return addresses.filter((address) => {
      const { state } = this.native(address);
      return state === 'loaded' || state === 'failed';
    });
  }

  /** As {@link Figures.take}. */
  takeNative(address: Address, answer: Promise<NativeFigure>): Promise<unknown> {
    return this.#natives.take(address, answer);
  }

  /** As {@link Figures.showAges}. */
  showAges(): void {
    this.#natives.showAges();
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
    this.#natives.clear();
    this.#disposables.dispose();
  }

  #loadNative(address: Address, wanted: Wanted): Promise<void> {
    const read = () => this.#reader.native(address, { fresh: wanted === 'fresh' });
    return this.#natives.load(address, read, { again: wanted !== 'missing' });
  }

  #loadHoldings(address: Address, wanted: Wanted): Promise<void> {
    if (wanted !== 'missing') this.#allowance.request(address);
    const before = readyOf(valueAtHand(this.#holdings.get(address)));
    const read = async (): Promise<HoldingsFigure> => {
      if (!(await this.#allowance.allows(address))) return { state: 'notAsked', before };
      const figure = await this.#reader.holdings(address, { fresh: wanted === 'fresh' });
      return figure.state === 'ready' ? figure : { ...figure, before };
    };
    return this.#holdings.load(address, read, { again: wanted !== 'missing' });
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
    this.#allowance.startAnew();
    this.#changed.fire(undefined);
  }
}
