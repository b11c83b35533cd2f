import type { AskOptions, Offers, SourceLabel } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { Holdings } from './holdings.ts';
import type { QuoteCurrency } from './quoteCurrency.ts';
import type { TokenBalances } from './tokenBalances.ts';

export interface HoldingsOptions extends AskOptions {
  /** What prices and values are asked in; a source may answer in another, and says so. */
  readonly quoteCurrency: QuoteCurrency;
}

/** The questions of {@link HoldingsSource}. */
export type HoldingsQuestion = 'holdings' | 'tokenBalances';

/**
 * Who tells what an address holds on one chain. Many who ask the same at once cost one request. An answer may be one
 * kept from a moment ago: its `readAt` says of when it is, and nobody else keeps it.
 *
 * @throws AppError, each question, of any network kind, and of `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`,
 *   `unauthorized`; `aborted` when the signal fires or the key is taken away.
 */
export interface HoldingsSource {
  readonly label: SourceLabel;
  readonly offers: Offers<HoldingsQuestion>;
  /** The tokens of `address`. */
  tokenBalances(address: Address, options: HoldingsOptions): Promise<TokenBalances>;
  /** The tokens and NFTs of `address`; slower and often dearer than the tokens alone. */
  holdings(address: Address, options: HoldingsOptions): Promise<Holdings>;
}
