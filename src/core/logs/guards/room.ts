import type { Log } from '../query/log.ts';

/**
 * The most logs that are believed of one block. A log costs 375 gas, as much again for each topic, and 8 for each byte
 * of data (Yellow Paper, appendix G); with the call that leads to it, 1,500 at the least. The largest blocks of chains
 * in use take 300 million gas.
 */
export const MOST_BLOCK_ROWS = 200_000;

/** Bytes that a log takes in memory, besides its data: hashes and topics are mostly shared with the log before it. */
const ROW_BYTES = 400;

/** The same in bytes of memory: so many rows without data, or as much data in hex as that gas pays for. */
export const MOST_BLOCK_BYTES = MOST_BLOCK_ROWS * ROW_BYTES;

/** Held of one window, or of one answer, that is read ahead of those before it: there can be two dozen at once. */
export const MOST_AHEAD_BYTES = 4 * 1024 * 1024;

/** Held of all windows that wait for one before them. */
export const MOST_WAITING_BYTES = 32 * 1024 * 1024;

/** Given out at once: what a store takes in, or a terminal prints, in some milliseconds. */
const MOST_GIVEN_BYTES = 4 * 1024 * 1024;

/** What one window has taken of the rows and bytes that it may take. Counts down to nothing on a server without end. */
export interface Room {
  readonly bytes: number;
  /** More was taken than there was at that moment: what is read is not all that there may be. */
  readonly over: boolean;
  /** More was taken than a block can hold. */
  readonly endless: boolean;
  /** @param count entries of an answer, whatever becomes of them. @param logs those of them that are kept. */
  take(count: number, logs: readonly Log[]): void;
  /** Counts so many entries no longer, as the same will come once more. */
  giveBack(count: number): void;
  /** Counts these lists, and nothing that was taken before. */
  takeAnew(lists: Iterable<readonly Log[]>): void;
}

/** @param mostBytes looked at anew each time, since a window that was read ahead becomes the next one. */
export function createRoom(mostBytes: () => number): Room {
  let rows = 0;
  let bytes = 0;
  let over = false;

  function take(count: number, logs: readonly Log[]): void {
    rows += count;
    bytes += bytesOf(logs);
    over ||= isEndless() || bytes > mostBytes();
  }

  const isEndless = () => rows > MOST_BLOCK_ROWS || bytes > MOST_BLOCK_BYTES;

  return {
    get bytes() {
      return bytes;
    },
    get over() {
      return over;
    },
    get endless() {
      return isEndless();
    },
    take,
    giveBack(count) {
      rows -= count;
    },
    takeAnew(lists) {
      rows = 0;
      bytes = 0;
      over = false;
      for (const logs of lists) take(logs.length, logs);
    },
  };
}

/** About what `logs` take in memory. */
function bytesOf(logs: readonly Log[]): number {
  let bytes = logs.length * ROW_BYTES;
  for (const { data } of logs) bytes += data.length;
  return bytes;
}

/** How many of the first of `logs` may be given out at once: `most`, or fewer where they have much data. */
export function countToGive(logs: readonly Log[], most: number): number {
  const end = Math.min(most, logs.length);
  let bytes = 0;
  for (let count = 0; count < end; count++) {
    bytes += ROW_BYTES + (logs[count]?.data.length ?? 0);
    if (bytes > MOST_GIVEN_BYTES) return Math.max(1, count);
  }
  return end;
}
