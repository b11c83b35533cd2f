import type { Clock } from '../../core/index.ts';

export interface Throttle {
  /** Asks for a run: at once if the last one is long enough ago, else as soon as it is. */
  soon(): void;
  /** Runs at once. */
  now(): void;
  /** Runs after `delay` milliseconds, unless it has run by then. */
  within(delay: number): void;
  /** Calls off what was asked for. */
  dispose(): void;
}

/** Lets `run` happen at most once in `ms` however often it is asked for. The last asking is never lost. */
export function createThrottle(run: () => void, ms: number, clock: Clock): Throttle {
  let last = Number.NEGATIVE_INFINITY;
  let waiting: AbortController | undefined;

  function runNow(): void {
    waiting?.abort();
    waiting = undefined;
    last = clock.elapsed();
    run();
  }

  function runIn(delay: number): void {
    if (waiting) return;
    waiting = new AbortController();
    clock.sleep(delay, { signal: waiting.signal }).then(runNow, () => undefined);
  }

  return {
    now: runNow,
    within: runIn,
    soon() {
      const wait = last + ms - clock.elapsed();
      if (wait > 0) runIn(wait);
      else if (!waiting) runNow();
    },
    dispose() {
      waiting?.abort();
      waiting = undefined;
    },
  };
}
