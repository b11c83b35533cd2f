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
