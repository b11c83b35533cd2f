/** Time as core sees it. Injected, so that waits and time limits can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds, for 0 when all that waits now has run; rejects with the signal's reason when the
   * signal aborts first.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

// Where there is one (Node): its shortest timer takes 1 ms.
const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };

/** The clock of the running system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
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
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};
