import type { Clock } from '../clock.ts';
import { retryAfterMs } from '../http.ts';

/** How many requests may be under way at once, learnt from how the server takes them. */
export interface Pace {
  /** Requests that may be under way now, at least 1. */
  readonly limit: number;
  /** Looks at the status and the rate headers of an answer. */
  observe(response: { readonly status: number; readonly headers: Headers }, ms: number): void;
  /** Resolves when the server may be asked again. Rejects when the signal aborts. */
  ready(signal: AbortSignal): Promise<void>;
}

const FIRST_LIMIT = 4;
const HIGHEST_LIMIT = 12;
/** An answer this much slower than the quickest so far is no gain of asking more at once. */
const SLOWER_BY = 4;
const ALWAYS_QUICK_MS = 150;

/**
 * Grows by one for each round of answers that came well, halves at a 429, a 503 or a slow answer, and holds while
 * `Retry-After` or Blockscout's `x-ratelimit-remaining: 0` with `x-ratelimit-reset` (milliseconds) ask for it.
 */
export function createPace(clock: Clock): Pace {
  let limit = FIRST_LIMIT;
  let holdUntil = 0;
  let quickest = Number.POSITIVE_INFINITY;

  const grow = () => {
    limit = Math.min(HIGHEST_LIMIT, limit + 1 / limit);
  };
  const shrink = () => {
    limit = Math.max(1, limit / 2);
  };

  return {
    get limit() {
      return Math.floor(limit);
    },
    observe({ status, headers }, ms) {
      const usedUp = headers.get('x-ratelimit-remaining') === '0';
      if (status === 429 || status === 503 || usedUp) {
        const wait = retryAfterMs(headers, clock.now());
        if (wait !== undefined) holdUntil = Math.max(holdUntil, clock.now() + wait);
      }
      quickest = Math.min(quickest, ms);
      const slow = ms > ALWAYS_QUICK_MS && ms > quickest * SLOWER_BY;
      if (status === 429 || status === 503 || slow) shrink();
      else if (status < 300) grow();
    },
    async ready(signal) {
      for (let wait = holdUntil - clock.now(); wait > 0; wait = holdUntil - clock.now()) {
        await clock.sleep(wait, signal);
      }
    },
  };
}
