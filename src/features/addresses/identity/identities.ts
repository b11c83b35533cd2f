import * as vscode from 'vscode';
import { type Address, AppError, eachLimited, type Identity, type IdentityAsk } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { errorOf, valueAtHand } from '../../../host/loading/loadState.ts';
import { Loads } from '../../../host/loading/loads.ts';
import type { Session } from '../../../host/session/session.ts';

/** Addresses of a group that are looked at by being listed: those behind are when they are unfolded. */
const MOST_LISTED = 50;
/** Looks at once. */
const AT_ONCE = 2;
/** Addresses about which something is known at a time: a pointer passes over many. */
const MOST_KNOWN = 1000;

/** What is at the addresses of the active network, as far as it was looked at. Who tells it keeps it as well, for a while. */
export class Identities implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Address>());
  readonly #loads: Loads<Address, Identity>;
  readonly #session: Session;
  /** What was last told of an address: it is often looked at again, and seldom another. */
  readonly #told = new Map<Address, unknown>();

  /** Fires with the address of which more is known. */
  readonly onDidChange = this.#changed.event;

  constructor({ session }: { readonly session: Session }) {
    this.#session = session;
    this.#loads = new Loads((address) => this.#tell(address));
    this.#disposables.add(session.onDidChange(() => this.#forget()));
  }

  /** What is known without asking. */
  of(address: Address): Identity | undefined {
    return valueAtHand(this.#loads.get(address));
  }

  /** Why the last look failed, if it did. */
  problemOf(address: Address): unknown {
    return errorOf(this.#loads.get(address));
  }

  /**
   * Looks at an address: once, or again what may have changed, or `fresh` past what is kept. Never rejects; a failure
   * leaves what is known.
   */
  async load(address: Address, wanted: 'missing' | 'recent' | 'fresh' = 'missing'): Promise<void> {
    const look = (again: boolean) => this.#look(address, { fresh: wanted === 'fresh' }, again);
    await look(wanted !== 'missing');
    // A glance was on its way, or was all that there was. What failed is not asked for again by being drawn.
    if (this.of(address)?.isGlance && this.problemOf(address) === undefined) await look(true);
  }

  /** Glances at addresses that come into sight, a few at a time. */
  async loadListed(addresses: readonly Address[]): Promise<void> {
    const { connection } = this.#session;
    const first = addresses.slice(0, MOST_LISTED);
    const due = first.filter((address) => this.#loads.get(address).state === 'idle');
    await eachLimited(due, (address) => this.#look(address, { glance: true }, false), {
      limit: AT_ONCE,
      goesOn: () => connection === this.#session.connection,
    });
  }

  /** Looks again at addresses, past what is kept, and no closer than before. */
  async refresh(addresses: readonly Address[]): Promise<void> {
    const first = addresses.slice(0, MOST_LISTED);
    const again = (address: Address) => {
      const known = this.of(address);
      const glance = known === undefined || known.isGlance === true;
      return this.#look(address, { fresh: true, glance }, true);
    };
    await eachLimited(first, again, { limit: AT_ONCE });
  }

  dispose(): void {
    this.#loads.clear();
    this.#disposables.dispose();
  }

  #forget(): void {
    this.#loads.clear();
    this.#told.clear();
  }

  #tell(address: Address): void {
    const now = this.problemOf(address) ?? this.of(address);
    if (now === this.#told.get(address)) return;
    this.#told.set(address, now);
    this.#changed.fire(address);
  }

  async #look(address: Address, asked: IdentityAsk, again: boolean): Promise<void> {
    if (!this.#session.isChosen) return;
    // What is in sight is looked at again when it is drawn, mostly without a request.
    if (this.#told.size >= MOST_KNOWN && !this.#told.has(address)) this.#forget();
    await this.#loads.load(address, () => this.#read(address, asked), { again });
  }

  async #read(address: Address, asked: IdentityAsk): Promise<Identity> {
    const { signal } = this.#session.connection;
    const access = await this.#session.identities();
    if (access.state !== 'ready') throw new AppError('notServed', 'Nobody tells what is at addresses.');
    return access.source.identity(address, { ...asked, signal });
  }
}
