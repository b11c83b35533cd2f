import type { Clock } from './clock.ts';
import { createTimeSlices } from './timeSlices.ts';

/** Does a piece of work when its turn has come, and gives what becomes of it. */
export type Turn = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Short, as each piece of work takes several times as long. */
const SLICE_MS = 1;

/**
 * Turns on a thread that others need too, for pieces of work of some milliseconds that come in bursts. One is done
 * before the next begins, so that what they need together is not in memory together, nor their slices of time in one
 * round of the event loop; where those before have used up a slice, everything else that waits runs first.
 */
export function createTurns(clock: Clock): Turn {
  const slices = createTimeSlices(clock, SLICE_MS);
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(() => (slices.isOver() ? slices.rest() : undefined));
    const done = turn.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
