import type { LogQuery } from './logQuery.ts';
import type { LogQueryOptions } from './openLogQuery.ts';

/** {@link openLogQuery}, with the engine loaded when the query is first asked something: few who start an editor do. */
export function lateLogQuery(options: LogQueryOptions): LogQuery {
  let opening: Promise<LogQuery> | undefined;
  let opened: LogQuery | undefined;

  async function open(): Promise<LogQuery> {
    const { openLogQuery } = await import('./openLogQuery.ts');
    opened = openLogQuery(options);
    return opened;
  }
  const query = () => {
    opening ??= open();
    return opening;
  };

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
