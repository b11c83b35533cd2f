import type { Clock, LoadProgress, LogPage, LogQuery } from '../../../core/index.ts';
import { type LoadLimit, pagesUpTo } from './loadLimit.ts';
import { createTimeLeft } from './timeLeft.ts';

/** What is asked for at once: the next page, or all that remains. */
export type Portion = 'page' | 'all';

/** How far loading all has come; `msLeft` is how long it still takes, if that can be told. */
export interface AllProgress extends LoadProgress {
  readonly msLeft: number | undefined;
}

/** Reads one portion of a query. */
export type ReadPortion = (
  query: LogQuery,
  options: { readonly signal: AbortSignal },
) => AsyncIterable<LogPage>;

export const readPage: ReadPortion = async function* (query, { signal }) {
  yield await query.nextPage({ signal });
};

interface ReadAllOptions {
  /** Where loading stops to ask. */
  readonly limit: LoadLimit;
  readonly onProgress: (progress: AllProgress) => void;
}

/** Reads what remains, up to the limit if blocks are left to read. */
export function readAll({ limit, onProgress }: ReadAllOptions): ReadPortion {
  return (query, { signal }) => {
    const progress = withTimeLeft(limit.clock, (told) => {
      if (!signal.aborted) onProgress(told);
    });
    const onStop = () => {
      if (!signal.aborted) limit.onStop();
    };
    return pagesUpTo({ ...limit, onStop }, query.rest({ signal, onProgress: progress }));
  };
}

function withTimeLeft(clock: Clock, tell: (progress: AllProgress) => void) {
  const timeLeft = createTimeLeft(clock.elapsed);
  return (progress: LoadProgress) => {
    timeLeft.note(progress);
    tell({ ...progress, msLeft: timeLeft.ms() });
  };
}
