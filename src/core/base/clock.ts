import type { Abortable } from './concurrency.ts';
import { AppError } from './errors.ts';

/** Time as core sees it. Tests inject a clock that does not wait. */
export interface Clock {
  /** Milliseconds since the Unix epoch, for people. It jumps when the system clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment. It never goes back: use it for ages, waits and limits. */
  elapsed(): number;
  /**
   * Resolves after `ms` milliseconds. 0 resolves once everything that is already queued has run. Rejects with the
   * signal's reason when the signal aborts first.
   */
  sleep(ms: number, options?: Abortable): Promise<void>;
}

/** The clock of the running system. It waits 24 days at most, the limit of a timer. */
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
        // Set after input or output, an immediate runs before timers that are due; set by another, it runs after them.
        setImmediate(() => setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve())));
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

// Node only, where the shortest timer takes 1 ms.
const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };

/** A timer that is set for longer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A wait before a request is sent again. */
export interface BackoffRequest {
  readonly ms: number;
  /** Whether the server requested the wait; otherwise it follows a failure. */
  readonly byServer: boolean;
}

export interface VisibleBackoff {
  /** In milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly byServer: boolean;
}

/** Resolves when the wait is over or skipped. Rejects with the signal's reason when the signal aborts first. */
export type WaitForBackoff = (backoff: BackoffRequest, options: Abortable) => Promise<'over' | 'skipped'>;

/** The waits of one piece of work that the user may be watching. */
export interface BackoffControl {
  readonly wait: WaitForBackoff;
  /** Of the running waits that are long enough to show, the one that ends last; undefined if there is none. */
  readonly visible: VisibleBackoff | undefined;
  skip(): void;
}

/** A shorter wait is over before anyone has read about it. */
const MIN_VISIBLE_MS = 3000;

/**
 * @param onChange called when {@link BackoffControl.visible} may have changed.
 * @example
 * const waits = createBackoffControl(systemClock, () => show(waits.visible?.endsAt));
 * const query = client.openLogQuery(filter, { waits });
 * retryNow.onClick = () => waits.skip();
 */
export function createBackoffControl(clock: Clock, onChange: () => void = () => undefined): BackoffControl {
  /** The visible form of each running wait; undefined for a short one. */
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
      for (const backoff of running.values())
        if (backoff && (!last || backoff.endsAt > last.endsAt)) last = backoff;
      return last;
    },
    skip() {
      for (const controller of running.keys()) controller.abort('skipped');
    },
  };
}

export interface RequestThrottle {
  /** Resolves when the caller may send. @throws AppError `aborted` when the signal fires first. */
  pass(options?: Abortable): Promise<void>;
}

/**
 * Allows at most `count` passes within any `windowMs` milliseconds.
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

/**
 * Date and time in the time zone of the machine, such as `2026-11-27 14:03:09`; empty for a time that a `Date` cannot
 * represent.
 *
 * @param time in milliseconds since the Unix epoch.
 * @example formatLocalTime(Number.NaN) // ''
 */
export function formatLocalTime(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, -'.000Z'.length).replace('T', ' ');
}

/**
 * The time of day of {@link formatLocalTime}, such as `14:03:09`.
 *
 * @example formatTimeOfDay(Number.NaN) // ''
 */
export function formatTimeOfDay(time: number): string {
  return formatLocalTime(time).slice('2026-11-27 '.length);
}
