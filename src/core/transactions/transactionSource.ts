import type { AskOptions, Offers, SourceLabel } from '../base/source.ts';
import type { Hex } from '../values/hex.ts';
import type { HashAnswer } from './transaction.ts';

/** The questions of {@link TransactionSource}. */
export type TransactionQuestion = 'lookUpHash';

/**
 * Who tells what a hash of 32 bytes is on one chain. Many who ask the same at once cost one request; an answer may be
 * one kept from a moment ago, and says so.
 *
 * @throws AppError of any network kind; `notServed` where the server does not offer it; `aborted`.
 */
export interface TransactionSource {
  readonly label: SourceLabel;
  readonly offers: Offers<TransactionQuestion>;
  /** The transaction with this hash; or else the block. */
  lookUpHash(hash: Hex, options?: AskOptions): Promise<HashAnswer>;
}
