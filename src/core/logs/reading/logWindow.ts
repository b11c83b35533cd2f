import type { Abortable } from '../../base/abortable.ts';
import type { FetchedLogs } from '../asking/fetchLogs.ts';
import type { Span } from '../query/direction.ts';
import type { Log } from '../query/log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import type { ServerFilter } from '../server/serverFilters.ts';

/** Every matching row of the blocks from the first asked for through `through`, all in the order of reading. */
export interface LogWindow {
  readonly through: bigint;
  readonly logs: readonly Log[];
  readonly doubts: readonly VerdictReason[];
  /** Entries in the fullest of its answers: what a server's limit counts. */
  readonly entries: number;
  /** Bytes that its rows take in memory, about. */
  readonly bytes: number;
  /** The server refused more blocks without saying what it would take. */
  readonly refused: boolean;
  /** Why nothing could be had of its one block; undefined where something was. */
  readonly refusal: unknown;
  /** It is the rows of one answer: nothing can have changed while it was read. */
  readonly atOnce: boolean;
  /** No more can be had of this server. The rows are kept, but {@link through} is the block before the first. */
  readonly ends: boolean;
}

export interface WindowQuestion extends Abortable {
  /** The requests that together give every row. */
  readonly parts: readonly ServerFilter[];
  /** The window may end before its last block. */
  readonly span: Span;
  /** Called with an answer that is not surely whole; may take it as a page. By default none is taken. */
  readonly takePage?: (page: FetchedLogs) => boolean;
  /** Whether the window is the next in order, as it is by default. One that is not holds little: there can be many. */
  readonly isNext?: () => boolean;
}
