import type { Provenance } from '../base/source.ts';
import type { NftContract } from './nftContract.ts';
import type { NftTransfer } from './nftTransfer.ts';

/** The transfer history of one token id, as a source tells it. */
export interface NftTransactions extends Provenance {
  /** What the answer says of the contract; undefined where it has no item. */
  readonly contract: NftContract | undefined;
  /** When the source last looked at the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  /** Newest first, none twice. */
  readonly transfers: readonly NftTransfer[];
  /** Transactions that failed, and so moved nothing. */
  readonly failedTransactions: number;
  /** Transactions and logs of the answer that could not be read or went over the bound: transfers may be missing. */
  readonly skipped: number;
}
