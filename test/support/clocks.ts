import { setImmediate } from 'node:timers/promises';
import { createTimeSlices } from '../../src/core/base/timeSlices.ts';
import { type Clock, systemClock } from '../../src/core/index.ts';

/** Time limits of exchanges and of probes, in milliseconds. */
const timeLimits: readonly number[] = [30_000, 10_000];

/** Real slices of time. */
export const slicing = { slices: createTimeSlices(systemClock) };

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

/** A clock that moves only when it is told to. Time limits of exchanges never pass. */
export function createManualClock() {
  let elapsed = 1_000_000;
  let wall = 1_700_000_000_000;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const clock: Clock = {
    now: () => wall + elapsed,
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
    /** Sets the clock on the wall by `ms`, back if below 0. */
    adjust(ms: number): void {
      wall += ms;
    },
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
