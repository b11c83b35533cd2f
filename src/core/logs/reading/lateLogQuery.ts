import type { LogQuery } from '../query/logQuery.ts';
import type { LogQueryOptions } from './queryConnection.ts';

/** {@link openLogQuery}, with the engine loaded when the query is first asked something: few who start an editor do. */
export function lateLogQuery(options: LogQueryOptions): LogQuery {
  let opened: LogQuery | undefined;

  /** Nothing is kept of a load that failed, as the next may not; two at once open one query. */
  async function query(): Promise<LogQuery> {
    const { openLogQuery } = await import('./openLogQuery.ts');
    opened ??= openLogQuery(options);
    return opened;
  }

  return {
    get verdict() {
      return opened?.verdict;
    },
    nextPage: async (asked) => (await query()).nextPage(asked),
    async *rest(asked) {
      yield* (await query()).rest(asked);
    },
  };
}
