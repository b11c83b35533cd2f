import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { CompletenessReason } from './completeness.ts';
import type { TokenStandard } from './transferEvents.ts';

/**
 * Transfers and balance history of an address.
 *
 * Every method throws AppError of any network kind, and `forbidden`, `notServed`, `unauthorized`; `aborted`
 * when the signal fires.
 */
export interface HistoryProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<HistoryMethod>;
  /** Token transfers of `address`. Requests nothing before the first page. */
  transfers(address: Address, filter?: TransferFilter): HistoryList<TokenTransfer>;
  /**
   * Balances of the chain's own coin, one for each block that changed it. Requests nothing before the first
   * page.
   */
  coinBalances(address: Address): HistoryList<CoinBalance>;
  coinBalancesByDay(address: Address, options?: Pick<FetchOptions, 'signal'>): Promise<DailyBalances>;
}

/** Selects transfers of an address. An omitted field does not filter. */
export interface TransferFilter {
  readonly direction?: 'from' | 'to' | undefined;
  readonly token?: Address | undefined;
  readonly standards?: readonly TokenStandard[] | undefined;
}

export interface HistoryList<T> {
  readonly source: ProviderLabel;
  /** The rows read so far, newest first, without duplicates. */
  readonly rows: readonly T[];
  /** Entries that are missing because they were unreadable. */
  readonly skipped: number;
  readonly isAtEnd: boolean;
  /** Why rows may be missing among those read or after the last one. */
  readonly reasons: readonly CompletenessReason[];
  /**
   * Reads the next page and returns its rows. @throws AppError as every method does; the page can then be
   * retried.
   */
  next(options?: Pick<FetchOptions, 'signal'>): Promise<readonly T[]>;
}

/** A token transfer as one provider reports it. A value that it does not report is undefined. */
export interface TokenTransfer {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  /** Position in the block. */
  readonly logIndex: number | undefined;
  /**
   * Index in a batch, in the provider's order; 0 elsewhere. Without a log index, the place among equal rows of the
   * transaction.
   */
  readonly position: number;
  /** Block time in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  /** The zero address for a mint. */
  readonly from: Address;
  /** The zero address for a burn. */
  readonly to: Address;
  readonly contract: Address;
  readonly standard: TokenStandard | undefined;
  /** Untrusted text, sanitized and shortened; may still contain markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  readonly tokenId: bigint | undefined;
  /** In the smallest unit; for an NFT, the number of copies. */
  readonly amount: bigint | undefined;
  readonly spam: boolean | undefined;
}

export interface CoinBalance {
  readonly blockNumber: bigint;
  /** Block time in milliseconds since the Unix epoch; undefined if not reported. */
  readonly time: number | undefined;
  readonly wei: bigint;
  /** The change in this block, in wei; undefined if not reported. */
  readonly delta: bigint | undefined;
}

/** The highest balance of a day in UTC; for the newest day, the last one. */
export interface DailyBalance {
  /** `2026-08-20` */
  readonly date: string;
  readonly wei: bigint;
}

export type HistoryMethod = 'coinBalances' | 'coinBalancesByDay' | 'transfers';

/** One balance for each day that has one, newest first. Covers recent days only, as `reasons` state. */
interface DailyBalances extends Provenance {
  readonly address: Address;
  readonly days: readonly DailyBalance[];
  readonly reasons: readonly CompletenessReason[];
}
