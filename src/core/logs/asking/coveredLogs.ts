import type { Abortable } from '../../base/abortable.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import type { Effort } from './effort.ts';
import type { WireLogs } from './readLogs.ts';

export interface CoveredRange extends Abortable {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** An answer without the last block of the range is of no use: the rows are read from there downwards. */
  readonly needsLast: boolean;
  readonly effort: Effort;
  /** More bytes than these are not read. */
  readonly maxBytes?: number | undefined;
}

/** Rows of a range, whole as far as the server says. */
export interface CoveredLogs {
  readonly wire: WireLogs;
  /** Last block of the range that is covered; below the first: none. */
  readonly knownTo: bigint;
  /** The newest block of the server, where it told. */
  readonly head: bigint | undefined;
  /** The first block that the server has, where the range begins below it: of those before it nothing is known. */
  readonly startsAt?: bigint | undefined;
  /** From this block on the chain is another one than when the blocks before were read. */
  readonly reorgAt: bigint | undefined;
}

/** Asks a server for a range that says in its answer through which block it is whole. */
export type AskCovered = (part: ServerFilter, range: CoveredRange) => Promise<CoveredLogs>;
