import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { LONGEST_HOLD_MS, serverWaitText } from '../../http/originGate.ts';
import { isLimitSpent, serverWaitMs } from '../../http/rateHeaders.ts';

/** How an answer came. */
interface PacedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Milliseconds until it came; undefined where that compares with no other. */
  readonly ms: number | undefined;
  /** What became of it, whatever its status. */
  readonly error?: AppError | undefined;
}

/** How many requests may be under way at once, learnt from how the server takes them. */
export interface Pace {
  /** Requests that may be under way now, at least 1. */
  readonly limit: number;
  observe(answer: PacedAnswer): void;
  /** @throws AppError `rateLimited` or `unavailable` where the server has asked to wait for more than a minute. */
  requireLeave(): void;
  /** Forgets a wait that was not waited: whoever begins anew asks again. */
  beginAnew(): void;
}

const FIRST_LIMIT = 8;
const HIGHEST_LIMIT = 24;
/** An answer this much slower than the quickest so far is no gain of asking more at once. */
const SLOWER_BY = 4;
const ALWAYS_QUICK_MS = 150;
/** An answer that took longer than twice the quickest, and by more than this, has waited in line, there or here. */
const IN_LINE_MS = 15;

/**
 * Grows by one for each answer that came well, after the first sign of strain by one for each round of them. Gives
 * back one a round while answers wait in line, since more at once then brings nothing. Halves at a sign of strain,
 * which is a rate limit, a 503 or a slow answer. Waits of up to a minute are the gate's; a longer one that the server
 * asks for, also with a limit that is spent, ends what is paced.
 */
export function createPace(clock: Clock): Pace {
  let limit = FIRST_LIMIT;
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

  return {
    get limit() {
      return Math.floor(limit);
    },
    observe({ status, headers, ms, error }) {
      const isRefused = status === 429 || status === 503 || error?.kind === 'rateLimited';
      if (isRefused || isLimitSpent(headers)) {
        const wait = serverWaitMs(headers, clock.now());
        if (wait !== undefined && wait > LONGEST_HOLD_MS) {
          const kind = status === 503 ? 'unavailable' : 'rateLimited';
          refused = new AppError(kind, serverWaitText(wait), { status, retryAfterMs: wait });
        }
      }
      if (isRefused) shrink();
      if (isRefused || status >= 300 || ms === undefined) return;
      quickest = Math.min(quickest, ms);
      if (ms > ALWAYS_QUICK_MS && ms > quickest * SLOWER_BY) shrink();
      else if (ms > quickest * 2 + IN_LINE_MS) giveBack();
      else grow();
    },
    requireLeave() {
      if (refused) throw refused;
    },
    beginAnew() {
      refused = undefined;
    },
  };
}
