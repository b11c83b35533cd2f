import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { isRateLimitSpent, parseRetryAfterMs } from '../../http/response.ts';
import { formatServerWait, MAX_HOLD_MS } from '../../http/retry.ts';
import type { Log } from '../log.ts';

/** How an answer came. */
interface ObservedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Milliseconds until it came; undefined where that compares with no other. */
  readonly ms: number | undefined;
  /** What became of it, whatever its status. */
  readonly error?: AppError | undefined;
}

/** How many requests may be under way at once, learnt from how the server takes them. */
export interface Concurrency {
  /** Requests that may be under way now, at least 1. */
  readonly limit: number;
  observe(answer: ObservedResponse): void;
  /** @throws AppError `rateLimited` or `unavailable` where the server has asked to wait for more than a minute. */
  throwIfHeld(): void;
  /** Forgets a wait that was not waited: whoever begins anew asks again. */
  restart(): void;
}

const INITIAL_LIMIT = 8;
const MAX_LIMIT = 24;
/** An answer this much slower than the quickest so far is no gain of asking more at once. */
const SLOWDOWN_FACTOR = 4;
const FAST_RESPONSE_MS = 150;
/** An answer that took longer than twice the quickest, and by more than this, has waited in line, there or here. */
const QUEUED_MS = 15;

/**
 * Grows by one for each answer that came well, after the first sign of strain by one for each round of them. Gives
 * back one a round while answers wait in line, since more at once then brings nothing. Halves at a sign of strain,
 * which is a rate limit, a 503 or a slow answer. Waits of up to a minute are the gate's; a longer one that the server
 * asks for, also with a limit that is spent, ends what is paced.
 */
export function createConcurrency(clock: Clock): Concurrency {
  let limit = INITIAL_LIMIT;
  let refused: AppError | undefined;
  let quickest = Number.POSITIVE_INFINITY;
  let strained = false;

  const grow = () => {
    limit = Math.min(MAX_LIMIT, limit + (strained ? 1 / limit : 1));
  };
  const giveBack = () => {
    if (limit > INITIAL_LIMIT) limit = Math.max(INITIAL_LIMIT, limit - 1 / limit);
  };
  const shrink = () => {
    strained = true;
    limit = Math.max(1, limit / 2);
  };

  return {
    get limit() {
      return Math.floor(limit);
    },
    observe({ status, headers, ms, error }) {
      const isRefused = status === 429 || status === 503 || error?.kind === 'rateLimited';
      if (isRefused || isRateLimitSpent(headers)) {
        const wait = parseRetryAfterMs(headers, clock.now());
        if (wait !== undefined && wait > MAX_HOLD_MS) {
          const kind = status === 503 ? 'unavailable' : 'rateLimited';
          refused = new AppError(kind, formatServerWait(wait), { status, retryAfterMs: wait });
        }
      }
      if (isRefused) shrink();
      if (isRefused || status >= 300 || ms === undefined) return;
      quickest = Math.min(quickest, ms);
      if (ms > FAST_RESPONSE_MS && ms > quickest * SLOWDOWN_FACTOR) shrink();
      else if (ms > quickest * 2 + QUEUED_MS) giveBack();
      else grow();
    },
    throwIfHeld() {
      if (refused) throw refused;
    },
    restart() {
      refused = undefined;
    },
  };
}

/**
 * The most logs that are believed of one block. A log costs 375 gas, as much again for each topic, and 8 for each byte
 * of data (Yellow Paper, appendix G); with the call that leads to it, 1,500 at the least. The largest blocks of chains
 * in use take 300 million gas.
 */
export const MAX_BLOCK_ROWS = 200_000;

/** Bytes that a log takes in memory, besides its data: hashes and topics are mostly shared with the log before it. */
const ROW_BYTES = 400;

/** The same in bytes of memory: so many rows without data, or as much data in hex as that gas pays for. */
export const MAX_BLOCK_BYTES = MAX_BLOCK_ROWS * ROW_BYTES;

/** Held of one window, or of one answer, that is read ahead of those before it: there can be two dozen at once. */
export const MAX_AHEAD_BYTES = 4 * 1024 * 1024;

/** Held of all windows that wait for one before them. */
export const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** Given out at once: what a store takes in, or a terminal prints, in some milliseconds. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** What one window has taken of the rows and bytes that it may take. Counts down to nothing on a server without end. */
export interface MemoryBudget {
  readonly bytes: number;
  /** More was taken than there was at that moment: what is read is not all that there may be. */
  readonly over: boolean;
  /** More was taken than a block can hold. */
  readonly endless: boolean;
  /** @param count entries of an answer, whatever becomes of them. @param logs those of them that are kept. */
  take(count: number, logs: readonly Log[]): void;
  /** Counts so many entries no longer, as the same will come once more. */
  release(count: number): void;
  /** Counts these lists, and nothing that was taken before. */
  reset(lists: Iterable<readonly Log[]>): void;
}

/** @param mostBytes looked at anew each time, since a window that was read ahead becomes the next one. */
export function createMemoryBudget(mostBytes: () => number): MemoryBudget {
  let rows = 0;
  let bytes = 0;
  let over = false;

  function take(count: number, logs: readonly Log[]): void {
    rows += count;
    bytes += bytesOf(logs);
    over ||= isEndless() || bytes > mostBytes();
  }

  const isEndless = () => rows > MAX_BLOCK_ROWS || bytes > MAX_BLOCK_BYTES;

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
    release(count) {
      rows -= count;
    },
    reset(lists) {
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
export function countReleasable(logs: readonly Log[], most: number): number {
  const end = Math.min(most, logs.length);
  let bytes = 0;
  for (let count = 0; count < end; count++) {
    bytes += ROW_BYTES + (logs[count]?.data.length ?? 0);
    if (bytes > MAX_BATCH_BYTES) return Math.max(1, count);
  }
  return end;
}
