import type { Abortable } from './abortable.ts';
import type { Clock } from './clock.ts';
import { AppError } from './errors.ts';

/** A gate that lets a bounded number through in a time window. */
export interface RateLimit {
  /** Resolves when the caller may go. @throws AppError `aborted` when the signal fires first. */
  pass(options?: Abortable): Promise<void>;
}

/**
 * A gate for at most `count` passes within any `windowMs` milliseconds.
 *
 * @example
 * const limit = createRateLimit({ clock: systemClock, count: 4, windowMs: 1000 });
 * await limit.pass({ signal });
 */
export function createRateLimit(options: {
  readonly clock: Clock;
  readonly count: number;
  readonly windowMs: number;
}): RateLimit {
  const { clock, count, windowMs } = options;
  const passes: number[] = [];

  function msUntilFree(): number {
    const now = clock.elapsed();
    while (passes[0] !== undefined && passes[0] + windowMs <= now) passes.shift();
    const oldest = passes[0];
    return oldest === undefined || passes.length < count ? 0 : oldest + windowMs - now;
  }

  return {
    async pass(options) {
      for (let wait = msUntilFree(); wait > 0; wait = msUntilFree()) {
        try {
          await clock.sleep(wait, options);
        } catch (cause) {
          throw new AppError('aborted', 'Cancelled.', { cause });
        }
      }
      passes.push(clock.elapsed());
    },
  };
}
