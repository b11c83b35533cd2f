import type { Clock } from '../clock.ts';
import { createTimeSlices } from './timeSlices.ts';

/** Resolves when it is the caller's turn. */
export type Turn = () => Promise<void>;

/** Short, as what one of them begins takes several times as long. */
const SLICE_MS = 1;

/**
 * Turns on a thread that others need too, for pieces of work of some milliseconds that come in bursts. They go to one
 * caller after the other; where those before have used up a slice of time, everything else that waits runs first.
 */
export function createTurns(clock: Clock): Turn {
  const slices = createTimeSlices(clock, SLICE_MS);
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => (slices.isOver() ? slices.rest() : undefined));
    return last;
  };
}
