import type { Abortable } from './abortable.ts';
import type { Clock } from './clock.ts';

/** Long work on a thread that others need too, done in slices. */
export interface TimeSlices {
  /** Whether the slice is used up, so that it is time to {@link rest}. */
  isOver(): boolean;
  /** Lets everything that waits run, then begins a slice. Rejects with the signal's reason when it aborts. */
  rest(options?: Abortable): Promise<void>;
}

/**
 * Slices of `ms` milliseconds, as exact as the clock.
 *
 * @example
 * const slices = createTimeSlices(systemClock);
 * for (const row of rows) {
 *   write(row);
 *   if (slices.isOver()) await slices.rest({ signal });
 * }
 */
export function createTimeSlices(clock: Clock, ms = 8): TimeSlices {
  let end = clock.elapsed() + ms;
  return {
    isOver: () => clock.elapsed() >= end,
    async rest(options) {
      await clock.sleep(0, options);
      end = clock.elapsed() + ms;
    },
  };
}
