import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';

/** One event log of the main chain, normalised: all hex in lower case with `0x`. */
export interface Log {
  readonly address: Address;
  readonly blockHash: Hex;
  readonly blockNumber: bigint;
  readonly data: Hex;
  /** Position in the block. */
  readonly logIndex: number;
  /** 0 to 4 topics of 32 bytes. */
  readonly topics: readonly Hex[];
  readonly transactionHash: Hex;
  /** Position of the transaction in the block. */
  readonly transactionIndex: number;
  /**
   * When its block was made, in milliseconds since the Unix epoch, where the row said so (`blockTimestamp`, of geth
   * since v1.16, reth and their kin): left out elsewhere.
   */
  readonly time?: number;
}

/** What of a log its meaning hangs on: what it says, and where it stands. */
export type PlacedLog = Pick<
  Log,
  'address' | 'topics' | 'data' | 'blockNumber' | 'transactionIndex' | 'logIndex'
>;

/**
 * Ascending by block number, then log index: the order of every answer.
 *
 * @example logs.toSorted(compareLogs);
 */
export function compareLogs(a: Log, b: Log): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1;
  return a.logIndex - b.logIndex;
}
