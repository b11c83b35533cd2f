import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/core/index.ts';

/** A clock that moves only when it is told to. Time limits of exchanges never pass. */
export function createManualClock() {
  let elapsed = 1_000_000;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const clock: Clock = {
    now: () => 1_700_000_000_000 + elapsed,
    elapsed: () => elapsed,
    sleep: (ms, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const sleeper = { until: elapsed + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal.reason);
        });
      }),
  };
  return {
    ...clock,
    /** Lets `ms` milliseconds pass. */
    async pass(ms: number): Promise<void> {
      elapsed += ms;
      const due = sleepers.filter(({ until }) => until <= elapsed);
      sleepers = sleepers.filter(({ until }) => until > elapsed);
      for (const { wake } of due) wake();
      await setImmediate();
    },
  };
}
