import type { Hex } from 'ox';

/**
 * What an explorer has indexed. Heights and positions are plain numbers here: the explorers that are
 * imitated keep them in 32-bit columns and fail above. Addresses, hashes and topics are lower case.
 */
export type ExplorerIndex = {
  /** Height of the main chain; undefined while nothing is indexed. */
  head(): number | undefined;
  block(hash: Hex.Hex): IndexedBlock | undefined;
  /** Main-chain block and orphans of one height. */
  blocksAt(number: number): readonly IndexedBlock[];
  /** Highest block that is not of the main chain. */
  highestOrphan(): IndexedBlock | undefined;
  transaction(hash: Hex.Hex): IndexedTransaction | undefined;
  /** Logs as recorded, orphaned copies included, ascending by height and log index, both ends included. */
  logs(range: BlockRange, address?: Hex.Hex): Iterable<IndexedLog>;
  /** Those logs whose transaction has since moved to another block or dropped out of the chain. */
  displacedLogs(): readonly IndexedLog[];
  /** Last balance fetched for the address, in wei. */
  latestBalance(address: Hex.Hex): bigint | undefined;
  /** Newest balance recorded in the range, in wei. */
  balanceIn(address: Hex.Hex, range: BlockRange): bigint | undefined;
};

export type BlockRange = { readonly from: number; readonly to: number };

export type IndexedBlock = {
  readonly number: number;
  readonly hash: Hex.Hex;
  readonly consensus: boolean;
  /** Seconds since the Unix epoch. */
  readonly timestamp: number;
};

/** Where a transaction stands now. Without a block it has dropped out of the chain. */
export type IndexedTransaction = {
  readonly hash: Hex.Hex;
  readonly block: IndexedBlock | undefined;
  readonly index: number;
};

export type IndexedLog = {
  readonly blockNumber: number;
  readonly blockHash: Hex.Hex;
  readonly transactionHash: Hex.Hex;
  readonly logIndex: number;
  readonly address: Hex.Hex;
  readonly topics: readonly Hex.Hex[];
  readonly data: Hex.Hex;
};
