import type { Clock } from '../core/index.ts';

export interface Throttle {
  /** Asks for a run: at once if the last one is long enough ago, else as soon as it is. */
  soon(): void;
  /** Runs at once. */
  now(): void;
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
    last = clock.now();
    run();
  }

  return {
    now: runNow,
    soon() {
      if (waiting) return;
      const wait = last + ms - clock.now();
      if (wait <= 0) {
        runNow();
        return;
      }
      waiting = new AbortController();
      clock.sleep(wait, waiting.signal).then(runNow, () => undefined);
    },
    dispose() {
      waiting?.abort();
      waiting = undefined;
    },
  };
}
