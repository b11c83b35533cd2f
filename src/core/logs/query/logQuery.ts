import type { BackoffControl } from '../../base/clock.ts';
import type { Log, LogOrder } from '../log.ts';
import type { LogFilter } from './filter.ts';
import type { Verdict } from './verdict.ts';

/** The rows that one step of a query added, in reading order, and the verdict on the result up to them. */
export interface LogPage {
  readonly logs: readonly Log[];
  readonly verdict: Verdict;
}

/** Opens log queries: everything that reading logs requires of an endpoint. */
export interface LogClient {
  /** Opens a query; sends nothing before its first page is requested. */
  openLogQuery(filter: LogFilter, options?: OpenOptions): LogQuery;
}

export interface OpenOptions {
  /** Default: oldest first. */
  readonly order?: LogOrder | undefined;
  /** Waits before retries go through it, which reports them and lets the user skip them. */
  readonly waits?: BackoffControl | undefined;
  /** Called before each request of this query, retries and probes of the server included. */
  readonly onRequest?: (() => void) | undefined;
}

/**
 * A running log query: a position in the chain that moves up or, newest first, down. One call at a time. If a call
 * throws or is aborted, the position stays, and the next call continues from there.
 */
export interface LogQuery {
  /** The verdict now; undefined before the first page. */
  readonly verdict: Verdict | undefined;
  /**
   * The next rows, in order and without duplicates: up to a server page (1000) if the server has pages; newest
   * first, half a page or more.
   *
   * @throws AppError of any network kind; `badInput` if the server does not support such a filter.
   */
  nextPage(options?: { readonly signal?: AbortSignal | undefined }): Promise<LogPage>;
  /**
   * All remaining rows, in order, as they arrive; several requests run in parallel. The last page has the final
   * verdict. If the loop ends early, the position stays: a later call continues after the last page.
   *
   * @throws AppError as {@link nextPage} does; earlier pages stay valid.
   */
  rest(options?: LoadRestOptions): AsyncGenerator<LogPage>;
}

export interface LoadRestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/** Progress of loading all rows, in blocks of the range. Also counts windows that wait for earlier ones. */
export interface LoadProgress {
  readonly blocksDone: bigint;
  readonly blocks: bigint;
}

/**
 * The next pages of a query, up to `most`. Each is requested when the previous one has been taken.
 *
 * @throws AppError as {@link LogQuery.nextPage} does; earlier pages stay valid.
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
