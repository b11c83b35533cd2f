import { type BlockTime, MAX_BLOCK_TIMES } from '../../eth/time.ts';
import type { Log } from '../log.ts';
import { toDay } from './groupValue.ts';

/** The days of the blocks of logs, in UTC. */
export interface BlockDays {
  /** Finds the days of the blocks of these logs, and drops those of earlier ones. */
  prepare(logs: readonly Log[]): Promise<void>;
  /** Undefined if unknown. */
  dayOf(log: Log): string | undefined;
}

/** The times of up to `MAX_BLOCK_TIMES` blocks; undefined if the endpoint does not report times. */
type FetchTimes = (blocks: readonly bigint[]) => Promise<ReadonlyMap<bigint, BlockTime> | undefined>;

/**
 * Finds the days of blocks with few requests: between two blocks of one day, all are of that day.
 *
 * @example
 * const days = createBlockDays((blocks) => client.fetchBlockTimes(blocks));
 * await days.prepare(logs);
 * days.dayOf(log); // '2026-11-28'
 */
export function createBlockDays(fetchTimes: FetchTimes): BlockDays {
  let days = new Map<bigint, string>();
  let isSupported = true;

  async function fetchDays(blocks: readonly bigint[]): Promise<void> {
    let missing = blocks;
    while (isSupported && missing.length > 0) {
      const batch = missing.slice(0, MAX_BLOCK_TIMES);
      const times = await fetchTimes(batch);
      isSupported = times !== undefined;
      for (const [block, { time }] of times ?? []) {
        const day = toDay(time);
        if (day !== undefined) days.set(block, day);
      }
      // A provider may return only some of the requested times. If it returned none, those blocks are not requested
      // again.
      const rest = batch.filter((block) => !days.has(block));
      missing = [...(rest.length < batch.length ? rest : []), ...missing.slice(batch.length)];
    }
  }

  /** @param blocks in ascending order, each once. */
  async function findDays(blocks: readonly bigint[]): Promise<void> {
    let ranges: readonly (readonly [number, number])[] = blocks.length > 0 ? [[0, blocks.length - 1]] : [];
    const blockAt = (index: number) => blocks[index] ?? 0n;
    let missing = [...new Set(ranges.flat())].map(blockAt);
    while (isSupported && ranges.length > 0) {
      await fetchDays(missing);
      const open = ranges.filter(([first, last]) => {
        const day = days.get(blockAt(first));
        if (day === undefined || day !== days.get(blockAt(last))) return last - first > 1;
        for (let index = first + 1; index < last; index++) days.set(blockAt(index), day);
        return false;
      });
      const middles = open.map(([first, last]) => (first + last) >>> 1);
      missing = middles.map(blockAt);
      ranges = open.flatMap(([first, last], index): (readonly [number, number])[] => {
        const middle = middles[index] ?? first;
        return [
          [first, middle],
          [middle, last],
        ];
      });
    }
  }

  return {
    async prepare(logs) {
      days = new Map();
      const blocks = new Set(
        logs.flatMap(({ time, blockNumber }) => (time === undefined ? [blockNumber] : [])),
      );
      await findDays([...blocks].sort((a, b) => (a < b ? -1 : 1)));
    },
    dayOf: ({ time, blockNumber }) => (time === undefined ? days.get(blockNumber) : toDay(time)),
  };
}
