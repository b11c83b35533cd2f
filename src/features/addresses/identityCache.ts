import * as vscode from 'vscode';
import {
  type Address,
  AppError,
  type Clock,
  forEachLimited,
  type Identity,
  type IdentityOptions,
} from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import { getAvailableValue, getLoadError, KeyedLoads } from '../../host/loading.ts';
import type { Session } from '../../host/session/session.ts';
import { createThrottle, type Throttle } from '../../host/timing.ts';

/** Addresses in a group that are looked up because they are listed. The others are when they are expanded. */
const MAX_LISTED_LOOKUPS = 50;
const MAX_CONCURRENT_LOOKUPS = 2;
/** The pointer passes over many addresses. */
const MAX_CACHED_IDENTITIES = 1000;
/** Results of background lookups within this time fire together: each event redraws a row. */
const NOTIFY_INTERVAL_MS = 500;

/** Identities on the active network, as far as they are loaded. The provider caches them too, for a short time. */
export class AddressIdentityCache implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address>());
  readonly #loads: KeyedLoads<Address, Identity>;
  readonly #session: Session;
  /** What listeners were last notified of: a repeated lookup mostly returns the same. */
  readonly #notified = new Map<Address, unknown>();
  readonly #background = new Set<Address>();
  /** Changed addresses whose event has not fired yet. */
  readonly #pending = new Set<Address>();
  readonly #throttle: Throttle;

  /** Fires with the address whose identity or error changed. */
  readonly onDidChange = this.#changed.event;

  constructor({ session, clock }: { readonly session: Session; readonly clock: Clock }) {
    this.#session = session;
    this.#throttle = this.#disposables.add(createThrottle(() => this.#fire(), NOTIFY_INTERVAL_MS, clock));
    this.#loads = new KeyedLoads((address) => this.#notify(address));
    this.#disposables.add(session.onDidChange(() => this.#clear()));
  }

  /** The loaded identity; starts no request. */
  get(address: Address): Identity | undefined {
    return getAvailableValue(this.#loads.get(address));
  }

  /** The error of the last lookup, if it failed. */
  errorOf(address: Address): unknown {
    return getLoadError(this.#loads.get(address));
  }

  /**
   * Looks up an address: if `missing`, once; if `recent`, unless the provider's cache is recent; if `fresh`, always.
   * Never rejects; a failure leaves the identity that was loaded before.
   */
  async load(address: Address, freshness: 'missing' | 'recent' | 'fresh' = 'missing'): Promise<void> {
    const lookUp = (again: boolean) => this.#lookUp(address, { fresh: freshness === 'fresh' }, again);
    await lookUp(freshness !== 'missing');
    // Only a glance was loaded, or a glance was pending. A failure is not retried because a row is drawn.
    if (this.get(address)?.isGlance && this.errorOf(address) === undefined) await lookUp(true);
  }

  /** Loads a quick, incomplete identity of an address that has none. Never rejects. */
  async glance(address: Address): Promise<void> {
    await this.#lookUp(address, { glance: true }, false);
  }

  /** Glances at addresses that become visible, a few at a time. */
  async loadListed(addresses: readonly Address[]): Promise<void> {
    const { connection } = this.#session;
    const first = addresses.slice(0, MAX_LISTED_LOOKUPS);
    const due = first.filter((address) => this.#loads.get(address).state === 'idle');
    await forEachLimited(due, (address) => this.#lookUpInBackground(address, { glance: true }, false), {
      limit: MAX_CONCURRENT_LOOKUPS,
      goesOn: () => connection === this.#session.connection,
    });
  }

  /** Looks up addresses again, bypassing the provider's cache, in no more detail than before. */
  async refresh(addresses: readonly Address[]): Promise<void> {
    const first = addresses.slice(0, MAX_LISTED_LOOKUPS);
    const again = (address: Address) => {
      const current = this.get(address);
      const glance = current === undefined || current.isGlance === true;
      return this.#lookUpInBackground(address, { fresh: true, glance }, true);
    };
    await forEachLimited(first, again, { limit: MAX_CONCURRENT_LOOKUPS });
  }

  dispose(): void {
    this.#loads.clear();
    this.#disposables.dispose();
  }

  #clear(): void {
    this.#loads.clear();
    this.#notified.clear();
    this.#pending.clear();
    this.#throttle.dispose();
  }

  #notify(address: Address): void {
    const now = this.errorOf(address) ?? this.get(address);
    if (now === this.#notified.get(address)) return;
    this.#notified.set(address, now);
    this.#pending.add(address);
    if (this.#background.has(address)) this.#throttle.within(NOTIFY_INTERVAL_MS);
    else this.#throttle.now();
  }

  #fire(): void {
    const addresses = [...this.#pending];
    this.#pending.clear();
    for (const address of addresses) this.#changed.fire(address);
  }

  /** A background lookup, whose event fires together with others. */
  async #lookUpInBackground(address: Address, options: IdentityOptions, again: boolean): Promise<void> {
    this.#background.add(address);
    await this.#lookUp(address, options, again);
    this.#background.delete(address);
  }

  async #lookUp(address: Address, options: IdentityOptions, again: boolean): Promise<void> {
    if (!this.#session.isChosen) return;
    // Visible addresses are looked up again when they are drawn, mostly without a request.
    if (this.#notified.size >= MAX_CACHED_IDENTITIES && !this.#notified.has(address)) this.#clear();
    await this.#loads.load(address, () => this.#read(address, options), { again });
  }

  async #read(address: Address, options: IdentityOptions): Promise<Identity> {
    const { signal } = this.#session.connection;
    const access = await this.#session.provider('identity');
    if (access.state !== 'ready')
      throw new AppError('notServed', 'No provider of address identities serves this network.');
    return access.provider.identity(address, { ...options, signal });
  }
}
