import type { Clock } from '../../src/core/index.ts';

/** Those of every exchange and of probes. */
const timeLimits: readonly number[] = [30_000, 10_000];

/** A clock whose waits pass at once and are noted, so that tests see how long was waited without waiting. */
export function createTestClock(): Clock & { readonly waits: number[] } {
  let now = 1_700_000_000_000;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep: (ms, signal) => {
      // A time limit is a wait that is called off: it must not pass before the exchange that it bounds.
      if (signal && timeLimits.includes(ms)) {
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        );
      }
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}
