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
  readonly #told = new Map<Address, unknown>();
  readonly #together = new Set<Address>();
  /** Changed addresses whose event has not fired yet. */
  readonly #untold = new Set<Address>();
  readonly #telling: Throttle;

  /** Fires with the address whose identity or error changed. */
  readonly onDidChange = this.#changed.event;

  constructor({ session, clock }: { readonly session: Session; readonly clock: Clock }) {
    this.#session = session;
    this.#telling = this.#disposables.add(createThrottle(() => this.#fire(), NOTIFY_INTERVAL_MS, clock));
    this.#loads = new KeyedLoads((address) => this.#tell(address));
    this.#disposables.add(session.onDidChange(() => this.#forget()));
  }

  /** The loaded identity; starts no request. */
  of(address: Address): Identity | undefined {
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
  async load(address: Address, wanted: 'missing' | 'recent' | 'fresh' = 'missing'): Promise<void> {
    const look = (again: boolean) => this.#look(address, { fresh: wanted === 'fresh' }, again);
    await look(wanted !== 'missing');
    // Only a glance was loaded, or a glance was pending. A failure is not retried because a row is drawn.
    if (this.of(address)?.isGlance && this.errorOf(address) === undefined) await look(true);
  }

  /** Loads a quick, incomplete identity of an address that has none. Never rejects. */
  async glance(address: Address): Promise<void> {
    await this.#look(address, { glance: true }, false);
  }

  /** Glances at addresses that become visible, a few at a time. */
  async loadListed(addresses: readonly Address[]): Promise<void> {
    const { connection } = this.#session;
    const first = addresses.slice(0, MAX_LISTED_LOOKUPS);
    const due = first.filter((address) => this.#loads.get(address).state === 'idle');
    await forEachLimited(due, (address) => this.#lookTogether(address, { glance: true }, false), {
      limit: MAX_CONCURRENT_LOOKUPS,
      goesOn: () => connection === this.#session.connection,
    });
  }

  /** Looks up addresses again, bypassing the provider's cache, in no more detail than before. */
  async refresh(addresses: readonly Address[]): Promise<void> {
    const first = addresses.slice(0, MAX_LISTED_LOOKUPS);
    const again = (address: Address) => {
      const known = this.of(address);
      const glance = known === undefined || known.isGlance === true;
      return this.#lookTogether(address, { fresh: true, glance }, true);
    };
    await forEachLimited(first, again, { limit: MAX_CONCURRENT_LOOKUPS });
  }

  dispose(): void {
    this.#loads.clear();
    this.#disposables.dispose();
  }

  #forget(): void {
    this.#loads.clear();
    this.#told.clear();
    this.#untold.clear();
    this.#telling.dispose();
  }

  #tell(address: Address): void {
    const now = this.errorOf(address) ?? this.of(address);
    if (now === this.#told.get(address)) return;
    this.#told.set(address, now);
    this.#untold.add(address);
    if (this.#together.has(address)) this.#telling.within(NOTIFY_INTERVAL_MS);
    else this.#telling.now();
  }

  #fire(): void {
    const addresses = [...this.#untold];
    this.#untold.clear();
    for (const address of addresses) this.#changed.fire(address);
  }

  /** A background lookup, whose event fires together with others. */
  async #lookTogether(address: Address, asked: IdentityOptions, again: boolean): Promise<void> {
    this.#together.add(address);
    await this.#look(address, asked, again);
    this.#together.delete(address);
  }

  async #look(address: Address, asked: IdentityOptions, again: boolean): Promise<void> {
    if (!this.#session.isChosen) return;
    // Visible addresses are looked up again when they are drawn, mostly without a request.
    if (this.#told.size >= MAX_CACHED_IDENTITIES && !this.#told.has(address)) this.#forget();
    await this.#loads.load(address, () => this.#read(address, asked), { again });
  }

  async #read(address: Address, asked: IdentityOptions): Promise<Identity> {
    const { signal } = this.#session.connection;
    const access = await this.#session.provider('identity');
    if (access.state !== 'ready') throw new AppError('notServed', 'Nobody tells what is at addresses.');
    return access.provider.identity(address, { ...asked, signal });
  }
}
