import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { createWaits, type Wait } from '../../base/waits.ts';
import { retryAfterMs } from '../../http/httpAnswer.ts';
import { wishText } from '../../http/retry.ts';

/** How many requests may be under way at once, learnt from how the server takes them. */
export interface Pace {
  /** Requests that may be under way now, at least 1. */
  readonly limit: number;
  /** Looks at the status and the rate headers of an answer, and at the time that one with logs took. */
  observe(response: { readonly status: number; readonly headers: Headers }, ms: number | undefined): void;
  /**
   * Resolves when the server may be asked again.
   *
   * @throws AppError `rateLimited` or `unavailable` at once when it asks for more than a minute, with its wish;
   *   `aborted` when the signal fires.
   */
  ready(signal: AbortSignal): Promise<void>;
  /** Ends a hold before its time, for all who wait and who come. */
  release(): void;
  /** Forgets a wish that was not granted: whoever begins anew after it asks again. */
  beginAnew(): void;
}

const FIRST_LIMIT = 8;
const HIGHEST_LIMIT = 24;
/** An answer this much slower than the quickest so far is no gain of asking more at once. */
const SLOWER_BY = 4;
const ALWAYS_QUICK_MS = 150;
/** An answer that took longer than twice the quickest, and by more than this, has waited in line, there or here. */
const IN_LINE_MS = 15;
/** The longest that someone who waits is held up by one wish of the server: a quota of a minute. */
export const LONGEST_HOLD_MS = 60_000;

/**
 * Grows by one for each answer that came well, after the first sign of strain by one for each round of them. Gives
 * back one a round while answers wait in line, since more at once then brings nothing. Halves at a sign of strain,
 * which is a 429, a 503 or a slow answer; and holds while `Retry-After` or Blockscout's `x-ratelimit-remaining: 0`
 * with `x-ratelimit-reset` (milliseconds) ask for it, up to a minute.
 */
export function createPace(clock: Clock, wait: Wait = createWaits(clock).wait): Pace {
  let limit = FIRST_LIMIT;
  let holdUntil = Number.NEGATIVE_INFINITY;
  let refused: AppError | undefined;
  let quickest = Number.POSITIVE_INFINITY;
  let strained = false;

  const grow = () => {
    limit = Math.min(HIGHEST_LIMIT, limit + (strained ? 1 / limit : 1));
  };
  const giveBack = () => {
    if (limit > FIRST_LIMIT) limit = Math.max(FIRST_LIMIT, limit - 1 / limit);
  };
  const shrink = () => {
    strained = true;
    limit = Math.max(1, limit / 2);
  };

  function hold(ms: number, status: number): void {
    if (ms <= LONGEST_HOLD_MS) {
      holdUntil = Math.max(holdUntil, clock.elapsed() + ms);
      return;
    }
    const kind = status === 503 ? 'unavailable' : 'rateLimited';
    refused = new AppError(kind, wishText(ms), { status, retryAfterMs: ms });
  }

  function release(): void {
    holdUntil = Number.NEGATIVE_INFINITY;
  }

  return {
    get limit() {
      return Math.floor(limit);
    },
    observe({ status, headers }, ms) {
      const usedUp = headers.get('x-ratelimit-remaining') === '0';
      if (status === 429 || status === 503 || usedUp) {
        const ms = retryAfterMs(headers, clock.now());
        if (ms !== undefined) hold(ms, status);
      }
      if (status === 429 || status === 503) shrink();
      if (status >= 300 || ms === undefined) return;
      quickest = Math.min(quickest, ms);
      if (ms > ALWAYS_QUICK_MS && ms > quickest * SLOWER_BY) shrink();
      else if (ms > quickest * 2 + IN_LINE_MS) giveBack();
      else grow();
    },
    async ready(signal) {
      for (;;) {
        if (refused) throw refused;
        const ms = holdUntil - clock.elapsed();
        if (ms <= 0) return;
        try {
          if ((await wait({ ms, isWish: true }, signal)) === 'skipped') release();
        } catch (cause) {
          throw new AppError('aborted', 'Cancelled.', { cause });
        }
      }
    },
    release,
    beginAnew() {
      refused = undefined;
    },
  };
}
