import type { Address, Price } from '../../../core/index.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SourceAccess } from '../../../host/session/sourceAccess.ts';
import { mostUnasked } from './holdingsCost.ts';

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
    const access = await this.#session.holdings();
    // What the next network takes is another matter.
    if (signal.aborted) return false;
    this.#price = priceOf(access);
    if (access.state !== 'ready' || this.#requested.has(address)) return true;
    return this.#unasked++ < mostUnasked(this.#price);
  }

  startAnew(): void {
    this.#requested.clear();
    this.#unasked = 0;
  }
}

function priceOf(access: SourceAccess<'holdings'>): Price | undefined {
  switch (access.state) {
    case 'ready':
      return access.source.offers.holdings;
    case 'noKey':
      return access.offers.holdings;
    case 'notServed':
    case 'notWanted':
      return undefined;
  }
}
