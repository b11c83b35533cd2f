import * as vscode from 'vscode';
import type { Address, Clock, Price, QuoteCurrency } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { getAvailableValue, KeyedLoads, type LoadState } from '../../../host/loading.ts';
import type { ProviderAccess } from '../../../host/session/providerAccess.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { showModal } from '../../../host/ui/dialogs.ts';
import { BalanceCache } from './balanceCache.ts';
import {
  type BalanceReader,
  getLoadedHoldings,
  getResultAt,
  type HoldingsResult,
  type LoadedHoldings,
  type NativeBalanceRead,
} from './balanceReader.ts';

/**
 * Which values to request.
 *
 * - `missing`: those never requested, so that a redraw does not retry a failure. Holdings that cost credits are
 * requested for a few addresses only, because a redraw alone may trigger this.
 * - `recent`: all, unless the cache is recent.
 * - `fresh`: all, bypassing the cache.
 */
type Freshness = 'missing' | 'recent' | 'fresh';

/** The balances and holdings that the Addresses view shows. */
export class BalanceStore implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address | undefined>());
  readonly #natives: BalanceCache<Address, NativeBalanceRead>;
  readonly #holdings = new KeyedLoads<Address, HoldingsResult>((address) => this.#changed.fire(address));
  readonly #settings: SettingsService;
  readonly #reader: BalanceReader;
  readonly #allowance: HoldingsAllowance;

  /** Fires with the address whose values changed; with undefined if all did. */
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
    this.#natives = new BalanceCache({
      clock: deps.clock,
      amountOf: ({ balance }) => (balance.state === 'known' ? balance.wei : undefined),
      onChange: (address) => this.#changed.fire(address),
    });
    this.#disposables.add(deps.session.onDidChange(() => this.#clear()));
    this.#disposables.add(deps.session.onDidChangeSources(() => this.#expireHoldings()));
    let { quoteCurrency } = deps.settings.current;
    this.#disposables.add(
      deps.settings.onDidChange(() => {
        if (this.quoteCurrency === quoteCurrency) return;
        quoteCurrency = this.quoteCurrency;
        // Values stay, marked as in the old currency: reading all of them again would spend credits without the user's
        // consent.
        this.#changed.fire(undefined);
      }),
    );
  }

  /** The currency of future requests. */
  get quoteCurrency(): QuoteCurrency {
    return this.#settings.current.quoteCurrency;
  }

  native(address: Address): LoadState<NativeBalanceRead> {
    return this.#natives.get(address);
  }

  /** In wei, if the balance changed a moment ago. */
  nativeChange(address: Address): bigint | undefined {
    return this.#natives.change(address);
  }

  holdings(address: Address): LoadState<HoldingsResult> {
    return this.#holdings.get(address);
  }

  /** The loaded holdings of `address`, even if they were read before the key was removed or failed. */
  availableHoldings(address: Address): LoadedHoldings | undefined {
    return getLoadedHoldings(getAvailableValue(this.#holdings.get(address)));
  }

  /** Number of addresses whose holdings have been requested: {@link refresh} requests them again. */
  get holdingsCount(): number {
    return this.#holdings.keys().length;
  }

  /** Price of the holdings of one address, as of the last request. */
  get holdingsPrice(): Price | undefined {
    return this.#allowance.price;
  }

  async load(address: Address, freshness: Freshness): Promise<void> {
    await Promise.all([this.#loadNative(address, freshness), this.#loadHoldings(address, freshness)]);
  }

  /** In one request if the endpoint supports batches. */
  async loadNatives(addresses: readonly Address[], freshness: Freshness): Promise<void> {
    const due = addresses.filter((address) => {
      const { state } = this.native(address);
      return freshness === 'missing' ? state === 'idle' : state !== 'loading';
    });
    if (due.length === 0) return;
    const { natives } = this.#reader.readBatch({ natives: due, tokens: [] });
    await Promise.all(
      due.map((address, index) =>
        this.#natives.load(address, () => getResultAt(natives, index), { again: true }),
      ),
    );
  }

  /** Those of `addresses` whose balance has been loaded, or has failed to load. */
  settledNatives(addresses: readonly Address[]): readonly Address[] {
    return addresses.filter((address) => {
      const { state } = this.native(address);
      return state === 'loaded' || state === 'failed';
    });
  }

  /** As {@link BalanceCache.set}. */
  setNative(address: Address, result: Promise<NativeBalanceRead>): Promise<unknown> {
    return this.#natives.set(address, result);
  }

  /** As {@link BalanceCache.showAges}. */
  showAges(): void {
    this.#natives.showAges();
  }

  /** Reloads what has been loaded; holdings, which cost credits, only on request. */
  async refresh(options: { readonly holdings: boolean }): Promise<void> {
    const addresses = options.holdings ? this.#holdings.keys() : [];
    await Promise.all([
      this.loadNatives(this.#natives.keys(), 'fresh'),
      ...addresses.map((address) => this.#loadHoldings(address, 'fresh')),
    ]);
  }

  dispose(): void {
    this.#natives.clear();
    this.#disposables.dispose();
  }

  #loadNative(address: Address, freshness: Freshness): Promise<void> {
    const read = () => this.#reader.native(address, { fresh: freshness === 'fresh' });
    return this.#natives.load(address, read, { again: freshness !== 'missing' });
  }

  #loadHoldings(address: Address, freshness: Freshness): Promise<void> {
    if (freshness !== 'missing') this.#allowance.request(address);
    const before = getLoadedHoldings(getAvailableValue(this.#holdings.get(address)));
    const read = async (): Promise<HoldingsResult> => {
      if (!(await this.#allowance.allows(address))) return { state: 'notAsked', before };
      const figure = await this.#reader.holdings(address, { fresh: freshness === 'fresh' });
      return figure.state === 'ready' ? figure : { ...figure, before };
    };
    return this.#holdings.load(address, read, { again: freshness !== 'missing' });
  }

  #expireHoldings(): void {
    this.#holdings.expire();
    this.#reset();
  }

  #clear(): void {
    this.#natives.clear();
    this.#holdings.clear();
    this.#reset();
  }

  #reset(): void {
    this.#allowance.reset();
    this.#changed.fire(undefined);
  }
}

/** Asks for confirmation if reading the holdings of `addresses` addresses is expensive. */
export async function confirmCost(addresses: number, price: Price | undefined): Promise<boolean> {
  const credits = getCredits(price);
  if (!credits || addresses * credits.max < MIN_CONFIRMED_CREDITS) return true;
  const confirm = vscode.l10n.t('Reload Tokens');
  const chosen = await showModal(
    vscode.l10n.t(
      'Reloading the tokens of {0} addresses uses {1} to {2} credits of your data API key.',
      addresses,
      addresses * credits.min,
      addresses * credits.max,
    ),
    '',
    confirm,
  );
  return chosen === confirm;
}

/** What it costs to read the holdings of one address, if the price is known. */
export function formatHoldingsCost(price: Price | undefined): readonly string[] {
  const credits = getCredits(price);
  if (!credits) return [];
  const { min, max } = credits;
  return [vscode.l10n.t('Loading the tokens of an address uses {0} or {1} credits of the key.', min, max)];
}

/** Which addresses' holdings may be requested: those that the user asked for, and a few more. */
export class HoldingsAllowance {
  readonly #session: Session;
  readonly #requested = new Set<Address>();
  #unconfirmed = 0;
  #price: Price | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  get price(): Price | undefined {
    return this.#price;
  }

  request(address: Address): void {
    this.#requested.add(address);
  }

  async allows(address: Address): Promise<boolean> {
    const { signal } = this.#session.connection;
    const access = await this.#session.provider('holdings');
    // The price on the next network may differ.
    if (signal.aborted) return false;
    this.#price = getPrice(access);
    if (access.state !== 'ready' || this.#requested.has(address)) return true;
    return this.#unconfirmed++ < getMaxUnconfirmed(this.#price);
  }

  reset(): void {
    this.#requested.clear();
    this.#unconfirmed = 0;
  }
}

function getPrice(access: ProviderAccess<'holdings'>): Price | undefined {
  switch (access.state) {
    case 'ready':
      return access.provider.offers.holdings;
    case 'noKey':
      return access.offers.holdings;
    case 'notServed':
    case 'notWanted':
      return undefined;
  }
}

/** A command asks for confirmation if it spends at least this many credits. */
const MIN_CONFIRMED_CREDITS = 10;

/** How many addresses' holdings may be requested without confirmation. An unknown price counts as two credits. */
function getMaxUnconfirmed(price: Price | undefined): number {
  if (price === 'free') return Number.POSITIVE_INFINITY;
  const { max } = getCredits(price) ?? { max: 2 };
  return Math.ceil(MIN_CONFIRMED_CREDITS / Math.max(max, 1)) - 1;
}

/** The credits of one request; undefined if it is free, or the price is unknown. */
function getCredits(price: Price | undefined) {
  return typeof price === 'object' ? price : undefined;
}
