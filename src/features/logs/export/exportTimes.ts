import {
  type BlockTime,
  type ExportTimesFacts,
  type Log,
  type LogStore,
  MAX_BLOCK_TIMES,
} from '../../../core/index.ts';

/** How the times of logs are had. */
export interface ExportTimes {
  /** In milliseconds since the Unix epoch; undefined where it is not known yet. */
  timeOf(log: Log): number | undefined;
  /** Whether the endpoint tells of times that are not known. */
  readonly canRead: boolean;
  /** The times of blocks that have these logs; undefined where nothing tells. */
  read(
    logs: readonly Log[],
    options: { readonly signal: AbortSignal },
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  /** Blocks that one request is about. */
  atOnce(): Promise<number>;
}

/** `known`: of those logs whose time is known; `read`: the others are asked for. */
export type TimesChoice = 'known' | 'none' | 'read';

/** Blocks whose times one export asks for. */
export const MOST_READ = 100_000;
/** Rows that are looked through before the choice is shown. */
const FEW_ROWS = 2000;

/** Whether no log of these rows lacks its time, as far as a look at some tells: a node that gives times gives all. */
export function areTimed(
  rows: Pick<LogStore, 'length' | 'slice'>,
  times: Pick<ExportTimes, 'timeOf'>,
): boolean {
  const { length } = rows;
  if (length === 0) return false;
  if (length <= FEW_ROWS) return rows.slice(0, length).every((log) => times.timeOf(log) !== undefined);
  return [0, length - 1].every((place) => rows.slice(place, 1)[0]?.time !== undefined);
}

/** Logs with their times, page by page, and what became of that. */
export interface TimedPages {
  readonly pages: AsyncIterable<readonly Log[]>;
  facts(): ExportTimesFacts;
}

/** Puts the times of logs into their pages: those that are known, and up to {@link MOST_READ} that are read. */
export function timedPages(
  pages: AsyncIterable<readonly Log[]>,
  times: ExportTimes,
  { choice, signal }: { readonly choice: 'known' | 'read'; readonly signal: AbortSignal },
): TimedPages {
  const read = new Map<bigint, number | undefined>();
  const sources = new Set<string>();
  let without = 0;
  let isTold = choice === 'read' && times.canRead;

  const timeOf = (log: Log) => times.timeOf(log) ?? read.get(log.blockNumber);

  async function readLacking(logs: readonly Log[]): Promise<void> {
    const lacking = new Map<bigint, Log>();
    for (const log of logs) {
      const isAsked = timeOf(log) !== undefined || read.has(log.blockNumber);
      if (!isAsked && read.size + lacking.size < MOST_READ) lacking.set(log.blockNumber, log);
    }
    const first = [...lacking.values()];
    for (let start = 0; isTold && start < first.length; start += MAX_BLOCK_TIMES) {
      const some = first.slice(start, start + MAX_BLOCK_TIMES);
      const found = await times.read(some, { signal });
      isTold = found !== undefined;
      for (const { blockNumber } of some) read.set(blockNumber, found?.get(blockNumber)?.time);
      for (const { source } of found?.values() ?? []) sources.add(source);
    }
  }

  async function* timed(): AsyncGenerator<readonly Log[]> {
    for await (const logs of pages) {
      if (isTold) await readLacking(logs);
      yield logs.map((log) => {
        const time = timeOf(log);
        if (time === undefined) without++;
        return time === undefined ? log : { ...log, time };
      });
    }
  }

  return { pages: timed(), facts: () => ({ without, readBy: [...sources] }) };
}
