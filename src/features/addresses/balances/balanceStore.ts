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
 * - `missing`: what was never asked for, so that drawing a failure does not ask again. What costs credits is asked for
 *   a few addresses only, as it may be drawing alone that wants it.
 * - `recent`: everything, as answered a moment ago at most.
 * - `fresh`: everything, asked now.
 */
type Freshness = 'missing' | 'recent' | 'fresh';

/** What the Addresses view shows of balances, filled as they arrive. */
export class BalanceStore implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address | undefined>());
  readonly #natives: BalanceCache<Address, NativeBalanceRead>;
  readonly #holdings = new KeyedLoads<Address, HoldingsResult>((address) => this.#changed.fire(address));
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
    this.#natives = new BalanceCache({
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

  native(address: Address): LoadState<NativeBalanceRead> {
    return this.#natives.get(address);
  }

  /** By how many wei the balance has changed a moment ago. */
  nativeChange(address: Address): bigint | undefined {
    return this.#natives.change(address);
  }

  holdings(address: Address): LoadState<HoldingsResult> {
    return this.#holdings.get(address);
  }

  /** The holdings of `address` at hand, also those read before the key went or failed. */
  availableHoldings(address: Address): LoadedHoldings | undefined {
    return getLoadedHoldings(getAvailableValue(this.#holdings.get(address)));
  }

  /** Of how many addresses the holdings have been asked for, and so are by {@link refresh}. */
  get holdingsCount(): number {
    return this.#holdings.keys().length;
  }

  /** What a look at the holdings of one address costs, as known when one was last asked for. */
  get holdingsPrice(): Price | undefined {
    return this.#allowance.price;
  }

  async load(address: Address, wanted: Freshness): Promise<void> {
    await Promise.all([this.#loadNative(address, wanted), this.#loadHoldings(address, wanted)]);
  }

  /** Native balances of several, in one request where the endpoint takes that. */
  async loadNatives(addresses: readonly Address[], wanted: Freshness): Promise<void> {
    const due = addresses.filter((address) => {
      const { state } = this.native(address);
      return wanted === 'missing' ? state === 'idle' : state !== 'loading';
    });
    if (due.length === 0) return;
    const { natives } = this.#reader.readBatch({ natives: due, tokens: [] });
    await Promise.all(
      due.map((address, place) =>
        this.#natives.load(address, () => getResultAt(natives, place), { again: true }),
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
  setNative(address: Address, answer: Promise<NativeBalanceRead>): Promise<unknown> {
    return this.#natives.set(address, answer);
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

  #loadNative(address: Address, wanted: Freshness): Promise<void> {
    const read = () => this.#reader.native(address, { fresh: wanted === 'fresh' });
    return this.#natives.load(address, read, { again: wanted !== 'missing' });
  }

  #loadHoldings(address: Address, wanted: Freshness): Promise<void> {
    if (wanted !== 'missing') this.#allowance.request(address);
    const before = getLoadedHoldings(getAvailableValue(this.#holdings.get(address)));
    const read = async (): Promise<HoldingsResult> => {
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
    this.#allowance.reset();
    this.#changed.fire(undefined);
  }
}

/** Of which addresses holdings may be read: those that the user asked for, and a few more. */
export class HoldingsAllowance {
  readonly #session: Session;
  readonly #requested = new Set<Address>();
  #unasked = 0;
  #price: Price | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** What a look at the holdings of one address costs, as known when one was last asked for. */
  get price(): Price | undefined {
    return this.#price;
  }

  /** The user asked for the holdings of `address`. */
  request(address: Address): void {
    this.#requested.add(address);
  }

  async allows(address: Address): Promise<boolean> {
    const { signal } = this.#session.connection;
    const access = await this.#session.provider('holdings');
    // What the next network takes is another matter.
    if (signal.aborted) return false;
    this.#price = priceOf(access);
    if (access.state !== 'ready' || this.#requested.has(address)) return true;
    return this.#unasked++ < getMaxUnconfirmed(this.#price);
  }

  reset(): void {
    this.#requested.clear();
    this.#unasked = 0;
  }
}

function priceOf(access: ProviderAccess<'holdings'>): Price | undefined {
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

/** From this many credits on, a command asks before it spends them. */
const MIN_CONFIRMED_CREDITS = 10;

/** Of how many addresses holdings may be read unasked; where the price is not known, as if it were two credits. */
function getMaxUnconfirmed(price: Price | undefined): number {
  const { max } = creditsOf(price) ?? { max: 2 };
  return Math.ceil(MIN_CONFIRMED_CREDITS / Math.max(max, 1)) - 1;
}

/** What a look at what an address holds takes of the key's credits, as far as that is known. */
export function formatHoldingsCost(price: Price | undefined): readonly string[] {
  const credits = creditsOf(price);
  if (!credits) return [];
  const { min, max } = credits;
  return [vscode.l10n.t('Each look at an address takes {0} or {1} of its credits.', min, max)];
}

/** Asks whether to read what `addresses` hold, if that is dear. */
export async function confirmCost(addresses: number, price: Price | undefined): Promise<boolean> {
  const credits = creditsOf(price);
  if (!credits || addresses * credits.max < MIN_CONFIRMED_CREDITS) return true;
  const go = vscode.l10n.t('Read Tokens');
  const chosen = await showModal(
    vscode.l10n.t(
      'Reading the tokens of {0} addresses again takes {1} to {2} credits of your data API key.',
      addresses,
      addresses * credits.min,
      addresses * credits.max,
    ),
    '',
    go,
  );
  return chosen === go;
}

/** The least and the most credits of one look; undefined where it takes none, or nobody tells how many. */
function creditsOf(price: Price | undefined) {
  return typeof price === 'object' ? price : undefined;
}
