import type { AskOptions, Offers, Provenance, SourceLabel } from '../base/source.ts';
import type { CompletenessReason } from '../holdings/completeness.ts';
import type { TokenStandard } from '../nfts/tokenStandard.ts';
import type { Address } from '../values/address.ts';
import type { CoinBalance, DailyBalance } from './coinBalance.ts';
import type { TokenTransfer } from './tokenTransfer.ts';

/** The questions of {@link HistorySource}. */
export type HistoryQuestion = 'coinBalances' | 'coinBalancesByDay' | 'transfers';

/** Which transfers of an address are wanted; those of everything in both directions if left out. */
export interface TransferFilter {
  readonly direction?: 'from' | 'to' | undefined;
  /** Contract of the token. */
  readonly token?: Address | undefined;
  readonly standards?: readonly TokenStandard[] | undefined;
}

/** A list that is read page by page, newest first. */
export interface HistoryList<T> {
  readonly source: SourceLabel;
  /** What has been read, newest first, none twice. */
  readonly rows: readonly T[];
  /** Entries that could not be read, and are missing. */
  readonly skipped: number;
  readonly isAtEnd: boolean;
  /** Why rows may be missing among those that have been read, or behind them at the end. */
  readonly reasons: readonly CompletenessReason[];
  /** Adds a page and gives its rows. @throws AppError as every question does; the page can be asked for again. */
  next(options?: Pick<AskOptions, 'signal'>): Promise<readonly T[]>;
}

/** A balance of each day that has one, newest first: of the last days alone, as `reasons` say. */
export interface DailyBalances extends Provenance {
  readonly address: Address;
  readonly days: readonly DailyBalance[];
  /** Why days may be missing, or are. */
  readonly reasons: readonly CompletenessReason[];
}

/**
 * Who tells of an address what came and went, and its balance over time.
 *
 * @throws AppError, each question, of any network kind, and of `forbidden`, `notServed`, `unauthorized`; `aborted` when
 *   the signal fires.
 */
export interface HistorySource {
  readonly label: SourceLabel;
  readonly offers: Offers<HistoryQuestion>;
  /** Token transfers of `address`. Nothing is asked before the first page is. */
  transfers(address: Address, filter?: TransferFilter): HistoryList<TokenTransfer>;
  /**
   * Balances of the chain's own coin, one for each block that changed it. Nothing is asked before the first page is.
   */
  coinBalances(address: Address): HistoryList<CoinBalance>;
  coinBalancesByDay(address: Address, options?: Pick<AskOptions, 'signal'>): Promise<DailyBalances>;
}
