import type { Clock } from '../../src/core/index.ts';

/** Those of every exchange and of probes. */
const timeLimits: readonly number[] = [30_000, 10_000];

/** A clock whose waits pass at once and are noted, so that tests see how long was waited without waiting. */
export interface TestClock extends Clock {
  readonly waits: number[];
  /** Sets the clock on the wall by `ms`, back if below 0, as a person or a time server does. */
  adjust(ms: number): void;
}

export function createTestClock(): TestClock {
  let elapsed = 5000;
  let wall = 1_700_000_000_000;
  const waits: number[] = [];
  return {
    waits,
    now: () => wall + elapsed,
    elapsed: () => elapsed,
    adjust: (ms) => {
      wall += ms;
    },
    sleep: (ms, { signal } = {}) => {
      // A time limit is a wait that is called off: it must not pass before the exchange that it bounds.
      if (signal && timeLimits.includes(ms)) {
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        );
      }
      waits.push(ms);
      elapsed += ms;
      return Promise.resolve();
    },
  };
}
