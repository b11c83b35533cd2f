import type { Abortable } from './concurrency.ts';
import { AppError } from './errors.ts';

/** Time as core sees it. Injected, so that waits and time limits can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch: what people read. It jumps when the system's clock is set. */
  now(): number;
  /** Milliseconds since a moment of its own, never going back: what ages, waits and limits are measured by. */
  elapsed(): number;
  /**
   * Resolves after `ms` milliseconds, for 0 when all that waits now has run; rejects with the signal's reason when the
   * signal aborts first.
   */
  sleep(ms: number, options?: Abortable): Promise<void>;
}

// Where there is one (Node): its shortest timer takes 1 ms.
const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };

/** The longest that a timer can be set for; one set for longer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clock of the running system. A wait beyond what timers can do ends after the longest that they can (24 days). */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      if (ms === 0 && setImmediate) {
        setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve()));
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(ms, MAX_TIMER_MS),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

/** A wait before a server is asked again. */
export interface BackoffRequest {
  readonly ms: number;
  /** Whether the server asked for it; otherwise it comes after a failure. */
  readonly byServer: boolean;
}

/** A wait as it is shown to people. */
export interface VisibleBackoff {
  /** In milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly byServer: boolean;
}

/** Resolves when the wait is over or skipped; rejects with the signal's reason when the signal aborts first. */
export type WaitForBackoff = (asked: BackoffRequest, options: Abortable) => Promise<'over' | 'skipped'>;

/** The waits of one piece of work that someone may be looking at. */
export interface BackoffControl {
  readonly wait: WaitForBackoff;
  /** The one that ends last, of those that run now and are long enough to be told; undefined while there is none. */
  readonly visible: VisibleBackoff | undefined;
  /** Ends all that run now. */
  skip(): void;
}

/** Shorter ones, in milliseconds, pass before anyone has read of them. */
const MIN_VISIBLE_MS = 3000;

/**
 * @param onChange told when {@link Waits.told} may have changed.
 * @example
 * const waits = createBackoffControl(systemClock, () => show(waits.told?.endsAt));
 * const query = client.openLogQuery(filter, { waits });
 * askNow.onClick = () => waits.skip();
 */
export function createBackoffControl(clock: Clock, onChange: () => void = () => undefined): BackoffControl {
  /** With what is shown of each; undefined for a short one. */
  const running = new Map<AbortController, VisibleBackoff | undefined>();

  async function wait({ ms, byServer }: BackoffRequest, { signal }: Abortable) {
    const skip = new AbortController();
    const isLong = ms > MIN_VISIBLE_MS;
    running.set(skip, isLong ? { endsAt: clock.now() + ms, byServer } : undefined);
    if (isLong) onChange();
    try {
      await clock.sleep(ms, { signal: signal ? AbortSignal.any([signal, skip.signal]) : skip.signal });
      return 'over';
    } catch (reason) {
      if (signal?.aborted || !skip.signal.aborted) throw reason;
      return 'skipped';
    } finally {
      running.delete(skip);
      if (isLong) onChange();
    }
  }

  return {
    wait,
    get visible() {
      let last: VisibleBackoff | undefined;
      for (const one of running.values()) if (one && (!last || one.endsAt > last.endsAt)) last = one;
      return last;
    },
    skip() {
      for (const controller of running.keys()) controller.abort('skipped');
    },
  };
}

/** A gate that lets a bounded number through in a time window. */
export interface RequestThrottle {
  /** Resolves when the caller may go. @throws AppError `aborted` when the signal fires first. */
  pass(options?: Abortable): Promise<void>;
}

/**
 * A gate for at most `count` passes within any `windowMs` milliseconds.
 *
 * @example
 * const limit = createRequestThrottle({ clock: systemClock, count: 4, windowMs: 1000 });
 * await limit.pass({ signal });
 */
export function createRequestThrottle(options: {
  readonly clock: Clock;
  readonly count: number;
  readonly windowMs: number;
}): RequestThrottle {
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
