import type { AskOptions, Offers, SourceLabel } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { Identity } from './identity.ts';

/** The questions of {@link IdentitySource}. */
export type IdentityQuestion = 'identity';

export interface IdentityAsk extends AskOptions {
  /** For one of many rows: what one request tells. */
  readonly glance?: boolean;
}

/** Who tells what is at an address of one chain. Answers are shared and kept, those of contracts for longer. */
export interface IdentitySource {
  readonly label: SourceLabel;
  readonly offers: Offers<IdentityQuestion>;
  /**
   * What is at an address, at the latest block. Where nobody tells, the kind is `unknown` and `sources` says why.
   *
   * @throws AppError of any network kind; `aborted` when the signal fires.
   */
  identity(address: Address, options?: IdentityAsk): Promise<Identity>;
}
