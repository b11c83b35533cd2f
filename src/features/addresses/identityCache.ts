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

/** Addresses of a group that are looked at by being listed: those behind are when they are unfolded. */
const MAX_LISTED_LOOKUPS = 50;
/** Looks at once. */
const MAX_CONCURRENT_LOOKUPS = 2;
/** Addresses about which something is known at a time: a pointer passes over many. */
const MAX_CACHED_IDENTITIES = 1000;
/** Looks at many addresses that end within this time are told together: a row is drawn anew for each word of it. */
const NOTIFY_INTERVAL_MS = 500;

/** What is at the addresses of the active network, as far as it was looked at. Who tells it keeps it as well, for a while. */
export class AddressIdentityCache implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address>());
  readonly #loads: KeyedLoads<Address, Identity>;
  readonly #session: Session;
  /** What was last told of an address: it is often looked at again, and seldom another. */
  readonly #told = new Map<Address, unknown>();
  readonly #together = new Set<Address>();
  /** Of which nobody has heard yet. */
  readonly #untold = new Set<Address>();
  readonly #telling: Throttle;

  /** Fires with the address of which more is known. */
  readonly onDidChange = this.#changed.event;

  constructor({ session, clock }: { readonly session: Session; readonly clock: Clock }) {
    this.#session = session;
    this.#telling = this.#disposables.add(createThrottle(() => this.#fire(), NOTIFY_INTERVAL_MS, clock));
    this.#loads = new KeyedLoads((address) => this.#tell(address));
    this.#disposables.add(session.onDidChange(() => this.#forget()));
  }

  /** What is known without asking. */
  of(address: Address): Identity | undefined {
    return getAvailableValue(this.#loads.get(address));
  }

  /** Why the last look failed, if it did. */
  errorOf(address: Address): unknown {
    return getLoadError(this.#loads.get(address));
  }

  /**
   * Looks at an address: once, or again what may have changed, or `fresh` past what is kept. Never rejects; a failure
   * leaves what is known.
   */
  async load(address: Address, wanted: 'missing' | 'recent' | 'fresh' = 'missing'): Promise<void> {
    const look = (again: boolean) => this.#look(address, { fresh: wanted === 'fresh' }, again);
    await look(wanted !== 'missing');
    // A glance was on its way, or was all that there was. What failed is not asked for again by being drawn.
    if (this.of(address)?.isGlance && this.errorOf(address) === undefined) await look(true);
  }

  /** Glances at an address of which nothing is known. Never rejects. */
  async glance(address: Address): Promise<void> {
    await this.#look(address, { glance: true }, false);
  }

  /** Glances at addresses that come into sight, a few at a time. */
  async loadListed(addresses: readonly Address[]): Promise<void> {
    const { connection } = this.#session;
    const first = addresses.slice(0, MAX_LISTED_LOOKUPS);
    const due = first.filter((address) => this.#loads.get(address).state === 'idle');
    await forEachLimited(due, (address) => this.#lookTogether(address, { glance: true }, false), {
      limit: MAX_CONCURRENT_LOOKUPS,
      goesOn: () => connection === this.#session.connection,
    });
  }

  /** Looks again at addresses, past what is kept, and no closer than before. */
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

  /** As one of many, of which it is told together. */
  async #lookTogether(address: Address, asked: IdentityOptions, again: boolean): Promise<void> {
    this.#together.add(address);
    await this.#look(address, asked, again);
    this.#together.delete(address);
  }

  async #look(address: Address, asked: IdentityOptions, again: boolean): Promise<void> {
    if (!this.#session.isChosen) return;
    // What is in sight is looked at again when it is drawn, mostly without a request.
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
