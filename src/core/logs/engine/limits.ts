import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { isRateLimitSpent, parseRetryAfterMs } from '../../http/response.ts';
import { formatServerWait, MAX_HOLD_MS } from '../../http/retry.ts';
import type { Log } from '../log.ts';

/** How a response arrived. */
interface ObservedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Milliseconds until the response; undefined if it is not comparable with others. */
  readonly ms: number | undefined;
  /** The resulting error, whatever the status. */
  readonly error?: AppError | undefined;
}

/** How many requests may run at once, learned from the server's responses. */
export interface Concurrency {
  /** At least 1. */
  readonly limit: number;
  observe(answer: ObservedResponse): void;
  /** @throws AppError `rateLimited` or `unavailable` if the server has requested a wait of more than a minute. */
  throwIfBlocked(): void;
  /** Forgets a long wait that the server requested, as a new start tries again. */
  restart(): void;
}

const INITIAL_LIMIT = 8;
const MAX_LIMIT = 24;
/** A response this many times slower than the fastest one is a sign of strain. */
const SLOWDOWN_FACTOR = 4;
const FAST_RESPONSE_MS = 150;
/**
 * A response that took more than twice as long as the fastest, and this much more, waited in a queue, on the server
 * or here.
 */
const QUEUED_MS = 15;

/**
 * Grows by one for each good response; after the first sign of strain, by one for each round of them. Shrinks by
 * one a round while responses wait in a queue, since more requests at once then gain nothing. Halves at a sign of
 * strain: a rate limit, a 503 or a slow response. The origin gate handles waits of up to a minute. If the server
 * requests a longer one, also with a used-up rate limit, {@link Concurrency.throwIfBlocked} throws.
 */
export function createConcurrency(clock: Clock): Concurrency {
  let limit = INITIAL_LIMIT;
  let blockedBy: AppError | undefined;
  let fastest = Number.POSITIVE_INFINITY;
  let isStrained = false;

  const grow = () => {
    limit = Math.min(MAX_LIMIT, limit + (isStrained ? 1 / limit : 1));
  };
  const shrinkSlowly = () => {
    if (limit > INITIAL_LIMIT) limit = Math.max(INITIAL_LIMIT, limit - 1 / limit);
  };
  const shrink = () => {
    isStrained = true;
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
          blockedBy = new AppError(kind, formatServerWait(wait), { status, retryAfterMs: wait });
        }
      }
      if (isRefused) shrink();
      if (isRefused || status >= 300 || ms === undefined) return;
      fastest = Math.min(fastest, ms);
      if (ms > FAST_RESPONSE_MS && ms > fastest * SLOWDOWN_FACTOR) shrink();
      else if (ms > fastest * 2 + QUEUED_MS) shrinkSlowly();
      else grow();
    },
    throwIfBlocked() {
      if (blockedBy) throw blockedBy;
    },
    restart() {
      blockedBy = undefined;
    },
  };
}

/**
 * Most logs accepted of one block. A log costs 375 gas, as much again for each topic, and 8 for each byte of data
 * (Yellow Paper, appendix G); with the call that emits it, at least 1,500. The largest blocks of chains in use have
 * 300 million gas.
 */
export const MAX_BLOCK_ROWS = 200_000;

/** Memory of a log without its data. Hashes and topics are mostly shared with the previous log. */
const ROW_BYTES = 400;

/** The same limit in bytes of memory: that many rows without data, or as much data in hex as that gas pays for. */
export const MAX_BLOCK_BYTES = MAX_BLOCK_ROWS * ROW_BYTES;

/** For one window, or one response, that is read ahead of those before it. There can be two dozen at once. */
export const MAX_AHEAD_BYTES = 4 * 1024 * 1024;

/** For all windows that wait for one before them. */
export const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** Emitted at once: a store or a terminal processes as much in some milliseconds. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Rows and bytes that one window has taken. Ends the reading of a server that never stops responding. */
export interface MemoryBudget {
  readonly bytes: number;
  /** More was taken than was allowed at that moment, so rows may be missing. */
  readonly isExceeded: boolean;
  /** More was taken than a block can hold. */
  readonly exceedsBlock: boolean;
  /**
   * @param count entries of a response, including dropped ones.
   * @param logs the rows that stay in memory.
   */
  take(count: number, logs: readonly Log[]): void;
  /** Subtracts `count` entries that will be read again. */
  release(count: number): void;
  /** Counts only these lists from here on. */
  reset(lists: Iterable<readonly Log[]>): void;
}

/** @param maxBytes called each time, as a window that was read ahead becomes the next one. */
export function createMemoryBudget(maxBytes: () => number): MemoryBudget {
  let rows = 0;
  let bytes = 0;
  let isExceeded = false;

  function take(count: number, logs: readonly Log[]): void {
    rows += count;
    bytes += countBytes(logs);
    isExceeded ||= exceedsBlock() || bytes > maxBytes();
  }

  const exceedsBlock = () => rows > MAX_BLOCK_ROWS || bytes > MAX_BLOCK_BYTES;

  return {
    get bytes() {
      return bytes;
    },
    get isExceeded() {
      return isExceeded;
    },
    get exceedsBlock() {
      return exceedsBlock();
    },
    take,
    release(count) {
      rows -= count;
    },
    reset(lists) {
      rows = 0;
      bytes = 0;
      isExceeded = false;
      for (const logs of lists) take(logs.length, logs);
    },
  };
}

/** Approximate memory of `logs`. */
function countBytes(logs: readonly Log[]): number {
  let bytes = logs.length * ROW_BYTES;
  for (const { data } of logs) bytes += data.length;
  return bytes;
}

/** How many of the first `logs` may be emitted at once: `maxRows`, or fewer if they have much data. */
export function countReleasable(logs: readonly Log[], maxRows: number): number {
  const end = Math.min(maxRows, logs.length);
  let bytes = 0;
  for (let count = 0; count < end; count++) {
    bytes += ROW_BYTES + (logs[count]?.data.length ?? 0);
    if (bytes > MAX_BATCH_BYTES) return Math.max(1, count);
  }
  return end;
}
