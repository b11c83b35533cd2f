import type { Abortable } from '../../base/abortable.ts';
import type { RowPrint } from '../guards/rowPrints.ts';
import type { Log } from '../query/log.ts';
import type { Verdict } from '../query/verdict.ts';
import type { Patience } from './belief.ts';

/** What a step along the chain changes of an answer. */
export interface FollowedLogs {
  /** Rows of this block and those above it are of a chain that is no more; undefined where all stay. */
  readonly takenBackFrom: bigint | undefined;
  /** Rows that come behind those that stay, in the order of the chain, whichever that of the answer. */
  readonly logs: readonly Log[];
  readonly verdict: Verdict;
}

/** Keeps an answer true as the chain grows. One call at a time. */
export interface LogFollower {
  /** What the answer is worth now: of the blocks through its last one it has every row. */
  readonly verdict: Verdict;
  /** Nothing more comes: the range has a fixed end that is settled, or the server can not be read on. */
  readonly ended: boolean;
  /** The newest block that was told is not read yet: to be called again soon, also where there is no newer one. */
  readonly behind: boolean;
  /**
   * Brings the answer up to `head`, which is the newest block that some machine has told. Where nothing is amiss that is
   * one request for logs, or one for each part of the filter that the server takes; none where the head is as it was. What
   * does not fit into that, as after a long sleep, is read as a query is.
   *
   * Each change is to be made before the next is asked for. A call that throws, or is left, keeps what it has given.
   *
   * @throws AppError of any network kind.
   */
  advance(head: bigint, options?: Abortable): AsyncGenerator<FollowedLogs>;
}

export interface FollowOptions {
  /** Where the query ended, its range read to its end. */
  readonly verdict: Verdict;
  /** The rows of blocks from this one on, in the order of the chain; before them the newest one below, if there is one. */
  readonly held: (fromBlock: bigint) => readonly RowPrint[];
  /**
   * When a chain that seems to have become shorter is believed to be: behind one address there may be machines that are
   * behind.
   */
  readonly patience: Patience;
}
