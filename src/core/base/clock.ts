import type { Abortable } from './abortable.ts';

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
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
        Math.min(ms, LONGEST_TIMER_MS),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};
