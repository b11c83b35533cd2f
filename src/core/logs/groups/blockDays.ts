import { type BlockTime, MAX_BLOCK_TIMES } from '../../eth/time.ts';
import type { Log } from '../log.ts';
import { toDay } from './groupValue.ts';

/** The days of blocks, in UTC, from the times of a few of them. */
export interface BlockDays {
  /** Finds the days of the blocks of logs that have no time. */
  prepare(logs: readonly Pick<Log, 'time' | 'blockNumber'>[]): Promise<void>;
  /** Finds the days of blocks, in ascending order, each once. */
  prepareBlocks(blocks: readonly number[]): Promise<void>;
  /** Undefined if unknown. */
  dayOf(log: Pick<Log, 'time' | 'blockNumber'>): string | undefined;
  /** Undefined if unknown. */
  dayOfBlock(block: number): string | undefined;
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
  const dayOfFetched = new Map<number, string>();
  /** The blocks of {@link dayOfFetched}, in ascending order. */
  let fetched: number[] = [];
  let isSupported = true;

  async function fetchDays(blocks: readonly number[]): Promise<void> {
    let missing = blocks;
    while (isSupported && missing.length > 0) {
      const batch = missing.slice(0, MAX_BLOCK_TIMES);
      const times = await fetchTimes(batch.map(BigInt));
      isSupported = times !== undefined;
      for (const [block, { time }] of times ?? []) {
        const day = toDay(time);
        if (day !== undefined) dayOfFetched.set(Number(block), day);
      }
      // A provider may return only some of the requested times. If it returned none, those blocks are not requested
      // again.
      const rest = batch.filter((block) => !dayOfFetched.has(block));
      missing = [...(rest.length < batch.length ? rest : []), ...missing.slice(batch.length)];
    }
    fetched = [...dayOfFetched.keys()].sort((a, b) => a - b);
  }

  function dayOfBlock(block: number): string | undefined {
    const known = dayOfFetched.get(block);
    if (known !== undefined) return known;
    let [low, high] = [0, fetched.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((fetched[middle] ?? 0) < block) low = middle + 1;
      else high = middle;
    }
    const [before, after] = [fetched[low - 1], fetched[low]];
    const day = before === undefined ? undefined : dayOfFetched.get(before);
    return after !== undefined && day === dayOfFetched.get(after) ? day : undefined;
  }

  async function prepareBlocks(blocks: readonly number[]): Promise<void> {
    const dayAt = (index: number) => dayOfBlock(blocks[index] ?? 0);
    let ranges: readonly (readonly [number, number])[] = blocks.length > 0 ? [[0, blocks.length - 1]] : [];
    let wanted = [...new Set(ranges.flat())];
    while (isSupported && ranges.length > 0) {
      const missing = wanted.filter((index) => dayAt(index) === undefined);
      await fetchDays(missing.map((index) => blocks[index] ?? 0));
      const open = ranges.filter(([first, last]) => {
        const day = dayAt(first);
        return last - first > 1 && (day === undefined || day !== dayAt(last));
      });
      wanted = open.map(([first, last]) => (first + last) >>> 1);
      ranges = open.flatMap(([first, last], index): (readonly [number, number])[] => {
        const middle = wanted[index] ?? first;
        return [
          [first, middle],
          [middle, last],
        ];
      });
    }
  }

  return {
    prepareBlocks,
    dayOfBlock,
    async prepare(logs) {
      const blocks = new Set(
        logs.flatMap(({ time, blockNumber }) => (time === undefined ? [Number(blockNumber)] : [])),
      );
      await prepareBlocks([...blocks].sort((a, b) => a - b));
    },
    dayOf: ({ time, blockNumber }) => (time === undefined ? dayOfBlock(Number(blockNumber)) : toDay(time)),
  };
}
