import type { Waits } from '../base/waits.ts';
import type { LogOrder } from '../logs/query/direction.ts';
import type { LogFilter } from '../logs/query/logFilter.ts';
import type { LoadProgress, LogSource } from '../logs/query/logQuery.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { createLogStore, type LogStore } from '../logs/store/logStore.ts';

/** The rows of a query that was read to its end, or to a limit, and what they are worth. */
export interface LoadedAnswer {
  readonly rows: LogStore;
  readonly verdict: Verdict;
}

interface LoadOptions {
  readonly order?: LogOrder | undefined;
  /** Rows after which reading ends: the verdict says `more` then. Default: all. */
  readonly mostRows?: number | undefined;
  readonly waits?: Waits | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/**
 * Reads everything that a filter asks for into a store. A few rows more than `mostRows` may be there, as rows come in
 * pieces.
 *
 * @throws AppError as a {@link LogSource} does.
 * @example const { rows, verdict } = await loadAnswer(client, filter, { mostRows: 100_000 });
 */
export async function loadAnswer(
  source: LogSource,
  filter: LogFilter,
  { order, mostRows = Number.POSITIVE_INFINITY, waits, signal, onProgress }: LoadOptions = {},
): Promise<LoadedAnswer> {
  const query = source.openLogQuery(filter, { order, waits });
  const rows = createLogStore();
  let verdict: Verdict | undefined;
  for await (const page of query.rest({ signal, onProgress })) {
    rows.append(page.logs);
    verdict = page.verdict;
    if (rows.length >= mostRows) break;
  }
  const last = query.verdict ?? verdict;
  if (!last) throw new Error('A query that was read says what it is worth.');
  return { rows, verdict: last };
}
