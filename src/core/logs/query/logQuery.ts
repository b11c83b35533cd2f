import type { BackoffControl } from '../../base/clock.ts';
import type { Log, LogOrder } from '../log.ts';
import type { LogFilter } from './filter.ts';
import type { Verdict } from './verdict.ts';

/** Rows that one step of a query added, in the order of reading, and what the answer as a whole is worth after them. */
export interface LogPage {
  readonly logs: readonly Log[];
  readonly verdict: Verdict;
}

/**
 * A running log query: a position in the chain that moves up or, newest first, down. One call at a time.
 * A call that throws or is aborted leaves the position where it was, so that the next call goes on from there.
 */
export interface LogQuery {
  /** The state now; undefined before the first page has come. */
  readonly verdict: Verdict | undefined;
  /**
   * The next rows: up to a server page (1000) where the server pages, newest first half of one or more, none twice, none
   * out of order.
   *
   * @throws AppError of any network kind; `badInput` when the server can not be asked for such a filter.
   */
  nextPage(options?: { readonly signal?: AbortSignal | undefined }): Promise<LogPage>;
  /**
   * All rows that remain, in order, as they come; several requests are under way at once. The last page has the
   * final verdict. Ending the loop early keeps the position: a later call goes on behind the last page given.
   *
   * @throws AppError as {@link nextPage} does; what was given before holds.
   */
  rest(options?: LoadRestOptions): AsyncGenerator<LogPage>;
}

/** What log queries can be opened with: all that a reader of logs needs to know of an endpoint. */
export interface LogClient {
  /** Begins a query; nothing is asked before its first page is. */
  openLogQuery(filter: LogFilter, options?: OpenOptions): LogQuery;
}

export interface OpenOptions {
  /** Default: oldest first. */
  readonly order?: LogOrder | undefined;
  /** What the query waits for before it asks again goes through these: to be told, and to be skipped. */
  readonly waits?: BackoffControl | undefined;
}

export interface LoadRestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/** How far loading all has come, in blocks of the range. Counts also what waits for rows before it. */
export interface LoadProgress {
  readonly blocksDone: bigint;
  readonly blocks: bigint;
}

/**
 * The next pages of a query, each asked for when the one before was taken, until there is no more or `most` have come.
 *
 * @throws AppError as {@link LogQuery.nextPage} does; what was given before holds.
 * @example for await (const { logs } of iteratePages(query, { most: 3, signal })) print(logs);
 */
export async function* iteratePages(
  query: Pick<LogQuery, 'nextPage'>,
  {
    most = Number.POSITIVE_INFINITY,
    signal,
  }: { readonly most?: number; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<LogPage> {
  for (let count = 0; count < most; count++) {
    const page = await query.nextPage({ signal });
    yield page;
    if (page.verdict.state !== 'more') return;
  }
}
