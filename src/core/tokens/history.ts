import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { CompletenessReason } from './completeness.ts';
import type { TokenStandard } from './transferEvents.ts';

/** The balance of the chain's own coin from one block on, as a source tells it. */
export interface CoinBalance {
  readonly blockNumber: bigint;
  /** Of the block, in milliseconds since the Unix epoch; undefined where the source does not tell. */
  readonly time: number | undefined;
  /** In wei. */
  readonly wei: bigint;
  /** By how many wei it changed there; undefined where the source does not tell. */
  readonly delta: bigint | undefined;
}

/** The greatest balance of a day in UTC; of the newest day the last one. */
export interface DailyBalance {
  /** `2026-08-20` */
  readonly date: string;
  /** In wei. */
  readonly wei: bigint;
}

/** The questions of {@link HistoryProvider}. */
export type HistoryMethod = 'coinBalances' | 'coinBalancesByDay' | 'transfers';

/** Which transfers of an address are wanted; those of everything in both directions if left out. */
export interface TransferFilter {
  readonly direction?: 'from' | 'to' | undefined;
  /** Contract of the token. */
  readonly token?: Address | undefined;
  readonly standards?: readonly TokenStandard[] | undefined;
}

/** A list that is read page by page, newest first. */
export interface HistoryList<T> {
  readonly source: ProviderLabel;
  /** What has been read, newest first, none twice. */
  readonly rows: readonly T[];
  /** Entries that could not be read, and are missing. */
  readonly skipped: number;
  readonly isAtEnd: boolean;
  /** Why rows may be missing among those that have been read, or behind them at the end. */
  readonly reasons: readonly CompletenessReason[];
  /** Adds a page and gives its rows. @throws AppError as every question does; the page can be asked for again. */
  next(options?: Pick<FetchOptions, 'signal'>): Promise<readonly T[]>;
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
export interface HistoryProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<HistoryMethod>;
  /** Token transfers of `address`. Nothing is asked before the first page is. */
  transfers(address: Address, filter?: TransferFilter): HistoryList<TokenTransfer>;
  /**
   * Balances of the chain's own coin, one for each block that changed it. Nothing is asked before the first page is.
   */
  coinBalances(address: Address): HistoryList<CoinBalance>;
  coinBalancesByDay(address: Address, options?: Pick<FetchOptions, 'signal'>): Promise<DailyBalances>;
}

/** Tokens that went from one address to another, as a source tells it. `undefined` means that it does not tell. */
export interface TokenTransfer {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  /** Position of the log in the block. */
  readonly logIndex: number;
  /** Place among the ids of a batch, in the order of the source; 0 elsewhere. */
  readonly position: number;
  /** Of the block, in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  /** The zero address when tokens were minted. */
  readonly from: Address;
  /** The zero address when tokens were burned. */
  readonly to: Address;
  readonly contract: Address;
  readonly standard: TokenStandard | undefined;
  /** Text chosen by whoever deployed the contract: plain and bounded, still not to be read as markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** Of an NFT. */
  readonly tokenId: bigint | undefined;
  /** In smallest units; of an NFT its copies. */
  readonly amount: bigint | undefined;
  readonly spam: boolean | undefined;
}
