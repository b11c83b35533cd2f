import type { Clock } from './clock.ts';
import { createTimeSlices } from './timeSlices.ts';

interface TurnOptions {
  /** Goes before all that wait: for work that frees what they would add to. Default false. */
  readonly ahead?: boolean;
}

/** Does a piece of work when its turn has come, and gives what becomes of it. */
export type Turn = <T>(work: () => T | Promise<T>, options?: TurnOptions) => Promise<T>;

/** Short, as each piece of work takes several times as long. */
const SLICE_MS = 1;

/**
 * Turns on a thread that others need too, for pieces of work of some milliseconds that come in bursts. One is done
 * before the next begins, so that what they need together is not in memory together, nor their slices of time in one
 * round of the event loop; where those before have used up a slice, everything else that waits runs first.
 */
export function createTurns(clock: Clock): Turn {
  const slices = createTimeSlices(clock, SLICE_MS);
  const waiting: (() => Promise<void>)[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    await undefined;
    while (waiting.length > 0) {
      if (slices.isOver()) await slices.rest();
      await waiting.shift()?.();
    }
    isRunning = false;
  }

  return (work, { ahead = false } = {}) =>
    new Promise((resolve, reject) => {
      const task = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      if (ahead) waiting.unshift(task);
      else waiting.push(task);
      if (!isRunning) void run();
    });
}
